"""Meadhall: Goths Save the Queen and Romans Go Home!, exact, fast and leak-proof."""

from meadhall.faults import ChoiceFault, Fault, IllegalChoice, MalformedChoice, RecordFault
from meadhall.games.game import GAMES, SPECTATOR, Event, Outcome
from meadhall.match import Beat, Choices, Match, View

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
]
