"""What an analysis consists of; all of it is plain data, which can be kept and sent."""

from dataclasses import asdict, dataclass
from typing import Any

from meadhall.bots.evaluation import Reason

VERSION = 2  # of the analyses: a kept one of another version is made anew


@dataclass(frozen=True)
class Point:
    """A point of the curve: a beat of the opened timeline by its number, and each side's chance to win there."""

    beat: int
    win: tuple[float, ...]  # by side, together 1, from all that had been chosen by then, sealed or not


@dataclass(frozen=True)
class Decision:
    """A choice: what was chosen and what was better, by what the seat knew then."""

    choice: int  # its place in the record
    beat: int  # the beat of the opened timeline at which it shows
    chapter: str  # the turn, as the telling names it
    seat: str
    chosen: str
    better: str  # the same as `chosen` if nothing was
    win: float  # the chance to win with what was chosen, for the seat's side
    best: float  # and with what was better
    why: Reason  # one sentence

    @property
    def lost(self) -> float:
        """By how much the choice fell short, in chances to win."""
        return max(0.0, self.best - self.win)


@dataclass(frozen=True)
class TurningPoint:
    """Where the curve turned: between two beats, by whose doing, and the decision behind it if one is to blame."""

    beat: int
    side: str  # whose chances rose
    swing: float  # by how much
    why: Reason  # one sentence
    decision: int | None = None  # its place in `decisions`


@dataclass(frozen=True)
class Found:
    """What a game's own analysis finds."""

    curve: tuple[Point, ...]
    decisions: tuple[Decision, ...]
    turning_points: tuple[TurningPoint, ...]
    detail: Any  # the game's own findings: a dataclass
    sides: tuple[str, ...] = ()  # whose chances they are, if others than the game's sides can win too


@dataclass(frozen=True)
class Analysis:
    """All that was found out about a finished game."""

    game: str
    sides: tuple[str, ...]
    winners: tuple[str, ...]
    curve: tuple[Point, ...]
    decisions: tuple[Decision, ...]
    turning_points: tuple[TurningPoint, ...]
    detail: Any
    caveat: str | None = None
    version: int = VERSION

    def json(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)
