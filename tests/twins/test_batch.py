"""Batches of games, played compiled, count exactly what the same functions count as they stand."""

from collections import Counter

import numpy as np
import pytest

from meadhall.engine.rng import RngState, seed_word, seeded
from meadhall.lab.simulate import batch_module, compiled_batch
from tests.twins.pair import Pair, fast_dice, same_dice
from tests.variants import VARIANTS, Variant, variant_named

GAMES = 25


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_batch_counts_the_same_at_both_speeds_and_ends_in_the_same_positions(variant: Variant) -> None:
    batch, play_games = batch_module(variant.game), compiled_batch(variant.game).play_games
    state, box, tally = variant.deal(0).state, RngState(), [0] * batch.TALLY_SIZE
    fast_state, fast_box, fast_tally = state.copy(), RngState(), np.zeros(batch.TALLY_SIZE, np.int64)
    for game in range(GAMES):
        batch.play_games([state], [box], seed_word(variant.name), game, 1, tally)
        play_games(fast_state.array(), fast_box.array(), seed_word(variant.name), game, 1, fast_tally)
        assert bytes(fast_state) == bytes(state), f"game {game} ends differently"
        assert bytes(fast_box) == bytes(box), f"game {game} leaves another state of the generator"
    assert fast_tally.tolist() == tally
    assert tally[batch.GAMES] == GAMES


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_batch_in_two_parts_counts_what_one_batch_does(variant: Variant) -> None:
    batch, state, box = batch_module(variant.game), variant.deal(0).state, RngState()
    tallies = [np.zeros(batch.TALLY_SIZE, np.int64) for _ in range(3)]
    play_games = compiled_batch(variant.game).play_games
    for tally, first, games in zip(tallies, (0, 0, 60), (100, 60, 40), strict=True):
        play_games(state.array(), box.array(), seed_word(5), first, games, tally)
    together = tallies[1] + tallies[2]
    if variant.game == "goths":
        together[batch.LONGEST] = max(tallies[1][batch.LONGEST], tallies[2][batch.LONGEST])
    assert tallies[0].tolist() == together.tolist()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_random_choice_is_picked_alike_and_is_legal(variant: Variant) -> None:
    batch, fast_pick = batch_module(variant.game), compiled_batch(variant.game).pick
    for seed in range(2):
        pair, plain = Pair(variant, seed), seeded(seed)
        for _ in pair.play(60):
            for seat in pair.seats:
                if pair.game.owes(pair.state, seat):
                    fast = fast_dice(plain)
                    choice = batch.pick(pair.state, seat, plain)
                    assert fast_pick(pair.cell, seat, fast) == choice
                    assert same_dice(plain, fast)
                    assert pair.game.allows(pair.state, seat, choice)


@pytest.mark.parametrize(
    ("name", "choices"),
    [("goths, lone both with fog", 60), ("romans, four, own deck", 45)],
)
def test_every_legal_choice_is_picked_about_equally_often(name: str, choices: int) -> None:
    """Each question of one game is answered 200 times for each option; plans are too many for that."""
    pair, dice = Pair(variant_named(name), 3), fast_dice(seeded(1))
    asked, fast_pick = 0, compiled_batch(pair.game.name).pick
    for _ in pair.play(choices):
        for seat in pair.seats:
            ids = pair.game.choice_ids(pair.state, seat) if pair.game.owes(pair.state, seat) else ()
            if not 1 < len(ids) <= 24:
                continue
            asked += 1
            throws = 200 * len(ids)
            picked = Counter(fast_pick(pair.cell, seat, dice) for _ in range(throws))
            assert sorted(picked) == list(ids)
            assert all(120 < picked[choice] < 280 for choice in ids), "more than five standard deviations away"
    assert asked > 10
