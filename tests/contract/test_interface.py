"""What a researcher expects of a Match: copies, outcomes, lazy choices, views that compare, nothing shared."""

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import meadhall
from meadhall import SPECTATOR, Fault, IllegalChoice, MalformedChoice, Match, Outcome, RecordFault
from meadhall.games.game import game_named
from tests.variants import FOUR, VARIANTS, Variant, at_random, random_game


def test_everything_that_is_exported_is_there() -> None:
    assert all(hasattr(meadhall, name) for name in meadhall.__all__)
    assert {"Match", "View", "Event", "Outcome", "GAMES", "Fault", "simulate"} <= {*meadhall.__all__}


# Copies


@pytest.mark.parametrize("copied", [Match.copy, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("variant", [VARIANTS[0], VARIANTS[-1]], ids=str)
def test_a_copy_goes_its_own_way(copied: Callable[[Match], Match], variant: Variant) -> None:
    match = random_game(variant, 3, 9)
    record, events, moment = match.record(), match.full_events(), match.moment
    twin = copied(match)
    assert (twin.record(), twin.full_events(), twin.moment) == (record, events, moment)
    for _ in at_random(twin, Random(1)):
        pass
    assert twin.outcome is not None
    assert (match.record(), match.full_events(), match.moment) == (record, events, moment)
    for seat, choice in twin.record()["choices"][9:]:
        match.commit(seat, choice)
    assert match.full_events() == twin.full_events()


def test_a_redealt_match_has_copies_too() -> None:
    world = random_game(VARIANTS[0], 3, 9).view().redeal(1)
    twin = world.copy()
    for _ in at_random(twin, Random(1)):
        pass
    assert world.waiting
    with pytest.raises(Fault, match="has no record"):
        twin.record()


# Nothing is shared with the caller


def test_rules_and_records_of_the_caller_are_not_kept() -> None:
    rules = {"players": ["gold", "green"], "neutrals": ["red"]}
    match = Match.new("romans", rules, 1)
    rules["players"].append("violet")
    assert match.record()["rules"]["players"] == ["gold", "green"]
    assert match.rules["players"] == ["gold", "green"]
    record = match.record()
    again = Match.from_record(record)
    record["rules"]["players"].append("violet")
    record["setup"]["forts"].clear()
    record["choices"].append(["gold", "nonsense"])
    assert again.record() == match.record()


def test_a_games_own_defaults_cannot_be_changed_through_a_match() -> None:
    match = Match.new("goths")
    match.rules["king_deck"].clear()
    match.record()["rules"]["more"] = 1
    assert len(Match.new("goths").rules["king_deck"]) == 8
    assert game_named("romans").smallest_rules == {"players": ["gold", "green"]}


# Outcomes


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_an_outcome_says_who_won_and_what_it_is_worth_to_each_seat(variant: Variant) -> None:
    for seed in range(6):
        match = random_game(variant, seed)
        outcome, sides = match.outcome, match.game.sides(match.rules)
        assert isinstance(outcome, Outcome)
        assert set(outcome.returns) == set(match.seats)
        assert all(-1 <= worth <= 1 for worth in outcome.returns.values())
        for side, seats in sides.items():
            assert len({outcome.returns[seat] for seat in seats}) == 1, "partners win and lose together"
            best = max(outcome.returns.values())
            assert (side in outcome.winners) == (outcome.share(side) > 0)
            if outcome.winners and side in outcome.winners:
                assert outcome.returns[seats[0]] == best
        if len(sides) > 1:
            by_side = [outcome.returns[seats[0]] for seats in sides.values()]
            assert sum(by_side) == pytest.approx(0)


def test_a_draw_is_worth_nothing_and_a_lone_player_can_lose_to_neutrals() -> None:
    draws = [random_game(Variant("short", "goths", {"turn_limit": 1}), seed).outcome for seed in range(3)]
    assert [(draw.winners, draw.reason) for draw in draws if draw] == [((), "turn-limit")] * 3
    assert all(set(draw.returns.values()) == {0.0} for draw in draws if draw)
    alone = Variant("alone", "romans", {"players": ["gold"], "neutrals": ["red", "green"]})
    worth = {random_game(alone, seed).outcome.returns["gold"] for seed in range(30)}  # type: ignore[union-attr]
    assert {-0.5, 1.0} <= worth


# Choices


def test_thousands_of_choices_are_spelt_out_only_when_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new("romans", {"players": FOUR}, 2)
    spelt: list[int] = []
    game, name = type(match.game), match.game.choice_name
    monkeypatch.setattr(game, "choice_name", lambda self, *args: spelt.append(args[-1]) or name(*args))
    choices = match.choices("gold")
    assert len(choices) in (5040, 2520)
    assert spelt == []
    one = Random(1).choice(choices)
    assert len(spelt) == 1
    assert one in choices
    assert "plan:qween" not in choices
    assert len(spelt) == 1
    assert choices[:3] == tuple(choices)[:3]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_what_is_legal_is_what_commit_takes(variant: Variant) -> None:
    match, rng = variant.deal(4), Random(4)
    for _ in at_random(match, rng, 40):
        for seat in match.seats:
            choices = match.choices(seat)
            for choice in (*rng.sample(range(match.game.choice_count), 5), *(choices[:1]), "plan:", "nonsense"):
                try:
                    match.check(seat, choice)
                    taken = True
                except (IllegalChoice, MalformedChoice):
                    taken = False
                assert match.is_legal(seat, choice) == taken
    assert not match.is_legal(SPECTATOR, 0)


@pytest.mark.parametrize("number", [np.int64, np.int8, np.uint16])
def test_numpy_numbers_are_numbers(number: Any) -> None:
    match = Match.new("goths")
    choice = match.choice_ids("ostrogoth-king")[0]
    match.check("ostrogoth-king", 0)
    with pytest.raises(MalformedChoice, match="a choice is a name or a number, not false"):
        match.commit("ostrogoth-king", False)
    match.commit("ostrogoth-king", number(choice))
    assert match.record()["choices"] == [["ostrogoth-king", "order:vulture/recruiter"]]
    for nonsense in (np.float64(1), True, None, 1.0, [1]):
        with pytest.raises(MalformedChoice, match="a choice is a name or a number, not"):
            match.commit("visigoth-king", nonsense)  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_one_legal_choice_is_drawn_without_listing_all(variant: Variant) -> None:
    match, rng = variant.deal(1), Random(1)
    while match.waiting:
        seat = match.waiting[0]
        match.commit(seat, match.view(seat).sample(rng))
    with pytest.raises(Fault, match="has nothing to choose now"):
        match.view().sample(rng)


# Sealed choices in redealt matches


@pytest.mark.parametrize(
    ("game", "rules", "first", "then"),
    [
        ("romans", {"players": ["gold", "green"]}, 3, 8),
        ("goths", {}, "act:axe", "act:rats"),
    ],
)
def test_a_choice_sealed_before_a_redeal_can_be_changed_after_it(game: str, rules: Any, first: Any, then: Any) -> None:
    match = Match.new(game, rules, 1)
    while len(match.waiting) < 2:
        match.commit(match.waiting[0], match.view(match.waiting[0]).sample(Random(1)))
    seat, other = match.waiting
    first = match.choices(seat)[first] if isinstance(first, int) else first
    then = match.choices(seat)[then] if isinstance(then, int) else then
    match.commit(seat, first)
    world = match.view(seat).redeal(7)
    assert world.view(seat).own == first
    world.commit(seat, then)
    assert world.view(seat).own == then
    world.commit(other, world.view(other).sample(Random(2)))
    assert world.moment > 0


# Views


@pytest.mark.parametrize("variant", [VARIANTS[0], VARIANTS[-1]], ids=str)
def test_views_compare_hash_and_print(variant: Variant) -> None:
    match, again = random_game(variant, 2, 7), random_game(variant, 2, 7)
    for seat in (*match.seats, SPECTATOR):
        view = match.view(seat)
        assert view == again.view(seat)
        assert hash(view) == hash(again.view(seat))
        assert len({view, again.view(seat)}) == 1
        assert seat in repr(view)
        assert "clans" in str(view)
    assert match.view(match.seats[0]) != match.view(match.seats[1])
    before = match.view()
    for _ in at_random(match, Random(1), 3):
        pass
    assert match.view() != before


def test_there_is_one_name_for_a_spectator_and_no_seat_nobody_has() -> None:
    match = Match.new("goths")
    assert match.view().seat == match.view(SPECTATOR).seat == "spectator"
    for ask in (match.view, match.events, match.timeline, match.choices):
        with pytest.raises(Fault, match="there is no seat"):
            ask("nobody")
        with pytest.raises(Fault, match="there is no seat"):
            ask(None)  # type: ignore[arg-type]


def test_check_raises_whatever_commit_would_raise() -> None:
    whole = random_game(Variant("two", "romans", {"players": ["gold", "green"]}), 1)
    record = whole.record()
    record["setup"]["hands"] = record["setup"]["hands"][:1]
    short = Match.from_record({**record, "choices": []})
    reached = next(k for k, state in enumerate(states(whole)) if state["round"] == 2)
    for seat, choice in record["choices"][: reached - 1]:
        assert short.check(seat, choice) == choice
        short.commit(seat, choice)
    for refuse in (short.check, short.commit):
        with pytest.raises(RecordFault, match=r"setup\.hands lacks round 2"):
            refuse(*record["choices"][reached - 1])


def states(match: Match) -> list[dict[str, Any]]:
    """The position before the first choice of a match and after each."""
    again = Match.from_record({**match.record(), "choices": []})
    found = [again.position()]
    for seat, choice in match.record()["choices"]:
        again.commit(seat, choice)
        found.append(again.position())
    return found


def test_a_states_layout_is_made_once() -> None:
    state = Match.new("romans").state
    assert state.dtype() is state.dtype()


def test_events_of_a_choice_can_be_kept_and_sent() -> None:
    match = Match.new("goths")
    happened = match.commit("ostrogoth-king", "order:barbarian/vulture")
    assert [event.code for event in happened] == ["ordered", "order-front"]
    assert happened[0].moment == 1
    assert pickle.loads(pickle.dumps(list(happened))) == list(happened)
