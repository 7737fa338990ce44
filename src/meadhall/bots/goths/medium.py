"""Goths, the level `medium`: thinks one turn through as everybody would, and estimates what comes after it."""

from random import Random
from typing import Any

from meadhall.bots.evaluation import Why
from meadhall.bots.goths.belief import Style
from meadhall.bots.goths.choosing import pick
from meadhall.bots.goths.equilibrium import Manner
from meadhall.bots.goths.outcomes import estimates
from meadhall.match import View


def choose(view: View, dice: Random) -> str:
    """The choice of a medium bot, whichever decision of the game it is."""
    return pick(view, STYLE, dice)


def caveat(rules: dict[str, Any]) -> Why | None:
    """It plays every variant alike: there is no table behind it."""
    return None


STYLE = Style(estimates, Manner(rounds=24, cooling=12, sharpness=1.0), company=0.5, reading=0.9, trust=0.2)
