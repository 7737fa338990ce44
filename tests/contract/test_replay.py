"""The record is the truth: replaying it gives the live match again, at every choice and for everybody."""

import json
from random import Random

import pytest

from meadhall.match import SPECTATOR, Match
from tests.contract.everything import all_about
from tests.secrets.worlds import prefix
from tests.variants import VARIANTS, Variant, at_random, random_choice


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_replaying_the_record_gives_the_live_match_at_every_prefix(variant: Variant) -> None:
    for seed in range(2):
        live = variant.deal(seed)
        lived = [all_about(live), *(all_about(live) for _ in at_random(live, Random(seed), 80))]
        record = json.loads(json.dumps(live.record()))
        replayed = Match.from_record(prefix(record, 0))
        for k, there in enumerate(lived):
            if k > 0:
                replayed.replay_choice(record["choices"][k - 1], k - 1)
            assert all_about(replayed) == there
        assert Match.from_record(json.dumps(record)).record() == live.record()
        for seat in (*live.seats, SPECTATOR):
            assert Match.from_record(json.dumps(record)).events(seat) == live.events(seat)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_any_prefix_is_a_record_of_a_game_in_progress(variant: Variant) -> None:
    live = variant.deal(7)
    lived = [all_about(live), *(all_about(live) for _ in at_random(live, Random(7), 40))]
    for k in Random(7).sample(range(len(lived)), 6):
        part = Match.from_record(json.dumps(prefix(live.record(), k)))
        assert all_about(part) == lived[k]
        assert part.record() == prefix(live.record(), k)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_record_of_a_match_whose_sealed_choices_were_changed_replays_as_it_was_lived(variant: Variant) -> None:
    live, random = variant.deal(9), Random(9)
    changed = 0
    while live.waiting and len(live.record()["choices"]) < 60:
        seat, sealing = random.choice(live.waiting), len(live.waiting) > 1
        live.commit(seat, random_choice(live, seat, random))
        while sealing and random.random() < 0.5:
            live.commit(seat, random_choice(live, seat, random))
            changed += 1
            assert all_about(Match.from_record(live.record())) == all_about(live)
    replayed = Match.from_record(live.record())
    assert all_about(replayed) == all_about(live)
    assert all(replayed.events(seat) == live.events(seat) for seat in (*live.seats, SPECTATOR))
    assert changed > 0 or len(live.seats) == 1


def test_notes_in_meta_are_kept_and_mean_nothing() -> None:
    record = VARIANTS[0].deal(1).record() | {"meta": {"names": ["Attila", None, 3.5], "seed": {"any": "thing"}}}
    assert Match.from_record(json.dumps(record)).record() == record
