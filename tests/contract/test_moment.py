"""The moment of a match: it names a position to everybody and tells nobody who has chosen."""

from random import Random

import pytest

from meadhall.match import SPECTATOR, Match
from tests.variants import GOTHS, ROMANS, Variant


def known_to_others(match: Match, chooser: str) -> list[object]:
    """What everybody but the chooser can see and do."""
    others = [seat for seat in match.seats if seat != chooser]
    return [(match.view(seat), match.events(seat), match.choices(seat)) for seat in (SPECTATOR, *others)]


@pytest.mark.parametrize("variant", [*GOTHS, *ROMANS], ids=str)
def test_the_moment_moves_exactly_when_a_decision_takes_effect(variant: Variant) -> None:
    match, dice = variant.deal(5), Random(5)
    lone = bool(match.rules.get("lone_rulers"))
    for _ in range(60):
        if match.outcome is not None:
            break
        seat = dice.choice(match.waiting)
        before, moment = known_to_others(match, seat), match.moment
        match.commit(seat, dice.choice(match.choice_ids(seat)))
        assert match.moment >= moment
        if match.moment == moment:
            # A lone ruler's two seats are one person, who knows both choices.
            assert lone or known_to_others(match, seat) == before


@pytest.mark.parametrize("variant", [*GOTHS, *ROMANS], ids=str)
def test_two_decisions_of_one_seat_never_share_a_moment(variant: Variant) -> None:
    match, dice = variant.deal(6), Random(6)
    answered: set[tuple[str, int]] = set()
    while match.outcome is None:
        seat = dice.choice(match.waiting)
        assert (seat, match.moment) not in answered
        answered.add((seat, match.moment))
        match.commit(seat, dice.choice(match.choice_ids(seat)))


@pytest.mark.parametrize("variant", [*GOTHS, *ROMANS], ids=str)
def test_the_moments_of_events_never_go_back_and_are_all_in_the_past(variant: Variant) -> None:
    match, dice = variant.deal(7), Random(7)
    while match.outcome is None:
        seat = dice.choice(match.waiting)
        match.commit(seat, dice.choice(match.choice_ids(seat)))
    for seat in (SPECTATOR, *match.seats):
        moments = [event.moment for event in match.events(seat)]
        assert moments == sorted(moments)
        assert all(at < match.moment for at in moments)
