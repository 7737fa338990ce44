"""Romans Go Home!: the events of the rules, by name, with the clause each comes from."""

from meadhall.games.game import Told as Named
from meadhall.games.romans.state import Told

_CLAN = ("clan", "clan")
_WARRIOR = ("warrior", "warrior")
_FORT = ("fort", "fort")

EVENTS: dict[int, Named] = {
    Told.ROUND: Named("round", "R3.1", (("round", None),)),
    Told.FORT_DRAWN: Named("fort-drawn", "R3.1", (_FORT, ("place", None))),
    Told.DEALT: Named("dealt", "R3.2", (_CLAN, _WARRIOR)),
    Told.SEALED: Named("sealed", "R6.3", (_CLAN, ("choice", None))),
    Told.PLANNED: Named("planned", "R3.2", (_CLAN,)),
    Told.LAID: Named("laid", "R3.2", (_CLAN, _WARRIOR, ("place", None))),
    Told.TURN: Named("turn", "R4.1", (("turn", None), _FORT)),
    Told.SHOWN: Named("shown", "R4.1", (_CLAN, _WARRIOR)),
    Told.WRECKED: Named("wrecked", "R4.2", (_CLAN,)),
    Told.QWEENS_CANCEL: Named("qweens-cancel", "R4.4"),
    Told.CHARMED: Named("charmed", "R4.3", (_CLAN, ("target", "clan"), _WARRIOR)),
    Told.TERM: Named("term", "R4.5", (_CLAN, _WARRIOR, ("owner", "clan"))),
    Told.TOTAL: Named("total", ("R4.5", "R4.6"), (_CLAN, ("total", None), ("barred", "barred"))),
    Told.TIE_BROKEN: Named("tie-broken", "R4.8", (_CLAN, ("total", None))),
    Told.TIE: Named("tie", "R4.9", (("total", None),)),
    Told.NOBODY_CAN: Named("nobody-can", "R4.9"),
    Told.FORT_DISCARDED: Named("fort-discarded", ("R4.9", "R9.1"), (_FORT,), clause_by=1),
    Told.CAPTURED: Named("captured", "R4.7", (_CLAN, _FORT)),
    Told.SWAPPED: Named("swapped", "R4.10", (_CLAN, ("place", None), _FORT)),
    Told.LEGIONS: Named("legions", "R5.4", (_CLAN,)),
    Told.KEPT: Named("kept", ("R4.11", "R4.13", "R5.2", "R4.12", "R5.1"), (_CLAN, _WARRIOR, ("why", "why"))),
    Told.LEFT: Named("left", "R4.11", (_CLAN, _WARRIOR)),
    Told.DISCARDED: Named("discarded", ("R4.11", "R4.13", "R5.2"), (_CLAN, _WARRIOR, ("why", "why"))),
    Told.REORDERED: Named("reordered", "R4.14", (_CLAN,)),
    Told.NEW_ORDER: Named("new-order", "R4.14", (_CLAN, _WARRIOR, ("place", None))),
    Told.PAID: Named("paid", "R5.3", (_CLAN, _FORT)),
    Told.SCORE: Named("score", "R7.1", (_CLAN, ("points", None), ("forts", None))),
    Told.WON: Named("won", ("R7.1", "R5.4"), (_CLAN, ("by", "ending")), clause_by=1),
}
