"""What may be chosen: numbers and names agree, all that is offered can be done, nothing else can."""

from itertools import combinations
from math import factorial
from random import Random

import pytest
from hypothesis import given

from meadhall.faults import IllegalChoice, MalformedChoice
from meadhall.games.game import Event
from meadhall.match import Match
from tests.rules.romans_positions import battle
from tests.variants import FOUR, VARIANTS, Case, Variant, at_random, cases, tried

MANY = 120  # plans are too many to name them all every time
SAMPLE = 12


def some(ids: list[int], random: Random) -> list[int]:
    return ids if len(ids) <= MANY else sorted(random.sample(ids, SAMPLE))


def name(match: Match, seat: str, choice: int) -> str:
    return match.game.choice_name(match.rules, match.state, match.seats.index(seat), choice)


def number(match: Match, seat: str, choice: str) -> int:
    return match.game.choice_id(match.rules, match.state, match.seats.index(seat), choice)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_numbers_and_names_of_choices_agree_in_length_and_order(variant: Variant) -> None:
    match, random = variant.deal(1), Random(1)
    for _ in at_random(match, random, 60):
        for seat in match.seats:
            ids = list(match.choice_ids(seat))
            assert ids == sorted(set(ids))
            assert all(0 <= choice < match.game.choice_count for choice in ids)
            if len(ids) <= MANY:
                assert match.choices(seat) == tuple(name(match, seat, choice) for choice in ids)
                assert len(set(match.choices(seat))) == len(ids)


@tried(100)
@given(cases())
def test_every_choice_goes_from_number_to_name_and_back(case: Case) -> None:
    match, random = case.match(), Random(case.seed)
    for seat in match.seats:
        for choice in some(list(match.choice_ids(seat)), random):
            assert number(match, seat, name(match, seat, choice)) == choice


@tried(100)
@given(cases())
def test_every_choice_offered_can_be_made(case: Case) -> None:
    match, random = case.match(), Random(case.seed)
    for seat, seat_name in enumerate(match.seats):
        for choice in some(list(match.choice_ids(seat_name)), random):
            state = match.state.copy()
            match.game.commit(state, seat, choice)
            assert bytes(state) != bytes(match.state) or not match.game.owes(match.state, seat)


@tried(80)
@given(cases())
def test_no_choice_is_allowed_that_is_not_offered(case: Case) -> None:
    match = case.match()
    for number, seat in enumerate(match.seats):
        allowed = [k for k in range(match.game.choice_count) if match.game.allows(match.state, number, k)]
        assert allowed == list(match.choice_ids(seat))


@tried(40)
@given(cases())
def test_a_choice_not_offered_is_illegal_and_changes_no_byte(case: Case) -> None:
    match, random = case.match(), Random(case.seed)
    before, record = bytes(match.state), match.record()
    for seat in match.seats:
        refused = sorted(set(range(match.game.choice_count)) - set(match.choice_ids(seat)))
        for choice in random.sample(refused, min(8, len(refused))):
            with pytest.raises(IllegalChoice):
                match.commit(seat, choice)
    assert bytes(match.state) == before
    assert match.record() == record
    assert match.full_events() == Match.from_record(record).full_events()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_only_seats_that_are_waited_for_or_have_sealed_are_offered_anything(variant: Variant) -> None:
    match, sealed = variant.deal(2), set[str]()
    waiting = set(match.waiting)
    for seat, _ in at_random(match, Random(2), 50):
        sealed = sealed | {seat} if len(waiting) > 1 else set()
        waiting = set(match.waiting)
        offered = {other for other in match.seats if len(match.choice_ids(other)) > 0}
        assert offered == waiting | sealed
        assert all(match.view(other).owes == (other in waiting) for other in match.seats)
        assert match.view("spectator").choices == ()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_numbers_beyond_the_last_choice_are_malformed(variant: Variant) -> None:
    match = variant.deal(0)
    for choice in (-1, match.game.choice_count, 10**30):
        with pytest.raises(MalformedChoice, match="there is no choice number"):
            match.commit(match.waiting[0], choice)


def test_all_5040_plans_of_seven_different_warriors_have_their_own_names_and_numbers() -> None:
    match = with_hand("qween druhid zvord axx archr filchy horsie")
    names = match.choices("gold")
    assert len(names) == len(set(names)) == 5040
    assert [number(match, "gold", plan) for plan in names] == list(match.choice_ids("gold")) == list(range(5040))


def test_a_hand_with_two_charriotts_has_half_as_many_plans_each_with_its_own_name_and_number() -> None:
    match = with_hand("charriott druhid zvord charriott archr filchy horsie")
    names = match.choices("gold")
    assert len(names) == len(set(names)) == 2520
    assert [number(match, "gold", plan) for plan in names] == list(match.choice_ids("gold"))


@pytest.mark.parametrize("places", list(combinations(range(7), 2)), ids=str)
def test_nothing_but_a_plan_can_be_chosen_while_planning_wherever_two_charriotts_lie(places: tuple[int, int]) -> None:
    hand = ["qween", "druhid", "axx", "archr", "filchy"]
    for place in places:
        hand.insert(place, "charriott")
    match = with_hand(" ".join(hand))
    assert [k for k in range(5040, match.game.choice_count) if match.game.allows(match.state, 0, k)] == []
    assert sum(match.game.allows(match.state, 0, k) for k in range(5040)) == 2520


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize("others", ["qween druhid axx archr filchy", "charriott druhid axx charriott filchy"])
def test_reorderings_have_their_own_names_and_numbers_and_do_what_they_say(place: int, others: str) -> None:
    """Zvord stands in each place that leaves two or more hidden; two charriotts make half as many orders."""
    before, after = others.split()[:place], others.split()[place:]
    match = up_to_zvord([*before, "zvord", *after])
    names = match.choices("gold")
    assert len(names) == len(set(names)) == factorial(len(after)) // (2 if after.count("charriott") == 2 else 1)
    assert [number(match, "gold", order) for order in names] == list(match.choice_ids("gold"))
    for order in names:
        world = Match.from_record(match.record())
        world.commit("gold", order)
        line = [event.args["warrior"] for event in world.events() if is_shown_by_gold(event)]
        line += world.position()["clans"]["gold"]["hidden"]
        assert line[:6] == [*before, "zvord", *order.removeprefix("reorder:").split(",")]


def is_shown_by_gold(event: Event) -> bool:
    return event.code == "shown" and event.args["clan"] == "gold"


def up_to_zvord(line: list[str]) -> Match:
    """Gold lays this line; what is asked before its zvord is answered somehow."""
    match = battle("interpreted", gold=" ".join(line), green="archr filchy druhid axx horsie qween").match
    while "arrange" not in match.position()["pending"].get("gold", ()):
        match.commit(match.waiting[0], match.choices(match.waiting[0])[0])
    return match


def with_hand(hand: str) -> Match:
    record = Match.new("romans", {"players": FOUR[:2]}, 1).record()
    record["setup"]["hands"][0]["gold"] = hand.split()
    return Match.from_record(record)
