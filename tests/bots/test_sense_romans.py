"""Easy in Romans: the obvious thing is done, whatever the dice say."""

from tests.bots.playing import answers
from tests.rules.romans_positions import before_plans, clash

HAND = "archr axx charriott charriott druhid horsie"


def test_filchy_is_laid_before_a_legion_fort_rather_than_before_the_best_one() -> None:
    lines = {"gold": "archr filchy charriott axx druhid horsie", "green": HAND, "violet": HAND, "red": HAND}
    deck = "ordinary-1 ordinary-5 legion-3 legion-2 ordinary-4 ordinary-6"
    table = before_plans("interpreted", deck, **lines)
    plans = answers(table.match, "gold", range(60))
    places = [plan.removeprefix("plan:").split(",").index("filchy") for plan in plans if "filchy" in plan]
    assert sum(place in (0, 2, 3) for place in places) > 3 * places.count(5)


def test_the_best_fort_is_not_left_to_a_weakling() -> None:
    table = before_plans("interpreted", gold=HAND, green=HAND)
    plans = answers(table.match, "gold", range(60))
    assert sum(count for plan, count in plans.items() if plan.endswith("druhid")) <= 2  # by chance alone: 8


def test_qween_charms_the_warrior_that_wins_her_the_fort() -> None:
    table = clash("interpreted", "ordinary-6", gold="qween", green="horsie", violet="druhid")
    assert set(answers(table.match, "gold")) == {"charm:green"}


def test_qween_does_not_win_a_legion_fort_if_she_can_help_it() -> None:
    clans = {"gold": "qween", "green": "archr", "violet": "druhid", "red": "horsie"}
    table = clash("interpreted", "legion-3", **clans)
    assert "charm:red" not in answers(table.match, "gold")


def test_qween_takes_the_third_legion() -> None:
    clans = {"gold": "qween", "green": "archr", "violet": "druhid"}
    table = clash("interpreted", "legion-3", forts={"gold": "legion-1 legion-2"}, **clans)
    assert set(answers(table.match, "gold")) == {"charm:green"}


def test_druhid_takes_the_most_valuable_fort() -> None:
    clans = {"gold": "charriott > druhid", "green": "archr", "violet": "axx"}
    table = clash("interpreted", "ordinary-1 ordinary-3 ordinary-6", **clans)
    assert set(answers(table.match, "gold")) == {"take:3"}


def test_druhid_takes_the_third_legion_rather_than_points() -> None:
    clans = {"gold": "charriott > druhid", "green": "archr"}
    held = {"gold": "legion-1 legion-2"}
    table = clash("interpreted", "ordinary-1 legion-3 ordinary-6", forts=held, **clans)
    assert set(answers(table.match, "gold")) == {"take:2"}


def test_axx_stays_if_there_is_a_fort_left_to_fight_for() -> None:
    table = clash("interpreted", "ordinary-1 ordinary-6", gold="axx", green="druhid")
    assert set(answers(table.match, "gold")) == {"keep:axx"}


def test_horsie_sends_the_weakest_away() -> None:
    table = clash("interpreted", "ordinary-1 ordinary-6", gold="druhid > horsie", green="charriott > archr")
    assert set(answers(table.match, "gold")) == {"discard:druhid"}


def test_the_cheapest_fort_is_paid() -> None:
    held = {"gold": "ordinary-3 ordinary-1 ordinary-5"}
    table = clash("interpreted", "tax-8", forts=held, gold="charriott", green="archr")
    assert set(answers(table.match, "gold")) == {"pay:ordinary-1"}


def test_a_legion_that_promises_nothing_is_paid_first() -> None:
    held = {"gold": "ordinary-1 legion-3", "green": "legion-1 legion-2"}
    table = clash("interpreted", "tax-8", forts=held, gold="charriott", green="archr")
    assert set(answers(table.match, "gold")) == {"pay:legion-3"}


def test_zvord_puts_the_strong_warriors_where_the_forts_are() -> None:
    clans = {"gold": "> zvord > charriott druhid", "green": "horsie > archr"}
    table = clash("interpreted", "ordinary-3 legion-3 ordinary-6", **clans)
    assert set(answers(table.match, "gold")) == {"reorder:druhid,charriott"}
