"""Goths: the nine actions and how a game ends (G6, G7)."""

from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meadhall.games.goths.rules import in_the_open
from tests.rules.goths_positions import (
    ACTIONS,
    CLANS,
    EVERYBODY,
    PLACES,
    PROPERTY,
    at_random,
    board,
    enemy_of,
    position,
    refuses,
    turn,
    who_can_tell,
)
from tests.table import Table

ENTER_ALL = ["enter:objective-1", "enter:objective-2", "enter:objective-3"]
TERRAIN = ("terrain-1", "terrain-2", "terrain-3")

# Where an army stands, which of its Terrain cards are barricades, and what it loses to fire, axe and rats.
GROUNDS = [
    pytest.param("terrain-1", (), (2, 0, 0), id="forest"),
    pytest.param("terrain-1", ("terrain-1",), (0, 0, 1), id="forest-turned-barricade"),
    pytest.param("terrain-2", (), (2, 1, 0), id="plain-2"),
    pytest.param("terrain-2", ("terrain-2",), (0, 0, 1), id="barricade-2"),
    pytest.param("terrain-2", ("terrain-1", "terrain-3"), (2, 1, 0), id="plain-2-between-barricades"),
    pytest.param("terrain-3", (), (2, 1, 0), id="plain-3"),
    pytest.param("terrain-3", ("terrain-3",), (0, 0, 1), id="barricade-3"),
    pytest.param("objective-1", TERRAIN, (2, 1, 0), id="objective-1-beyond-barricades"),
    pytest.param("objective-3", (), (2, 1, 0), id="objective-3"),
]


# Reconnoitre


def test_G6_1_reconnoitre_looks_at_one_face_down_objective_of_his_choice(speed: str) -> None:
    table = turn(position(speed), ostrogoth="reconnoitre")
    assert table.position["pending"] == {
        "ostrogoth-warchief": ["look:objective-1", "look:objective-2", "look:objective-3"]
    }
    table.choose(("ostrogoth-warchief", "look:objective-3"))
    assert table.position["seen"] == {"ostrogoth-warchief": ["objective-3"], "visigoth-warchief": []}
    assert not table.position["objectives"][2]["revealed"]


def test_G6_1_objectives_lying_face_up_cannot_be_looked_at(speed: str) -> None:
    table = turn(position(speed, revealed=("objective-2",)), ostrogoth="reconnoitre")
    assert table.options("ostrogoth-warchief") == ["look:objective-1", "look:objective-3"]
    assert refuses(table, "ostrogoth-warchief", "look:objective-2")


def test_G6_1_the_only_face_down_objective_is_looked_at_without_a_question(speed: str) -> None:
    table = turn(position(speed, revealed=("objective-1", "objective-2")), ostrogoth="reconnoitre")
    assert table.position["turn"] == 2
    assert table.position["seen"]["ostrogoth-warchief"] == ["objective-3"]


def test_G6_1_a_card_seen_before_may_be_looked_at_again(speed: str) -> None:
    table = position(speed, ostrogoth={"seen": ("objective-2",)})
    turn(table, "look:objective-2", ostrogoth="reconnoitre")
    assert table.position["seen"]["ostrogoth-warchief"] == ["objective-2"]


def test_G6_1_every_card_seen_is_listed_in_order_of_name(speed: str) -> None:
    table = position(speed, fog=("gusts", "pea-soup"))
    for sight in ("objective-3", "fog", "objective-1"):
        turn(table, f"look:{sight}", ostrogoth="reconnoitre", visigoth="recruit")
    assert table.position["seen"]["ostrogoth-warchief"] == ["fog", "objective-1", "objective-3"]


def test_G6_1_a_card_seen_stays_in_the_list_when_it_is_turned_up(speed: str) -> None:
    table = position(speed, ostrogoth={"seen": ("objective-2", "objective-3")}, visigoth={"place": "terrain-3"})
    turn(table, "enter:objective-2", visigoth="advance")
    assert table.position["seen"]["ostrogoth-warchief"] == ["objective-2", "objective-3"]


