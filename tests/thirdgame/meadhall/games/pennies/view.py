"""Matching pennies with a hidden coin: what a seat may know, and the position as JSON."""

from typing import Any, TypedDict

from meadhall.games.pennies.state import CHOICES, FACES, NOBODY, SEATS, PenniesState

from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll


class PenniesView(TypedDict):
    """A position as a seat may know it."""

    coin: str | None
    pennies: dict[str, str | None]
    pending: dict[str, list[str]]
    outcome: dict[str, str] | None
    own: str | None


def reveal(s: PenniesState, seat: int, view: PenniesState) -> None:
    """Even has seen the coin; a penny is its owner's secret until both are shown."""
    over = s.winner != NOBODY
    view.winner = s.winner
    view.swapped = s.swapped
    view.coin = s.coin if over or seat == 0 else UNKNOWN
    for owner in range(2):
        view.shown[owner] = s.shown[owner] if over or owner == seat else UNKNOWN


def redeal(view: PenniesState, seat: int, rng: list[int]) -> None:
    """Toss the coin anew where the seat does not know it; sealed pennies of others are owed anew."""
    if view.coin == UNKNOWN:
        view.coin = roll(rng, 2)


def describe(s: PenniesState) -> dict[str, Any]:
    """The position; what a view does not know is null."""
    over = s.winner != NOBODY
    return {
        "coin": None if s.coin == UNKNOWN else FACES[s.coin],
        "pennies": {seat: FACES[s.shown[k]] if over else None for k, seat in enumerate(SEATS)},
        "pending": {},
        "outcome": {"winner": SEATS[s.winner]} if over else None,
    }


def own(view: PenniesState, seat: int) -> str | None:
    """What the seat has sealed."""
    sealed = seat >= 0 and view.winner == NOBODY and view.shown[seat] != UNKNOWN
    return CHOICES[view.shown[seat]] if sealed else None
