"""A view through other eyes: what one seat can tell of another's knowledge is never more than both know."""

from collections.abc import Iterator
from typing import Any

import pytest

from meadhall.match import SPECTATOR, Match, View
from tests.variants import GOTHS, VARIANTS, Variant, random_game

LENGTHS = (0, 7, 23, 58)


def moments(variant: Variant) -> Iterator[tuple[Match, str]]:
    for seed, length in enumerate(LENGTHS):
        match = random_game(variant, seed, length)
        for seat in match.seats:
            yield match, seat


def known(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All that a view says, each thing by its place; what is null is not known."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from known(each, (*path, key))
    elif isinstance(value, list):
        for k, each in enumerate(value):
            yield from known(each, (*path, k))
    elif value is not None:
        yield path, value


def position(view: View) -> dict[str, Any]:
    return {key: value for key, value in view.json().items() if key not in ("pending", "own")}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_everybodys_eyes_are_a_spectators(variant: Variant) -> None:
    for match, seat in moments(variant):
        assert bytes(match.view(seat).seen_by(SPECTATOR).state) == bytes(match.view(SPECTATOR).state)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_what_another_is_shown_to_know_both_know(variant: Variant) -> None:
    for match, seat in moments(variant):
        for other in match.seats:
            theirs = dict(known(position(match.view(seat).seen_by(other))))
            assert theirs.items() <= dict(known(position(match.view(seat)))).items()
            assert theirs.items() <= dict(known(position(match.view(other)))).items()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_other_eyes_are_asked_nothing(variant: Variant) -> None:
    for match, seat in moments(variant):
        for other in (*match.seats, SPECTATOR):
            view = match.view(seat).seen_by(other)
            assert not view.owes
            assert not view.may_choose
            assert len(view.choices) == 0


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_partner_is_somebody_else_of_the_same_side(variant: Variant) -> None:
    match = variant.deal(0)
    for seat in match.seats:
        partners = match.game.partners(match.rules, seat)
        assert not {*partners} & {*match.game.played_together(match.rules, seat)}
        assert all(match.game.side_of(match.rules, each) == match.game.side_of(match.rules, seat) for each in partners)
        assert bool(partners) == (variant in GOTHS and seat.partition("-")[0] not in match.rules["lone_rulers"])
