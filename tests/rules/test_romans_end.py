"""Romans: the end, neutrals, and the author's original rules (R7 to R9)."""

from typing import Any

import pytest

from meadhall.games.romans import rules
from tests.rules.romans_positions import (
    captor,
    clash,
    discarded,
    discarded_forts,
    face_up,
    forts,
    is_over,
)

FORT = "ordinary-5"
THREE = "ordinary-1 ordinary-3 ordinary-6"
ORIGINAL = {"original_rules": True}


def outcome(speed: str, neutrals: tuple[str, ...] = (), **held: str) -> dict[str, Any]:
    """The outcome of a game in which the clans hold these forts and nobody captures the last one."""
    lines = dict.fromkeys(held, "axx")
    return clash(speed, "unwary-2", neutrals, forts=held, **lines).position["outcome"]


# R7.1


@pytest.mark.parametrize(
    ("gold", "green", "winners"),
    [
        pytest.param("tax-8", "ordinary-5 unwary-2", ["gold"], id="most points"),
        pytest.param("tax-8 legion-3", "ordinary-6", ["green"], id="negative points count"),
        pytest.param("legion-2", "", ["green"], id="no forts beat negative points"),
        pytest.param("ordinary-6", "ordinary-3 ordinary-3", ["green"], id="then more forts"),
        pytest.param("ordinary-6 legion-2", "signal-4", ["gold"], id="then more forts, negative ones too"),
        pytest.param("ordinary-6 ordinary-1", "signal-4 ordinary-3", ["gold"], id="then the most valuable"),
        pytest.param(
            "ordinary-6 signal-4 ordinary-1",
            "ordinary-6 ordinary-3 ordinary-3 ordinary-1 legion-2",
            ["green"],
            id="more forts come before the most valuable",
        ),
        pytest.param("ordinary-3 unwary-2 ordinary-6", "ordinary-6 ordinary-1 signal-4", ["green"], id="then the next"),
        pytest.param(
            "ordinary-6 ordinary-5 unwary-2 legion-2",
            "ordinary-6 ordinary-5 ordinary-3 legion-3",
            ["green"],
            id="then the one after that",
        ),
        pytest.param(
            "ordinary-6 legion-2 legion-2",
            "ordinary-6 legion-1 legion-3",
            ["green"],
            id="down to the negative ones",
        ),
        pytest.param(
            "ordinary-6 signal-4 legion-2",
            "legion-2 ordinary-6 ordinary-4",
            ["gold", "green"],
            id="equal values share the victory",
        ),
        pytest.param("", "", ["gold", "green"], id="no forts at all share it too"),
    ],
)
def test_R7_1_points_then_forts_then_the_most_valuable_in_turn(
    speed: str, gold: str, green: str, winners: list[str]
) -> None:
    assert outcome(speed, gold=gold, green=green)["winners"] == winners


def test_R7_1_some_of_many_may_share_the_victory(speed: str) -> None:
    result = outcome(speed, gold="ordinary-3", green="ordinary-5", violet="ordinary-4", red="ordinary-5")
    assert result == {
        "winners": ["green", "red"],
        "by": "points",
        "points": {"gold": 3, "green": 5, "violet": 4, "red": 5},
    }


def test_R7_1_the_last_fort_captured_counts(speed: str) -> None:
    table = clash(speed, "ordinary-6", gold="archr", green="axx", forts={"green": "ordinary-5"})
    assert table.position["outcome"]["winners"] == ["gold"]


# R7.2


def test_R7_2_neutrals_cannot_win_against_two_players(speed: str) -> None:
    result = outcome(speed, ("red",), gold="ordinary-1", green="legion-3", red="tax-8")
    assert (result["winners"], result["points"]) == (["gold"], {"gold": 1, "green": -3, "red": 8})


@pytest.mark.parametrize(
    ("gold", "green", "red", "winners"),
    [
        pytest.param("tax-8", "ordinary-6", "ordinary-5", ["gold"], id="the player"),
        pytest.param("ordinary-5", "ordinary-6", "ordinary-3", ["green"], id="a neutral by points"),
        pytest.param("ordinary-6", "ordinary-3", "ordinary-5 ordinary-1", ["red"], id="a neutral by forts"),
        pytest.param(
            "ordinary-3 signal-4", "ordinary-6 ordinary-1", "", ["green"], id="a neutral by the most valuable"
        ),
        pytest.param("ordinary-5", "ordinary-5", "ordinary-3", ["gold", "green"], id="they share"),
        pytest.param("ordinary-3", "ordinary-5", "ordinary-5", ["green", "red"], id="the neutrals share"),
    ],
)
def test_R7_2_neutrals_are_ranked_in_full_against_a_single_player(
    speed: str, gold: str, green: str, red: str, winners: list[str]
) -> None:
    assert outcome(speed, ("green", "red"), gold=gold, green=green, red=red)["winners"] == winners


