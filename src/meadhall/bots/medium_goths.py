"""Goths, the level `medium`: thinks one turn through as everybody would, and estimates what comes after it."""

from math import exp
from random import Random
from typing import Any

from meadhall.bits import count_bits
from meadhall.bots.goths_choosing import pick
from meadhall.bots.goths_mind import Style
from meadhall.bots.goths_stage import Manner
from meadhall.bots.judgement import Why
from meadhall.games.goths.actions import behind_barricade
from meadhall.games.goths.state import Fog, GothsState, Phase
from meadhall.match import View

# What an army is worth by its units, its place, its shelter, its catapult and what its warchief has seen.
UNITS = (0.0, 0.0, 0.9, 1.6)
PLACES = (0.0, 0.3, 0.7, 1.1)
SHELTER = 0.5
CATAPULT, CATAPULT_AT_SHELTER = 0.9, 0.3
SIGHTS = ((0.0, 0.1, 0.2), (0.0, 0.2, 0.4), (0.0, 0.5, 1.2), (0.0, 1.0, 1.4))  # by place, by cards known
FACE_UP = 0.15
HAMPERED = 0.3


def choose(view: View, dice: Random) -> str:
    """The choice of a medium bot, whichever decision of the game it is."""
    return pick(view, STYLE, dice)


def caveat(rules: dict[str, Any]) -> Why | None:
    """It plays every variant alike: there is no table behind it."""
    return None


def estimate(after: GothsState, ours: int, theirs: int) -> float:
    """Clan 0's chance to win, by a look at both armies; the characters face up (bits) count a little."""
    if after.phase == Phase.OVER:
        return (1.0, 0.0, 0.5)[after.winner]
    lead = strength(after, 0, ours) - strength(after, 1, theirs)
    return 1.0 / (1.0 + exp(-lead))


def strength(s: GothsState, clan: int, face_up: int) -> float:
    """How well an army stands."""
    place = min(int(s.place[clan]), 3)
    sheltered = behind_barricade(s, 1 - clan)
    known = count_bits((int(s.seen[clan]) | int(s.revealed)) & 7)
    return (
        UNITS[s.units[clan]]
        + PLACES[place]
        + SHELTER * behind_barricade(s, clan)
        + (CATAPULT_AT_SHELTER if sheltered else CATAPULT) * s.catapult[clan]
        + SIGHTS[place][min(known, 2)]
        + FACE_UP * count_bits(face_up)
        - HAMPERED * (s.fog[clan] == Fog.REVEALED)
    )


STYLE = Style(estimate, Manner(rounds=24, cooling=12, sharpness=1.0), company=0.5, reading=0.9, trust=0.2)