def looked(speed: str, sight: str, objectives: tuple[str, str, str] = ("trap", "plains", "queen")) -> Table:
    return turn(position(speed, objectives=objectives), f"look:{sight}", ostrogoth="reconnoitre")


def test_G6_1_everybody_sees_which_card_he_looked_at(speed: str) -> None:
    assert who_can_tell(looked(speed, "objective-1"), looked(speed, "objective-2")) == EVERYBODY


def test_G6_1_only_the_warchief_learns_what_it_is(speed: str) -> None:
    others = looked(speed, "objective-1", ("queen", "plains", "trap"))
    assert who_can_tell(looked(speed, "objective-1"), others) == {"ostrogoth-warchief"}


# Sabotage, recruit, load


@pytest.mark.parametrize("clan", CLANS)
@pytest.mark.parametrize("catapult", ["active", "inactive"])
def test_G6_2_sabotage_leaves_the_enemy_catapult_inactive(speed: str, clan: str, catapult: str) -> None:
    table = position(speed, **{clan: {"catapult": "active"}, enemy_of(clan): {"catapult": catapult}})
    turn(table, **{clan: "sabotage"})
    assert table.clan(enemy_of(clan))["catapult"] == "inactive"
    assert table.clan(clan)["catapult"] == "active"


@pytest.mark.parametrize("clan", CLANS)
@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 3), (3, 3)])
def test_G6_3_recruit_adds_one_unit_up_to_three(speed: str, clan: str, before: int, after: int) -> None:
    table = turn(position(speed, **{clan: {"units": before}}), **{clan: "recruit"})
    assert table.clan(clan)["units"] == after
    assert table.clan(enemy_of(clan))["units"] == 2


@pytest.mark.parametrize("clan", CLANS)
@pytest.mark.parametrize("catapult", ["active", "inactive"])
def test_G6_4_load_leaves_the_own_catapult_active(speed: str, clan: str, catapult: str) -> None:
    table = turn(position(speed, **{clan: {"catapult": catapult}}), **{clan: "load"})
    assert table.clan(clan)["catapult"] == "active"
    assert table.clan(enemy_of(clan))["catapult"] == "inactive"


# Fire


def test_G6_5_fire_with_an_inactive_catapult_has_no_effect(speed: str) -> None:
    table = position(speed, visigoth={"place": "terrain-2", "units": 3, "catapult": "active"})
    before = board(table)
    assert board(turn(table, ostrogoth="fire")) == before


@pytest.mark.parametrize(("place", "barricades", "losses"), GROUNDS)
def test_G6_5_fire_costs_two_units_except_on_a_barricade(
    speed: str, place: str, barricades: tuple[str, ...], losses: tuple[int, int, int]
) -> None:
    target = {"place": place, "units": 3, "barricades": barricades}
    table = turn(position(speed, ostrogoth={"catapult": "active"}, visigoth=target), ostrogoth="fire")
    assert table.clan("visigoth")["units"] == 3 - losses[0]


def test_G6_5_fire_costs_one_unit_if_there_is_only_one(speed: str) -> None:
    table = position(speed, ostrogoth={"catapult": "active"}, visigoth={"units": 1})
    assert turn(table, ostrogoth="fire").clan("visigoth")["units"] == 0


@pytest.mark.parametrize(("place", "barricades", "losses"), GROUNDS)
@pytest.mark.parametrize("units", [1, 2, 3])
def test_G6_5_what_a_shot_would_cost_is_what_it_costs(
    speed: str, place: str, barricades: tuple[str, ...], losses: tuple[int, int, int], units: int
) -> None:
    target = {"place": place, "units": units, "barricades": barricades}
    table = position(speed, ostrogoth={"catapult": "active"}, visigoth=target)
    told = in_the_open(table.state, 1)
    assert told == min(losses[0], units)
    assert in_the_open(table.state, 0) == 0, "their catapult is not loaded"
    assert turn(table, ostrogoth="fire").clan("visigoth")["units"] == units - told