def test_R7_2_legions_win_nothing_for_a_neutral_against_a_single_player(speed: str) -> None:
    held = {"red": "legion-1 legion-2"}
    table = clash(speed, "legion-3", gold="axx", red="archr", neutrals=["red"], forts=held)
    assert table.position["outcome"] == {
        "winners": ["gold"],
        "by": "points",
        "points": {"gold": 0, "red": -6},
    }


# R8.1: the neutral is red; a qween's power over others is R4.4.


def test_R8_1_a_neutrals_druhid_takes_the_leftmost_fort(speed: str) -> None:
    table = clash(speed, "ordinary-1 ordinary-6", gold="> axx > archr", red="axx > druhid > filchy", neutrals=["red"])
    assert (forts(table, "red"), forts(table, "gold")) == (["ordinary-1"], ["ordinary-6"])


def test_R8_1_a_neutrals_zvord_leaves_the_order_as_it_is(speed: str) -> None:
    # Gold's zvord stops the turn after.
    table = clash(
        speed,
        "ordinary-1 ordinary-3 ordinary-5 ordinary-6",
        gold="> archr > zvord",
        red="> zvord > filchy qween druhid",
        neutrals=["red"],
    )
    assert table.waiting == ("gold",)
    assert face_up(table, "red") + table.clan("red")["hidden"] == ["zvord", "filchy", "qween", "druhid"]


def test_R8_1_a_neutrals_qween_charms_nobody(speed: str) -> None:
    table = clash(speed, FORT, gold="archr > charriott", red="horsie > qween", neutrals=["red"])
    assert captor(table) == "gold"


@pytest.mark.parametrize(
    ("gold", "red", "winner"),
    [
        pytest.param("zvord", "filchy", "gold", id="filchy bars"),
        pytest.param("zvord > druhid", "archr", "red", id="archr wins a tie"),
        pytest.param("druhid > charriott", "zvord > charriott", "red", id="charriotts wreck"),
    ],
)
def test_R8_1_a_neutrals_other_warriors_have_their_effect(speed: str, gold: str, red: str, winner: str) -> None:
    table = clash(speed, FORT, gold=gold, red=red, neutrals=["red"])
    assert captor(table) == winner


# R8.2


@pytest.mark.parametrize(
    ("red", "left"),
    [
        pytest.param("axx druhid > archr", ["axx", "archr"], id="the weakest"),
        pytest.param("charriott > archr", ["charriott"], id="the last revealed is the weakest"),
        pytest.param("charriott > charriott", ["charriott"], id="one of two equal ones"),
    ],
)
def test_R8_2_a_neutral_discards_its_weakest_to_a_signal(speed: str, red: str, left: list[str]) -> None:
    table = clash(speed, "signal-4", gold="charriott horsie > archr", red=red, neutrals=["red"])
    assert forts(table, "gold") == ["signal-4"]
    assert face_up(table, "red") == left


@pytest.mark.parametrize(
    ("red", "left"),
    [
        pytest.param("axx druhid > horsie", ["axx", "horsie"], id="the weakest"),
        pytest.param("charriott > horsie", ["charriott"], id="horsie is the weakest"),
        pytest.param("horsie", [], id="horsie is alone"),
    ],
)
def test_R8_2_a_neutrals_horsie_costs_its_weakest(speed: str, red: str, left: list[str]) -> None:
    table = clash(speed, FORT, gold="charriott filchy > archr", red=red, neutrals=["red"])
    assert face_up(table, "red") == left


@pytest.mark.parametrize(
    ("fort", "red", "left"),
    [
        pytest.param(FORT, "horsie > axx", ["axx"], id="axx"),
        pytest.param("unwary-2", "horsie druhid > archr", ["druhid"], id="the weakest"),
        pytest.param("unwary-2", "horsie druhid > axx", ["druhid", "axx"], id="both"),
        pytest.param("unwary-2", "horsie archr > axx", ["axx"], id="axx is the weakest"),
        pytest.param("unwary-2", "axx > archr", ["axx"], id="an earlier axx is the weakest"),
    ],
)
def test_R8_2_a_neutral_keeps_axx_and_its_weakest_when_it_may(speed: str, fort: str, red: str, left: list[str]) -> None:
    table = clash(speed, fort, gold="druhid", red=red, neutrals=["red"])
    assert (forts(table, "red"), face_up(table, "red")) == ([fort], left)


def test_R8_2_a_neutrals_kept_axx_goes_to_the_signal(speed: str) -> None:
    table = clash(speed, "signal-4", gold="druhid", red="horsie > axx", neutrals=["red"])
    assert discarded(table, "red") == ["horsie", "axx"]


