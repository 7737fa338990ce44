"""Goths, the level `medium`: solves one turn as a game, and estimates by a heuristic what comes after it."""

from random import Random

from meadhall.bots.goths import choosing
from meadhall.bots.goths.belief import Strategy
from meadhall.bots.goths.equilibrium import Schedule
from meadhall.bots.goths.outcomes import heuristic_values
from meadhall.match import View

STRATEGY = Strategy(
    heuristic_values,
    Schedule(iterations=24, cooling=12, sharpness=1.0),
    partner_warchief=0.5,
    partner_king=0.9,
    understanding=0.2,
)


def choose(view: View, rng: Random) -> str:
    """The choice of a medium bot, whichever decision of the game it is."""
    return choosing.choose(view, STRATEGY, rng)
