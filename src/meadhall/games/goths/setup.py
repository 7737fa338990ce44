"""Goths Save the Queen: what chance deals before the first choice (G1.6, G8.1)."""

from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll
from meadhall.games.goths.state import Fog, GothsState


def deal(s: GothsState, dice: list[int], fog: bool) -> None:
    """Shuffle the objectives (G1.6) and draw two of the four tokens (G8.1)."""
    s.objectives[0] = roll(dice, 3)
    s.objectives[1] = (s.objectives[0] + 1 + roll(dice, 2)) % 3
    s.objectives[2] = 3 - s.objectives[0] - s.objectives[1]
    for clan in range(2):
        s.token[clan] = UNKNOWN
        s.fog[clan] = Fog.NONE
    if fog:
        s.token[0] = roll(dice, 4)
        s.token[1] = (s.token[0] + 1 + roll(dice, 3)) % 4
        s.fog[0] = Fog.HIDDEN
        s.fog[1] = Fog.HIDDEN
