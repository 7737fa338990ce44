"""Meadhall: Goths Save the Queen and Romans Go Home!, exact, fast and leak-proof."""

from typing import TYPE_CHECKING, Any

from meadhall.faults import ChoiceFault, Fault, IllegalChoice, MalformedChoice, RecordFault
from meadhall.games.game import GAMES, SPECTATOR, Event, Outcome
from meadhall.match import Beat, Choices, Match, View

if TYPE_CHECKING:
    from meadhall.lab.simulate import simulate

__all__ = [
    "GAMES",
    "SPECTATOR",
    "Beat",
    "ChoiceFault",
    "Choices",
    "Event",
    "Fault",
    "IllegalChoice",
    "MalformedChoice",
    "Match",
    "Outcome",
    "RecordFault",
    "View",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Simulation needs NumPy and a compiler, which take longer to import than all the rest: only when asked for."""
    if name == "simulate":
        from meadhall.lab.simulate import simulate

        return simulate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
