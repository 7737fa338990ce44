"""Goths, the level `medium`: thinks one turn through as everybody would, and estimates what comes after it."""

from random import Random
from typing import Any

import numpy as np

from meadhall.bits import count_bits
from meadhall.bots.goths_choosing import pick
from meadhall.bots.goths_ends import Cases, Ends
from meadhall.bots.goths_mind import Style
from meadhall.bots.goths_stage import Floats, Manner
from meadhall.bots.judgement import Why
from meadhall.match import View

FACE_UP = 0.15  # what a character that is sure to get through adds to how well an army stands


def choose(view: View, dice: Random) -> str:
    """The choice of a medium bot, whichever decision of the game it is."""
    return pick(view, STYLE, dice)


def caveat(rules: dict[str, Any]) -> Why | None:
    """It plays every variant alike: there is no table behind it."""
    return None


def estimates(ends: Ends, ours: Cases, theirs: Cases) -> Floats:
    """Clan 0's chances to win, by a look at both armies; the characters face up (bits) count a little."""
    up = np.array([[FACE_UP * (count_bits(a) - count_bits(b)) for b in theirs] for a in ours], np.float32)
    lead = ends.lead + up[:, :, None]
    found: Floats = np.where(ends.over, ends.result, 1.0 / (1.0 + np.exp(-lead)))
    return found


STYLE = Style(estimates, Manner(rounds=24, cooling=12, sharpness=1.0), company=0.5, reading=0.9, trust=0.2)