@pytest.mark.parametrize("barricades", [(), ("terrain-1",)])
def test_G6_5_fire_spends_the_catapult_in_every_case(speed: str, barricades: tuple[str, ...]) -> None:
    table = position(
        speed,
        ostrogoth={"catapult": "active"},
        visigoth={"catapult": "active", "units": 3, "barricades": barricades},
    )
    turn(table, ostrogoth="fire")
    assert [table.clan(clan)["catapult"] for clan in CLANS] == ["inactive", "active"]


# Barricade


@pytest.mark.parametrize("clan", CLANS)
@pytest.mark.parametrize("place", TERRAIN)
def test_G6_6_barricade_turns_the_terrain_card_under_the_army(speed: str, clan: str, place: str) -> None:
    table = turn(position(speed, **{clan: {"place": place}}), **{clan: "barricade"})
    assert table.clan(clan)["barricades"] == [place]
    assert table.clan(enemy_of(clan))["barricades"] == []


def test_G6_6_a_forest_turned_barricade_is_no_forest_to_the_rats(speed: str) -> None:
    table = turn(position(speed), ostrogoth="barricade", visigoth="rats")
    assert table.clan("ostrogoth")["units"] == 1


@pytest.mark.parametrize(
    "army",
    [
        {"place": "terrain-2", "barricades": ("terrain-1", "terrain-2")},
        *({"place": place, "barricades": ("terrain-3",)} for place in PLACES[3:]),
    ],
)
def test_G6_6_barricade_has_no_effect_on_a_barricade_or_an_objective(speed: str, army: dict[str, Any]) -> None:
    table = position(speed, ostrogoth=army)
    before = board(table)
    turn(table, ostrogoth="barricade")
    assert table.position["turn"] == 2
    assert board(table) == before


# Advance


@pytest.mark.parametrize("clan", CLANS)
@pytest.mark.parametrize(("start", "end"), [("terrain-1", "terrain-2"), ("terrain-2", "terrain-3")])
def test_G6_7_advance_goes_one_card_toward_the_centre(speed: str, clan: str, start: str, end: str) -> None:
    table = turn(position(speed, **{clan: {"place": start}}), **{clan: "advance"})
    assert table.clan(clan)["place"] == end
    assert table.clan(enemy_of(clan))["place"] == "terrain-1"


@pytest.mark.parametrize(
    ("own", "enemy", "offered"),
    [
        ("terrain-3", "terrain-3", ENTER_ALL),
        ("terrain-3", "objective-2", ["enter:objective-1", "enter:objective-3"]),
        ("objective-1", "terrain-3", ["enter:objective-2", "enter:objective-3"]),
        ("objective-2", "terrain-1", ["enter:objective-1", "enter:objective-3"]),
    ],
)
def test_G6_7_warchief_chooses_any_other_objective_the_enemy_is_not_on(
    speed: str, own: str, enemy: str, offered: list[str]
) -> None:
    table = turn(position(speed, ostrogoth={"place": own}, visigoth={"place": enemy}), ostrogoth="advance")
    assert table.position["pending"] == {"ostrogoth-warchief": offered}
    for choice in {*ENTER_ALL} - {*offered}:
        assert refuses(table, "ostrogoth-warchief", choice)


def test_G6_7_objective_is_chosen_as_the_action_resolves(speed: str) -> None:
    table = position(speed, ostrogoth={"place": "terrain-3"}, visigoth={"place": "terrain-3"})
    turn(table, "enter:objective-2", ostrogoth="advance", visigoth="advance")
    assert table.position["pending"] == {"visigoth-warchief": ["enter:objective-1", "enter:objective-3"]}


