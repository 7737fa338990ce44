"""Romans: what forts do when they are captured (R5)."""

import pytest

from tests.rules.romans_positions import (
    clash,
    discarded,
    discarded_forts,
    face_up,
    forts,
    is_over,
)

KEEP_OR_LEAVE = ["keep:weakest", "leave:weakest"]


# R5.1


@pytest.mark.parametrize(("choice", "left"), [("keep:weakest", ["druhid"]), ("leave:weakest", [])])
def test_R5_1_the_winner_may_keep_his_weakest(speed: str, choice: str, left: list[str]) -> None:
    table = clash(speed, "unwary-2", gold="horsie druhid > archr", green="axx")
    assert table.position["pending"] == {"gold": KEEP_OR_LEAVE}
    assert face_up(table, "gold") == ["horsie", "druhid", "archr"]
    assert face_up(table.choose(("gold", choice)), "gold") == left


def test_R5_1_the_others_leave_in_the_order_revealed(speed: str) -> None:
    table = clash(speed, "unwary-2", gold="horsie druhid > archr", green="axx")
    table.choose(("gold", "keep:weakest"))
    assert discarded(table, "gold") == ["horsie", "archr"]


def test_R5_1_it_is_asked_with_a_single_warrior(speed: str) -> None:
    table = clash(speed, "unwary-2", gold="charriott", green="axx")
    assert table.position["pending"] == {"gold": KEEP_OR_LEAVE}


@pytest.mark.parametrize(
    ("axx", "weakest", "left"),
    [
        ("keep:axx", "keep:weakest", ["zvord", "axx"]),
        ("keep:axx", "leave:weakest", ["axx"]),
        ("leave:axx", "keep:weakest", ["zvord"]),
        ("leave:axx", "leave:weakest", []),
    ],
)
def test_R5_1_both_axx_and_the_weakest_may_be_kept(speed: str, axx: str, weakest: str, left: list[str]) -> None:
    table = clash(speed, "unwary-2", gold="zvord horsie > axx", green="archr")
    table.choose(("gold", axx), ("gold", weakest))
    assert face_up(table, "gold") == left


def test_R5_1_it_is_not_asked_if_axx_is_the_weakest_and_was_kept(speed: str) -> None:
    table = clash(speed, "unwary-2", gold="archr horsie > axx", green="archr").choose(("gold", "keep:axx"))
    assert is_over(table)
    assert face_up(table, "gold") == ["axx"]


@pytest.mark.parametrize(("choice", "left"), [("keep:weakest", ["axx"]), ("leave:weakest", [])])
def test_R5_1_it_is_asked_if_axx_is_the_weakest_and_was_left(speed: str, choice: str, left: list[str]) -> None:
    table = clash(speed, "unwary-2", gold="archr horsie > axx", green="archr").choose(("gold", "leave:axx"))
    assert table.position["pending"] == {"gold": KEEP_OR_LEAVE}
    assert face_up(table.choose(("gold", choice)), "gold") == left


def test_R5_1_a_charmed_warrior_is_the_weakest_by_its_printed_strength(speed: str) -> None:
    table = clash(speed, "unwary-2", gold="qween", green="charriott > druhid")
    assert face_up(table.choose(("green", "keep:weakest")), "green") == ["druhid"]


def test_R5_1_a_qween_is_the_weakest_though_she_charms(speed: str) -> None:
    table = clash(speed, "unwary-2", gold="druhid > qween", green="archr", rules={"qween": "replaces"})
    assert face_up(table.choose(("gold", "keep:weakest")), "gold") == ["qween"]


def test_R5_1_the_weakest_is_kept_on_the_turn_of_the_capture_only(speed: str) -> None:
    table = clash(speed, "unwary-2 ordinary-1", gold="> archr > charriott", green="> axx > druhid")
    table.choose(("gold", "keep:weakest"))
    assert (forts(table, "gold"), face_up(table, "gold")) == (["unwary-2", "ordinary-1"], [])


# R5.2


