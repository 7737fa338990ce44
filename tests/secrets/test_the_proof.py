"""The proof by re-dealing is proved itself: whatever is let slip on purpose, it finds."""

import ctypes
from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Any

import pytest

from meadhall.games.game import Event, game_named
from meadhall.match import SPECTATOR
from tests.secrets.pairs import two_worlds, worlds_with_fewer_sealed
from tests.variants import Variant, at_random, random_game, variant_named

PLAYED = {"goths": variant_named("goths, fog"), "romans": variant_named("romans, two and two")}
# The fields of a state that some seat, at some moment, may not know, or not all of.
SECRET_FIELDS = {
    "goths": {"hand", "order", "act", "objectives", "token"},
    "romans": {"deals", "hand", "line", "sealed", "options", "owed", "aside", "draw_pile", "dealt"},
}
SECRET_EVENTS = {
    "goths": {"order-front", "sealed", "saw"},
    "romans": {"dealt", "sealed", "laid", "new-order"},
}


def field_bytes(state: ctypes.Structure, field: str) -> bytes:
    place = getattr(type(state), field)
    return bytes(state)[place.offset : place.offset + place.size]


def is_noticed(variant: Variant, most: int = 12) -> bool:
    """Does any seat in any of some games tell worlds apart that it should not?"""
    games = range(most)
    pairs = (
        chain(two_worlds(variant, range(k, k + 1)), worlds_with_fewer_sealed(variant, range(k, k + 1))) for k in games
    )
    return any(worlds.difference() is not None for worlds in chain.from_iterable(pairs))


def leaking(game: str, field: str) -> Callable[..., Any]:
    """A `reveal` that copies one field too many."""
    reveal = type(game_named(game)).reveal

    def leaky_reveal(self: Any, state: Any, seat: int) -> Any:
        seen = reveal(self, state, seat)
        setattr(seen, field, getattr(state, field))
        return seen

    return leaky_reveal


@pytest.mark.parametrize("game", PLAYED)
def test_the_secret_fields_are_those_that_some_view_does_not_show(game: str) -> None:
    fields = [field[0] for field in game_named(game).state_type._fields_]
    hidden = set()
    for seed in range(5):
        match = PLAYED[game].deal(seed)
        for _ in at_random(match, Random(seed), 80):
            for seat in (*match.seats, SPECTATOR):
                seen = match.view(seat).state
                hidden |= {name for name in fields if field_bytes(seen, name) != field_bytes(match.state, name)}
    assert hidden == SECRET_FIELDS[game]


@pytest.mark.parametrize("game", PLAYED)
def test_the_secret_events_are_those_with_an_audience(game: str) -> None:
    events = [event for seed in range(5) for event in random_game(PLAYED[game], seed).full_events()]
    assert {event.code for event in events if event.audience is not None} == SECRET_EVENTS[game]


@pytest.mark.parametrize(("game", "field"), [(g, f) for g, fields in SECRET_FIELDS.items() for f in sorted(fields)])
def test_a_view_that_shows_a_secret_field_is_noticed(game: str, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(game_named(game)), "reveal", leaking(game, field))
    assert is_noticed(PLAYED[game])


@pytest.mark.parametrize(("game", "code"), [(g, c) for g, codes in SECRET_EVENTS.items() for c in sorted(codes)])
def test_a_secret_event_told_to_all_is_noticed(game: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen_by = Event.seen_by
    monkeypatch.setattr(Event, "seen_by", lambda event, seat: event.code == code or seen_by(event, seat))
    assert is_noticed(PLAYED[game])