def test_G6_7_face_down_card_moved_onto_is_turned_up_and_stays_so(speed: str) -> None:
    table = position(speed, ostrogoth={"place": "terrain-3"})
    turn(table, "enter:objective-2", ostrogoth="advance")
    assert [card["revealed"] for card in table.position["objectives"]] == [False, True, False]
    turn(table, "enter:objective-1", ostrogoth="advance")
    assert [card["revealed"] for card in table.position["objectives"]] == [True, True, False]


@pytest.mark.parametrize(
    ("card", "units", "outcome"),
    [("trap", 2, None), ("plains", 3, None), ("queen", 3, {"winner": "ostrogoth", "by": "queen"})],
)
def test_G6_7_queen_wins_trap_costs_a_unit_plains_do_nothing(
    speed: str, card: str, units: int, outcome: dict[str, str] | None
) -> None:
    table = position(speed, ostrogoth={"place": "terrain-3", "units": 3})
    place = f"objective-{('trap', 'plains', 'queen').index(card) + 1}"
    turn(table, f"enter:{place}", ostrogoth="advance")
    assert (table.clan("ostrogoth")["place"], table.clan("ostrogoth")["units"]) == (place, units)
    assert table.position["outcome"] == outcome


def test_G6_7_trap_already_face_up_costs_a_unit_again(speed: str) -> None:
    table = position(speed, revealed=("objective-1", "objective-2"), ostrogoth={"place": "objective-2", "units": 3})
    for place, units in (("objective-1", 2), ("objective-2", 2), ("objective-1", 1)):
        turn(table, f"enter:{place}", ostrogoth="advance", visigoth="sabotage")
        assert table.clan("ostrogoth")["units"] == units


@pytest.mark.parametrize("clan", CLANS)
@pytest.mark.parametrize("objectives", [("trap", "plains", "queen"), ("queen", "trap", "plains")])
def test_G6_7_with_both_armies_on_objectives_advance_wins_without_a_question(
    speed: str, clan: str, objectives: tuple[str, str, str]
) -> None:
    trap, plains, queen = (f"objective-{objectives.index(card) + 1}" for card in ("trap", "plains", "queen"))
    table = position(
        speed,
        objectives=objectives,
        revealed=(trap, plains),
        **{clan: {"place": trap}, enemy_of(clan): {"place": plains}},
    )
    turn(table, **{clan: "advance"})
    assert table.position["outcome"] == {"winner": clan, "by": "queen"}
    assert table.clan(clan)["place"] == queen


@PROPERTY
@given(random=st.randoms(use_true_random=False), steps=st.sampled_from(["terrain-1", "terrain-3"]))
def test_G6_7_some_objective_is_always_free_and_some_always_face_down(speed: str, random: Random, steps: str) -> None:
    table = position(speed, ostrogoth={"place": steps, "units": 3}, visigoth={"place": steps, "units": 3})
    for _ in at_random(table, random):
        now = table.position
        places = {now["clans"][clan]["place"] for clan in CLANS}
        assert len(places & {*PLACES[3:]}) == sum(now["clans"][c]["place"] in PLACES[3:] for c in CLANS)
        assert {*PLACES[3:]} - places
        if now["outcome"] is None:
            assert [c["card"] for c in now["objectives"] if not c["revealed"]].count("queen") == 1


# Axe and rats


@pytest.mark.parametrize(("place", "barricades", "losses"), GROUNDS)
def test_G6_8_axe_costs_a_unit_except_in_a_forest_or_on_a_barricade(
    speed: str, place: str, barricades: tuple[str, ...], losses: tuple[int, int, int]
) -> None:
    table = position(speed, visigoth={"place": place, "units": 3, "barricades": barricades})
    assert turn(table, ostrogoth="axe").clan("visigoth")["units"] == 3 - losses[1]


