"""Romans Go Home!: the names of its choices and events, with the clause each event comes from."""

from collections.abc import Sequence

from meadhall.engine.bits import at
from meadhall.engine.layout import UNKNOWN
from meadhall.faults import MalformedChoice, show
from meadhall.games.game import EventName, no_such_choice
from meadhall.games.romans import rules
from meadhall.games.romans.state import (
    CHARM,
    CLANS,
    DISCARD,
    ENDINGS,
    FORT_VALUE,
    FORTS,
    KEEP_AXX,
    KEEP_WEAKEST,
    LEAVE_AXX,
    LEAVE_WEAKEST,
    PAY,
    REORDER,
    STRENGTH,
    TAKE,
    WARRIORS,
    Counts,
    EventCode,
    Phase,
    RomansState,
    Why,
)

_FIXED = {
    "keep:axx": KEEP_AXX,
    "leave:axx": LEAVE_AXX,
    "keep:weakest": KEEP_WEAKEST,
    "leave:weakest": LEAVE_WEAKEST,
    **{f"take:{place + 1}": TAKE + place for place in range(6)},
    **{f"discard:{warrior}": DISCARD + k for k, warrior in enumerate(WARRIORS)},
    **{f"pay:{fort}": PAY + k for k, fort in enumerate(FORTS)},
}
_FIXED_NAMES = {number: name for name, number in _FIXED.items()}
FORMS = (
    "plan:W,W,W,W,W,W, charm:CLAN, take:N, keep:axx, leave:axx, keep:weakest, leave:weakest, discard:W, "
    "reorder:W,..., pay:FORT"
)
VOCABULARY: dict[str, Sequence[str]] = {
    "warrior": WARRIORS,
    "fort": FORTS,
    "ending": ENDINGS,
    "barred": ("free", "barred"),
    "counts": tuple(counts.name.lower() for counts in Counts if counts != Counts.NOTHING),
    "why": tuple(why.name.lower() for why in Why),
}


def to_arrange(s: RomansState, clan: int) -> list[str]:
    """The warriors a clan is to arrange, in order: its hand, or those still hidden."""
    if s.phase == Phase.PLAN:
        return [WARRIORS[at(s.hand[clan], k)] for k in range(7)]
    return [WARRIORS[at(s.line[clan], k)] for k in range(s.shown, 6)]


def choice_name(s: RomansState, clan: int, clans: Sequence[str], choice: int) -> str:
    """The name of a choice the clan may make now."""
    if choice in _FIXED_NAMES:
        return _FIXED_NAMES[choice]
    if choice >= CHARM:
        return f"charm:{clans[choice - CHARM]}"
    verb, number = ("plan", choice) if choice < REORDER else ("reorder", choice - REORDER)
    pool = to_arrange(s, clan)
    count = 6 if verb == "plan" else len(pool)
    return f"{verb}:" + ",".join([pool[rules.arranged_place(s, number, k)] for k in range(count)])


def choice_id(s: RomansState, clan: int, clans: Sequence[str], name: str) -> int:
    """The number of a named choice; -1 if the clan cannot arrange these warriors or charm that clan."""
    if name in _FIXED:
        return _FIXED[name]
    verb, colon, rest = name.partition(":")
    if verb == "charm" and rest in clans:
        return CHARM + clans.index(rest)
    if verb == "charm" and rest in CLANS:
        return UNKNOWN
    warriors = rest.split(",")
    if verb not in ("plan", "reorder") or not colon or any(warrior not in WARRIORS for warrior in warriors):
        raise no_such_choice(name, FORMS)
    if verb == "plan" and len(warriors) != 6:
        raise MalformedChoice(f"{show(name)}: a plan names 6 warriors, not {len(warriors)}")
    return _arrangement_id(s, clan, verb, warriors)


def _arrangement_id(s: RomansState, clan: int, verb: str, warriors: list[str]) -> int:
    """The number of an arrangement, equal warriors kept in order; -1 if these cannot be arranged so now."""
    if not rules.arranging(s, clan) or (verb == "plan") != (s.phase == Phase.PLAN):
        return UNKNOWN
    pool = to_arrange(s, clan)
    if len(warriors) != (6 if verb == "plan" else len(pool)):
        return UNKNOWN
    left = list(range(len(pool)))
    number = 0
    for warrior in warriors:
        place = next((k for k in left if pool[k] == warrior), None)
        if place is None:
            return UNKNOWN
        number = number * len(left) + left.index(place)
        left.remove(place)
    return number if verb == "plan" else REORDER + number


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
    EventCode.ROUND_OVER: EventName("round-over", "R3.4", (("round", None),)),
    EventCode.SCORE: EventName("score", "R7.1", (_CLAN, ("points", None), ("forts", None))),
    EventCode.WON: EventName("won", ("R7.1", "R5.4"), (_CLAN, ("by", "ending")), clause_by=1),
}
