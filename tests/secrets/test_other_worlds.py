"""Secrecy by re-dealing: change only what a seat cannot know, and all it lives through stays the same."""

from functools import cache
from typing import NamedTuple

import pytest

from meadhall.faults import ChoiceFault
from meadhall.match import SPECTATOR, Match
from tests.secrets.pairs import TwoWorlds, two_worlds, worlds_with_fewer_sealed
from tests.variants import VARIANTS, Variant

GAMES = {"goths": range(3), "romans": range(2)}
SIMULTANEOUS = [variant for variant in VARIANTS if len(variant.deal(0).seats) > 1]


class Compared(NamedTuple):
    """What was found out about two worlds; the worlds themselves would take a lot of room."""

    seat: str
    found: str | None  # how the seat can tell them apart
    different: bool
    refused: tuple[list[str], list[str]] | None  # in either; not everybody tries


@cache
def compared(variant: Variant) -> list[Compared]:
    return [_compared(worlds, k % 2 == 0) for k, worlds in enumerate(two_worlds(variant, GAMES[variant.game]))]


def _compared(worlds: TwoWorlds, tries: bool) -> Compared:
    seat, difference = worlds.seat, worlds.difference()
    found = difference and f"{seat} can tell {worlds.record} from {worlds.other}: {difference}"
    refused = None
    if tries and seat != SPECTATOR:
        refused = refusals(worlds.match, seat), refusals(worlds.there, seat)
    return Compared(seat, found, bytes(worlds.match.state) != bytes(worlds.there.state), refused)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_seat_lives_through_the_same_in_every_world_it_cannot_rule_out(variant: Variant) -> None:
    for worlds in compared(variant):
        assert worlds.found is None, worlds.found


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_most_other_worlds_are_in_fact_different(variant: Variant) -> None:
    """Else the test above would prove nothing. Now and then a seat knows all there is to know."""
    different = [worlds.different for worlds in compared(variant)]
    assert sum(different) > 0.7 * len(different)
    for seat in {worlds.seat for worlds in compared(variant)}:
        assert any(worlds.different for worlds in compared(variant) if worlds.seat == seat)


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
    tried = [worlds.refused for worlds in compared(variant) if worlds.refused]
    assert tried
    for here, there in tried:
        assert here == there


def refusals(match: Match, seat: str) -> list[str]:
    """What a seat is told when it tries what is never legal in these games, which changes nothing."""
    told = []
    for attempt in ("order:barbarian/recruiter", "plan:axx,axx,axx,axx,axx,axx", "reorder:qween,qween", "nonsense"):
        with pytest.raises(ChoiceFault) as refused:
            match.commit(seat, attempt)
        told.append(str(refused.value))
    return told