@pytest.mark.parametrize(
    ("held", "paid", "left"),
    [
        pytest.param("ordinary-5 ordinary-3", "ordinary-3", ["ordinary-5", "tax-8"], id="the least valuable"),
        pytest.param(
            "ordinary-1 legion-1 legion-3",
            "legion-3",
            ["ordinary-1", "legion-1", "tax-8"],
            id="a legion",
        ),
        pytest.param(
            "signal-4 ordinary-5 ordinary-4",
            "signal-4",
            ["ordinary-5", "ordinary-4", "tax-8"],
            id="signal first",
        ),
        pytest.param(
            "ordinary-4 ordinary-5 signal-4",
            "ordinary-4",
            ["ordinary-5", "signal-4", "tax-8"],
            id="signal last",
        ),
        pytest.param(
            "ordinary-3 ordinary-5 ordinary-3",
            "ordinary-3",
            ["ordinary-5", "ordinary-3", "tax-8"],
            id="twins",
        ),
        pytest.param("", "tax-8", [], id="the tax fort itself"),
    ],
)
def test_R8_2_a_neutral_pays_its_least_valuable_fort(speed: str, held: str, paid: str, left: list[str]) -> None:
    table = clash(speed, "tax-8", gold="druhid", red="archr", neutrals=["red"], forts={"red": held})
    assert (discarded_forts(table), forts(table, "red")) == ([paid], left)


# R9.1


@pytest.mark.parametrize("both", ["> axx", "> filchy"])
def test_R9_1_the_fort_stays_and_the_rightmost_is_discarded(speed: str, both: str) -> None:
    # A tie, or nobody can capture. Red's qween stops the next turn.
    table = clash(speed, THREE, gold=both, green=both, red="> filchy > qween", rules=ORIGINAL)
    assert table.waiting == ("red",)
    assert (table.position["wall"], discarded_forts(table)) == (["ordinary-1", "ordinary-3"], ["ordinary-6"])


def test_R9_1_the_fort_that_stayed_is_fought_for_next_turn(speed: str) -> None:
    table = clash(speed, "ordinary-1 ordinary-6", gold="> axx > archr", green="> axx > druhid", rules=ORIGINAL)
    assert (captor(table), forts(table, "gold")) == ("gold", ["ordinary-1"])


def test_R9_1_with_one_fort_left_that_one_is_discarded(speed: str) -> None:
    table = clash(speed, FORT, gold="axx", green="axx", rules=ORIGINAL)
    assert is_over(table)
    assert (captor(table), discarded_forts(table), table.position["wall"]) == (None, [FORT], [])


@pytest.mark.parametrize("rightmost", ["signal-4", "tax-8", "legion-3", "unwary-2"])
def test_R9_1_the_fort_discarded_has_no_effect(speed: str, rightmost: str) -> None:
    table = clash(
        speed,
        f"ordinary-1 {rightmost}",
        gold="> axx > filchy",
        green="> axx > filchy",
        rules=ORIGINAL,
        forts={"gold": "legion-1 legion-2"},
    )
    assert table.position["outcome"]["by"] == "points"
    assert discarded_forts(table) == [rightmost, "ordinary-1"]
    assert face_up(table, "gold") == ["axx", "filchy"]


# R9.2


@pytest.mark.parametrize(
    ("take", "left"),
    [
        ("ordinary-1", ["ordinary-3", "ordinary-6"]),
        ("ordinary-3", ["ordinary-1", "ordinary-6"]),
        ("ordinary-6", ["ordinary-1", "ordinary-3"]),
    ],
)
def test_R9_2_the_gap_druhid_leaves_is_closed_from_the_left(speed: str, take: str, left: list[str]) -> None:
    table = clash(speed, THREE, gold="axx > druhid > archr filchy", green="> axx > charriott archr", rules=ORIGINAL)
    table.choose(("gold", f"take:{THREE.split().index(take) + 1}"))
    # Green captures the other two, from the left.
    assert (forts(table, "gold"), forts(table, "green")) == ([take], left)


# R5.4: who is one legion short


@pytest.mark.parametrize(
    ("held", "wall", "near"),
    [
        pytest.param({"gold": "legion-1 legion-2"}, "unwary-2", ["gold"], id="two of four"),
        pytest.param({"gold": "legion-1"}, "unwary-2", [], id="one is not near"),
        pytest.param({"gold": "legion-1 legion-2", "green": "legion-2"}, "unwary-2", ["gold"], id="one may still come"),
        pytest.param(
            {"gold": "legion-1 legion-2", "green": "legion-2 legion-3"}, "unwary-2", [], id="no third is left"
        ),
        pytest.param({"red": "legion-1 legion-2"}, "unwary-2", [], id="a neutral wins nothing"),
    ],
)
def test_R5_4_who_holds_two_legions_is_near_victory_while_a_third_may_come(
    held: dict[str, str], wall: str, near: list[str]
) -> None:
    table = clash("interpreted", wall, ["red"], forts=held, gold="axx", green="axx", red="axx")
    assert [
        clan for k, clan in enumerate(("gold", "green", "red")) if rules.near_legion_victory(table.state, k)
    ] == near
