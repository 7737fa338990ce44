"""Romans Go Home!: the events of the rules, by name, with the clause each comes from."""

from meadhall.games.game import EventName
from meadhall.games.romans.state import FORT_VALUE, FORTS, STRENGTH, WARRIORS, EventCode

# What is printed on each warrior (R1.1) and each fort (R1.2).
POINTS = dict(zip(WARRIORS, STRENGTH, strict=True))
VALUES = dict(zip(FORTS, FORT_VALUE, strict=True))
_CLAN = ("clan", "clan")
_WARRIOR = ("warrior", "warrior")
_FORT = ("fort", "fort")
# Where a warrior lies on its line, or a fort stood on the Wall, from 1.
_PLACE = ("place", None)
# Where on the Wall of its round a fort was laid, from 1: with the round it names the same fort all game.
_LAID = ("laid", None)

EVENTS: dict[int, EventName] = {
    EventCode.ROUND: EventName("round", "R3.1", (("round", None),)),
    EventCode.FORT_DRAWN: EventName("fort-drawn", "R3.1", (_FORT, _PLACE)),
    EventCode.DEALT: EventName("dealt", "R3.2", (_CLAN, _WARRIOR)),
    EventCode.SEALED: EventName("sealed", "R6.3", (_CLAN, ("choice", None))),
    EventCode.PLANNED: EventName("planned", "R3.2", (_CLAN,)),
    EventCode.LAID: EventName("laid", "R3.2", (_CLAN, _WARRIOR, _PLACE)),
    EventCode.TURN: EventName("turn", "R4.1", (("turn", None), _FORT)),
    EventCode.SHOWN: EventName("shown", "R4.1", (_CLAN, _WARRIOR, _PLACE)),
    EventCode.WRECKED: EventName("wrecked", "R4.2", (_CLAN, _WARRIOR, _PLACE)),
    EventCode.QWEENS_CANCEL: EventName("qweens-cancel", "R4.4"),
    EventCode.CHARMED: EventName("charmed", "R4.3", (_CLAN, ("target", "clan"), _WARRIOR)),
    EventCode.TERM: EventName(
        "term", "R4.5", (_CLAN, _WARRIOR, ("owner", "clan"), ("counts", "counts"), ("points", None))
    ),
    EventCode.TOTAL: EventName("total", ("R4.5", "R4.6"), (_CLAN, ("total", None), ("barred", "barred"))),
    EventCode.HIGHEST: EventName("highest", "R4.7", (_CLAN, ("total", None))),
    EventCode.TIE_BROKEN: EventName("tie-broken", "R4.8", (_CLAN, ("total", None))),
    EventCode.TIE: EventName("tie", "R4.9", (("total", None),)),
    EventCode.NOBODY_CAN: EventName("nobody-can", "R4.9"),
    EventCode.FORT_DISCARDED: EventName("fort-discarded", ("R4.9", "R9.1"), (_FORT, _PLACE, _LAID), clause_by=3),
    EventCode.CAPTURED: EventName("captured", "R4.7", (_CLAN, _FORT, _PLACE, _LAID)),
    EventCode.SWAPPED: EventName("swapped", "R4.10", (_CLAN, ("place", None), _FORT)),
    EventCode.LEGIONS: EventName("legions", "R5.4", (_CLAN,)),
    EventCode.KEPT: EventName(
        "kept", ("R4.11", "R4.13", "R5.2", "R4.12", "R5.1"), (_CLAN, _WARRIOR, ("why", "why"), _PLACE)
    ),
    EventCode.LEFT: EventName("left", "R4.11", (_CLAN, _WARRIOR, _PLACE)),
    EventCode.DISCARDED: EventName("discarded", ("R4.11", "R4.13", "R5.2"), (_CLAN, _WARRIOR, ("why", "why"), _PLACE)),
    EventCode.REORDERED: EventName("reordered", "R4.14", (_CLAN,)),
    EventCode.NEW_ORDER: EventName("new-order", "R4.14", (_CLAN, _WARRIOR, _PLACE)),
    EventCode.PAID: EventName("paid", "R5.3", (_CLAN, _FORT, ("round", None), _LAID)),
    EventCode.SCORE: EventName("score", "R7.1", (_CLAN, ("points", None), ("forts", None))),
    EventCode.WON: EventName("won", ("R7.1", "R5.4"), (_CLAN, ("by", "ending")), clause_by=1),
}
