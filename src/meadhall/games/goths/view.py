"""Goths Save the Queen: what a seat may know of a position, and the position as JSON.

A view is a record like the full one. It starts with everything unknown, and `reveal` copies in what the
seat may know: what nobody thought of stays hidden.
"""

from typing import Any, TypedDict

from meadhall.engine.bits import count_bits, nth_bit
from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll
from meadhall.games.goths.rules import back_of
from meadhall.games.goths.state import (
    ACT,
    CARDS,
    CHARACTERS,
    CHOICES,
    CLANS,
    ENDINGS,
    OBJECTIVES,
    PLACES,
    SIGHTS,
    TOKEN_STATES,
    TOKENS,
    Fog,
    GothsState,
    Phase,
)


class GothsToken(TypedDict):
    """A clan's fog token; null where it is not known."""

    token: str | None
    state: str


class GothsClan(TypedDict):
    """A clan's army and what lies before its king."""

    place: str
    units: int
    catapult: str
    barricades: list[str]
    face_up: list[str]
    fog: GothsToken | None


class GothsObjective(TypedDict):
    """An Objective card; null where it is not known."""

    card: str | None
    revealed: bool


class GothsOutcome(TypedDict):
    """Who won, null for a draw, and by what."""

    winner: str | None
    by: str


class GothsPosition(TypedDict):
    """A position as the record format writes it."""

    turn: int
    initiative: str
    clans: dict[str, GothsClan]
    objectives: list[GothsObjective]
    backs: dict[str, list[str] | None]
    seen: dict[str, list[str]]
    pending: dict[str, list[str]]
    outcome: GothsOutcome | None


class GothsView(GothsPosition):
    """A position as a seat may know it, and what the seat has chosen and nobody else may see yet."""

    own: str | None


def reveal(s: GothsState, seat: int, view: GothsState) -> None:
    """Copy into a blank view what the seat may know; seat -1 is a spectator, who knows what all know."""
    reveal_public(s, view)
    for objective in range(3):
        turned_up = (int(s.revealed) >> objective) & 1 != 0
        view.objectives[objective] = UNKNOWN
        if turned_up or looked_itself(s, seat, seat_clan(seat), objective):  # G10.1, G10.3
            view.objectives[objective] = s.objectives[objective]
    for clan in range(2):
        reveal_choices(s, seat, clan, view)
        view.token[clan] = UNKNOWN
        if s.fog[clan] > Fog.HIDDEN or looked_itself(s, seat, clan, 3):  # G10.1, G10.3
            view.token[clan] = s.token[clan]


def reveal_public(s: GothsState, view: GothsState) -> None:
    """What everybody knows (G10.1), and the options of the game."""
    view.turn = s.turn
    view.turn_limit = s.turn_limit
    view.deck = s.deck
    view.phase = s.phase
    view.initiative = s.initiative
    view.first = s.first
    view.resolved = s.resolved
    view.revealed = s.revealed
    view.winner = s.winner
    view.by = s.by
    view.fog_anywhere = s.fog_anywhere
    for clan in range(2):
        view.place[clan] = s.place[clan]
        view.units[clan] = s.units[clan]
        view.catapult[clan] = s.catapult[clan]
        view.barricades[clan] = s.barricades[clan]
        view.face_up_count[clan] = s.face_up_count[clan]
        for k in range(8):
            view.face_up[clan][k] = s.face_up[clan][k]
        view.back[clan] = s.back[clan]
        view.last_act[clan] = s.last_act[clan]
        view.through[clan] = s.through[clan]
        view.seen[clan] = s.seen[clan]
        view.fog[clan] = s.fog[clan]
        view.lone[clan] = s.lone[clan]


def reveal_choices(s: GothsState, seat: int, clan: int, view: GothsState) -> None:
    """The clan's cards of this turn, and a hand that does not betray the one lying face down (G10.2)."""
    mine = seat_clan(seat) == clan
    view.hand[clan] = s.hand[clan]
    view.order[clan] = UNKNOWN
    if s.phase > Phase.ACTS or (mine and (seat & 1 == 0 or s.lone[clan])):  # G10.1, G10.2, G10.4
        view.order[clan] = s.order[clan]
    elif s.order[clan] != UNKNOWN:
        view.hand[clan] = int(s.hand[clan]) | (1 << int(s.order[clan]))
    view.act[clan] = UNKNOWN
    if s.phase > Phase.ACTS or (mine and (seat & 1 == 1 or s.lone[clan])):  # G10.1, G10.3, G10.4
        view.act[clan] = s.act[clan]


