"""Choices owed at the same time: sealed until the last is in, open to change until then, in any order."""

from random import Random

import pytest

from meadhall.faults import RecordFault
from meadhall.match import SPECTATOR, Match
from tests.contract.everything import all_about
from tests.secrets.worlds import blocks, prefix
from tests.variants import VARIANTS, Variant, at_random, random_choice, random_game

SIMULTANEOUS = [variant for variant in VARIANTS if len(variant.deal(0).seats) > 1]


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_simultaneous_choices_may_stand_in_any_order(variant: Variant) -> None:
    match = random_game(variant, 4, 60)
    record, together = match.record(), blocks(match.record())
    choices = [record["choices"][k] for block in together for k in reversed(block)]
    assert choices != record["choices"]
    one, other = (Match.from_record(prefix(record, 0)) for _ in range(2))
    for block in together[:-1]:
        for k in block:
            one.commit(*record["choices"][k])
            other.commit(*choices[k])
        assert all_about(one) == all_about(other)
    for seat in (*match.seats, SPECTATOR):
        assert one.events(seat) == other.events(seat)


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_a_sealed_choice_shows_in_nothing_but_that_the_seat_is_no_longer_pending(variant: Variant) -> None:
    match, random = variant.deal(5), Random(5)
    before, waiting, sealed = match.position(), match.waiting, 0
    for seat, _ in at_random(match, random, 80):
        after = match.position()
        if len(waiting) > 1:
            sealed += 1
            assert list(before["pending"]) != list(after["pending"])
            del before["pending"][seat]
            assert after == before
            match.commit(seat, random_choice(match, seat, random))
            assert match.position() == before
        before, waiting = after, match.waiting
    assert sealed > 2


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_a_sealed_choice_can_be_changed_until_the_last_is_in_and_the_record_holds_the_last_one(
    variant: Variant,
) -> None:
    match, random = variant.deal(6), Random(6)
    changed = 0
    for _ in range(60):
        if not match.waiting:
            break
        seat, choice = match.waiting[0], random_choice(match, match.waiting[0], random)
        sealing, length = len(match.waiting) > 1, len(match.record()["choices"])
        match.commit(seat, choice)
        if sealing:
            state = bytes(match.state)
            changed += 1
            other = choice
            while other == choice:
                other = random_choice(match, seat, random)
            match.commit(seat, other)
            assert match.record()["choices"][length:] == [[seat, other]]
            assert bytes(match.state) != state
            assert match.view(seat).json()["own"] == other
            match.commit(seat, choice)
            assert match.record()["choices"][length:] == [[seat, choice]]
            assert bytes(match.state) == state
            assert all_about(Match.from_record(match.record())) == all_about(match)
    assert changed > 2


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_a_record_in_which_a_sealed_choice_stands_twice_is_refused(variant: Variant) -> None:
    """Only a live match lets a player think again: a record holds one choice for each that was owed."""
    match = variant.deal(8)
    while len(match.waiting) < 2:
        match.commit(match.waiting[0], random_choice(match, match.waiting[0], Random(8)))
    seat = match.waiting[0]
    match.commit(seat, random_choice(match, seat, Random(8)))
    record = match.record()
    record["choices"].append(record["choices"][-1])
    with pytest.raises(RecordFault) as refused:
        Match.from_record(record)
    assert refused.value.index == len(record["choices"]) - 1
    assert f"{seat} cannot choose" in str(refused.value)
