"""The rules as they stand and the rules compiled are one: every choice leads to the same bytes."""

import pytest

from meadhall.games.romans.rules import arranging
from meadhall.games.romans.state import CHARM, CHOICE_COUNT
from tests.twins.pair import Pair
from tests.variants import GOTHS, ROMANS, VARIANTS, Variant

GAMES = {"goths": 12, "romans": 40}  # of each variant: a game of Goths is about five times as long


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_choice_of_whole_games_leads_to_the_same_bytes(variant: Variant) -> None:
    for seed in range(GAMES[variant.game]):
        pair = Pair(variant, seed)
        for k, (seat, choice) in enumerate(pair.play()):
            assert pair.same, f"{variant}, seed {seed}: choice {k} (seat {seat}, {choice}) leads to different bytes"
        assert pair.match.outcome is not None


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_sealed_choice_changed_leads_to_the_same_bytes(variant: Variant) -> None:
    changed = 0
    for seed in range(4):
        pair = Pair(variant, seed)
        for seat, _ in pair.play(60):
            sealed = not pair.game.owes(pair.state, seat)
            ids = pair.game.choice_ids(pair.state, seat) if sealed else []
            for choice in pair.random.sample(ids, min(2, len(ids))):
                pair.game.commit(pair.state, seat, choice)
                pair.fast.commit(pair.cell, seat, choice)
                changed += 1
                assert pair.same
    assert changed > 0 or len(variant.deal(0).seats) == 1


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_goths_ask_and_allow_the_same(variant: Variant) -> None:
    pair = Pair(variant, 100)
    for _ in pair.play():
        seats = [seat for seat in pair.seats if pair.game.owes(pair.state, seat)]
        assert [seat for seat in pair.seats if pair.fast.owes(pair.cell, seat)] == seats
        order = [seat for seat in pair.game.asking_order(pair.state) if seat in seats]
        assert pair.fast.next_seat(pair.cell) in (order or [-1])
        for seat in pair.seats:
            bits = sum(1 << choice for choice in pair.game.choice_ids(pair.state, seat))
            assert pair.fast.legal(pair.cell, seat) == bits


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_romans_ask_and_allow_the_same(variant: Variant) -> None:
    for seed in range(2):
        pair = Pair(variant, seed)
        ids = [-1, *pair.random.sample(range(CHARM), 60), *range(CHARM, CHOICE_COUNT + 1)]
        for _ in pair.play():
            for seat in pair.seats:
                assert pair.fast.owes(pair.cell, seat) == pair.game.owes(pair.state, seat)
                assert pair.fast.arranging(pair.cell, seat) == arranging(pair.state, seat)
                allowed = [choice for choice in ids if pair.game.allows(pair.state, seat, choice)]
                assert [choice for choice in ids if pair.fast.allowed(pair.cell, seat, choice)] == allowed


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_an_illegal_choice_is_refused_and_changes_nothing_when_compiled(variant: Variant) -> None:
    pair = Pair(variant, 200)
    for _ in pair.play(30):
        for seat in pair.seats:
            for choice in pair.random.sample(range(-2, pair.game.choice_count + 2), 8):
                if choice < 0 or not pair.game.allows(pair.state, seat, choice):
                    with pytest.raises(ValueError, match="not legal"):
                        pair.fast.commit(pair.cell, seat, choice)
                    assert pair.same
