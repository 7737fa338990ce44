"""Medium and hard in Romans: sensible in every decision, and ever stronger.

On longer measurements, in other deals than these, the shares of wins were those written beside each test.
"""

import time
from random import Random
from statistics import median

import pytest

from meadhall.bots import choose
from meadhall.bots.romans import compiled, monte_carlo
from meadhall.bots.romans.compiled import prepare, ready
from meadhall.bots.romans.equilibrium import solved_round
from meadhall.match import Match
from tests.bots.playing import played
from tests.rules.romans_positions import before_plans, clash
from tests.table import Table
from tests.variants import FOUR, ROMANS, random_game

STRONG = pytest.mark.parametrize("level", ["medium", "hard"])
HAND = "archr axx charriott charriott druhid horsie"


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    prepare()
    assert ready()


def answers(table: Table, level: str, seat: str = "gold") -> set[str]:
    """What the level chooses with some seeds."""
    view = table.match.view(seat)
    return {choose(level, view, Random(seed)) for seed in range(8)}


def share(level: str, rival: str, players: int, deals: range) -> float:
    """How often a level wins against rivals of another, every deal played once from each seat."""
    wins = 0.0
    for deal in deals:
        for side in range(players):
            match = Match.new("romans", {"players": FOUR[:players]}, f"strong {deal}")
            levels = [level if k == side else rival for k in range(players)]
            outcome = played(match, levels, Random(f"{deal} {side}")).outcome
            assert outcome is not None
            wins += outcome.share(match.seats[side])
    return wins / (players * len(deals))


# Every decision


@STRONG
def test_qween_charms_the_warrior_that_wins_her_the_fort(level: str) -> None:
    table = clash("interpreted", "ordinary-6", gold="qween", green="horsie", violet="druhid")
    assert answers(table, level) == {"charm:green"}


@STRONG
def test_qween_takes_the_third_legion(level: str) -> None:
    clans = {"gold": "qween", "green": "archr", "violet": "druhid"}
    table = clash("interpreted", "legion-3", forts={"gold": "legion-1 legion-2"}, **clans)
    assert answers(table, level) == {"charm:green"}


@STRONG
def test_qween_keeps_the_third_legion_from_a_rival(level: str) -> None:
    clans = {"gold": "qween", "green": "charriott", "violet": "horsie"}
    table = clash("interpreted", "legion-3 ordinary-6", forts={"green": "legion-1 legion-2"}, **clans)
    assert answers(table, level) == {"charm:green"}


@STRONG
def test_druhid_takes_the_third_legion_rather_than_points(level: str) -> None:
    clans = {"gold": "charriott > druhid", "green": "archr"}
    held = {"gold": "legion-1 legion-2"}
    table = clash("interpreted", "ordinary-1 legion-3 ordinary-6", forts=held, **clans)
    assert answers(table, level) == {"take:2"}


@STRONG
def test_druhid_takes_the_fort_that_wins_the_last_round(level: str) -> None:
    clans = {"gold": "charriott > druhid > archr", "green": "archr > axx > charriott"}
    table = clash("interpreted", "ordinary-1 ordinary-6", forts={"green": "ordinary-5"}, **clans)
    assert answers(table, level) == {"take:2"}


@STRONG
def test_axx_stays_to_fight_for_the_last_fort(level: str) -> None:
    table = clash("interpreted", "ordinary-1 ordinary-6", gold="axx", green="druhid")
    assert answers(table, level) == {"keep:axx"}


@STRONG
def test_the_weakest_stays_to_fight_for_the_last_fort(level: str) -> None:
    table = clash("interpreted", "unwary-2 ordinary-6", gold="charriott > archr > axx", green="druhid")
    assert answers(table, level) == {"keep:weakest"}


@STRONG
def test_horsie_sends_the_weakest_away(level: str) -> None:
    table = clash("interpreted", "ordinary-1 ordinary-6", gold="druhid > horsie", green="charriott > archr")
    assert answers(table, level) == {"discard:druhid"}


@STRONG
def test_a_signal_costs_the_weakest(level: str) -> None:
    clans = {"gold": "druhid > archr > axx", "green": "charriott > horsie", "violet": "zvord > filchy"}
    table = clash("interpreted", "signal-4 ordinary-6", **clans)
    assert answers(table, level) == {"discard:druhid"}


