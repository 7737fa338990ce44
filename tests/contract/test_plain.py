"""Views of plain values: they say exactly what views of records say."""

from random import Random

import pytest

from meadhall.engine.plain import plain
from meadhall.match import SPECTATOR, Match, View
from tests.variants import GOTHS, ROMANS, Variant


def assert_told_alike(match: Match) -> None:
    for number, seat in enumerate((SPECTATOR, *match.seats), -1):
        quick, view = match.view(seat), View(match.game, match.rules, seat, match.game.reveal(match.state, number))
        assert quick == view
        assert hash(quick) == hash(view)
        assert bytes(quick.state) == bytes(view.state)
        assert quick.json() == view.json()
        assert quick.owes == view.owes
        assert quick.arranges == view.arranges
        if not view.arranges:
            assert quick.choices == view.choices


@pytest.mark.parametrize("variant", [*GOTHS, *ROMANS], ids=str)
def test_a_view_of_plain_values_tells_what_the_view_tells(variant: Variant) -> None:
    for seed in range(3):
        match, dice = variant.deal(seed), Random(seed)
        assert_told_alike(match)
        while match.outcome is None:
            seat = dice.choice(match.waiting)
            match.commit(seat, dice.choice(match.choice_ids(seat)))
            assert_told_alike(match)


@pytest.mark.parametrize("variant", [GOTHS[0], ROMANS[0]], ids=str)
def test_plain_values_are_those_of_the_record_and_do_not_change_it(variant: Variant) -> None:
    state = variant.deal(1).state
    before, twin = bytes(state), plain(type(state))(state)
    for name, *_ in state._fields_:
        of_record = getattr(state, name)
        if hasattr(of_record, "__len__"):
            of_record = [list(row) if hasattr(row, "__len__") else row for row in of_record]
            getattr(twin, name)[0] = None
            assert getattr(twin, name)[1:] == of_record[1:]
        else:
            assert getattr(twin, name) == of_record
    assert bytes(state) == before


@pytest.mark.parametrize("variant", [GOTHS[0], ROMANS[0]], ids=str)
def test_blank_plain_values_are_new_each_time(variant: Variant) -> None:
    kind = plain(type(variant.deal(1).state))
    first, second = vars(kind()), vars(kind())
    assert first == second
    assert not any(one is other for one, other in zip(first.values(), second.values(), strict=True) if one == [0] * 2)
