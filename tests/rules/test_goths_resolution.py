"""Goths: the order in which actions resolve, and what the end of a game stops (G5)."""

from typing import Any

import pytest

from tests.rules.goths_positions import (
    ALL_ACTS,
    ALL_ORDERS,
    CLANS,
    SEATS,
    enemy_of,
    hand,
    position,
    refuses,
    turn,
)
from tests.table import Table


@pytest.mark.parametrize("initiative", CLANS)
@pytest.mark.parametrize(
    ("ostrogoth", "visigoth", "position_of", "then"),
    [
        ("sabotage", "fire", {"visigoth": {"catapult": "active"}}, {"ostrogoth": {"units": 2}}),
        ("sabotage", "load", {}, {"visigoth": {"catapult": "active"}}),
        ("recruit", "fire", {"visigoth": {"catapult": "active"}}, {"ostrogoth": {"units": 1}}),
        (
            "fire",
            "barricade",
            {"ostrogoth": {"catapult": "active"}, "visigoth": {"units": 3}},
            {"visigoth": {"units": 1}},
        ),
        ("barricade", "axe", {"ostrogoth": {"place": "terrain-2"}}, {"ostrogoth": {"units": 2}}),
        ("barricade", "rats", {"ostrogoth": {"place": "terrain-2"}}, {"ostrogoth": {"units": 1}}),
        ("advance", "axe", {}, {"ostrogoth": {"units": 1}}),
        ("advance", "rats", {"ostrogoth": {"barricades": ["terrain-1"]}}, {"ostrogoth": {"units": 2}}),
    ],
)
def test_G5_1_lower_action_number_resolves_first(
    speed: str, ostrogoth: str, visigoth: str, position_of: Any, then: Any, initiative: str
) -> None:
    table = position(speed, initiative=initiative, **position_of)
    turn(table, ostrogoth=ostrogoth, visigoth=visigoth)
    for clan, expected in then.items():
        assert table.clan(clan).items() >= expected.items()


def test_G5_1_axe_resolves_before_the_rats_of_the_clan_with_the_initiative(speed: str) -> None:
    table = position(
        speed,
        initiative="visigoth",
        ostrogoth={"units": 1, "barricades": ["terrain-1"]},
        visigoth={"units": 1, "place": "terrain-2"},
    )
    turn(table, ostrogoth="axe", visigoth="rats")
    assert table.position["outcome"] == {"winner": "ostrogoth", "by": "elimination"}


@pytest.mark.parametrize("initiative", CLANS)
@pytest.mark.parametrize("action", ["fire", "axe", "rats"])
def test_G5_2_with_equal_numbers_the_clan_with_the_initiative_resolves_first(
    speed: str, action: str, initiative: str
) -> None:
    barricades = ["terrain-2"] if action == "rats" else []
    army = {"place": "terrain-2", "units": 1, "catapult": "active", "barricades": barricades}
    table = position(speed, initiative=initiative, ostrogoth=army, visigoth=army)
    turn(table, ostrogoth=action, visigoth=action)
    assert table.position["outcome"] == {"winner": initiative, "by": "elimination"}


@pytest.mark.parametrize("initiative", CLANS)
def test_G5_2_two_reconnaissances_are_asked_one_after_the_other(speed: str, initiative: str) -> None:
    other = enemy_of(initiative)
    table = turn(position(speed, initiative=initiative), ostrogoth="reconnoitre", visigoth="reconnoitre")
    assert table.waiting == (f"{initiative}-warchief",)
    table.choose((f"{initiative}-warchief", "look:objective-2"))
    assert table.waiting == (f"{other}-warchief",)
    table.choose((f"{other}-warchief", "look:objective-2"))
    assert table.position["turn"] == (2 if initiative == "ostrogoth" else 3)


def lost_game(speed: str) -> Table:
    """The Ostrogoths fire at a last unit before it can advance; both clans have failed before."""
    table = position(
        speed,
        ostrogoth={"catapult": "active", "face_up": ["vulture/recruiter"]},
        visigoth={"units": 1, "face_up": ["recruiter/vulture"]},
    )
    return turn(table, ostrogoth="fire", visigoth="advance")


def test_G5_3_action_that_ends_the_game_is_completed(speed: str) -> None:
    table = lost_game(speed)
    assert table.clan("ostrogoth")["catapult"] == "inactive"
    assert table.clan("visigoth")["units"] == 0


@pytest.mark.parametrize(("objective", "units"), [("objective-1", 0), ("objective-3", 1)])
def test_G5_3_last_step_of_an_army_is_completed(speed: str, objective: str, units: int) -> None:
    table = position(speed, ostrogoth={"place": "terrain-3", "units": 1})
    turn(table, f"enter:{objective}", ostrogoth="advance", visigoth="axe")
    assert table.clan("ostrogoth") | {"place": objective, "units": units} == table.clan("ostrogoth")
    assert table.position["objectives"][int(objective[-1]) - 1]["revealed"]
    assert table.position["outcome"] is not None


def test_G5_3_second_action_is_not_carried_out(speed: str) -> None:
    table = lost_game(speed)
    assert table.clan("visigoth")["place"] == "terrain-1"
    assert table.position["turn"] == 1


def test_G5_3_nobody_takes_cards_back(speed: str) -> None:
    table = lost_game(speed)
    assert [table.clan(clan)["face_up"] for clan in CLANS] == [["vulture/recruiter"], ["recruiter/vulture"]]
    assert [len(hand(table, clan)) for clan in CLANS] == [6, 6]


def test_G5_3_nobody_takes_cards_back_after_the_second_action_has_won(speed: str) -> None:
    table = position(speed, visigoth={"place": "terrain-3", "face_up": ["recruiter/vulture"]})
    turn(table, "enter:objective-3", ostrogoth="recruit", visigoth="advance")
    assert table.position["outcome"] == {"winner": "visigoth", "by": "queen"}
    assert [len(hand(table, clan)) for clan in CLANS] == [8, 6]


def test_G5_3_nothing_changes_any_more(speed: str) -> None:
    table = lost_game(speed)
    assert table.position["pending"] == {}
    for seat in SEATS:
        for choice in (*ALL_ORDERS, *ALL_ACTS, "look:objective-1", "enter:objective-1", "build", "disperse"):
            assert refuses(table, seat, choice)
