"""Goths Save the Queen: the events of the rules, by name, with the clause each comes from."""

from collections.abc import Sequence

from meadhall.games.game import Told as Named
from meadhall.games.goths.state import Told

_ACTION_CLAUSES = tuple(f"G6.{number}" for number in range(1, 10))
_NO_EFFECT_CLAUSES = ("G6.2", "G6.3", "G6.4", "G6.5", "G6.6", "G6.6", "G8.9")


def _who_is_first(numbers: Sequence[int]) -> str:
    """The lower number, or between equal ones the initiative."""
    _, action, later = numbers[:3]
    return "G5.2" if action == later else "G5.1"


_CLAN = ("clan", "clan")
_ENEMY = ("enemy", "clan")

EVENTS: dict[int, Named] = {
    Told.TURN: Named("turn", "G3.1", (("turn", None), ("initiative", "clan"))),
    Told.ORDERED: Named("ordered", ("G3.2", "G3.3"), (_CLAN, ("back", "back"))),
    Told.ORDER_FRONT: Named("order-front", "G10.2", (_CLAN, ("card", "card"))),
    Told.SEALED: Named("sealed", "G3.4", (_CLAN, ("action", "action"))),
    Told.REVEALED: Named("revealed", "G4.1", (_CLAN, ("card", "card"), ("action", "action"))),
    Told.UNDERSTOOD: Named("understood", "G4.1", (_CLAN, ("action", "action"), ("how", "how"))),
    Told.MISREAD: Named("misread", "G4.3", (_CLAN, ("card", "card"), ("action", "action"))),
    Told.FIRST: Named("first", _who_is_first, (_CLAN, ("action", "action"), ("later", "action"))),
    Told.LOOKED: Named("looked", "G6.1", (_CLAN, ("sight", "sight"))),
    Told.SAW_CARD: Named("saw", "G10.3", (_CLAN, ("sight", "sight"), ("thing", "objective"))),
    Told.SAW_TOKEN: Named("saw", "G10.3", (_CLAN, ("sight", "sight"), ("thing", "token"))),
    Told.NO_EFFECT: Named("no-effect", _NO_EFFECT_CLAUSES, (_CLAN, ("action", "action"), ("why", "why"))),
    Told.SABOTAGED: Named("sabotaged", "G6.2", (_CLAN, _ENEMY)),
    Told.RECRUITED: Named("recruited", "G6.3", (_CLAN, ("units", None))),
    Told.LOADED: Named("loaded", "G6.4", (_CLAN,)),
    Told.FIRED: Named("fired", "G6.5", (_CLAN, _ENEMY)),
    Told.BARRICADED: Named("barricaded", "G6.6", (_CLAN, ("place", "place"))),
    Told.ADVANCED: Named("advanced", "G6.7", (_CLAN, ("place", "place"))),
    Told.ENTERED: Named("entered", "G6.7", (_CLAN, ("sight", "sight"))),
    Told.TURNED_UP: Named("turned-up", "G6.7", (_CLAN, ("sight", "sight"), ("objective", "objective"))),
    Told.LOST: Named("lost", _ACTION_CLAUSES, (_CLAN, ("units", None), ("cause", "action"))),
    Told.PROTECTED: Named("protected", _ACTION_CLAUSES, (_CLAN, ("why", "why"), ("cause", "action"))),
    Told.TOKEN_REVEALED: Named("token-revealed", "G8.2", (_CLAN, ("token", "token"))),
    Told.BOARS_GONE: Named("boars-gone", "G8.7", (_CLAN,)),
    Told.DISPERSED: Named("dispersed", "G8.4", (_CLAN, ("token", "token"))),
    Told.CARDS_BACK: Named("cards-back", "G4.2", (_CLAN,)),
    Told.WON: Named("won", ("G7.1", "G7.2"), (_CLAN, ("by", "ending")), clause_by=1),
    Told.DRAWN: Named("drawn", "G9.3", (("turn", None),)),
    Told.ATTACKED: Named("attacked", _ACTION_CLAUSES, (_CLAN, ("action", "action")), clause_by=1),
}
