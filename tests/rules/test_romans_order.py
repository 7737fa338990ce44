"""Romans: the order within a turn, equals, and sealed choices (R6)."""

from typing import Any

import pytest

from meadhall.faults import IllegalChoice
from tests.rules.romans_positions import (
    before_plans,
    clash,
    discarded,
    face_up,
    forts,
    is_over,
    plan,
    reorder,
)
from tests.table import Table

FORT = "ordinary-5"
THREE = "ordinary-1 ordinary-3 ordinary-6"
LINE = "druhid axx archr filchy horsie charriott"


# R6.1


def test_R6_1_charm_then_druhid_then_horsie_with_zvord_then_the_fort(speed: str) -> None:
    table = clash(
        speed,
        "ordinary-1 signal-4 ordinary-6",
        gold="> qween",
        green="charriott archr > druhid",
        violet="druhid axx > horsie",
        red="> zvord > axx archr",
    )
    assert table.position["pending"] == {"gold": ["charm:green", "charm:red", "charm:violet"]}
    table.choose(("gold", "charm:red"))
    assert table.position["pending"] == {"green": ["take:1", "take:2", "take:3"]}
    table.choose(("green", "take:2"))
    # The winner's warriors have left by now, and the signal fort has done nothing yet.
    assert (forts(table, "green"), face_up(table, "green")) == (["signal-4"], [])
    assert face_up(table, "gold") == ["qween"]
    assert table.position["pending"] == {
        "violet": ["discard:axx", "discard:druhid", "discard:horsie"],
        "red": {"arrange": ["axx", "archr"], "take": 2},
    }
    table.choose(("violet", "discard:axx"), ("red", reorder("archr axx")))
    assert table.position["pending"] == {"violet": ["discard:druhid", "discard:horsie"]}


def test_R6_1_axx_is_kept_before_the_weakest(speed: str) -> None:
    table = clash(speed, "unwary-2", gold="druhid > axx", green="archr")
    assert table.position["pending"] == {"gold": ["keep:axx", "leave:axx"]}
    table.choose(("gold", "keep:axx"))
    assert table.position["pending"] == {"gold": ["keep:weakest", "leave:weakest"]}


def test_R6_1_the_winner_keeps_before_horsie_discards(speed: str) -> None:
    table = clash(speed, FORT, gold="charriott > axx", green="druhid > horsie")
    assert table.waiting == ("gold",)
    table.choose(("gold", "keep:axx"))
    assert face_up(table, "gold") == ["axx"]
    assert table.waiting == ("green",)


def test_R6_1_tax_comes_after_horsie(speed: str) -> None:
    table = clash(speed, "tax-8", gold="charriott > archr", green="druhid > horsie", forts={"gold": "ordinary-5"})
    assert table.waiting == ("green",)
    assert table.choose(("green", "discard:druhid")).waiting == ("gold",)


# R6.2


def test_R6_2_of_equal_warriors_horsie_discards_the_one_revealed_first(speed: str) -> None:
    table = clash(speed, FORT, gold="charriott druhid charriott > horsie", green="charriott charriott horsie > archr")
    table.choose(("gold", "discard:charriott"))
    assert face_up(table, "gold") == ["druhid", "charriott", "horsie"]


def test_R6_2_of_equal_warriors_signal_takes_the_one_revealed_first(speed: str) -> None:
    table = clash(
        speed,
        "signal-4",
        gold="charriott druhid charriott > zvord",
        green="charriott charriott horsie > archr",
    )
    table.choose(("gold", "discard:charriott"))
    assert face_up(table, "gold") == ["druhid", "charriott", "zvord"]


def test_R6_2_two_equal_warriors_alone_are_no_choice(speed: str) -> None:
    table = clash(speed, "signal-4", gold="charriott > charriott", green="charriott horsie > archr")
    assert is_over(table)
    assert (face_up(table, "gold"), discarded(table, "gold")) == (["charriott"], ["charriott"])


def test_R6_2_of_two_equal_weakest_one_is_kept(speed: str) -> None:
    table = clash(speed, "unwary-2", gold="charriott > charriott", green="archr")
    table.choose(("gold", "keep:weakest"))
    assert (face_up(table, "gold"), discarded(table, "gold")) == (["charriott"], ["charriott"])


def test_R6_2_of_equal_forts_the_one_captured_first_is_paid(speed: str) -> None:
    held = {"gold": "ordinary-5 ordinary-1 ordinary-5"}
    table = clash(speed, "tax-8", gold="archr", green="axx", forts=held)
    assert table.options("gold") == ["pay:ordinary-1", "pay:ordinary-5", "pay:tax-8"]
    table.choose(("gold", "pay:ordinary-5"))
    assert forts(table, "gold") == ["ordinary-1", "ordinary-5", "tax-8"]


def test_R6_2_a_wreck_takes_the_charriott_just_revealed(speed: str) -> None:
    table = clash(
        speed,
        FORT,
        gold="charriott druhid > charriott",
        green="archr filchy > charriott",
        red="horsie axx > archr",
    )
    assert face_up(table, "gold") == ["charriott", "druhid"]


# R6.3


