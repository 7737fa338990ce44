"""Intervals that hold what they promise, for few deals and for shares near the ends."""

from random import Random

import pytest

from meadhall.lab.arena.intervals import Share, mean_of_deals, share_of_counts


def pairs(dice: Random, chance: float, alike: float, deals: int) -> list[float]:
    """Scores of pairs of games; so often the second ends as the first did."""
    scores = []
    for _ in range(deals):
        first = dice.random() < chance
        second = first if dice.random() < alike else dice.random() < chance
        scores.append((first + second) / 2)
    return scores


@pytest.mark.parametrize("chance", [0.5, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("alike", [0.0, 0.5])
@pytest.mark.parametrize("deals", [20, 200])
def test_the_true_share_is_in_the_interval_95_times_in_a_hundred(chance: float, alike: float, deals: int) -> None:
    dice = Random(f"{chance} {alike} {deals}")
    found = [mean_of_deals(pairs(dice, chance, alike, deals)) for _ in range(400)]
    assert sum(share.low <= chance <= share.high for share in found) / 400 >= 0.915


@pytest.mark.parametrize("chance", [0.6, 0.95, 0.998])
def test_so_is_the_true_share_of_orders_though_those_of_a_deal_are_alike(chance: float) -> None:
    dice, hits = Random(str(chance)), 0
    for _ in range(400):
        parts, wholes = [], []
        for _ in range(60):
            here = chance if chance > 0.9 else min(1.0, max(0.0, dice.gauss(chance, 0.2)))
            wholes.append(dice.randint(3, 20))
            parts.append(sum(dice.random() < here for _ in range(wholes[-1])))
        share = share_of_counts(parts, wholes)
        hits += share.low <= chance <= share.high
    assert hits / 400 >= 0.915


def test_pairs_that_even_out_make_the_interval_narrower_than_lone_games_would() -> None:
    paired = mean_of_deals([0.5] * 180 + [1.0] * 20)
    alone = mean_of_deals([1.0] * 110 + [0.0] * 90)
    assert paired.share == alone.share == 0.55
    assert paired.high - paired.low < 0.5 * (alone.high - alone.low)


def test_a_clean_sweep_is_not_certainty_and_shrinks_with_every_deal() -> None:
    lows = [mean_of_deals([1.0] * deals).low for deals in (1, 10, 100, 1000)]
    assert lows == sorted(lows)
    assert 0.0 < lows[0] < 0.5 < 0.99 < lows[-1] < 1.0
    assert mean_of_deals([0.5] * 5).low < 0.3


def test_of_nothing_all_is_possible() -> None:
    assert mean_of_deals([]) == share_of_counts([], []) == share_of_counts([0], [0]) == Share(None, 0.0, 1.0)
    assert str(Share(None, 0.0, 1.0)) == "-"
    assert Share(None, 0.0, 1.0).json() == {"share": None, "interval": [0.0, 1.0]}


def test_a_share_reads_well() -> None:
    assert str(Share(0.5, 0.41239, 0.6)) == "50.0% (41.2–60.0)"
