"""Models of casual people: legal everywhere, the same for the same dice, sensible, and unlike each other."""

import time
from collections import Counter
from random import Random
from statistics import median

import pytest

from meadhall.bots import choose
from meadhall.bots.novice import ANYBODY, TEMPERAMENTS, somebody
from meadhall.bots.novice import choose as as_novice
from meadhall.faults import Fault
from meadhall.match import Match
from tests.bots.playing import played
from tests.rules.goths_positions import position
from tests.table import Table
from tests.variants import VARIANTS, Variant, random_game

NOVICES = ("novice", *(f"novice-{temperament}" for temperament in TEMPERAMENTS))
EVERY_NOVICE = pytest.mark.parametrize("name", NOVICES)
EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def answers(match: Match, seat: str, temperament: str, seeds: range = range(200)) -> Counter[str]:
    view = match.view(seat)
    return Counter(as_novice(temperament, view, Random(seed)) for seed in seeds)


def share(counted: Counter[str], *starts: str) -> float:
    return sum(count for name, count in counted.items() if name.startswith(starts)) / counted.total()


def ordered(table: Table, card: str, other: str = "recruiter/vulture") -> Table:
    return table.choose(("ostrogoth-king", f"order:{card}"), ("visigoth-king", f"order:{other}"))


@EVERY_NOVICE
@EVERY_VARIANT
def test_whole_games_end_with_legal_choices_only(name: str, variant: Variant) -> None:
    match = variant.deal(name)
    assert played(match, [name] * len(match.seats), Random(name)).outcome is not None


@EVERY_NOVICE
def test_a_choice_is_the_same_for_the_same_dice_in_every_world_the_seat_cannot_tell_apart(name: str) -> None:
    dice = Random(name)
    for variant in VARIANTS:
        match = random_game(variant, 3, 11)
        for seat in match.waiting:
            here = choose(name, match.view(seat), Random(5))
            assert choose(name, match.view(seat).redeal(dice).view(seat), Random(5)) == here


def test_an_unknown_temperament_is_refused_with_the_list() -> None:
    with pytest.raises(Fault, match="temperaments are bold, careful, muddled, simple"):
        as_novice("angry", Match.new("goths").view("ostrogoth-king"), Random(1))


def test_somebody_is_anybody() -> None:
    assert {somebody(Random(seed)) for seed in range(60)} == set(TEMPERAMENTS)


@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_a_pair_of_any_temperament_beats_a_random_pair(temperament: str) -> None:
    name, wins = f"novice-{temperament}", 0
    for seed in range(30):
        side = seed % 2
        levels = [name if seat >> 1 == side else "random" for seat in range(4)]
        outcome = played(Match.new("goths", {"turn_limit": 200}, seed), levels, Random(seed)).outcome
        assert outcome is not None
        wins += outcome.share(("ostrogoth", "visigoth")[side])
    assert wins >= 26


@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_everybody_sees_that_a_loaded_catapult_wants_firing(temperament: str) -> None:
    table = position("interpreted", ostrogoth={"catapult": "active"}, visigoth={"place": "terrain-2", "units": 2})
    assert share(answers(table.match, "ostrogoth-king", temperament), "order:catapult/") > 0.8
    ordered(table, "catapult/barbarian")
    assert share(answers(table.match, "ostrogoth-warchief", temperament), "act:fire") > 0.75


def test_the_bold_go_forward_where_the_careful_shelter_recruit_or_scout() -> None:
    match = position("interpreted", ostrogoth={"place": "terrain-2"}, visigoth={"place": "terrain-2"}).match
    timid = ("order:recruiter/", "order:vulture/")
    bold, careful = (answers(match, "ostrogoth-king", temperament) for temperament in ("bold", "careful"))
    assert share(bold, "order:barbarian/", "order:catapult/") > share(careful, "order:barbarian/", "order:catapult/")
    assert share(careful, *timid) > share(bold, *timid) + 0.2


def test_the_muddled_are_distracted_now_and_then_and_still_play_what_the_back_allows() -> None:
    table = position("interpreted", ostrogoth={"catapult": "active"}, visigoth={"place": "terrain-2", "units": 2})
    ordered(table, "catapult/barbarian")
    muddled = answers(table.match, "ostrogoth-warchief", "muddled", range(400))
    assert 0.03 < 1 - share(muddled, "act:fire") < 0.25
    fitting = {"act:fire", "act:load", "act:advance", "act:axe", "act:rats", "act:barricade"}
    assert set(muddled) <= fitting


def test_the_simple_king_does_not_think_how_his_card_reads() -> None:
    # Against a loaded catapult a vulture beside a tempting recruiter reads worse than one beside a barbarian.
    table = position("interpreted", ostrogoth={"units": 1}, visigoth={"catapult": "active"})
    simple = answers(table.match, "ostrogoth-king", "simple")
    thoughtful = answers(table.match, "ostrogoth-king", "careful")
    plain, doubtful = "order:vulture/barbarian", "order:vulture/recruiter"
    assert simple[doubtful] > 0.3 * simple[plain]
    assert thoughtful[doubtful] < 0.2 * thoughtful[plain]


def test_a_known_queen_is_entered_and_a_known_trap_is_not() -> None:
    for temperament in TEMPERAMENTS:
        army = {"place": "terrain-3", "units": 3, "seen": ("objective-1", "objective-2")}
        table = ordered(position("interpreted", ostrogoth=army), "barbarian/vulture")
        table.choose(("ostrogoth-warchief", "act:advance"), ("visigoth-warchief", "act:load"))
        assert set(answers(table.match, "ostrogoth-warchief", temperament)) == {"enter:objective-3"}


def test_a_decision_takes_less_than_two_milliseconds() -> None:
    times = []
    for rules in ({}, {"players": ["gold", "green", "red"]}):
        match = Match.new("goths" if not rules else "romans", rules, 3)
        dice = Random(3)
        while match.waiting:
            view = match.view(match.waiting[0])
            start = time.thread_time()
            choice = as_novice(ANYBODY, view, dice)
            times.append(time.thread_time() - start)
            match.commit(match.waiting[0], choice)
    assert median(times) < 0.002