def test_R5_2_every_clan_must_discard_one_face_up_warrior(speed: str) -> None:
    table = clash(speed, "signal-4", gold="horsie > charriott", green="axx zvord > archr", red="druhid > archr")
    assert table.position["pending"] == {
        "green": ["discard:archr", "discard:axx", "discard:zvord"],
        "red": ["discard:archr", "discard:druhid"],
    }
    table.choose(("green", "discard:zvord"), ("red", "discard:archr"))
    assert (face_up(table, "green"), face_up(table, "red")) == (["axx", "archr"], ["druhid"])
    assert discarded(table, "red") == ["archr"]


def test_R5_2_a_single_warrior_is_discarded_without_asking(speed: str) -> None:
    table = clash(speed, "signal-4", gold="horsie > charriott", green="axx", red="zvord")
    assert is_over(table)
    assert (face_up(table, "green"), face_up(table, "red")) == ([], [])


def test_R5_2_a_clan_without_face_up_warriors_discards_none(speed: str) -> None:
    table = clash(speed, "signal-4", gold="horsie > charriott", green="charriott", red="zvord")
    assert is_over(table)
    # The winner has just discarded both of his (R4.11); green's charriott was wrecked.
    assert discarded(table, "gold") == ["charriott", "horsie"]
    assert discarded(table, "green") == ["charriott"]


def test_R5_2_a_kept_axx_is_not_spared(speed: str) -> None:
    table = clash(speed, "signal-4", gold="horsie > axx", green="archr").choose(("gold", "keep:axx"))
    assert is_over(table)
    assert (face_up(table, "gold"), discarded(table, "gold")) == ([], ["horsie", "axx"])


def test_R5_2_it_comes_after_horsies_discard(speed: str) -> None:
    table = clash(speed, "signal-4", gold="filchy > charriott", green="zvord druhid > horsie")
    table.choose(("green", "discard:zvord"))
    assert table.position["pending"] == {"green": ["discard:druhid", "discard:horsie"]}
    assert face_up(table.choose(("green", "discard:horsie")), "green") == ["druhid"]


def test_R5_2_it_works_on_the_turn_of_the_capture_only(speed: str) -> None:
    # On the next turn nobody captures.
    table = clash(speed, "signal-4 ordinary-1", gold="> charriott > axx", green="> druhid > axx")
    assert (discarded(table, "green"), face_up(table, "green")) == (["druhid"], ["axx"])


# R5.3


@pytest.mark.parametrize(
    ("paid", "left"),
    [
        ("ordinary-5", ["legion-2", "tax-8"]),
        ("legion-2", ["ordinary-5", "tax-8"]),
        ("tax-8", ["ordinary-5", "legion-2"]),
    ],
)
def test_R5_3_the_winner_discards_a_fort_of_his_choice(speed: str, paid: str, left: list[str]) -> None:
    table = clash(speed, "tax-8", gold="archr", green="axx", forts={"gold": "ordinary-5 legion-2"})
    assert table.position["pending"] == {"gold": ["pay:legion-2", "pay:ordinary-5", "pay:tax-8"]}
    table.choose(("gold", f"pay:{paid}"))
    assert (forts(table, "gold"), discarded_forts(table)) == (left, [paid])


def test_R5_3_with_no_other_fort_the_tax_fort_itself_goes(speed: str) -> None:
    table = clash(speed, "tax-8", gold="archr", green="axx", forts={"green": "ordinary-5"})
    assert is_over(table)
    assert (forts(table, "gold"), discarded_forts(table)) == ([], ["tax-8"])
    assert forts(table, "green") == ["ordinary-5"]


def test_R5_3_the_fort_paid_no_longer_scores(speed: str) -> None:
    table = clash(speed, "tax-8", gold="archr", green="axx", forts={"gold": "ordinary-5 legion-2"})
    table.choose(("gold", "pay:legion-2"))
    assert table.position["outcome"]["points"]["gold"] == 13


# R5.4


@pytest.mark.parametrize(
    ("held", "third"),
    [
        ("legion-1 legion-2", "legion-3"),
        ("legion-2 ordinary-6 legion-2", "legion-1"),
        ("legion-3 legion-2", "legion-2"),
    ],
)
def test_R5_4_a_player_with_three_legions_wins_at_once(speed: str, held: str, third: str) -> None:
    wall = f"{third} ordinary-1 ordinary-5"
    table = clash(speed, wall, gold="> archr", green="> axx", forts={"gold": held, "green": "tax-8"})
    outcome = table.position["outcome"]
    assert (outcome["winners"], outcome["by"]) == (["gold"], "legions")
    assert table.position["pending"] == {}


