"""Romans: a turn up to the capture (R4.1 to R4.9). Strengths: see R1.1."""

import pytest

from tests.rules.romans_positions import (
    battle,
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


# R4.1


def test_R4_1_the_leftmost_hidden_warrior_is_revealed_and_stays(speed: str) -> None:
    table = battle(
        speed,
        gold="zvord axx archr druhid filchy horsie",
        green="charriott axx archr druhid filchy horsie",
    )
    assert (face_up(table, "gold"), table.clan("gold")["hidden"]) == (
        ["zvord"],
        ["axx", "archr", "druhid", "filchy", "horsie"],
    )


@pytest.mark.parametrize(
    ("gold", "green"),
    [
        pytest.param("qween > archr", "> druhid", id="qween"),
        pytest.param("druhid > archr", "> druhid", id="druhid"),
        pytest.param("zvord > archr", "> druhid", id="zvord"),
        pytest.param("axx > archr", "> druhid", id="axx"),
        pytest.param("horsie > druhid", "charriott > archr", id="horsie"),
    ],
)
def test_R4_1_a_warrior_of_an_earlier_turn_asks_nothing(speed: str, gold: str, green: str) -> None:
    after = "> filchy charriott"
    table = clash(speed, THREE, gold=f"{gold} {after}", green=f"{green} {after}", red=f"> axx {after}")
    assert is_over(table)


def test_R4_1_an_archr_of_an_earlier_turn_wins_no_tie(speed: str) -> None:
    assert captor(clash(speed, FORT, gold="archr > axx", green="horsie > druhid")) is None


def test_R4_1_a_filchy_of_an_earlier_turn_bars_nobody(speed: str) -> None:
    assert captor(clash(speed, FORT, gold="filchy > axx", green="archr")) == "gold"


def test_R4_1_points_count_as_long_as_the_warrior_stays_face_up(speed: str) -> None:
    table = clash(speed, "ordinary-1 ordinary-3", gold="> axx > zvord", green="> horsie > axx")
    # The horsie captures and leaves; then 4 + 3 beat 4.
    assert (forts(table, "green"), forts(table, "gold")) == (["ordinary-1"], ["ordinary-3"])


# R4.2


def test_R4_2_charriotts_of_one_turn_are_discarded_before_points_are_counted(speed: str) -> None:
    table = clash(speed, FORT, gold="archr > charriott", green="filchy > charriott", red="axx > charriott")
    assert captor(table) == "green"
    assert (face_up(table, "gold"), face_up(table, "red")) == (["archr"], ["axx"])
    assert discarded(table, "gold") == discarded(table, "red") == ["charriott"]


def test_R4_2_a_single_charriott_is_not_discarded(speed: str) -> None:
    table = clash(speed, FORT, gold="charriott", green="archr druhid > zvord", red="charriott > axx")
    assert face_up(table, "gold") == ["charriott"]


def test_R4_2_a_charriott_of_an_earlier_turn_wrecks_none_and_is_not_touched(speed: str) -> None:
    table = clash(speed, FORT, gold="charriott > axx", green="charriott", red="horsie archr > druhid")
    assert (face_up(table, "gold"), face_up(table, "green")) == (["charriott", "axx"], ["charriott"])


# R4.3


def test_R4_3_the_charmed_points_count_for_the_player_instead_of_their_clan(speed: str) -> None:
    table = clash(speed, FORT, gold="qween", green="zvord > archr", red="axx > druhid")
    assert table.options("gold") == ["charm:green", "charm:red"]
    # 1 + 5 for gold, 3 for green, 6 for red.
    assert captor(table.choose(("gold", "charm:green"))) is None
    assert discarded_forts(table) == [FORT]


def test_R4_3_another_target_gives_another_battle(speed: str) -> None:
    table = clash(speed, FORT, gold="qween", green="zvord > archr", red="axx > druhid")
    assert captor(table.choose(("gold", "charm:red"))) == "green"


def test_R4_3_a_neutral_can_be_charmed_and_a_lone_charriott_too(speed: str) -> None:
    table = clash(speed, FORT, gold="qween", green="axx", red="charriott", neutrals=["red"])
    assert table.options("gold") == ["charm:green", "charm:red"]
    assert captor(table.choose(("gold", "charm:red"))) == "gold"


def test_R4_3_a_wrecked_charriott_is_no_target(speed: str) -> None:
    table = clash(speed, FORT, gold="charriott", green="qween", violet="archr > charriott", red="axx")
    # Red's axx is the only target: nothing is asked, and 1 + 4 ties with violet's archr of earlier.
    assert captor(table) is None
    assert is_over(table)


def test_R4_3_a_clan_wrecked_on_an_earlier_turn_is_a_target(speed: str) -> None:
    table = clash(
        speed,
        "ordinary-1 ordinary-3",
        gold="> archr > qween",
        green="> charriott > axx",
        red="> charriott > zvord",
    )
    assert table.options("gold") == ["charm:green", "charm:red"]


def test_R4_3_a_single_target_is_charmed_without_asking(speed: str) -> None:
    assert captor(clash(speed, FORT, gold="qween", green="charriott")) == "gold"


@pytest.mark.parametrize("qween", ["adds", "replaces"])
def test_R4_3_without_a_target_her_own_point_counts(speed: str, qween: str) -> None:
    rules = {"qween": qween}
    table = clash(speed, FORT, gold="qween", green="charriott", red="charriott", rules=rules)
    assert captor(table) == "gold"


@pytest.mark.parametrize(("qween", "winner"), [("adds", "gold"), ("replaces", None)])
def test_R4_3_her_own_point_counts_with_the_charmed_ones_unless_they_replace_it(
    speed: str, qween: str, winner: str | None
) -> None:
    # Gold has 3 charmed points and 1 of her own, or only the 3; green has 3.
    table = clash(speed, FORT, gold="qween", green="qween druhid > zvord", rules={"qween": qween})
    assert captor(table) == winner


def test_R4_3_the_points_are_charmed_this_turn_only(speed: str) -> None:
    table = clash(speed, "ordinary-1 ordinary-3", gold="> qween > druhid", green="> archr > zvord")
    # Next turn the archr counts for green again: 5 + 3 against 2.
    assert (forts(table, "gold"), forts(table, "green")) == (["ordinary-1"], ["ordinary-3"])


def test_R4_3_a_charmed_archr_wins_a_tie_for_its_clan(speed: str) -> None:
    assert captor(clash(speed, FORT, gold="qween", green="filchy > archr")) == "green"


def test_R4_3_a_charmed_archr_wins_no_tie_for_the_player(speed: str) -> None:
    table = clash(speed, FORT, gold="qween", green="archr", red="axx > druhid")
    assert captor(table.choose(("gold", "charm:green"))) is None


def test_R4_3_a_charmed_filchy_bars_its_clan_and_not_the_player(speed: str) -> None:
    assert captor(clash(speed, FORT, gold="qween", green="charriott > filchy")) == "gold"


@pytest.mark.parametrize(
    ("green", "options"),
    [
        pytest.param("axx > horsie", ["discard:axx", "discard:horsie"], id="horsie"),
        pytest.param("charriott > axx", ["keep:axx", "leave:axx"], id="axx"),
        pytest.param("> zvord > axx archr", {"arrange": ["axx", "archr"], "take": 2}, id="zvord"),
        pytest.param("charriott > druhid", ["take:1", "take:2", "take:3"], id="druhid"),
    ],
)
def test_R4_3_a_charmed_warrior_acts_for_its_clan(speed: str, green: str, options: object) -> None:
    table = clash(speed, THREE, gold="> qween", green=green)
    assert table.position["pending"] == {"green": options}


@pytest.mark.parametrize(
    ("gold", "green"),
    [
        pytest.param("archr > qween", "> axx", id="axx"),
        pytest.param("archr > qween", "> druhid", id="druhid"),
        pytest.param("archr > qween", "charriott archr > horsie", id="horsie"),
        pytest.param("archr > qween", "> zvord", id="zvord"),
    ],
)
def test_R4_3_the_player_does_not_get_the_charmed_effect(speed: str, gold: str, green: str) -> None:
    after = "> filchy charriott"
    table = clash(speed, THREE, gold=f"{gold} {after}", green=f"{green} {after}")
    assert "gold" not in table.waiting


# R4.4


def test_R4_4_two_qweens_cancel_each_other_and_their_own_points_count(speed: str) -> None:
    table = clash(speed, FORT, gold="axx > qween", green="qween", red="axx")
    assert captor(table) == "gold"


def test_R4_4_their_own_points_count_even_where_they_would_be_replaced(speed: str) -> None:
    table = clash(speed, FORT, gold="axx > qween", green="qween", red="axx", rules={"qween": "replaces"})
    assert captor(table) == "gold"


def test_R4_4_a_neutrals_qween_cancels_a_players(speed: str) -> None:
    table = clash(speed, FORT, gold="qween", green="zvord", red="qween", neutrals=["red"])
    assert captor(table) == "green"


def test_R4_4_a_neutrals_qween_has_no_power(speed: str) -> None:
    table = clash(speed, FORT, gold="archr", red="qween", neutrals=["red"])
    assert captor(table) == "gold"


# R4.5


def test_R4_5_a_total_is_the_sum_of_all_face_up_warriors(speed: str) -> None:
    # 3 + 4 + 5 against 9 + 2.
    table = clash(speed, FORT, gold="zvord axx > archr", green="charriott > druhid")
    assert captor(table) == "gold"


def test_R4_5_a_total_lacks_what_was_charmed_and_nothing_else(speed: str) -> None:
    # Green keeps its horsie's 7, gold has 1 + 5.
    table = clash(speed, FORT, gold="qween", green="horsie > archr")
    assert captor(table) == "green"


# R4.6


def test_R4_6_filchy_cannot_capture_though_highest(speed: str) -> None:
    table = clash(speed, FORT, gold="charriott > filchy", green="archr", red="axx")
    assert captor(table) == "green"


def test_R4_6_a_filchys_total_makes_no_tie(speed: str) -> None:
    assert captor(clash(speed, FORT, gold="filchy", green="axx > druhid")) == "green"


def test_R4_6_a_tie_below_a_filchy_is_a_tie(speed: str) -> None:
    table = clash(speed, FORT, gold="charriott > filchy", green="axx > druhid", red="axx > druhid")
    assert captor(table) is None


# R4.7


def test_R4_7_the_highest_total_captures_the_leftmost_fort(speed: str) -> None:
    table = clash(speed, "ordinary-3 ordinary-6", gold="> archr > axx", green="> druhid > horsie")
    assert (forts(table, "gold"), forts(table, "green")) == (["ordinary-3"], ["ordinary-6"])


# R4.8


@pytest.mark.parametrize(
    ("gold", "green", "red", "winner"),
    [
        pytest.param("archr", "zvord > druhid", "axx", "gold", id="one of two tied"),
        pytest.param("archr", "zvord > druhid", "qween > axx", "gold", id="one of three tied"),
        pytest.param("qween > archr", "archr", "axx > druhid", "gold", id="another archr is not tied"),
        pytest.param("archr", "archr", "axx", None, id="both tied"),
        pytest.param("archr", "archr", "zvord > druhid", None, id="two of three tied"),
        pytest.param("archr", "axx > druhid", "qween zvord > druhid", None, id="not tied himself"),
        pytest.param("archr", "horsie", "axx", "green", id="no tie"),
    ],
)
def test_R4_8_a_lone_archr_among_the_tied_wins(speed: str, gold: str, green: str, red: str, winner: str | None) -> None:
    assert captor(clash(speed, FORT, gold=gold, green=green, red=red)) == winner


# R4.9


def test_R4_9_on_a_tie_the_fort_is_discarded_and_all_warriors_stay(speed: str) -> None:
    table = clash(speed, FORT, gold="druhid > zvord", green="qween > axx", red="druhid")
    assert (captor(table), discarded_forts(table)) == (None, [FORT])
    assert (face_up(table, "gold"), face_up(table, "green"), face_up(table, "red")) == (
        ["druhid", "zvord"],
        ["qween", "axx"],
        ["druhid"],
    )


def test_R4_9_when_all_are_barred_nobody_captures(speed: str) -> None:
    table = clash(speed, FORT, gold="axx > filchy", green="filchy")
    assert (captor(table), discarded_forts(table)) == (None, [FORT])
    assert (face_up(table, "gold"), face_up(table, "green")) == (["axx", "filchy"], ["filchy"])


def test_R4_9_it_is_the_leftmost_fort_that_is_discarded(speed: str) -> None:
    table = clash(speed, "ordinary-3 ordinary-6", gold="> axx > archr", green="> axx > druhid")
    assert (discarded_forts(table), forts(table, "gold")) == (["ordinary-3"], ["ordinary-6"])


def test_R4_9_wrecked_charriotts_leave_though_nobody_captures(speed: str) -> None:
    table = clash(speed, FORT, gold="charriott", green="charriott")
    assert captor(table) is None
    assert (face_up(table, "gold"), face_up(table, "green")) == ([], [])


def test_R4_9_horsie_costs_a_warrior_though_nobody_captures(speed: str) -> None:
    table = clash(speed, FORT, gold="axx > horsie", green="charriott > druhid")
    assert captor(table) is None
    assert table.position["pending"] == {"gold": ["discard:axx", "discard:horsie"]}
