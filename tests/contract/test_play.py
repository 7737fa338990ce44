"""How games run: they are dealt from a seed, somebody is always waited for, and they end."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meadhall.match import SPECTATOR, Match
from tests.variants import GOTHS, VARIANTS, Case, Variant, at_random, cases, random_game, tried

# Without a turn limit random play takes 150 choices on average; the longest of 100,000 games took 219 turns.
BOUND = 2_000


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_somebody_is_waited_for_exactly_until_there_is_an_outcome(variant: Variant) -> None:
    for seed in range(2):
        match = variant.deal(seed)
        assert match.waiting
        assert match.outcome is None
        for _ in at_random(match, Random(seed)):
            assert (match.waiting == ()) == (match.outcome is not None)
            written = match.outcome.record if match.outcome else None
            assert match.position()["outcome"] == written
            assert all(match.view(seat).json()["outcome"] == written for seat in (*match.seats, SPECTATOR))
            assert tuple(match.position()["pending"]) == match.waiting


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_games_end(variant: Variant) -> None:
    for seed in range(12):
        match = random_game(variant, seed, BOUND)
        assert match.outcome is not None
        assert match.position()["pending"] == {}


@pytest.mark.parametrize("variant", [v for v in GOTHS if "turn_limit" in v.rules], ids=str)
def test_no_game_goes_beyond_its_turn_limit(variant: Variant) -> None:
    ends = [random_game(variant, seed) for seed in range(30)]
    limit = variant.rules["turn_limit"]
    assert max(match.position()["turn"] for match in ends) == limit
    assert any(match.outcome and (match.outcome.winners, match.outcome.reason) == ((), "turn-limit") for match in ends)
    assert all(match.outcome is not None for match in ends)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_nothing_can_be_chosen_after_the_end(variant: Variant) -> None:
    match = random_game(variant, 3)
    assert all(match.choices(seat) == () for seat in match.seats)


@tried(60)
@given(st.sampled_from(VARIANTS), st.one_of(st.integers(), st.text()))
def test_the_same_seed_deals_the_same_game(variant: Variant, seed: int | str) -> None:
    one, other = variant.deal(seed), variant.deal(seed)
    assert one.record() == other.record()
    assert bytes(one.state) == bytes(other.state)
    assert one.record()["meta"] == {"seed": seed}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_different_seeds_deal_different_games(variant: Variant) -> None:
    deals = {json.dumps(variant.deal(seed).record()["setup"]) for seed in range(40)}
    assert len(deals) == 6 if variant.game == "goths" and not variant.rules.get("fog_of_war") else len(deals) > 20


@tried(40)
@given(cases(), st.integers(0, 10**6))
def test_a_match_is_a_function_of_its_deal_and_its_choices(case: Case, seed: int) -> None:
    """No choice draws on chance: the same choices lead to the same place, whatever was played beside it."""
    one = case.match()
    other = Match.from_record(one.record())
    random_game(case.variant, seed, 5)
    random, again = Random(seed), Random(seed)
    assert list(at_random(one, random, 10)) == list(at_random(other, again, 10))
    assert bytes(one.state) == bytes(other.state)