def test_R5_4_everything_stays_as_it_lies(speed: str) -> None:
    table = clash(
        speed,
        "legion-3 ordinary-1 ordinary-5",
        gold="archr horsie > axx > zvord druhid",
        green="axx zvord > horsie > archr filchy",
        forts={"gold": "legion-1 legion-2"},
    )
    assert is_over(table)
    assert (face_up(table, "gold"), face_up(table, "green")) == (
        ["archr", "horsie", "axx"],
        ["axx", "zvord", "horsie"],
    )
    assert table.position["wall"] == ["ordinary-1", "ordinary-5"]
    assert table.clan("gold")["hidden"] == ["zvord", "druhid"]
    assert table.position["turn"] == 4
    assert forts(table, "gold") == ["legion-1", "legion-2", "legion-3"]


def test_R5_4_a_legion_taken_by_druhid_counts(speed: str) -> None:
    table = clash(speed, "ordinary-1 legion-3", gold="axx > druhid", green="> axx", forts={"gold": "legion-1 legion-2"})
    table.choose(("gold", "take:2"))
    assert table.position["outcome"]["by"] == "legions"


def test_R5_4_two_legions_win_nothing(speed: str) -> None:
    table = clash(speed, "legion-3", gold="archr", green="axx", forts={"gold": "legion-1"})
    assert table.position["outcome"]["by"] == "points"
    assert table.position["outcome"]["winners"] == ["green"]


def test_R5_4_a_legion_paid_as_tax_no_longer_counts(speed: str) -> None:
    table = clash(
        speed,
        "tax-8 legion-3",
        gold="> archr > charriott",
        green="> axx > druhid",
        forts={"gold": "legion-1 legion-2"},
    )
    table.choose(("gold", "pay:legion-1"))
    assert forts(table, "gold") == ["legion-2", "tax-8", "legion-3"]
    assert table.position["outcome"]["by"] == "points"


@pytest.mark.parametrize("others", [{}, {"green": "> axx > druhid"}])
def test_R5_4_a_neutral_with_three_legions_wins_nothing(speed: str, others: dict[str, str]) -> None:
    table = clash(
        speed,
        "legion-3 ordinary-6",
        gold="> druhid > charriott",
        red="> archr > axx",
        neutrals=["red"],
        forts={"red": "legion-1 legion-2"},
        **others,
    )
    assert forts(table, "red") == ["legion-1", "legion-2", "legion-3"]
    assert forts(table, "gold") == ["ordinary-6"]
    outcome = table.position["outcome"]
    assert (outcome["winners"], outcome["by"]) == (["gold"], "points")


# R5.5


@pytest.mark.parametrize("fort", ["ordinary-1", "ordinary-3", "ordinary-4", "ordinary-5", "ordinary-6"])
def test_R5_5_an_ordinary_fort_has_no_effect(speed: str, fort: str) -> None:
    table = clash(speed, fort, gold="horsie > archr", green="axx > zvord", forts={"gold": "legion-1"})
    assert is_over(table)
    assert (forts(table, "gold"), face_up(table, "gold")) == (["legion-1", fort], [])
    assert face_up(table, "green") == ["axx", "zvord"]


# R5.6


@pytest.mark.parametrize("fort", ["unwary-2", "signal-4", "tax-8", "legion-3"])
def test_R5_6_a_discarded_fort_has_no_effect(speed: str, fort: str) -> None:
    held = {"gold": "legion-1 legion-2", "green": "ordinary-5"}
    table = clash(speed, fort, gold="druhid > zvord", green="qween > axx", forts=held)
    assert table.position["outcome"]["by"] == "points"
    assert discarded_forts(table) == [fort]
    assert (forts(table, "gold"), forts(table, "green")) == (["legion-1", "legion-2"], ["ordinary-5"])
    assert (face_up(table, "gold"), face_up(table, "green")) == (["druhid", "zvord"], ["qween", "axx"])