def sealed(table: Table, *choices: tuple[str, str]) -> bool:
    """Do these choices change nothing in the position but who owes one?"""
    before = table.position
    table.choose(*choices)
    after = table.position
    for seat, _ in choices:
        assert before["pending"].pop(seat)
    return bool(before == after)


def test_R6_3_plans_are_sealed_until_the_last_is_in(speed: str) -> None:
    table = before_plans(speed, gold=LINE, green=LINE, red=LINE)
    assert sealed(table, ("green", plan(LINE)), ("gold", plan(LINE)))
    table.choose(("red", plan(LINE)))
    assert [table.clan(clan)["aside"] for clan in ("gold", "green", "red")] == ["qween"] * 3


@pytest.fixture
def horsies_and_zvords(speed: str) -> Table:
    """Green wins. Gold's horsie and violet's zvord are asked; red's, a neutral, discards by itself."""
    return clash(
        speed,
        THREE,
        gold="druhid > horsie",
        green="charriott horsie > archr",
        violet="> zvord > axx archr",
        red="axx > horsie",
        neutrals=["red"],
    )


@pytest.mark.parametrize(
    "choices",
    [
        pytest.param((("gold", "discard:druhid"), ("violet", "reorder:archr,axx")), id="horsie first"),
        pytest.param((("violet", "reorder:archr,axx"), ("gold", "discard:druhid")), id="zvord first"),
    ],
)
def test_R6_3_horsie_and_zvord_take_effect_together_with_a_neutrals(horsies_and_zvords: Table, choices: Any) -> None:
    table = horsies_and_zvords
    assert table.waiting == ("gold", "violet")
    assert sealed(table, choices[0])
    assert face_up(table, "red") == ["axx", "horsie"]
    table.choose(choices[1])
    assert face_up(table, "gold")[0] == "horsie"
    assert face_up(table, "red")[0] == "horsie"
    assert face_up(table, "violet")[:2] == ["zvord", "archr"]


def test_R6_3_an_automatic_discard_waits_for_the_last_choice(speed: str) -> None:
    # Gold's horsie is alone. Red's qween stops the next turn.
    table = clash(
        speed,
        THREE,
        gold="> horsie > axx archr",
        green="charriott > archr",
        violet="> zvord > axx archr",
        red="> druhid > qween",
    )
    assert table.waiting == ("violet",)
    assert face_up(table, "gold") == ["horsie"]
    table.choose(("violet", reorder("archr axx")))
    assert face_up(table, "gold") == ["axx"]


def test_R6_3_signal_discards_take_effect_together(speed: str) -> None:
    table = clash(
        speed,
        "signal-4",
        gold="druhid > axx",
        green="zvord > archr",
        violet="charriott horsie > archr",
        red="filchy > druhid",
        neutrals=["red"],
    )
    assert sealed(table, ("green", "discard:archr"))
    assert face_up(table, "red") == ["filchy", "druhid"]
    table.choose(("gold", "discard:druhid"))
    assert [face_up(table, clan) for clan in ("gold", "green", "red")] == [["axx"], ["zvord"], ["filchy"]]


def test_R6_3_a_sealed_choice_can_be_changed_until_the_last_is_in() -> None:
    match = before_plans("interpreted", gold=LINE, green=LINE).match
    match.commit("gold", plan(LINE))
    match.commit("gold", "plan:qween,druhid,axx,archr,filchy,horsie")
    assert match.waiting == ("green",)
    match.commit("green", plan(LINE))
    assert match.position()["clans"]["gold"]["aside"] == "charriott"
    with pytest.raises(IllegalChoice, match="gold cannot choose"):
        match.commit("gold", plan(LINE))
    assert match.record()["choices"] == [
        ["gold", "plan:qween,druhid,axx,archr,filchy,horsie"],
        ["green", plan(LINE)],
    ]


def test_R6_3_a_sealed_discard_can_be_changed_too() -> None:
    match = clash(
        "interpreted", THREE, gold="druhid > horsie", green="charriott > archr", red="> zvord > axx archr"
    ).match
    match.commit("gold", "discard:druhid")
    match.commit("gold", "discard:horsie")
    assert match.view("gold").json()["own"] == "discard:horsie"
    match.commit("red", "reorder:archr,axx")
    assert match.position()["clans"]["gold"]["face_up"][0] == "druhid"


def test_R6_3_zvords_new_order_stays_secret(speed: str) -> None:
    # Red's qween stops the next turn; the two orders differ in what is still hidden then.
    seen = []
    for order in ("archr filchy horsie", "archr horsie filchy"):
        table = clash(
            speed,
            "ordinary-1 ordinary-3 ordinary-5 ordinary-6",
            gold="> zvord > filchy archr horsie",
            green="> archr > filchy",
            red="> druhid > qween",
        )
        table.choose(("gold", reorder(order)))
        assert table.match.view("gold").json()["clans"]["gold"]["hidden"] == order.split()[1:]
        views = [table.match.view(seat) for seat in ("green", "red", "spectator")]
        seen.append([(view.json(), bytes(view.state)) for view in views])
    assert seen[0] == seen[1]
