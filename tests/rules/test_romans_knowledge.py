"""Romans: who knows what (R10)."""

from typing import Any

import pytest

from meadhall.games.decks import own_deck
from meadhall.match import View
from tests.rules.romans_positions import DECK, battle, before_plans, clash, plan, without
from tests.table import Table

LINE = "zvord axx archr filchy horsie charriott"
GREEN = "charriott druhid archr filchy horsie axx"
EVERYBODY = ("gold", "green", "spectator")


def view(table: Table, seat: str) -> dict[str, Any]:
    return table.match.view(seat).json()


def clan_seen(table: Table, seat: str, clan: str) -> dict[str, Any]:
    return view(table, seat)["clans"][clan]


def same_knowledge(one: View, other: View) -> bool:
    """Can the seat not tell the two positions apart, neither by their JSON nor by the record a bot gets?"""
    return one.json() == other.json() and bytes(one.state) == bytes(other.state)


def first_turn(speed: str, gold: str = LINE, green: str = GREEN, **more: Any) -> Table:
    """Green's charriott captures; the turn is stopped by gold's zvord."""
    return battle(speed, gold=gold, green=green, **more)


# R10.1


@pytest.mark.parametrize("seat", EVERYBODY)
def test_R10_1_everybody_sees_the_wall_and_all_forts(speed: str, seat: str) -> None:
    table = clash(
        speed,
        "ordinary-1 ordinary-3 ordinary-6",
        gold="axx > zvord",
        green="archr > charriott",
        forts={"gold": "tax-8", "green": "legion-1 unwary-2"},
    )
    seen = view(table, seat)
    assert (seen["round"], seen["turn"], seen["outcome"]) == (3, 4, None)
    assert seen["wall"] == ["ordinary-3", "ordinary-6"]
    assert seen["clans"]["gold"]["forts"] == ["tax-8"]
    assert seen["clans"]["green"]["forts"] == ["legion-1", "unwary-2", "ordinary-1"]


@pytest.mark.parametrize("seat", EVERYBODY)
def test_R10_1_everybody_sees_the_forts_discarded(speed: str, seat: str) -> None:
    table = clash(speed, "ordinary-1 ordinary-3 ordinary-6", gold="> zvord", green="> zvord")
    assert view(table, seat)["discarded_forts"] == ["ordinary-1"]


@pytest.mark.parametrize("seat", EVERYBODY)
def test_R10_1_everybody_sees_face_up_and_discarded_revealed_warriors(speed: str, seat: str) -> None:
    table = clash(speed, "ordinary-1 ordinary-3 ordinary-6", gold="axx > zvord", green="druhid archr > charriott")
    assert clan_seen(table, seat, "gold")["face_up"] == ["axx", "zvord"]
    assert clan_seen(table, seat, "green")["face_up"] == []
    assert clan_seen(table, seat, "green")["discarded"] == ["druhid", "archr", "charriott"]


@pytest.mark.parametrize("seat", EVERYBODY)
def test_R10_1_everybody_sees_how_many_warriors_each_still_hides(speed: str, seat: str) -> None:
    table = first_turn(speed, red="axx druhid archr filchy horsie qween", neutrals=["red"])
    assert [len(clan_seen(table, seat, clan)["hidden"]) for clan in ("gold", "green", "red")] == [5, 5, 5]


@pytest.mark.parametrize("seat", EVERYBODY)
def test_R10_1_everybody_sees_the_outcome(speed: str, seat: str) -> None:
    table = clash(speed, "legion-3", gold="axx", green="archr", forts={"green": "legion-1 legion-2"})
    assert view(table, seat)["outcome"] == {
        "winners": ["green"],
        "by": "legions",
        "points": {"gold": 0, "green": -6},
    }


# R10.2


def test_R10_2_only_the_owner_sees_his_hand(speed: str) -> None:
    table = before_plans(speed, gold=LINE, green=GREEN)
    assert clan_seen(table, "gold", "gold")["hand"] == [*LINE.split(), "qween"]
    for seat in ("green", "spectator"):
        assert clan_seen(table, seat, "gold")["hand"] == [None] * 7


def test_R10_2_only_the_owner_sees_the_warrior_he_put_aside(speed: str) -> None:
    table = first_turn(speed)
    assert [clan_seen(table, seat, "gold")["aside"] for seat in EVERYBODY] == ["qween", None, None]


