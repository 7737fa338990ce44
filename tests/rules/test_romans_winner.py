"""Romans: what winners and losers do after the capture (R4.10 to R4.14)."""

import pytest

from tests.rules.romans_positions import (
    captor,
    clash,
    discarded,
    face_up,
    forts,
    is_over,
    reorder,
)

FORT = "ordinary-5"
THREE = "ordinary-1 ordinary-3 ordinary-6"


# R4.10


@pytest.mark.parametrize(
    ("take", "left"),
    [
        ("ordinary-1", ["ordinary-3", "ordinary-6"]),
        ("ordinary-3", ["ordinary-1", "ordinary-6"]),
        ("ordinary-6", ["ordinary-3", "ordinary-1"]),
    ],
)
def test_R4_10_druhid_takes_any_fort_and_the_leftmost_takes_its_place(speed: str, take: str, left: list[str]) -> None:
    table = clash(speed, THREE, gold="axx > druhid > archr filchy", green="> axx > charriott archr")
    assert table.position["pending"] == {"gold": ["take:1", "take:2", "take:3"]}
    table.choose(("gold", f"take:{THREE.split().index(take) + 1}"))
    # Green captures the other two, from the left.
    assert (forts(table, "gold"), forts(table, "green")) == ([take], left)


def test_R4_10_druhid_takes_nothing_before_it_is_chosen(speed: str) -> None:
    table = clash(speed, THREE, gold="axx > druhid", green="> axx")
    assert (captor(table), table.position["wall"]) == (None, THREE.split())


def test_R4_10_with_one_fort_left_druhid_is_not_asked(speed: str) -> None:
    table = clash(speed, FORT, gold="axx > druhid", green="axx")
    assert is_over(table)
    assert forts(table, "gold") == [FORT]


def test_R4_10_a_druhid_that_does_not_capture_takes_nothing(speed: str) -> None:
    table = clash(speed, "ordinary-1 ordinary-6", gold="> druhid > filchy", green="> archr > filchy")
    assert is_over(table)
    assert captor(table) == "green"


def test_R4_10_the_fort_taken_is_the_one_whose_effect_counts(speed: str) -> None:
    table = clash(speed, "ordinary-1 unwary-2", gold="axx > druhid", green="> axx")
    table.choose(("gold", "take:2"))
    assert table.position["pending"] == {"gold": ["keep:weakest", "leave:weakest"]}


# R4.11


def test_R4_11_the_winner_discards_all_face_up_warriors_in_the_order_revealed(speed: str) -> None:
    table = clash(speed, FORT, gold="horsie druhid > archr", green="axx > zvord")
    assert (face_up(table, "gold"), discarded(table, "gold")) == ([], ["horsie", "druhid", "archr"])


def test_R4_11_the_others_discard_nothing(speed: str) -> None:
    table = clash(speed, FORT, gold="horsie druhid > archr", green="axx > zvord")
    assert face_up(table, "green") == ["axx", "zvord"]


def test_R4_11_the_charmed_warrior_stays_with_its_clan(speed: str) -> None:
    table = clash(speed, FORT, gold="qween", green="archr")
    assert captor(table) == "gold"
    assert (face_up(table, "gold"), face_up(table, "green")) == ([], ["archr"])


# R4.12


@pytest.mark.parametrize(("choice", "left"), [("keep:axx", ["axx"]), ("leave:axx", [])])
def test_R4_12_a_captor_may_keep_the_axx_just_revealed(speed: str, choice: str, left: list[str]) -> None:
    table = clash(speed, FORT, gold="horsie > axx", green="archr")
    assert table.position["pending"] == {"gold": ["keep:axx", "leave:axx"]}
    assert face_up(table, "gold") == ["horsie", "axx"]
    assert face_up(table.choose(("gold", choice)), "gold") == left


