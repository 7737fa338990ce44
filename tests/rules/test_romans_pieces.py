"""Romans: the pieces, who plays, and how a round begins and ends (R1 to R3)."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from meadhall.faults import Fault, RecordFault
from meadhall.games.decks import own_deck, read_deck
from meadhall.match import Match
from tests.rules.romans_positions import (
    DECK,
    STALEMATE,
    battle,
    before_plans,
    captor,
    clash,
    discarded,
    face_up,
    forts,
    lay,
    plan,
    without,
)

CLANS = ("gold", "green", "violet", "red")
OWN = list(own_deck("romans"))
LINE = "druhid axx archr filchy horsie charriott"


# R1.1


@pytest.mark.parametrize(
    ("warrior", "red"),
    [
        ("druhid", "> zvord"),
        ("zvord", "qween > zvord"),
        ("axx", "druhid > zvord"),
        ("archr", "qween druhid > zvord"),
        ("filchy", "axx > zvord"),
        ("horsie", "archr > zvord"),
        ("charriott", "horsie > zvord"),
    ],
)
def test_R1_1_strengths_are_1_to_7_and_9(speed: str, warrior: str, red: str) -> None:
    # Charmed, the warrior makes gold's total one more than its strength: a tie with red.
    table = clash(speed, "ordinary-5", gold="qween", green=warrior, red=red).choose(("gold", "charm:green"))
    assert captor(table) is None


@pytest.mark.parametrize(("revealed", "face_up"), [("qween", "qween"), ("zvord", "qween druhid")])
def test_R1_1_qween_is_1_and_zvord_3(speed: str, revealed: str, face_up: str) -> None:
    # The two charriotts wreck each other and leave green its face-up warriors.
    table = clash(speed, "ordinary-5", gold=revealed, green=f"{face_up} > charriott", red="charriott")
    assert captor(table) is None


@pytest.mark.parametrize("clan", CLANS)
def test_R1_1_every_clan_has_two_charriotts_and_one_of_each_other(clan: str) -> None:
    rival = "red" if clan == "gold" else "gold"
    both = {"players": [clan, rival]}
    nine = ["qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie", "charriott", "charriott"]

    def dealt(hand: list[str]) -> Match:
        setup = {"forts": OWN, "hands": [{clan: hand, rival: nine[:7]}]}
        record = {"format": "meadhall/1", "game": "romans", "rules": both, "setup": setup, "choices": []}
        return Match.from_record(record)

    for hand in (nine[:7], nine[2:]):
        assert dealt(hand).position()["clans"][clan]["hand"] == hand
    for extra in nine[:8]:
        copies = nine.count(extra) + 1
        others = [warrior for warrior in nine if warrior != extra]
        hand = [extra] * copies + others[: 7 - copies]
        with pytest.raises(RecordFault, match=f"setup.hands, round 1, {clan}: more {extra} than a clan has"):
            dealt(hand)


def test_R1_1_there_are_four_clans() -> None:
    assert Match.new("romans", {"players": list(CLANS)}).seats == CLANS
    message = 'each of rules.players must be one of gold, green, violet, red, not "blue"'
    with pytest.raises(RecordFault, match=message):
        Match.new("romans", {"players": ["gold", "blue"]})


# R1.2


def test_R1_2_the_deck_is_the_eighteen_forts_decided() -> None:
    assert Counter(Match.new("romans").record()["setup"]["forts"]) == {
        "legion-1": 1,
        "legion-2": 2,
        "legion-3": 1,
        "unwary-2": 2,
        "signal-4": 2,
        "tax-8": 1,
        "ordinary-1": 2,
        "ordinary-3": 2,
        "ordinary-4": 1,
        "ordinary-5": 2,
        "ordinary-6": 2,
    }


@pytest.mark.parametrize(
    ("fort", "value"),
    [
        ("unwary-2", 2),
        ("signal-4", 4),
        ("tax-8", 8),
        ("legion-1", -1),
        ("legion-2", -2),
        ("legion-3", -3),
        ("ordinary-1", 1),
        ("ordinary-3", 3),
        ("ordinary-4", 4),
        ("ordinary-5", 5),
        ("ordinary-6", 6),
    ],
)
def test_R1_2_what_each_fort_is_worth(speed: str, fort: str, value: int) -> None:
    table = clash(speed, "ordinary-5", gold="axx", green="axx", forts={"gold": fort})
    assert table.position["outcome"]["points"] == {"gold": value, "green": 0}


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (OWN[:-1], "rules.fort_deck must hold 18 forts, not 17"),
        ([*OWN, "tax-8"], "rules.fort_deck must hold 18 forts, not 19"),
        ([*OWN[1:], "tax-8"], "rules.fort_deck must hold exactly four legions, not 3"),
        (["legion-1", *OWN[:-1]], "rules.fort_deck must hold exactly four legions, not 5"),
        ([*OWN[:-1], "castle-9"], 'each fort of rules.fort_deck must be one of .*, not "castle-9"'),
    ],
)
def test_R1_2_another_deck_is_refused_unless_it_holds_18_forts_with_four_legions(deck: list[str], message: str) -> None:
    with pytest.raises(RecordFault, match=message):
        Match.new("romans", {"players": ["gold", "green"], "fort_deck": deck})


def test_R1_2_an_owners_deck_comes_from_a_file_and_is_played_with(tmp_path: Path) -> None:
    deck = [*without(OWN, ["ordinary-1", "ordinary-1"]), "tax-8", "tax-8"]
    path = tmp_path / "deck.toml"
    path.write_text(f"forts = {deck}", encoding="utf-8")
    match = Match.new("romans", {"players": ["gold", "green"]} | read_deck("romans", path))
    assert sorted(match.record()["setup"]["forts"]) == sorted(deck)


def test_R1_2_a_deck_file_of_three_legions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(f"forts = {[*OWN[1:], 'tax-8']}", encoding="utf-8")
    with pytest.raises(Fault, match=r"deck\.toml: rules\.fort_deck must hold exactly four legions, not 3"):
        read_deck("romans", path)


def test_R1_2_the_forts_drawn_are_those_of_the_deck() -> None:
    setup = {"forts": [*OWN[1:], "tax-8"], "hands": []}
    rules = {"players": ["gold", "green"]}
    record = {"format": "meadhall/1", "game": "romans", "rules": rules, "setup": setup, "choices": []}
    with pytest.raises(RecordFault, match=r"setup\.forts is not the deck in some order: too many of tax-8"):
        Match.from_record(record)


# R2.1


@pytest.mark.parametrize(("players", "neutrals"), [(1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0)])
def test_R2_1_one_to_four_players_with_up_to_two_neutrals(players: int, neutrals: int) -> None:
    table = list(CLANS[:players]), list(CLANS[players : players + neutrals])
    match = Match.new("romans", {"players": table[0], "neutrals": table[1]})
    assert list(match.position()["clans"]) == [*table[0], *table[1]]
    assert list(match.waiting) == table[0]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"players": []}, "rules.players must name one to four clans, not none"),
        ({"players": [], "neutrals": ["gold", "red"]}, "rules.players must name one to four clans, not none"),
        ({"players": ["gold"]}, "one player needs at least one neutral clan beside him"),
        (
            {"players": ["gold"], "neutrals": ["green", "violet", "red"]},
            "rules.neutrals must name at most two clans, not 3",
        ),
        ({"players": ["gold", "red"], "neutrals": ["red"]}, "rules.neutrals: red is a player already"),
        ({"players": ["gold", "gold"]}, "rules.players names gold twice"),
        ({"players": ["gold"], "neutrals": ["red", "red"]}, "rules.neutrals names red twice"),
        ({"players": ["gold"], "neutrals": ["blue"]}, "each of rules.neutrals must be one of gold, green"),
    ],
)
def test_R2_1_other_tables_are_refused(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordFault, match=message):
        Match.new("romans", rules)


# R3.1


@pytest.mark.parametrize(
    ("drawn", "wall"),
    [
        pytest.param(
            "ordinary-5 ordinary-1 ordinary-6 ordinary-3 unwary-2 ordinary-4",
            "ordinary-1 ordinary-5 ordinary-3 unwary-2 ordinary-4 ordinary-6",
            id="both move and the others keep their order",
        ),
        pytest.param(
            "ordinary-1 ordinary-5 ordinary-3 unwary-2 ordinary-4 ordinary-6",
            "ordinary-1 ordinary-5 ordinary-3 unwary-2 ordinary-4 ordinary-6",
            id="both are there already",
        ),
        pytest.param(
            "ordinary-6 legion-3 legion-2 legion-1 legion-2 ordinary-1",
            "ordinary-1 legion-3 legion-2 legion-1 legion-2 ordinary-6",
            id="they change ends",
        ),
        pytest.param(
            "legion-1 ordinary-5 unwary-2 tax-8 ordinary-3 legion-3",
            "unwary-2 legion-1 ordinary-5 ordinary-3 legion-3 tax-8",
            id="a legion is never moved to an end",
        ),
        pytest.param(
            "signal-4 ordinary-1 ordinary-4 ordinary-3 unwary-2 legion-1",
            "ordinary-1 signal-4 ordinary-3 unwary-2 legion-1 ordinary-4",
            id="of the highest the ordinary one is nearest to the right end",
        ),
        pytest.param(
            "ordinary-4 ordinary-1 signal-4 ordinary-3 unwary-2 legion-1",
            "ordinary-1 ordinary-4 ordinary-3 unwary-2 legion-1 signal-4",
            id="of the highest the signal is nearest to the right end",
        ),
        pytest.param(
            "legion-1 ordinary-4 ordinary-5 signal-4 ordinary-6 legion-3",
            "ordinary-4 legion-1 ordinary-5 signal-4 legion-3 ordinary-6",
            id="of the lowest the ordinary one is nearest to the left end",
        ),
        pytest.param(
            "legion-1 signal-4 ordinary-5 ordinary-4 ordinary-6 legion-3",
            "signal-4 legion-1 ordinary-5 ordinary-4 legion-3 ordinary-6",
            id="of the lowest the signal is nearest to the left end",
        ),
        pytest.param(
            "legion-1 signal-4 legion-2 ordinary-4 legion-2 legion-3",
            "signal-4 legion-1 legion-2 legion-2 legion-3 ordinary-4",
            id="all positive ones are equal",
        ),
    ],
)
def test_R3_1_the_highest_moves_right_then_the_lowest_left(speed: str, drawn: str, wall: str) -> None:
    # The second round's Wall, because the first one is drawn before any choice is made.
    first_six = without(OWN, drawn.split())[:6]
    table = battle(speed, " ".join([*first_six, drawn]), gold=STALEMATE, green=STALEMATE)
    assert (table.position["round"], table.position["wall"]) == (2, wall.split())


def test_R3_1_six_forts_are_drawn_in_each_round(speed: str) -> None:
    table = battle(speed, gold=STALEMATE, green=STALEMATE)
    lay(table, {"gold": STALEMATE, "green": STALEMATE})
    everything = table.position["wall"] + table.position["discarded_forts"]
    assert table.position["round"] == 3
    assert (len(table.position["wall"]), Counter(everything)) == (6, Counter(OWN))


# R3.2


def test_R3_2_six_of_seven_are_laid_in_the_order_planned_and_one_put_aside(speed: str) -> None:
    line = "zvord archr filchy axx horsie charriott"
    table = before_plans(speed, gold=line, green=STALEMATE)
    assert table.clan("gold")["hand"] == [*line.split(), "qween"]
    # Stopped by the zvord on the first turn, which green's charriott wins.
    table.choose(("gold", "plan:zvord,qween,charriott,horsie,archr,filchy"), ("green", plan(STALEMATE)))
    assert table.clan("gold") == {
        "forts": [],
        "face_up": ["zvord"],
        "hidden": ["qween", "charriott", "horsie", "archr", "filchy"],
        "hand": [],
        "aside": "axx",
        "discarded": [],
    }


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param("plan:druhid,axx,archr,filchy,horsie", id="five"),
        pytest.param("plan:druhid,axx,archr,filchy,horsie,charriott,qween", id="all seven"),
        pytest.param("plan:druhid,axx,archr,filchy,horsie,horsie", id="one twice"),
        pytest.param("plan:druhid,axx,archr,filchy,horsie,zvord", id="one not drawn"),
    ],
)
def test_R3_2_a_plan_is_six_of_the_seven_drawn(speed: str, choice: str) -> None:
    table = before_plans(speed, gold=LINE, green=LINE)
    with pytest.raises(ValueError, match=r"cannot choose|not legal|a plan names 6 warriors"):
        table.choose(("gold", choice))
    assert table.waiting == ("gold", "green")


def test_R3_2_all_plan_at_the_same_time(speed: str) -> None:
    table = before_plans(speed, gold=LINE, green=LINE, red=LINE)
    seven = {"arrange": [*LINE.split(), "qween"], "take": 6}
    assert table.position["pending"] == {"gold": seven, "green": seven, "red": seven}
    table.choose(("red", plan(LINE)), ("gold", plan(LINE)))
    assert table.position["pending"] == {"green": seven}
    assert face_up(table, "red") == []


def test_R3_2_two_charriotts_make_no_plan_twice() -> None:
    plans = before_plans("interpreted", gold=STALEMATE, green=LINE).match.choices
    assert len(plans("green")) == len(set(plans("green"))) == 5040
    assert len(plans("gold")) == len(set(plans("gold"))) == 2520


# R3.3


def test_R3_3_a_neutral_lays_six_in_the_order_dealt_and_is_not_asked(speed: str) -> None:
    laid = "horsie qween charriott archr zvord druhid"
    table = before_plans(speed, neutrals=["red"], gold="zvord axx archr filchy horsie charriott", red=laid)
    assert table.waiting == ("gold",)
    table.choose(("gold", "plan:zvord,axx,archr,filchy,horsie,charriott"))
    # Stopped by gold's zvord on the first turn.
    red = table.clan("red")
    assert (red["discarded"], red["hidden"], red["aside"], red["hand"]) == (
        ["horsie"],
        laid.split()[1:],
        None,
        [],
    )


def test_R3_3_a_neutrals_six_are_drawn_at_random_in_random_order() -> None:
    rules = {"players": ["gold"], "neutrals": ["red"]}
    lines = [Match.new("romans", rules, seed).record()["setup"]["hands"][0]["red"] for seed in range(100)]
    assert {len(line) for line in lines} == {6}
    for place in range(6):
        assert len({line[place] for line in lines}) == 8


# R3.4


def test_R3_4_after_six_turns_a_round_begins_with_all_warriors_back(speed: str) -> None:
    table = battle(speed, gold=STALEMATE, green=STALEMATE)
    assert (table.position["round"], table.position["turn"]) == (2, 1)
    assert len(table.position["discarded_forts"]) == 6
    hand = [*STALEMATE.split(), "qween"]
    home = {"face_up": [], "hidden": [], "discarded": [], "aside": None, "hand": hand, "forts": []}
    assert (table.clan("gold"), table.clan("green")) == (home, home)


def test_R3_4_what_lay_in_one_round_counts_for_nothing_in_the_next(speed: str) -> None:
    deck = f"{DECK} ordinary-1 ordinary-5 legion-1 legion-2 legion-2 ordinary-6"
    table = battle(speed, deck, gold=STALEMATE, green="filchy charriott druhid axx archr charriott")
    # Gold ended round 1 with 17 points face up, green with none.
    lines = {
        "gold": "druhid filchy axx archr charriott charriott",
        "green": "archr axx druhid filchy charriott charriott",
    }
    lay(table, lines)
    # Green's archr captured and left; its axx captured too and stops the second turn.
    assert table.options("green") == ["keep:axx", "leave:axx"]
    assert (discarded(table, "green"), face_up(table, "green")) == (["archr"], ["axx"])
    assert (discarded(table, "gold"), face_up(table, "gold")) == ([], ["druhid", "filchy"])


def test_R3_4_after_the_third_round_all_stays_as_it_lies(speed: str) -> None:
    lines = {"gold": STALEMATE, "green": STALEMATE}
    table = battle(speed, **lines)
    lay(lay(table, lines), lines)
    gold = table.clan("gold")
    assert table.position["outcome"]["by"] == "points"
    assert (gold["face_up"], gold["discarded"]) == (
        ["druhid", "axx", "archr", "filchy"],
        ["charriott", "charriott"],
    )
    assert (table.position["round"], table.position["turn"], table.position["wall"]) == (3, 6, [])


def test_R3_4_forts_stay_with_their_clans_from_round_to_round(speed: str) -> None:
    table = battle(speed, gold=STALEMATE, green="filchy charriott druhid axx archr charriott")
    assert table.position["round"] == 2
    assert (forts(table, "gold"), forts(table, "green")) == (["ordinary-1"], ["ordinary-3", "ordinary-6"])