@STRONG
def test_the_worthless_fort_is_paid_as_tax(level: str) -> None:
    held = {"gold": "ordinary-3 legion-3 ordinary-5", "green": "legion-1 legion-2 ordinary-6"}
    table = clash("interpreted", "tax-8 ordinary-6", forts=held, gold="charriott", green="archr")
    assert answers(table, level) == {"pay:legion-3"}


@STRONG
def test_zvord_puts_the_strong_warrior_where_the_fort_is(level: str) -> None:
    clans = {"gold": "> zvord > charriott druhid", "green": "horsie > archr"}
    table = clash("interpreted", "ordinary-3 legion-3 ordinary-6", **clans)
    assert answers(table, level) == {"reorder:druhid,charriott"}


@STRONG
def test_nobody_lays_filchy_before_the_best_fort_or_keeps_the_strong_out(level: str) -> None:
    lines = {"gold": "archr filchy charriott axx druhid horsie", "green": HAND}
    deck = "ordinary-1 ordinary-5 legion-3 legion-2 ordinary-4 ordinary-6"
    plans = answers(before_plans("interpreted", deck, **lines), level)
    assert not any(plan.endswith("filchy") for plan in plans)
    assert all("charriott" in plan for plan in plans)


def test_hard_finds_the_only_line_that_wins_the_last_fort() -> None:
    """Its rival has shown nothing but charriotts, and cannot have a third one."""
    clans = {"gold": "> zvord > horsie druhid", "green": "charriott > charriott"}
    table = clash("interpreted", "ordinary-1 ordinary-3 ordinary-6", forts={"green": "ordinary-5"}, **clans)
    assert answers(table, "hard") == {"reorder:druhid,horsie"}


# Before anything is compiled


@STRONG
def test_nobody_waits_while_the_search_is_compiled(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_prepared", False)
    monkeypatch.setattr(monte_carlo, "compiled_search", lambda: pytest.fail("compiled in the middle of a choice"))
    match = Match.new("romans", {"players": FOUR[:2]}, 4)
    start = time.thread_time()
    made = len(played(match, [level] * 2, Random(4)).record()["choices"])
    assert time.thread_time() - start < 0.1 * made


@STRONG
def test_until_then_too_a_choice_is_the_same_in_every_world_the_seat_cannot_tell_apart(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "_prepared", False)
    for length in (1, 6, 14):
        match = random_game(ROMANS[2], length, length)
        seat = match.waiting[0]
        redealt = match.view(seat).redeal(Random(length))
        assert choose(level, redealt.view(seat), Random(1)) == choose(level, match.view(seat), Random(1))


# Strength and speed


def test_medium_beats_a_random_rival() -> None:
    assert share("medium", "random", 2, range(25)) >= 0.82  # longer: 96%


def test_medium_beats_easy() -> None:
    assert share("medium", "easy", 2, range(24)) >= 0.55  # longer: 69%


def test_medium_wins_three_times_its_fair_share_among_random_rivals() -> None:
    assert share("medium", "random", 4, range(6)) >= 0.6  # longer: 82%; fair 25%


def test_hard_beats_medium() -> None:
    assert share("hard", "medium", 2, range(10)) >= 0.55  # longer: 75%


def test_hard_wins_more_than_its_fair_share_among_three_medium_rivals() -> None:
    assert share("hard", "medium", 4, range(7)) >= 0.3  # longer: 55%; fair 25%


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("level", "plan", "small"), [("medium", 0.1, 0.1), ("hard", 1.0, 0.3)])
def test_a_decision_stays_within_its_budget(level: str, plan: float, small: float, players: int) -> None:
    times: dict[bool, list[float]] = {True: [], False: []}
    match, dice = Match.new("romans", {"players": FOUR[:players]}, 7), Random(7)
    while match.waiting:
        seat = match.waiting[0]
        view = match.view(seat)
        solved_round.cache_clear()  # or else the second to plan finds the round solved
        start = time.thread_time()
        choice = choose(level, view, dice)
        times[choice.startswith("plan")].append(time.thread_time() - start)
        match.commit(seat, choice)
    assert median(times[True]) < plan
    assert median(times[False]) < small