def seat_clan(seat: int) -> int:
    """The clan of a seat, -1 for a spectator."""
    return seat >> 1 if seat >= 0 else -1


def looked_itself(s: GothsState, seat: int, clan: int, sight: int) -> bool:
    """Has this seat of that clan looked at the card or token itself? (G10.3, G10.4)"""
    if seat < 0 or seat_clan(seat) != clan:
        return False
    return (seat & 1 == 1 or s.lone[clan]) and (int(s.seen[clan]) >> sight) & 1 != 0


def redeal(view: GothsState, seat: int, rng: list[int]) -> None:
    """Fill what the view leaves open with another deal the seat cannot tell apart, all deals equally likely.

    Face-down King cards are drawn from those with the same back; actions others may have sealed are owed anew.
    """
    known = 0
    for objective in range(3):
        if view.objectives[objective] != UNKNOWN:
            known |= 1 << int(view.objectives[objective])
    for objective in range(3):
        if view.objectives[objective] == UNKNOWN:
            card = draw(7 & ~known, rng)
            view.objectives[objective] = card
            known |= 1 << card
    known = 0
    for clan in range(2):
        if view.token[clan] != UNKNOWN:
            known |= 1 << int(view.token[clan])
    for clan in range(2):
        if view.fog[clan] == Fog.HIDDEN and view.token[clan] == UNKNOWN:
            token = draw(15 & ~known, rng)
            view.token[clan] = token
            known |= 1 << token
        if view.back[clan] != 0 and view.order[clan] == UNKNOWN:
            card = draw(cards_with_back(view, clan), rng)
            view.order[clan] = card
            view.hand[clan] = int(view.hand[clan]) & ~(1 << card)


def cards_with_back(view: GothsState, clan: int) -> int:
    """The cards, out of those the king may have held, that show the back lying there."""
    cards = 0
    for card in range(12):
        if (int(view.hand[clan]) >> card) & 1 and back_of(card) == view.back[clan]:
            cards |= 1 << card
    return cards


def draw(things: int, rng: list[int]) -> int:
    """One of the things whose bits are set, each equally likely."""
    return nth_bit(things, roll(rng, count_bits(things)), 12)


# As JSON


def describe(s: GothsState) -> dict[str, Any]:
    """The position in the record format's words; what a view does not know is null. `pending` is not filled."""
    backs = {
        name: sorted(CHARACTERS[k] for k in range(4) if s.back[clan] >> k & 1) or None
        for clan, name in enumerate(CLANS)
    }
    return {
        "turn": s.turn,
        "initiative": CLANS[s.initiative],
        "clans": {name: _describe_clan(s, clan) for clan, name in enumerate(CLANS)},
        "objectives": [
            {"card": _name(OBJECTIVES, s.objectives[k]), "revealed": bool(s.revealed >> k & 1)} for k in range(3)
        ],
        "backs": backs,
        "seen": {
            f"{name}-warchief": sorted(sight for k, sight in enumerate(SIGHTS) if s.seen[clan] >> k & 1)
            for clan, name in enumerate(CLANS)
        },
        "pending": {},
        "outcome": describe_outcome(s) if s.phase == Phase.OVER else None,
    }


def _describe_clan(s: GothsState, clan: int) -> dict[str, Any]:
    fog = None
    if s.fog[clan] != Fog.NONE:
        fog = {"token": _name(TOKENS, s.token[clan]), "state": TOKEN_STATES[s.fog[clan]]}
    return {
        "place": PLACES[s.place[clan]],
        "units": s.units[clan],
        "catapult": "active" if s.catapult[clan] else "inactive",
        "barricades": [PLACES[k] for k in range(3) if s.barricades[clan] >> k & 1],
        "face_up": [CARDS[s.face_up[clan][k]] for k in range(s.face_up_count[clan])],
        "fog": fog,
    }


def describe_outcome(s: GothsState) -> dict[str, Any]:
    """Who won and how, once the game is over."""
    return {"winner": CLANS[s.winner] if s.winner < 2 else None, "by": ENDINGS[s.by]}


def _name(names: tuple[str, ...], number: int) -> str | None:
    return None if number == UNKNOWN else names[number]


def own(view: GothsState, seat: int) -> str | None:
    """What the seat itself has chosen and nobody else may see yet; a lone ruler has two seats, each with its own."""
    clan = seat_clan(seat)
    if clan < 0 or view.phase > Phase.ACTS:
        return None
    if seat & 1 == 0:
        return None if view.order[clan] == UNKNOWN else CHOICES[view.order[clan]]
    return None if view.act[clan] == UNKNOWN else CHOICES[ACT + view.act[clan]]