@pytest.mark.parametrize(("place", "barricades", "losses"), GROUNDS)
def test_G6_9_rats_cost_a_unit_only_on_a_barricade(
    speed: str, place: str, barricades: tuple[str, ...], losses: tuple[int, int, int]
) -> None:
    table = position(speed, visigoth={"place": place, "units": 3, "barricades": barricades})
    assert turn(table, ostrogoth="rats").clan("visigoth")["units"] == 3 - losses[2]


# Everything that takes units, and where an army stands to lose some.
HARM = [
    pytest.param("fire", {"place": "terrain-2"}, id="fire"),
    pytest.param("axe", {"place": "terrain-2"}, id="axe"),
    pytest.param("rats", {"place": "terrain-2", "barricades": ("terrain-2",)}, id="rats"),
    pytest.param("trap", {"place": "terrain-3"}, id="trap"),
]


def harmed(speed: str, cause: str, army: dict[str, Any], units: int) -> Table:
    """The Visigoths after something took units of theirs."""
    table = position(speed, ostrogoth={"catapult": "active"}, visigoth=army | {"units": units})
    if cause == "trap":
        return turn(table, "enter:objective-1", ostrogoth="recruit", visigoth="advance")
    return turn(table, ostrogoth=cause)


@pytest.mark.parametrize(("cause", "army"), HARM)
def test_G6_10_units_lost_to_anything_can_be_recruited_again(speed: str, cause: str, army: dict[str, Any]) -> None:
    table = harmed(speed, cause, army, units=3)
    left = 1 if cause == "fire" else 2
    assert table.clan("visigoth")["units"] == left
    for units in range(left + 1, 4):
        assert turn(table, ostrogoth="load", visigoth="recruit").clan("visigoth")["units"] == units


@pytest.mark.parametrize("initiative", CLANS)
@pytest.mark.parametrize(("lower", "higher"), list(combinations(ACTIONS, 2)))
def test_G6_11_numbers_of_the_actions_are_those_of_their_clauses(initiative: str, lower: str, higher: str) -> None:
    table = position("interpreted", initiative=initiative, ostrogoth={"units": 3}, visigoth={"units": 3})
    turn(table, ostrogoth=higher, visigoth=lower)
    if lower == "reconnoitre":
        assert table.waiting == ("visigoth-warchief",)
        table.choose(("visigoth-warchief", "look:objective-1"))
    done = [event.args["clan"] for event in table.match.events() if event.code == "cards-back"]
    assert done == ["visigoth", "ostrogoth"]


# End


@pytest.mark.parametrize("clan", CLANS)
@pytest.mark.parametrize("start", ["terrain-3", "objective-2"])
def test_G7_1_a_clan_wins_at_once_by_moving_onto_the_queen(speed: str, clan: str, start: str) -> None:
    table = position(speed, **{clan: {"place": start}})
    turn(table, "enter:objective-3", **{clan: "advance", enemy_of(clan): "rats"})
    assert table.position["outcome"] == {"winner": clan, "by": "queen"}
    assert table.waiting == ()


def test_G7_1_looking_at_the_queen_wins_nothing(speed: str) -> None:
    table = turn(position(speed), "look:objective-3", ostrogoth="reconnoitre")
    assert table.position["outcome"] is None


@pytest.mark.parametrize(("cause", "army"), HARM)
def test_G7_2_a_clan_without_units_loses_at_once(speed: str, cause: str, army: dict[str, Any]) -> None:
    table = harmed(speed, cause, army, units=1)
    assert table.clan("visigoth")["units"] == 0
    assert table.position["outcome"] == {"winner": "ostrogoth", "by": "elimination"}
    assert table.waiting == ()


def test_G7_2_a_clan_with_one_unit_left_plays_on(speed: str) -> None:
    table = position(speed, ostrogoth={"catapult": "active"}, visigoth={"units": 3})
    assert turn(table, ostrogoth="fire").position["outcome"] is None
