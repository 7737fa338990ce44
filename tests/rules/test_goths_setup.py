"""Goths: pieces and set-up (G1, G2)."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from meadhall.faults import Fault, MalformedChoice, RecordFault
from meadhall.games.decks import own_deck, own_deck_text, read_deck
from meadhall.match import Match
from tests.rules.goths_positions import (
    ALL_ACTS,
    ALL_ORDERS,
    CARDS,
    CLANS,
    PLACES,
    SEATS,
    hand,
    position,
    refuses,
    set_up_again,
    turn,
    who_can_tell,
)
from tests.table import Table

OWN_DECK = [card.split("/") for card in CARDS]
BOX_DECK = [
    ["vulture", "catapult"],
    ["vulture", "barbarian"],
    ["recruiter", "catapult"],
    ["recruiter", "barbarian"],
    ["catapult", "barbarian"],
    ["catapult", "vulture"],
    ["barbarian", "vulture"],
    ["barbarian", "recruiter"],
]


# Pieces


def test_G1_1_two_clans_each_of_a_king_and_a_warchief() -> None:
    table = position("interpreted")
    assert tuple(table.position["clans"]) == CLANS
    assert table.match.seats == tuple(f"{clan}-{role}" for clan in CLANS for role in ("king", "warchief"))


@pytest.mark.parametrize("clan", CLANS)
def test_G1_2_each_king_has_two_cards_of_each_character(clan: str) -> None:
    table = position("interpreted", initiative=clan)
    fronts = [option.removeprefix("order:") for option in table.options(f"{clan}-king")]
    characters = Counter(front.split("/")[0] for front in fronts)
    assert characters == {"vulture": 2, "recruiter": 2, "catapult": 2, "barbarian": 2}


@pytest.mark.parametrize("card", CARDS)
def test_G1_2_back_shows_character_and_bluff_without_telling_which(speed: str, card: str) -> None:
    table = position(speed).choose(("ostrogoth-king", f"order:{card}"))
    assert table.position["backs"] == {"ostrogoth": sorted(card.split("/")), "visigoth": None}


@pytest.mark.parametrize("character", ["vulture", "recruiter", "catapult", "barbarian"])
def test_G1_2_two_cards_of_a_character_have_different_backs(speed: str, character: str) -> None:
    one, other = (card for card in CARDS if card.startswith(character))
    backs = [
        position(speed).choose(("ostrogoth-king", f"order:{card}")).position["backs"]["ostrogoth"]
        for card in (one, other)
    ]
    assert backs[0] != backs[1]


def test_G1_3_every_back_belongs_to_exactly_two_cards() -> None:
    backs = Counter(frozenset(card) for card in own_deck("goths"))
    assert backs == {
        frozenset({"vulture", "recruiter"}): 2,
        frozenset({"recruiter", "catapult"}): 2,
        frozenset({"catapult", "barbarian"}): 2,
        frozenset({"barbarian", "vulture"}): 2,
    }


def test_G1_3_own_deck_is_a_file_that_reads_as_a_deck(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(own_deck_text("goths"), encoding="utf-8")
    assert sorted(read_deck("goths", deck)["king_deck"]) == OWN_DECK


def test_G1_3_deck_from_a_file_is_used_by_both_kings(speed: str, tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(f"cards = {json.dumps(BOX_DECK)}\n", encoding="utf-8")
    table = position(speed, rules=read_deck("goths", deck))
    assert hand(table, "ostrogoth") == hand(table, "visigoth") == sorted("/".join(card) for card in BOX_DECK)
    assert refuses(table, "ostrogoth-king", "order:vulture/recruiter")
    turn(table, ostrogoth=("recruiter/barbarian", "recruit"), visigoth=("catapult/vulture", "recruit"))
    assert table.clan("ostrogoth")["units"] == 3
    assert table.clan("visigoth")["face_up"] == ["catapult/vulture"]


def replaced(number: int, card: list[Any]) -> list[Any]:
    return [*OWN_DECK[:number], card, *OWN_DECK[number + 1 :]]


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (
            replaced(0, ["vulture", "catapult"]),
            "rules.king_deck: vulture must be on exactly two cards, not 3",
        ),
        (
            replaced(7, ["barbarian", "recruiter"]),
            "rules.king_deck: vulture must be on exactly two cards, not 1",
        ),
        (
            replaced(0, ["barbarian", "vulture"]),
            "rules.king_deck: the two cards of barbarian must have different bluffs",
        ),
        (replaced(2, ["catapult", "catapult"]), "rules.king_deck: catapult cannot be its own bluff"),
        (OWN_DECK[1:], "rules.king_deck must hold 8 cards [character, bluff], not 7"),
        ([*OWN_DECK, ["vulture", "catapult"]], "rules.king_deck must hold 8 cards [character, bluff], not 9"),
        (
            replaced(0, ["vulture"]),
            "each card of rules.king_deck must hold 2 characters [character, bluff], not 1",
        ),
        (
            replaced(0, ["vulture", "queen"]),
            'each character of rules.king_deck must be one of vulture, recruiter, catapult, barbarian, not "queen"',
        ),
        (None, "rules.king_deck must be a list, not null"),
    ],
)
def test_G1_3_deck_of_other_cards_is_refused_with_a_clear_message(deck: Any, message: str) -> None:
    with pytest.raises(RecordFault) as refusal:
        Match.new("goths", {"king_deck": deck})
    assert str(refusal.value) == message


def test_G1_3_refused_deck_file_is_named(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(f"cards = {json.dumps(OWN_DECK[1:])}\n", encoding="utf-8")
    with pytest.raises(Fault) as refusal:
        read_deck("goths", deck)
    assert str(refusal.value) == f"deck {deck}: rules.king_deck must hold 8 cards [character, bluff], not 7"


@pytest.mark.parametrize("clan", CLANS)
def test_G1_4_each_warchief_has_one_card_for_each_of_the_nine_actions(speed: str, clan: str) -> None:
    table = position(speed)
    table.choose(("ostrogoth-king", "order:vulture/recruiter"), ("visigoth-king", "order:vulture/recruiter"))
    assert table.options(f"{clan}-warchief") == ALL_ACTS


@pytest.mark.parametrize(("place", "lost"), [("terrain-1", 0), ("terrain-2", 1), ("terrain-3", 1)])
def test_G1_5_own_ground_is_forest_plain_plain(speed: str, place: str, lost: int) -> None:
    table = turn(position(speed, visigoth={"place": place}), ostrogoth="axe")
    assert table.clan("visigoth")["units"] == 2 - lost


def test_G1_5_three_cards_toward_the_centre_each_with_a_barricade_side(speed: str) -> None:
    table = position(speed)
    for place in PLACES[:3]:
        assert table.clan("ostrogoth")["place"] == place
        turn(table, ostrogoth="barricade", visigoth="recruit")
        turn(table, ostrogoth="advance", visigoth="recruit")
    assert table.clan("ostrogoth")["barricades"] == ["terrain-1", "terrain-2", "terrain-3"]
    assert table.options("ostrogoth-warchief") == [
        "enter:objective-1",
        "enter:objective-2",
        "enter:objective-3",
    ]


def test_G1_6_objectives_lie_face_down_in_any_of_the_six_orders() -> None:
    deals = [Match.new("goths", seed=seed).position()["objectives"] for seed in range(600)]
    orders = Counter(tuple(objective["card"] for objective in deal) for deal in deals)
    assert not any(objective["revealed"] for deal in deals for objective in deal)
    assert all(sorted(order) == ["plains", "queen", "trap"] for order in orders)
    assert len(orders) == 6
    assert all(70 <= count <= 130 for count in orders.values())


@pytest.mark.parametrize(
    "objectives",
    [["trap", "plains"], ["trap", "trap", "queen"], ["trap", "plains", "castle"]],
)
def test_G1_6_other_objectives_are_refused(objectives: list[str]) -> None:
    record = {"format": "meadhall/1", "game": "goths", "rules": {}, "setup": {}, "choices": []}
    with pytest.raises(RecordFault, match=r"setup\.objectives"):
        Match.from_record(record | {"setup": {"objectives": objectives}})


def test_G1_7_a_clan_has_three_units_and_one_catapult(speed: str) -> None:
    table = position(speed, ostrogoth={"units": 1})
    for units in (2, 3, 3):
        turn(table, ostrogoth="recruit", visigoth="recruit")
        assert table.clan("ostrogoth")["units"] == units
    for _ in range(2):
        turn(table, ostrogoth="load", visigoth="recruit")
        assert table.clan("ostrogoth")["catapult"] == "active"
    turn(table, ostrogoth="fire", visigoth="recruit")
    assert table.clan("ostrogoth")["catapult"] == "inactive"


# Set-up


def played_and_set_up_again(speed: str) -> Table:
    """A table set up anew after a turn that changed much."""
    table = position(speed, ostrogoth={"place": "terrain-3", "catapult": "active"}, visigoth={"units": 3})
    turn(table, "enter:objective-1", ostrogoth="advance", visigoth="barricade")
    turn(table, ostrogoth=("vulture/recruiter", "axe"), visigoth="load")
    turn(table, ostrogoth="fire", visigoth="advance")
    return set_up_again(table)


def test_G2_1_each_army_starts_with_two_units_on_terrain_1(speed: str) -> None:
    start = {
        "place": "terrain-1",
        "units": 2,
        "catapult": "inactive",
        "barricades": [],
        "face_up": [],
        "fog": None,
    }
    assert played_and_set_up_again(speed).position["clans"] == {"ostrogoth": start, "visigoth": start}


def test_G2_1_third_unit_is_in_reserve(speed: str) -> None:
    table = turn(played_and_set_up_again(speed), ostrogoth="recruit", visigoth="recruit")
    assert [table.clan(clan)["units"] for clan in CLANS] == [3, 3]


def test_G2_2_ostrogoths_hold_the_initiative_on_turn_1(speed: str) -> None:
    table = played_and_set_up_again(speed)
    assert (table.position["turn"], table.position["initiative"]) == (1, "ostrogoth")
    assert table.position["pending"] == {"ostrogoth-king": ALL_ORDERS}


@pytest.mark.parametrize("card", CARDS)
def test_G2_3_nothing_shows_a_partner_which_of_the_two_fronts_was_played(speed: str, card: str) -> None:
    twin = "/".join(reversed(card.split("/")))
    tables = [position(speed).choose(("ostrogoth-king", f"order:{front}")) for front in (card, twin)]
    assert who_can_tell(*tables) == {"ostrogoth-king"}


def sealed(*actions: str) -> Table:
    """A table at which the Ostrogoth warchief has sealed an action and changed his mind."""
    table = position("interpreted")
    table.choose(("ostrogoth-king", "order:vulture/recruiter"), ("visigoth-king", "order:vulture/recruiter"))
    for action in actions:
        table.match.commit("ostrogoth-warchief", f"act:{action}")
    return table


@pytest.mark.parametrize("actions", [("axe",), ("axe", "rats"), ("axe", "load", "recruit")])
def test_G2_3_nothing_shows_a_partner_what_was_sealed_or_how_often(actions: tuple[str, ...]) -> None:
    assert who_can_tell(sealed("advance"), sealed(*actions)) == {"ostrogoth-warchief"}


@pytest.mark.parametrize("seat", SEATS)
def test_G2_3_there_is_no_choice_that_says_more_than_a_card(seat: str) -> None:
    with pytest.raises(MalformedChoice, match="is not a choice of this game"):
        position("interpreted").match.commit(seat, "order:vulture/recruiter, I mean vulture")