def test_R10_2_only_the_owner_sees_his_hidden_warriors(speed: str) -> None:
    table = first_turn(speed)
    assert clan_seen(table, "gold", "gold")["hidden"] == LINE.split()[1:]
    for seat in ("green", "spectator"):
        assert clan_seen(table, seat, "gold")["hidden"] == [None] * 5


OTHER_LINES = [
    pytest.param("zvord charriott horsie filchy archr axx", id="another order"),
    pytest.param("zvord druhid archr filchy horsie charriott", id="other warriors"),
    pytest.param("zvord charriott archr charriott horsie axx", id="two charriotts"),
]


@pytest.mark.parametrize("seat", ["green", "spectator"])
@pytest.mark.parametrize("other", OTHER_LINES)
def test_R10_2_others_cannot_tell_one_hand_from_another(speed: str, seat: str, other: str) -> None:
    one, two = (before_plans(speed, gold=line, green=GREEN).match for line in (LINE, other))
    assert same_knowledge(one.view(seat), two.view(seat))


@pytest.mark.parametrize("seat", ["green", "spectator"])
@pytest.mark.parametrize("other", OTHER_LINES)
def test_R10_2_others_cannot_tell_one_plan_from_another(speed: str, seat: str, other: str) -> None:
    one, two = first_turn(speed).match, first_turn(speed, gold=other).match
    assert same_knowledge(one.view(seat), two.view(seat))


def test_R10_2_only_the_owner_is_shown_his_question_and_his_sealed_choice(speed: str) -> None:
    table = before_plans(speed, gold=LINE, green=GREEN)
    question = {"arrange": [*LINE.split(), "qween"], "take": 6}
    before = [table.match.view(seat) for seat in ("green", "spectator")]
    assert view(table, "gold")["pending"] == {"gold": question}
    assert (list(view(table, "green")["pending"]), view(table, "spectator")["pending"]) == (["green"], {})
    table.choose(("gold", plan(LINE)))
    assert (view(table, "gold")["own"], view(table, "gold")["pending"]) == (plan(LINE), {})
    after = [table.match.view(seat) for seat in ("green", "spectator")]
    assert all(map(same_knowledge, before, after))
    assert [seen.json()["own"] for seen in after] == [None, None]


def test_R10_2_what_is_told_of_a_plan_and_a_new_order_is_told_to_its_owner_only() -> None:
    table = first_turn("interpreted")
    table.choose(("gold", "reorder:axx,charriott,horsie,filchy,archr"))
    told = [event for event in table.match.full_events() if not event.seen_by("green")]
    assert {event.code for event in told} == {"dealt", "sealed", "laid", "new-order"}


# R10.3


@pytest.mark.parametrize("seat", EVERYBODY)
def test_R10_3_nobody_knows_the_order_of_the_fort_deck(speed: str, seat: str) -> None:
    rest = without(own_deck("romans"), DECK.split())
    decks = (" ".join([DECK, *order]) for order in (rest, reversed(rest)))
    one, two = (first_turn(speed, deck=deck).match for deck in decks)
    assert same_knowledge(one.view(seat), two.view(seat))


@pytest.mark.parametrize("seat", EVERYBODY)
def test_R10_3_nobody_knows_what_later_rounds_will_deal(speed: str, seat: str) -> None:
    hands = {"gold": [*LINE.split(), "qween"], "green": [*GREEN.split(), "qween"]}
    others = {"gold": [*GREEN.split(), "charriott"], "green": [*LINE.split(), "druhid"]}
    matches = []
    for later in (hands, others):
        setup = {"forts": list(own_deck("romans")), "hands": [hands, later, later]}
        table = Table(speed, "romans", {"players": ["gold", "green"]}, setup)
        matches.append(table.choose(("gold", plan(LINE)), ("green", plan(GREEN))).match)
    assert same_knowledge(matches[0].view(seat), matches[1].view(seat))


@pytest.mark.parametrize("seat", EVERYBODY)
def test_R10_3_nobody_knows_a_neutrals_hidden_warriors(speed: str, seat: str) -> None:
    lines = ("axx druhid archr filchy horsie qween", "axx charriott qween zvord archr charriott")
    one, two = (first_turn(speed, red=line, neutrals=["red"]) for line in lines)
    assert clan_seen(one, seat, "red")["hidden"] == [None] * 5
    assert same_knowledge(one.match.view(seat), two.match.view(seat))
