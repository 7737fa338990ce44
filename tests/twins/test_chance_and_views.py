"""Dealing, dice, views and redealt worlds come out the same at both speeds, byte for byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meadhall.engine import rng
from meadhall.engine.compiling import compiled
from tests.twins.pair import SPECTATOR, Pair, fast_dice, module, same_dice
from tests.variants import VARIANTS, Variant, tried


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_deal_and_the_set_up_are_the_same_and_leave_nothing_of_the_game_before(variant: Variant) -> None:
    pair = Pair(variant, 0)
    for _ in pair.play():
        pass
    setup, rules = module(variant.game, "setup"), module(variant.game, "rules")
    for seed in range(60):
        plain, fast = rng.seeded(seed), fast_dice(rng.seeded(seed))
        setup.deal(pair.state, plain)
        pair.fast.deal(pair.cell, fast)
        assert same_dice(plain, fast)
        assert pair.same
        rules.set_up(pair.state)
        pair.fast.set_up(pair.cell)
        assert pair.same
        assert bytes(pair.state) == bytes(variant.deal(seed).state)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_seat_and_spectator_sees_the_same(variant: Variant) -> None:
    for seed in range(2):
        pair = Pair(variant, seed)
        for _ in pair.play(90):
            for seat in (*pair.seats, SPECTATOR):
                seen = pair.game.state_type()
                pair.fast.reveal(pair.cell, seat, seen.array()[0])
                assert bytes(seen) == bytes(pair.game.reveal(pair.state, seat))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_same_dice_redeal_the_same_world(variant: Variant) -> None:
    for seed in range(2):
        pair = Pair(variant, seed)
        plain = rng.seeded(seed)
        for _ in pair.play(60):
            for seat in (*pair.seats, SPECTATOR):
                world = pair.game.reveal(pair.state, seat)
                fast_world, fast = world.copy(), fast_dice(plain)
                pair.game.redeal(world, seat, plain)
                pair.fast.redeal(fast_world.array()[0], seat, fast)
                assert same_dice(plain, fast)
                assert bytes(world) == bytes(fast_world)


@pytest.mark.parametrize("game", ["goths", "romans"])
@tried(60)
@given(
    word=st.integers(0, 2**62 - 1),
    number=st.one_of(st.integers(0, 1000), st.integers(0, 2**62 - 1)),
    sides=st.lists(st.integers(1, 5040), max_size=60),
)
def test_random_numbers_seeded_and_drawn_are_the_same(game: str, word: int, number: int, sides: list[int]) -> None:
    plain, fast, rules = [0, 0], fast_dice([0, 0]), compiled(game)
    rng.reseed(plain, word, number)
    rules.reseed(fast, word, number)
    assert same_dice(plain, fast)
    assert [rng.roll(plain, n) for n in sides] == [rules.roll(fast, n) for n in sides]
    assert same_dice(plain, fast)
