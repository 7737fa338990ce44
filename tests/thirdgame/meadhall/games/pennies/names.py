"""Matching pennies with a hidden coin: the names of its events."""

from meadhall.games.pennies.state import FACES, SEATS, EventCode

from meadhall.games.game import EventName

VOCABULARY = {"seat": SEATS, "face": FACES}
EVENTS = {
    EventCode.SEALED: EventName("sealed", "P1", (("seat", "seat"), ("face", "face"))),
    EventCode.SHOWN: EventName("shown", "P1", (("seat", "seat"), ("face", "face"))),
    EventCode.COIN: EventName("coin", "P2", (("face", "face"),)),
    EventCode.WON: EventName("won", "P2", (("seat", "seat"),)),
}
