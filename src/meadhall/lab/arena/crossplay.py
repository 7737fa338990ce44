"""Cross-play: how bots get on as partners they have not met, every pair of them against the same pair."""

from dataclasses import dataclass

from meadhall.lab.arena.entrants import Entrant, paired
from meadhall.lab.arena.intervals import Share


@dataclass(frozen=True)
class Cell:
    """Two bots in the two roles of a side, such as king and warchief: how often they understood each other, and won."""

    first: str
    second: str
    games: int
    won: Share
    orders: int
    through: Share


def couples(entrants: tuple[Entrant, ...]) -> list[tuple[Entrant, Entrant, Entrant]]:
    """Every first partner with every second one of those who play alone: (first, second, the two as a side)."""
    plain = [entrant for entrant in entrants if entrant.plain]
    return [(first, second, paired(first, second)) for first in plain for second in plain]
