"""Levels by name, and what every level owes: a legal choice, from the view alone, the same for the same dice."""

import time
from random import Random
from statistics import median

import pytest

from meadhall.bots import LEVELS, caveat, check_level, check_novice, choose, levels_of
from meadhall.bots.romans.compiled import prepare
from meadhall.faults import Fault
from meadhall.match import SPECTATOR, Match
from tests.bots.playing import played
from tests.secrets.worlds import another_world
from tests.variants import FOUR, VARIANTS, Variant, random_game

EVERY_LEVEL = pytest.mark.parametrize("level", LEVELS)
EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS, ids=str)
LENGTHS = (0, 3, 12, 30)


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    prepare()


def test_an_unknown_level_is_refused_with_the_list_of_levels() -> None:
    view = Match.new("goths").view("ostrogoth-king")
    for name in ("", "hard-boiled", "Easy", "chance", "../easy"):
        with pytest.raises(Fault, match="the levels are random, easy"):
            check_level(name)
        with pytest.raises(Fault, match="the levels are random, easy"):
            choose(name, view, Random(1))
    assert [check_level(name) for name in LEVELS] == ["random", "easy", "medium", "hard"]


@EVERY_LEVEL
def test_a_bot_is_not_asked_where_there_is_nothing_to_choose(level: str) -> None:
    match = Match.new("goths")
    for seat in ("ostrogoth-warchief", "visigoth-king", SPECTATOR):
        with pytest.raises(Fault, match="nothing to choose now"):
            choose(level, match.view(seat), Random(1))


@EVERY_LEVEL
@EVERY_VARIANT
def test_whole_games_end_with_legal_choices_only(level: str, variant: Variant) -> None:
    for seed in range(2):
        match = variant.deal(seed)
        assert played(match, [level] * len(match.seats), Random(seed)).outcome is not None


@EVERY_VARIANT
def test_levels_play_with_and_against_each_other_to_the_end(variant: Variant) -> None:
    for seed in range(2):
        match = variant.deal(f"mixed {seed}")
        levels = [LEVELS[(k + seed) % 4] for k in range(len(match.seats))]
        assert played(match, levels, Random(seed)).outcome is not None


@EVERY_LEVEL
@EVERY_VARIANT
def test_a_choice_is_the_same_in_every_world_the_seat_cannot_tell_apart(level: str, variant: Variant) -> None:
    dice, random = Random(str(variant)), Random(str(variant))
    for seed, length in enumerate(LENGTHS):
        match = random_game(variant, seed, length)
        for seat in match.waiting:
            here = choose(level, match.view(seat), Random(seed))
            number = match.seats.index(seat)
            assert match.game.allows(match.state, number, match.game.choice_id(match.rules, match.state, number, here))
            redealt = match.view(seat).redeal(dice)
            assert choose(level, redealt.view(seat), Random(seed)) == here
            other = Match.from_record(another_world(match.record(), seat, random))
            assert choose(level, other.view(seat), Random(seed)) == here


@EVERY_LEVEL
def test_choosing_changes_nothing_in_the_view(level: str) -> None:
    for variant in VARIANTS:
        match = random_game(variant, 5, 12)
        for seat in match.waiting:
            view = match.view(seat)
            before = bytes(view.state)
            choose(level, view, Random(1))
            assert bytes(view.state) == before


def test_random_makes_every_choice_there_is() -> None:
    match = Match.new("goths", {}, 1)
    view = match.view("ostrogoth-king")
    assert {choose("random", view, Random(seed)) for seed in range(200)} == set(view.choices)


def test_random_and_easy_lay_different_plans_with_different_dice() -> None:
    view = Match.new("romans", {"players": FOUR}, 1).view("gold")
    for level, fewest in (("random", 45), ("easy", 10)):
        assert len({choose(level, view, Random(seed)) for seed in range(50)}) >= fewest


def test_easy_takes_less_than_five_milliseconds_of_processor_for_a_decision() -> None:
    times: dict[str, list[float]] = {}
    for rules in ({"players": FOUR}, {"players": FOUR[:2], "original_rules": True}, None):
        match = Match.new("goths" if rules is None else "romans", rules, 7)
        dice = Random(7)
        while match.waiting:
            seat = match.waiting[0]
            view = match.view(seat)
            start = time.thread_time()
            choice = choose("easy", view, dice)
            times.setdefault(choice.split(":")[0], []).append(time.thread_time() - start)
            match.commit(seat, choice)
    assert {"plan", "order", "act"} <= times.keys()
    assert {kind: median(taken) for kind, taken in times.items() if median(taken) >= 0.005} == {}


def test_a_game_without_files_of_bots_has_random_and_says_politely_what_it_lacks() -> None:
    assert levels_of("goths") == levels_of("romans") == LEVELS
    assert levels_of("pennies") == ("random",)
    assert check_level("random", "pennies") == "random"
    with pytest.raises(Fault, match=r'^there is no bot level "hard" for pennies; the levels are random$'):
        check_level("hard", "pennies")
    with pytest.raises(Fault, match=r"^there is no novice-bold for pennies; the levels are random$"):
        check_novice("novice-bold", "pennies")
    assert caveat("random", "pennies", {}) is None