def test_R4_12_a_kept_axx_counts_on_the_next_turn(speed: str) -> None:
    wall = "ordinary-1 ordinary-6"
    table = clash(speed, wall, gold="> axx > druhid", green="> zvord > druhid").choose(("gold", "keep:axx"))
    # 4 + 2 against 3 + 2.
    assert forts(table, "gold") == wall.split()


def test_R4_12_an_axx_that_does_not_capture_just_stays(speed: str) -> None:
    table = clash(speed, FORT, gold="druhid > axx", green="horsie")
    assert is_over(table)
    assert face_up(table, "gold") == ["druhid", "axx"]


# R4.13


@pytest.mark.parametrize(("choice", "left"), [("discard:archr", ["horsie"]), ("discard:horsie", ["archr"])])
def test_R4_13_a_losing_horsie_costs_a_warrior_maybe_herself(speed: str, choice: str, left: list[str]) -> None:
    table = clash(speed, FORT, gold="archr > horsie", green="charriott filchy > archr")
    assert table.position["pending"] == {"gold": ["discard:archr", "discard:horsie"]}
    assert face_up(table.choose(("gold", choice)), "gold") == left


def test_R4_13_a_lonely_horsie_discards_herself(speed: str) -> None:
    table = clash(speed, FORT, gold="horsie", green="charriott")
    assert is_over(table)
    assert (face_up(table, "gold"), discarded(table, "gold")) == ([], ["horsie"])


def test_R4_13_a_horsie_that_captures_costs_nothing(speed: str) -> None:
    table = clash(speed, "unwary-2", gold="archr > horsie", green="axx").choose(("gold", "keep:weakest"))
    assert is_over(table)
    assert face_up(table, "gold") == ["archr"]


# R4.14


@pytest.mark.parametrize("hidden", ["axx archr", "charriott charriott"])
def test_R4_14_zvord_is_asked_with_two_hidden_even_equal_ones(speed: str, hidden: str) -> None:
    table = clash(speed, THREE, gold=f"> zvord > {hidden}", green="> archr")
    assert table.position["pending"] == {"gold": {"arrange": hidden.split(), "take": 2}}
    orders = table.match.choices("gold")
    assert len(orders) == len(set(orders)) == len(set(hidden.split()))


@pytest.mark.parametrize("wall", [FORT, "ordinary-1 ordinary-3"])
def test_R4_14_zvord_is_not_asked_with_fewer_than_two_hidden(speed: str, wall: str) -> None:
    assert is_over(clash(speed, wall, gold="> zvord", green="> archr"))


@pytest.mark.parametrize("order", ["archr filchy horsie", "horsie archr filchy", "filchy horsie archr"])
def test_R4_14_any_order_is_possible_the_old_one_too(speed: str, order: str) -> None:
    # The next turn is stopped by red's qween.
    table = clash(
        speed,
        "ordinary-1 ordinary-3 ordinary-5 ordinary-6",
        gold="> zvord > archr filchy horsie",
        green="> archr",
        red="> axx > qween",
    ).choose(("gold", reorder(order)))
    assert table.waiting == ("red",)
    assert face_up(table, "gold") + table.clan("gold")["hidden"] == ["zvord", *order.split()]


@pytest.mark.parametrize("order", ["axx", "axx archr filchy", "axx axx", "axx filchy"])
def test_R4_14_the_new_order_is_of_all_the_hidden_warriors(speed: str, order: str) -> None:
    table = clash(speed, THREE, gold="> zvord > axx archr", green="> archr")
    with pytest.raises(ValueError, match=r"cannot choose|not legal"):
        table.choose(("gold", reorder(order)))


def test_R4_14_the_order_is_chosen_after_the_battle_by_a_winner_too(speed: str) -> None:
    table = clash(speed, THREE, gold="archr > zvord > axx filchy", green="> archr")
    assert table.waiting == ("gold",)
    assert (forts(table, "gold"), face_up(table, "gold")) == (["ordinary-1"], [])
    assert table.position["wall"] == ["ordinary-3", "ordinary-6"]
