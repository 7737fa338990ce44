"""Secrecy by re-dealing: change only what a seat cannot know, and all it lives through stays the same."""

from functools import cache

import pytest

from meadhall.faults import ChoiceFault
from meadhall.match import SPECTATOR, Match
from tests.secrets.pairs import TwoWorlds, two_worlds, worlds_with_fewer_sealed
from tests.secrets.worlds import Record
from tests.variants import VARIANTS, Variant

GAMES = {"goths": range(3), "romans": range(2)}
SIMULTANEOUS = [variant for variant in VARIANTS if len(variant.deal(0).seats) > 1]


@cache
def pairs_of(variant: Variant) -> list[TwoWorlds]:
    return list(two_worlds(variant, GAMES[variant.game]))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_seat_lives_through_the_same_in_every_world_it_cannot_rule_out(variant: Variant) -> None:
    for worlds in pairs_of(variant):
        found = worlds.difference()
        assert found is None, f"{worlds.seat} can tell {worlds.record} from {worlds.other}: {found}"


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_most_other_worlds_are_in_fact_different(variant: Variant) -> None:
    """Else the test above would prove nothing. Now and then a seat knows all there is to know."""
    different = [full_state(worlds.record) != full_state(worlds.other) for worlds in pairs_of(variant)]
    assert sum(different) > 0.7 * len(different)
    for seat in {worlds.seat for worlds in pairs_of(variant)}:
        assert any(d for d, worlds in zip(different, pairs_of(variant), strict=True) if worlds.seat == seat)


def full_state(record: Record) -> bytes:
    return bytes(Match.from_record(record).state)


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_nobody_sees_whether_others_have_sealed_their_choices(variant: Variant) -> None:
    pairs = list(worlds_with_fewer_sealed(variant, range(20, 21)))
    assert any(worlds.seat == SPECTATOR for worlds in pairs)
    for worlds in pairs:
        assert len(worlds.other["choices"]) < len(worlds.record["choices"])
        found = worlds.difference()
        assert found is None, f"{worlds.seat} can tell {worlds.record} from {worlds.other}: {found}"


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_a_refusal_tells_a_seat_nothing_of_what_it_cannot_know(variant: Variant) -> None:
    """A player who tries what he may not do is told why: that goes to his page like everything else."""
    for worlds in pairs_of(variant)[::2]:
        if worlds.seat != SPECTATOR:
            assert refusals(worlds.record, worlds.seat) == refusals(worlds.other, worlds.seat)


def refusals(record: Record, seat: str) -> list[str]:
    """What a seat is told when it tries what is never legal in these games."""
    match = Match.from_record(record)
    told = []
    for attempt in ("order:barbarian/recruiter", "plan:axx,axx,axx,axx,axx,axx", "reorder:qween,qween", "nonsense"):
        with pytest.raises(ChoiceFault) as refused:
            match.commit(seat, attempt)
        told.append(str(refused.value))
    return told
