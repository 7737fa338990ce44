"""Meadhall: Goths Save the Queen and Romans Go Home!, exact, fast and leak-proof."""

from meadhall.engine.rng import seeded
from meadhall.faults import Fault, IllegalChoice, MalformedChoice, RecordFault
from meadhall.games.game import Event
from meadhall.match import Match, View

__all__ = ["Event", "Fault", "IllegalChoice", "MalformedChoice", "Match", "RecordFault", "View", "seeded"]
