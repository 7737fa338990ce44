"""Goths Save the Queen: the names of its choices and events, with the clause each event comes from."""

from collections.abc import Sequence

from meadhall.games.game import EventName
from meadhall.games.goths.state import (
    ACTIONS,
    CARDS,
    CHARACTERS,
    CHOICES,
    CLANS,
    ENDINGS,
    OBJECTIVES,
    PLACES,
    SIGHTS,
    TOKEN_FORBIDS,
    TOKENS,
    EventCode,
    Why,
)

# The action that each token forbids (G8.5 to G8.8).
FORBIDDEN = {token: ACTIONS[action] for token, action in zip(TOKENS, TOKEN_FORBIDS, strict=True)}
NUMBERS = {name: number for number, name in enumerate(CHOICES)}
FORMS = "order:CHARACTER/BLUFF, act:ACTION, look:objective-N, look:fog, enter:objective-N, build, disperse"
VOCABULARY: dict[str, Sequence[str]] = {
    "clan": CLANS,
    "back": tuple("+".join(name for k, name in enumerate(CHARACTERS) if bits >> k & 1) for bits in range(16)),
    "card": CARDS,
    "action": ACTIONS,
    "sight": SIGHTS,
    "place": PLACES,
    "objective": OBJECTIVES,
    "token": TOKENS,
    "ending": ENDINGS,
    "how": ("order", "face-up"),
    "why": tuple(why.name.lower().replace("_", "-") for why in Why),
}

_ACTION_CLAUSES = tuple(f"G6.{number}" for number in range(1, 10))
_NO_EFFECT_CLAUSES = ("G6.2", "G6.3", "G6.4", "G6.5", "G6.6", "G6.6", "G8.9")


def _who_is_first(numbers: Sequence[int]) -> str:
    """The lower number, or between equal ones the initiative."""
    _, action, later = numbers[:3]
    return "G5.2" if action == later else "G5.1"


_CLAN = ("clan", "clan")
_ENEMY = ("enemy", "clan")

EVENTS: dict[int, EventName] = {
    EventCode.TURN: EventName("turn", "G3.1", (("turn", None), ("initiative", "clan"))),
    EventCode.ORDERED: EventName("ordered", ("G3.2", "G3.3"), (_CLAN, ("back", "back"))),
    EventCode.ORDER_FRONT: EventName("order-front", "G10.2", (_CLAN, ("card", "card"))),
    EventCode.SEALED: EventName("sealed", "G3.4", (_CLAN, ("action", "action"))),
    EventCode.REVEALED: EventName("revealed", "G4.1", (_CLAN, ("card", "card"), ("action", "action"))),
    EventCode.UNDERSTOOD: EventName("understood", "G4.1", (_CLAN, ("action", "action"), ("how", "how"))),
    EventCode.MISREAD: EventName("misread", "G4.3", (_CLAN, ("card", "card"), ("action", "action"))),
    EventCode.FIRST: EventName("first", _who_is_first, (_CLAN, ("action", "action"), ("later", "action"))),
    EventCode.LOOKED: EventName("looked", "G6.1", (_CLAN, ("sight", "sight"))),
    EventCode.SAW_CARD: EventName("saw", "G10.3", (_CLAN, ("sight", "sight"), ("thing", "objective"))),
    EventCode.SAW_TOKEN: EventName("saw", "G10.3", (_CLAN, ("sight", "sight"), ("thing", "token"))),
    EventCode.NO_EFFECT: EventName("no-effect", _NO_EFFECT_CLAUSES, (_CLAN, ("action", "action"), ("why", "why"))),
    EventCode.SABOTAGED: EventName("sabotaged", "G6.2", (_CLAN, _ENEMY)),
    EventCode.RECRUITED: EventName("recruited", "G6.3", (_CLAN, ("units", None))),
    EventCode.LOADED: EventName("loaded", "G6.4", (_CLAN,)),
    EventCode.FIRED: EventName("fired", "G6.5", (_CLAN, _ENEMY)),
    EventCode.BARRICADED: EventName("barricaded", "G6.6", (_CLAN, ("place", "place"))),
    EventCode.ADVANCED: EventName("advanced", "G6.7", (_CLAN, ("place", "place"))),
    EventCode.ENTERED: EventName("entered", "G6.7", (_CLAN, ("sight", "sight"))),
    EventCode.TURNED_UP: EventName("turned-up", "G6.7", (_CLAN, ("sight", "sight"), ("objective", "objective"))),
    EventCode.LOST: EventName("lost", _ACTION_CLAUSES, (_CLAN, ("units", None), ("cause", "action"))),
    EventCode.PROTECTED: EventName("protected", _ACTION_CLAUSES, (_CLAN, ("why", "why"), ("cause", "action"))),
    EventCode.TOKEN_REVEALED: EventName("token-revealed", "G8.2", (_CLAN, ("token", "token"))),
    EventCode.BOARS_GONE: EventName("boars-gone", "G8.7", (_CLAN,)),
    EventCode.DISPERSED: EventName("dispersed", "G8.4", (_CLAN, ("token", "token"))),
    EventCode.CARDS_BACK: EventName("cards-back", "G4.2", (_CLAN,)),
    EventCode.WON: EventName("won", ("G7.1", "G7.2"), (_CLAN, ("by", "ending")), clause_by=1),
    EventCode.DRAWN: EventName("drawn", "G9.3", (("turn", None),)),
    EventCode.ATTACKED: EventName("attacked", _ACTION_CLAUSES, (_CLAN, ("action", "action")), clause_by=1),
}
