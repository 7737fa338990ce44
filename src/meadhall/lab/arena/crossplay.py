"""How bots get on as partners in Goths: every king with every warchief, all against the same pair."""

from dataclasses import dataclass

from meadhall.lab.arena.entrants import Entrant, paired
from meadhall.lab.arena.intervals import Share


@dataclass(frozen=True)
class Cell:
    """A king and a warchief who have agreed on nothing: how often they understood each other, and won."""

    king: str
    warchief: str
    games: int
    won: Share
    orders: int
    through: Share


def couples(entrants: tuple[Entrant, ...]) -> list[tuple[Entrant, Entrant, Entrant]]:
    """Every king with every warchief of those who play alone: (king, warchief, the two as a side)."""
    plain = [entrant for entrant in entrants if entrant.plain]
    return [(king, warchief, paired(king, warchief)) for king in plain for warchief in plain]
