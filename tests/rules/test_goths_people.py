"""Goths: other numbers of players, and who knows what (G9, G10)."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meadhall.faults import RecordFault
from meadhall.games.goths.state import CARDS as ALL_CARDS
from meadhall.match import SPECTATOR, Match
from tests.rules.goths_positions import (
    ALL_ACTS,
    CARDS,
    CLANS,
    EVERYBODY,
    PROPERTY,
    SEATS,
    at_random,
    hand,
    position,
    refuses,
    turn,
    who_can_tell,
)
from tests.table import Table

OSTROGOTHS_ALONE = {"lone_rulers": ["ostrogoth"]}
# Every kind of table: with and without fog, lone rulers and a limit that ends each random game.
ANY_RULES = [
    {"turn_limit": 25},
    {"turn_limit": 25, "lone_rulers": ["visigoth"]},
    {"turn_limit": 25, "lone_rulers": ["ostrogoth", "visigoth"], "fog_discard": "anywhere"},
]
ANY_FOG = [None, ("gusts", "boar-shortage"), ("pea-soup", "reduced-numbers")]


def orders_played(table: Table, card: str = "vulture/recruiter") -> Table:
    """Both kings have played a card, the Ostrogoth king this one."""
    plays = {"ostrogoth": card, "visigoth": "barbarian/catapult"}
    for _ in CLANS:
        king = table.waiting[0]
        table.choose((king, f"order:{plays[king.removesuffix('-king')]}"))
    return table


# Lone rulers


@pytest.mark.parametrize("lone_rulers", [[], ["ostrogoth"], ["visigoth"], ["ostrogoth", "visigoth"]])
def test_G9_1_lone_ruler_makes_both_choices_at_their_time(speed: str, lone_rulers: list[str]) -> None:
    table = position(speed, {"lone_rulers": lone_rulers})
    assert table.waiting == ("ostrogoth-king",)
    table.choose(("ostrogoth-king", "order:vulture/recruiter"))
    assert table.waiting == ("visigoth-king",)
    table.choose(("visigoth-king", "order:vulture/recruiter"))
    assert table.position["pending"] == {"ostrogoth-warchief": ALL_ACTS, "visigoth-warchief": ALL_ACTS}


def test_G9_1_lone_ruler_chooses_his_warchief_card_knowing_his_king_card(speed: str) -> None:
    fronts = ("vulture/recruiter", "recruiter/vulture")
    tables = [orders_played(position(speed, OSTROGOTHS_ALONE), front) for front in fronts]
    assert who_can_tell(*tables) == {"ostrogoth-king", "ostrogoth-warchief"}
    known = [ALL_CARDS[table.match.view("ostrogoth-warchief").state.order[0]] for table in tables]
    assert known == list(fronts)


@pytest.mark.parametrize("order", [("catapult/barbarian", "load"), ("vulture/barbarian", "load")])
def test_G9_1_lone_ruler_may_not_repeat_his_last_action_carried_out_or_not(speed: str, order: tuple[str, str]) -> None:
    table = orders_played(turn(position(speed, OSTROGOTHS_ALONE), ostrogoth=order, visigoth=order))
    assert table.options("ostrogoth-warchief") == [act for act in ALL_ACTS if act != "act:load"]
    assert refuses(table, "ostrogoth-warchief", "act:load")
    assert table.options("visigoth-warchief") == ALL_ACTS


def test_G9_1_lone_ruler_may_give_the_same_order_two_turns_later(speed: str) -> None:
    table = turn(position(speed, OSTROGOTHS_ALONE), ostrogoth="load", visigoth="recruit")
    orders_played(turn(table, ostrogoth="recruit", visigoth="recruit"))
    assert table.options("ostrogoth-warchief") == [act for act in ALL_ACTS if act != "act:recruit"]


def test_G9_1_lone_rulers_king_card_is_not_restricted(speed: str) -> None:
    table = turn(position(speed, OSTROGOTHS_ALONE), ostrogoth=("catapult/barbarian", "load"), visigoth="recruit")
    turn(table, ostrogoth=("catapult/barbarian", "fire"), visigoth="sabotage")
    assert table.position["turn"] == 3
    assert table.clan("ostrogoth")["face_up"] == []


def test_G9_1_two_players_in_a_clan_may_repeat_an_action(speed: str) -> None:
    table = turn(position(speed, OSTROGOTHS_ALONE), ostrogoth="load", visigoth="recruit")
    turn(table, ostrogoth="recruit", visigoth="recruit")
    assert table.position["turn"] == 3


@pytest.mark.parametrize(
    ("lone_rulers", "message"),
    [
        (["saxon"], 'each of rules.lone_rulers must be one of ostrogoth, visigoth, not "saxon"'),
        (["visigoth", "visigoth"], "rules.lone_rulers names visigoth twice"),
        (None, "rules.lone_rulers must be a list, not null"),
    ],
)
def test_G9_1_lone_rulers_is_a_list_of_clans(lone_rulers: Any, message: str) -> None:
    with pytest.raises(RecordFault) as refusal:
        Match.new("goths", {"lone_rulers": lone_rulers})
    assert str(refusal.value) == message


@PROPERTY
@given(random=st.randoms(use_true_random=False), rules=st.sampled_from(ANY_RULES), fog=st.sampled_from(ANY_FOG))
def test_G9_2_a_program_can_play_any_seat_from_what_the_seat_may_know(
    speed: str, random: Random, rules: dict[str, Any], fog: Any
) -> None:
    table = position(speed, rules, fog=fog)
    while table.waiting:
        views = {seat: table.match.view(seat) for seat in SEATS}
        assert {seat for seat in SEATS if views[seat].owes} == {*table.waiting}
        seat = random.choice(table.waiting)
        assert sorted(views[seat].choices) == table.options(seat)
        table.choose((seat, random.choice(views[seat].choices)))
    assert table.position["outcome"] is not None


# Turn limit


def test_G9_3_turn_limit_makes_a_draw_and_the_turn_stays(speed: str) -> None:
    table = turn(position(speed, {"turn_limit": 2}), ostrogoth="recruit", visigoth="recruit")
    assert table.position["outcome"] is None
    turn(table, ostrogoth="recruit", visigoth="recruit")
    assert table.position["outcome"] == {"winner": None, "by": "turn-limit"}
    assert (table.position["turn"], table.position["initiative"]) == (2, "visigoth")
    assert table.waiting == ()


def test_G9_3_cards_return_or_stay_before_the_draw(speed: str) -> None:
    table = position(speed, {"turn_limit": 1}, ostrogoth={"face_up": ["vulture/recruiter"]})
    turn(table, ostrogoth="recruit", visigoth=("catapult/barbarian", "axe"))
    assert [table.clan(clan)["face_up"] for clan in CLANS] == [[], ["catapult/barbarian"]]
    assert hand(table, "ostrogoth") == list(CARDS)
    assert table.position["outcome"] == {"winner": None, "by": "turn-limit"}


@pytest.mark.parametrize(("objective", "winner"), [("objective-3", "ostrogoth"), ("objective-1", "visigoth")])
def test_G9_3_a_win_on_the_last_turn_counts(speed: str, objective: str, winner: str) -> None:
    table = position(speed, {"turn_limit": 1}, ostrogoth={"place": "terrain-3", "units": 1})
    turn(table, f"enter:{objective}", ostrogoth="advance")
    assert table.position["outcome"]["winner"] == winner


def test_G9_3_there_is_no_limit_by_default(speed: str) -> None:
    table = position(speed)
    assert table.match.rules["turn_limit"] is None
    for _ in range(40):
        turn(table, ostrogoth="recruit", visigoth="recruit")
    assert (table.position["turn"], table.position["outcome"]) == (41, None)


@pytest.mark.parametrize("limit", [0, -1, 1.5, 2.0, True, "3", []])
def test_G9_3_turn_limit_is_a_whole_number_from_1(limit: Any) -> None:
    with pytest.raises(RecordFault, match=r"^rules\.turn_limit must be null or a whole number from 1, not "):
        Match.new("goths", {"turn_limit": limit})


# Who knows what


def may_know(table: Table, seat: str, own: str | None) -> dict[str, Any]:
    """What the rules let a seat know of a position, worked out from the full one."""
    known = deepcopy(table.position)
    clan = seat.split("-")[0]
    warchief_is_he = seat.endswith("-warchief") or clan in table.match.rules["lone_rulers"]
    looked = known["seen"].get(f"{clan}-warchief", []) if warchief_is_he else []
    for number, objective in enumerate(known["objectives"], start=1):
        if not objective["revealed"] and f"objective-{number}" not in looked:
            objective["card"] = None
    for name in CLANS:
        fog = known["clans"][name]["fog"]
        if fog is not None and fog["state"] == "hidden" and not (name == clan and "fog" in looked):
            fog["token"] = None
    known["pending"] = {k: v for k, v in known["pending"].items() if k == seat}
    return known | {"own": own}


@PROPERTY
@given(random=st.randoms(use_true_random=False), fog=st.sampled_from(ANY_FOG))
def test_G10_1_everybody_knows_all_but_what_lies_face_down(speed: str, random: Random, fog: Any) -> None:
    table = position(speed, {"turn_limit": 25}, fog=fog)
    for _ in at_random(table, random):
        assert table.match.view(SPECTATOR).json() == may_know(table, SPECTATOR, own=None)


def test_G10_1_all_four_cards_are_known_from_the_reveal_on(speed: str) -> None:
    table = orders_played(position(speed)).choose(("visigoth-warchief", "act:load"))
    before = table.match.view(SPECTATOR).state
    assert [*before.order, *before.act] == [-1, -1, -1, -1]
    table.choose(("ostrogoth-warchief", "act:reconnoitre"))
    after = table.match.view(SPECTATOR).state
    assert [*after.order, *after.act] == [*table.state.order, *table.state.act]
    assert -1 not in [*after.order, *after.act]


def test_G10_2_only_the_king_knows_the_front_of_his_face_down_card(speed: str) -> None:
    table = orders_played(position(speed), "vulture/recruiter")
    own = {seat: table.match.view(seat).json()["own"] for seat in EVERYBODY}
    assert own == dict.fromkeys(EVERYBODY) | {
        "ostrogoth-king": "order:vulture/recruiter",
        "visigoth-king": "order:barbarian/catapult",
    }


def test_G10_2_fronts_are_no_ones_own_from_the_reveal_on(speed: str) -> None:
    table = turn(position(speed), ostrogoth="reconnoitre")
    assert {table.match.view(seat).json()["own"] for seat in EVERYBODY} == {None}


@pytest.mark.parametrize("seat", sorted(EVERYBODY - {"ostrogoth-king"}))
def test_G10_2_hand_is_public_until_a_card_of_it_lies_face_down(speed: str, seat: str) -> None:
    table = position(speed, ostrogoth={"face_up": ["barbarian/vulture"]})
    assert table.match.view(seat).state.hand[0] == table.state.hand[0]
    public = table.state.hand[0]
    orders_played(table)
    assert table.match.view(seat).state.hand[0] == public
    assert table.match.view("ostrogoth-king").state.hand[0] == table.state.hand[0] != public


def test_G10_3_only_the_warchief_knows_his_card_before_the_reveal(speed: str) -> None:
    tables = [orders_played(position(speed)) for _ in range(2)]
    for table, action in zip(tables, ("axe", "load"), strict=True):
        table.choose(("visigoth-warchief", f"act:{action}"))
        assert table.match.view("visigoth-warchief").json()["own"] == f"act:{action}"
    assert who_can_tell(*tables) == {"visigoth-warchief"}


def test_G10_3_only_the_warchief_knows_what_he_saw_and_keeps_it(speed: str) -> None:
    table = turn(position(speed), "look:objective-2", ostrogoth="reconnoitre")
    turn(table, ostrogoth="recruit", visigoth="recruit")
    cards = {seat: [o["card"] for o in table.match.view(seat).json()["objectives"]] for seat in EVERYBODY}
    assert cards.pop("ostrogoth-warchief") == [None, "plains", None]
    assert all(known == [None, None, None] for known in cards.values())


@pytest.mark.parametrize(
    ("rules", "knowing"),
    [({}, {"ostrogoth-warchief"}), (OSTROGOTHS_ALONE, {"ostrogoth-king", "ostrogoth-warchief"})],
)
def test_G10_4_only_who_looked_himself_knows_and_a_lone_ruler_what_both_his_seats_know(
    speed: str, rules: dict[str, Any], knowing: set[str]
) -> None:
    deals = [("trap", "plains", "queen"), ("plains", "trap", "queen"), ("queen", "plains", "trap")]
    tables = [position(speed, rules, objectives=deal) for deal in deals]
    assert who_can_tell(tables[0], tables[1]) == who_can_tell(tables[0], tables[2]) == set()
    for table in tables:
        turn(table, "look:objective-3", ostrogoth="reconnoitre")
    assert who_can_tell(tables[0], tables[1]) == set()
    assert who_can_tell(tables[0], tables[2]) == knowing


def test_G10_4_lone_ruler_knows_what_he_sealed_and_the_other_clan_does_not(speed: str) -> None:
    tables = [orders_played(position(speed, OSTROGOTHS_ALONE)) for _ in range(2)]
    for table, action in zip(tables, ("axe", "load"), strict=True):
        table.choose(("ostrogoth-warchief", f"act:{action}"))
    assert who_can_tell(*tables) == {"ostrogoth-king", "ostrogoth-warchief"}


@pytest.mark.parametrize("rules", [{}, {"lone_rulers": ["ostrogoth", "visigoth"]}])
def test_G10_4_no_seat_knows_the_enemys_hidden_token(speed: str, rules: dict[str, Any]) -> None:
    tables = [position(speed, rules, fog=("gusts", token)) for token in ("pea-soup", "boar-shortage")]
    for table in tables:
        turn(table, "look:fog", ostrogoth="reconnoitre")
    assert who_can_tell(*tables) == set()


def test_G10_4_what_lies_face_down_at_the_end_stays_unknown(speed: str) -> None:
    table = turn(position(speed, ostrogoth={"catapult": "active"}), ostrogoth="fire")
    assert table.position["outcome"] == {"winner": "ostrogoth", "by": "elimination"}
    for seat in EVERYBODY:
        assert [o["card"] for o in table.match.view(seat).json()["objectives"]] == [None, None, None]


@PROPERTY
@given(random=st.randoms(use_true_random=False), rules=st.sampled_from(ANY_RULES), fog=st.sampled_from(ANY_FOG))
def test_G10_4_a_seat_knows_only_what_is_public_or_its_own(
    speed: str, random: Random, rules: dict[str, Any], fog: Any
) -> None:
    table = position(speed, rules, fog=fog)
    own: dict[str, str] = {}
    for seat, choice in at_random(table, random):
        own[seat] = choice
        if not any(table.position["backs"].values()):  # revealed: there are no secrets in the choices
            own.clear()
        for other in SEATS:
            view = table.match.view(other).json()
            if other.split("-")[0] in rules.get("lone_rulers", ()):  # either of his seats may show his choices
                view["own"] = own.get(other)
            assert view == may_know(table, other, own.get(other))
