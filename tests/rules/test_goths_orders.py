"""Goths: orders and their reveal (G3, G4)."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meadhall.match import SPECTATOR
from tests.rules.goths_positions import (
    ACTIONS,
    ALL_ACTS,
    ALL_ORDERS,
    CARDS,
    CHARACTER,
    CLANS,
    PROPERTY,
    SEATS,
    SIX_CARDS,
    board,
    enemy_of,
    hand,
    misreads,
    position,
    refuses,
    turn,
    who_can_tell,
)
from tests.table import Table

# Orders


def test_G3_1_initiative_passes_at_the_start_of_every_turn(speed: str) -> None:
    table = position(speed)
    held = []
    for number in range(1, 5):
        held.append((table.position["turn"], table.position["initiative"]))
        assert table.waiting == (f"{CLANS[(number - 1) % 2]}-king",)
        turn(table)
    assert held == [(1, "ostrogoth"), (2, "visigoth"), (3, "ostrogoth"), (4, "visigoth")]


@pytest.mark.parametrize("clan", CLANS)
def test_G3_2_king_with_the_initiative_alone_plays_first_from_his_hand(speed: str, clan: str) -> None:
    face_up = ("catapult/barbarian", "vulture/recruiter")
    table = position(speed, initiative=clan, **{clan: {"face_up": face_up}})
    left = [order for order in ALL_ORDERS if order.removeprefix("order:") not in face_up]
    assert table.position["pending"] == {f"{clan}-king": left}
    assert refuses(table, f"{clan}-king", "order:catapult/barbarian")


def test_G3_2_everybody_sees_the_back_of_the_card_played(speed: str) -> None:
    table = position(speed).choose(("ostrogoth-king", "order:recruiter/catapult"))
    for seat in (*SEATS, SPECTATOR):
        assert table.match.view(seat).json()["backs"]["ostrogoth"] == ["catapult", "recruiter"]


@pytest.mark.parametrize("clan", CLANS)
def test_G3_3_then_the_other_king_plays_having_seen_the_first_back(speed: str, clan: str) -> None:
    other = enemy_of(clan)
    table = position(speed, initiative=clan).choose((f"{clan}-king", "order:vulture/barbarian"))
    assert table.position["pending"] == {f"{other}-king": ALL_ORDERS}
    view = table.match.view(f"{other}-king").json()
    assert view["backs"] == {clan: ["barbarian", "vulture"], other: None}


def ordered(speed: str, ostrogoth: str = "vulture/barbarian", visigoth: str = "recruiter/catapult") -> Table:
    table = position(speed, ostrogoth={"face_up": ["catapult/recruiter"]}, visigoth={"face_up": ["vulture/recruiter"]})
    return table.choose(("ostrogoth-king", f"order:{ostrogoth}"), ("visigoth-king", f"order:{visigoth}"))


def test_G3_4_both_warchiefs_owe_one_of_nine_cards_at_the_same_time(speed: str) -> None:
    table = ordered(speed)
    assert table.position["pending"] == {"ostrogoth-warchief": ALL_ACTS, "visigoth-warchief": ALL_ACTS}


def test_G3_4_warchiefs_may_choose_in_either_order(speed: str) -> None:
    acts = [("ostrogoth-warchief", "act:sabotage"), ("visigoth-warchief", "act:rats")]
    assert ordered(speed).choose(*acts).position == ordered(speed).choose(*reversed(acts)).position


def test_G3_4_a_chosen_card_is_secret_until_both_are_chosen(speed: str) -> None:
    before, table = ordered(speed), ordered(speed).choose(("visigoth-warchief", "act:recruit"))
    assert table.position == before.position | {"pending": {"ostrogoth-warchief": ALL_ACTS}}


@pytest.mark.parametrize("seat", ["ostrogoth-warchief", "visigoth-warchief"])
def test_G3_4_both_warchiefs_see_both_backs_and_all_face_up_cards(speed: str, seat: str) -> None:
    view = ordered(speed).match.view(seat).json()
    assert view["backs"] == {"ostrogoth": ["barbarian", "vulture"], "visigoth": ["catapult", "recruiter"]}
    assert [view["clans"][clan]["face_up"] for clan in CLANS] == [
        ["catapult/recruiter"],
        ["vulture/recruiter"],
    ]


def test_G3_4_no_warchief_sees_a_front_not_even_his_own_kings(speed: str) -> None:
    others = ordered(speed, ostrogoth="barbarian/vulture", visigoth="catapult/recruiter")
    assert who_can_tell(ordered(speed), others) == {"ostrogoth-king", "visigoth-king"}


# Reveal


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("card", CARDS)
def test_G4_1_clan_communicates_if_the_action_is_the_characters_on_the_front(
    speed: str, card: str, action: str
) -> None:
    table = turn(position(speed), ostrogoth=(card, action))
    communicated = card.split("/")[0] == CHARACTER[action]
    assert table.clan("ostrogoth")["face_up"] == ([] if communicated else [card])


@pytest.mark.parametrize("up", [["vulture/barbarian"], ["catapult/barbarian", "vulture/recruiter"]])
def test_G4_1_clan_communicates_by_a_card_face_up_from_an_earlier_turn(speed: str, up: list[str]) -> None:
    table = position(speed, ostrogoth={"face_up": up}, visigoth={"catapult": "active"})
    turn(table, ostrogoth=("recruiter/catapult", "sabotage"))
    assert table.clan("visigoth")["catapult"] == "inactive"


def test_G4_1_bluff_of_a_face_up_card_does_not_count(speed: str) -> None:
    table = position(speed, ostrogoth={"face_up": ["barbarian/vulture"]}, visigoth={"catapult": "active"})
    turn(table, ostrogoth=("recruiter/vulture", "sabotage"))
    assert table.clan("visigoth")["catapult"] == "active"


def test_G4_1_face_up_card_of_the_other_clan_does_not_count(speed: str) -> None:
    table = position(speed, visigoth={"catapult": "active", "face_up": ["vulture/barbarian"]})
    turn(table, ostrogoth=("recruiter/catapult", "sabotage"))
    assert table.clan("visigoth")["catapult"] == "active"


def test_G4_1_card_played_by_the_other_king_does_not_count(speed: str) -> None:
    table = turn(position(speed), ostrogoth=("catapult/barbarian", "recruit"), visigoth="recruit")
    assert [table.clan(clan)["units"] for clan in CLANS] == [2, 3]


def test_G4_1_all_four_cards_are_revealed_to_all() -> None:
    table = turn(position("interpreted"), ostrogoth=("catapult/barbarian", "rats"), visigoth="recruit")
    told = [event.args for event in table.match.events() if event.code == "revealed"]
    assert told == [
        {"clan": "ostrogoth", "card": "catapult/barbarian", "action": "rats"},
        {"clan": "visigoth", "card": "recruiter/catapult", "action": "recruit"},
    ]


def test_G4_1_backs_are_gone_from_the_reveal_on(speed: str) -> None:
    table = turn(position(speed), ostrogoth="reconnoitre")
    assert table.waiting == ("ostrogoth-warchief",)
    assert table.position["backs"] == {"ostrogoth": None, "visigoth": None}


def test_G4_2_clan_that_has_communicated_must_carry_out_the_action(speed: str) -> None:
    table = turn(position(speed, ostrogoth={"place": "terrain-3", "units": 1}), ostrogoth="advance")
    assert all(option.startswith("enter:") for option in table.options("ostrogoth-warchief"))
    assert refuses(table, "ostrogoth-warchief", "build")


def test_G4_2_king_takes_back_the_card_played_and_all_face_up_cards(speed: str) -> None:
    table = position(speed, ostrogoth={"face_up": ["vulture/barbarian", "catapult/recruiter"]})
    turn(table, ostrogoth=("recruiter/vulture", "recruit"))
    assert table.clan("ostrogoth")["face_up"] == []
    assert hand(table, "ostrogoth") == list(CARDS)


def test_G4_2_king_takes_his_cards_back_before_the_other_clans_action(speed: str) -> None:
    table = position(
        speed,
        ostrogoth={"face_up": ["vulture/recruiter"]},
        visigoth={"place": "terrain-3", "face_up": ["vulture/barbarian"]},
    )
    turn(table, ostrogoth="recruit", visigoth="advance")
    assert table.waiting == ("visigoth-warchief",)
    assert [table.clan(clan)["face_up"] for clan in CLANS] == [[], ["vulture/barbarian"]]


def test_G4_2_king_takes_his_cards_back_only_after_his_own_action(speed: str) -> None:
    table = position(speed, ostrogoth={"face_up": ["catapult/recruiter"]})
    turn(table, ostrogoth="reconnoitre")
    assert table.clan("ostrogoth")["face_up"] == ["catapult/recruiter"]
    table.choose(("ostrogoth-warchief", "look:objective-1"))
    assert table.clan("ostrogoth")["face_up"] == []


def test_G4_3_clan_that_has_not_communicated_does_nothing(speed: str) -> None:
    table = position(speed, ostrogoth={"place": "terrain-3", "catapult": "active"}, visigoth={"place": "terrain-2"})
    before = board(table)
    turn(table, ostrogoth=("vulture/barbarian", "fire"), visigoth=("recruiter/vulture", "advance"))
    assert board(table) == before


def test_G4_3_card_of_a_failed_order_stays_face_up_beside_earlier_ones(speed: str) -> None:
    table = position(speed)
    played = ["vulture/recruiter", "catapult/barbarian", "catapult/recruiter", "vulture/barbarian"]
    for card in played:
        turn(table, ostrogoth=(card, "axe"), visigoth="recruit")
    assert table.clan("ostrogoth")["face_up"] == played
    assert hand(table, "ostrogoth") == sorted(set(CARDS) - set(played))


def test_G4_3_failed_card_lies_face_up_before_any_action_is_carried_out(speed: str) -> None:
    table = turn(position(speed), ostrogoth="reconnoitre", visigoth=("vulture/barbarian", "rats"))
    assert table.waiting == ("ostrogoth-warchief",)
    assert table.clan("visigoth")["face_up"] == ["vulture/barbarian"]


@pytest.mark.parametrize("order", [("catapult/barbarian", "load"), ("vulture/barbarian", "load")])
def test_G4_4_warchief_takes_his_card_back_whether_understood_or_not(speed: str, order: tuple[str, str]) -> None:
    table = turn(position(speed), ostrogoth=order, visigoth=order)
    table.choose(("visigoth-king", "order:barbarian/catapult"), ("ostrogoth-king", "order:barbarian/catapult"))
    assert table.position["pending"] == {"visigoth-warchief": ALL_ACTS, "ostrogoth-warchief": ALL_ACTS}


@pytest.mark.parametrize(
    ("action", "ostrogoth"),
    [
        ("sabotage", {}),
        ("recruit", {"units": 3}),
        ("load", {"catapult": "active"}),
        ("fire", {}),
        ("barricade", {"barricades": ["terrain-1"]}),
        ("barricade", {"place": "objective-2"}),
        ("axe", {}),
        ("rats", {}),
    ],
)
def test_G4_5_cards_return_after_an_action_without_effect(speed: str, action: str, ostrogoth: dict[str, Any]) -> None:
    up = next(card for card in CARDS if not card.startswith(CHARACTER[action]))
    table = position(speed, ostrogoth=ostrogoth | {"face_up": [up]})
    before = board(table)
    turn(table, ostrogoth=action)
    assert board(table) == before
    assert table.clan("ostrogoth")["face_up"] == []
    assert hand(table, "ostrogoth") == list(CARDS)


@PROPERTY
@given(random=st.randoms(use_true_random=False), obedience=st.sampled_from([0.0, 0.1, 0.5]))
def test_G4_6_at_most_six_cards_lie_face_up_and_a_king_always_has_a_card(
    speed: str, random: Random, obedience: float
) -> None:
    table = position(speed)
    for _ in range(10):
        failing = misreads(table, "ostrogoth")
        up = table.clan("ostrogoth")["face_up"]
        fails = bool(failing) and random.random() >= obedience
        order = random.choice(failing) if fails else "recruit"
        turn(table, ostrogoth=order, visigoth="recruit")
        assert table.clan("ostrogoth")["face_up"] == ([*up, order[0]] if fails else [])
        assert len(table.clan("ostrogoth")["face_up"]) <= 6
        assert hand(table, "ostrogoth") != []


def test_G4_6_six_failed_orders_can_be_reached(speed: str) -> None:
    table = position(speed)
    for card in SIX_CARDS:
        turn(table, ostrogoth=(card, "axe"), visigoth="recruit")
    assert table.clan("ostrogoth")["face_up"] == list(SIX_CARDS)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("card", ["barbarian/catapult", "barbarian/vulture"])
def test_G4_6_with_six_up_the_next_order_cannot_fail(speed: str, card: str, action: str) -> None:
    table = position(speed, ostrogoth={"face_up": SIX_CARDS})
    assert hand(table, "ostrogoth") == ["barbarian/catapult", "barbarian/vulture"]
    answers = ["look:objective-1"] if action == "reconnoitre" else []
    turn(table, *answers, ostrogoth=(card, action))
    assert table.clan("ostrogoth")["face_up"] == []
