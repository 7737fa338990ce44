"""Records that are not records: each is refused with one message that says what was wrong and what would be right."""

import copy
import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from meadhall.faults import RecordFault
from meadhall.match import Match
from tests.variants import random_game, variant_named

GOTHS = random_game(variant_named("goths, fog"), 1, 30).record()
ROMANS = random_game(variant_named("romans, two and two"), 1, 8).record()
HAND = ROMANS["setup"]["hands"][0]
KEYS = "format, game, rules, setup, choices, meta"
GOTHS_RULES = "fog_of_war, fog_discard, lone_rulers, turn_limit, king_deck"
ROMANS_RULES = "players, neutrals, original_rules, qween, fort_deck"
FORTS = "unwary-2, signal-4, tax-8, legion-1, legion-2, legion-3, ordinary-1, ordinary-3, ordinary-4, ordinary-5, "
FORTS += "ordinary-6"
TOKENS = "pea-soup, reduced-numbers, boar-shortage, gusts"
WARRIORS = "qween, druhid, zvord, axx, archr, filchy, horsie, charriott"
REMOVED = object()


def refusal(record: Any) -> RecordFault:
    with pytest.raises(RecordFault) as refused:
        Match.from_record(record)
    assert "\n" not in str(refused.value)
    assert str(refused.value).isascii()
    return refused.value


def changed(record: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The record with one thing in it put or removed; `path` goes by keys and indices."""
    record = copy.deepcopy(record)
    *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
    inner: Any = record
    for step in way:
        inner = inner[step]
    if value is REMOVED:
        del inner[last]
    else:
        inner[last] = value
    return record


# What both games' records have: for wrong types, each key with a value of every kind it must not have.
SHARED = [
    ("format", "meadhall/2", 'format "meadhall/2" is not known; this program reads "meadhall/1"'),
    ("format", None, 'format null is not known; this program reads "meadhall/1"'),
    ("format", 1, 'format 1 is not known; this program reads "meadhall/1"'),
    ("format", ["meadhall/1"], 'format ["meadhall/1"] is not known; this program reads "meadhall/1"'),
    ("game", "chess", 'game must be one of goths, romans, not "chess"'),
    ("game", None, "game must be one of goths, romans, not null"),
    ("game", ["goths"], 'game must be one of goths, romans, not ["goths"]'),
    ("game", {}, "game must be one of goths, romans, not {}"),
    ("rules", None, "rules must be an object, not null"),
    ("rules", [], "rules must be an object, not []"),
    ("rules", "base", 'rules must be an object, not "base"'),
    ("setup", None, "setup must be an object, not null"),
    ("setup", [1, 2], "setup must be an object, not [1, 2]"),
    ("setup", True, "setup must be an object, not true"),
    ("choices", None, "choices must be a list, not null"),
    ("choices", {}, "choices must be a list, not {}"),
    ("choices", "none", 'choices must be a list, not "none"'),
    ("choices", 0, "choices must be a list, not 0"),
    ("format", REMOVED, 'the record lacks "format"'),
    ("game", REMOVED, 'the record lacks "game"'),
    ("rules", REMOVED, 'the record lacks "rules"'),
    ("setup", REMOVED, 'the record lacks "setup"'),
    ("choices", REMOVED, 'the record lacks "choices"'),
    ("players", 4, f'the record has an unknown key "players"; known are {KEYS}'),
    ("Meta", {}, f'the record has an unknown key "Meta"; known are {KEYS}'),
    ("\ud800", 1, f'the record has an unknown key "\\ud800"; known are {KEYS}'),
]
IN_GOTHS = [
    ("rules.fog", True, f'rules has an unknown key "fog"; known are {GOTHS_RULES}'),
    ("rules.fog_of_war", None, "rules.fog_of_war must be true or false, not null"),
    ("rules.fog_of_war", 1, "rules.fog_of_war must be true or false, not 1"),
    ("rules.fog_discard", None, "rules.fog_discard must be one of same-card, anywhere, not null"),
    ("rules.fog_discard", "Anywhere", 'rules.fog_discard must be one of same-card, anywhere, not "Anywhere"'),
    ("rules.fog_discard", [], "rules.fog_discard must be one of same-card, anywhere, not []"),
    ("rules.lone_rulers", None, "rules.lone_rulers must be a list, not null"),
    ("rules.lone_rulers", "visigoth", 'rules.lone_rulers must be a list, not "visigoth"'),
    ("rules.lone_rulers", ["gold"], 'each of rules.lone_rulers must be one of ostrogoth, visigoth, not "gold"'),
    ("rules.lone_rulers", [None], "each of rules.lone_rulers must be one of ostrogoth, visigoth, not null"),
    ("rules.lone_rulers", ["visigoth", "visigoth"], "rules.lone_rulers names visigoth twice"),
    ("rules.turn_limit", True, "rules.turn_limit must be null or a whole number from 1, not true"),
    ("rules.turn_limit", False, "rules.turn_limit must be null or a whole number from 1, not false"),
    ("rules.turn_limit", 0, "rules.turn_limit must be null or a whole number from 1, not 0"),
    ("rules.turn_limit", -7, "rules.turn_limit must be null or a whole number from 1, not -7"),
    ("rules.turn_limit", 7.0, "rules.turn_limit must be null or a whole number from 1, not 7.0"),
    ("rules.turn_limit", "7", 'rules.turn_limit must be null or a whole number from 1, not "7"'),
    ("rules.king_deck", None, "rules.king_deck must be a list, not null"),
    ("rules.king_deck", [], "rules.king_deck must hold 8 cards [character, bluff], not 0"),
    ("rules.king_deck", ["card"] * 8, 'each card of rules.king_deck must be a list, not "card"'),
    ("rules.king_deck", [[]] * 8, "each card of rules.king_deck must hold 2 characters [character, bluff], not 0"),
    ("rules.king_deck", [["vulture"] * 2] * 8, "rules.king_deck: vulture cannot be its own bluff"),
    ("rules.king_deck", [["vulture", "catapult"]] * 8, "rules.king_deck: vulture must be on exactly two cards, not 8"),
    (
        "rules.king_deck",
        [[1, 2]] * 8,
        "each character of rules.king_deck must be one of vulture, recruiter, catapult, barbarian, not 1",
    ),
    ("setup.deck", [], 'setup has an unknown key "deck"; known are objectives, fog'),
    ("setup.objectives", REMOVED, 'setup lacks "objectives"'),
    ("setup.objectives", None, "setup.objectives must be a list, not null"),
    ("setup.objectives", ["trap", "queen"], "setup.objectives must hold 3 cards, not 2"),
    ("setup.objectives", ["trap", "queen", "trap"], "setup.objectives names trap twice"),
    ("setup.objectives.1", None, "each of setup.objectives must be one of trap, plains, queen, not null"),
    ("setup.objectives.1", "Queen", 'each of setup.objectives must be one of trap, plains, queen, not "Queen"'),
    ("setup.fog", REMOVED, 'setup lacks "fog"'),
    ("setup.fog", None, "setup.fog must be an object, not null"),
    ("setup.fog", ["gusts", "pea-soup"], 'setup.fog must be an object, not ["gusts", "pea-soup"]'),
    ("setup.fog.visigoth", REMOVED, 'setup.fog lacks "visigoth"'),
    ("setup.fog.gold", "gusts", 'setup.fog has an unknown key "gold"; known are ostrogoth, visigoth'),
    ("setup.fog.visigoth", None, f"setup.fog.visigoth must be one of {TOKENS}, not null"),
    ("setup.fog.visigoth", "rain", f'setup.fog.visigoth must be one of {TOKENS}, not "rain"'),
    (
        "setup.fog.visigoth",
        GOTHS["setup"]["fog"]["ostrogoth"],
        "setup.fog: the two clans cannot have the same token, there is one of each",
    ),
    ("rules.fog_of_war", False, "setup.fog is only for games with rules.fog_of_war true"),
]
IN_ROMANS = [
    ("rules.clans", [], f'rules has an unknown key "clans"; known are {ROMANS_RULES}'),
    ("rules.players", REMOVED, 'rules lacks "players"'),
    ("rules.players", None, "rules.players must be a list, not null"),
    ("rules.players", "gold", 'rules.players must be a list, not "gold"'),
    ("rules.players", [], "rules.players must name one to four clans, not none"),
    ("rules.players", ["blue"], 'each of rules.players must be one of gold, green, violet, red, not "blue"'),
    ("rules.players", [["gold"]], 'each of rules.players must be one of gold, green, violet, red, not ["gold"]'),
    ("rules.players", ["gold", "gold"], "rules.players names gold twice"),
    ("rules.neutrals", None, "rules.neutrals must be a list, not null"),
    ("rules.neutrals", ["green", "green"], "rules.neutrals names green twice"),
    ("rules.neutrals", ["gold"], "rules.neutrals: gold is a player already"),
    ("rules.neutrals", ["green", "violet", "red"], "rules.neutrals must name at most two clans, not 3"),
    ("rules.original_rules", None, "rules.original_rules must be true or false, not null"),
    ("rules.original_rules", 0, "rules.original_rules must be true or false, not 0"),
    ("rules.qween", None, "rules.qween must be one of adds, replaces, not null"),
    ("rules.qween", True, "rules.qween must be one of adds, replaces, not true"),
    ("rules.fort_deck", None, "rules.fort_deck must be a list, not null"),
    ("rules.fort_deck", ["tax-8"], "rules.fort_deck must hold 18 forts, not 1"),
    ("rules.fort_deck", ["tax-8"] * 18, "rules.fort_deck must hold exactly four legions, not 0"),
    ("rules.fort_deck", ["tax"] * 18, f'each fort of rules.fort_deck must be one of {FORTS}, not "tax"'),
    ("setup.deck", [], 'setup has an unknown key "deck"; known are forts, hands'),
    ("setup.forts", REMOVED, 'setup lacks "forts"'),
    ("setup.forts", None, "setup.forts must be a list, not null"),
    ("setup.forts", ["tax-8"] * 17, "setup.forts must hold 18 forts, not 17"),
    ("setup.forts", ["tax-8"] * 18, "setup.forts is not the deck in some order: too many of tax-8"),
    ("setup.forts.17", None, f"each of setup.forts must be one of {FORTS}, not null"),
    ("setup.hands", REMOVED, 'setup lacks "hands"'),
    ("setup.hands", None, "setup.hands must be a list, not null"),
    ("setup.hands", [], "setup.hands must hold one to three rounds, not 0"),
    ("setup.hands", [HAND] * 4, "setup.hands must hold one to three rounds, not 4"),
    ("setup.hands.0", None, "setup.hands, round 1 must be an object, not null"),
    ("setup.hands.2", [], "setup.hands, round 3 must be an object, not []"),
    ("setup.hands.2.gold", REMOVED, 'setup.hands, round 3 lacks "gold"'),
    ("setup.hands.1.blue", [], 'setup.hands, round 2 has an unknown key "blue"; known are gold, red, green, violet'),
    ("setup.hands.1.gold", None, "setup.hands, round 2, gold must be a list, not null"),
    ("setup.hands.1.gold", ["axx"] * 6, "setup.hands, round 2, gold must hold 7 warriors, not 6"),
    ("setup.hands.1.green", ["axx"] * 7, "setup.hands, round 2, green must hold 6 warriors, not 7"),
    ("setup.hands.0.gold", ["axx"] * 7, "setup.hands, round 1, gold: more axx than a clan has"),
    ("setup.hands.0.gold.3", None, f"each warrior of setup.hands, round 1, gold must be one of {WARRIORS}, not null"),
    ("setup.hands.0.gold.3", "Axx", f'each warrior of setup.hands, round 1, gold must be one of {WARRIORS}, not "Axx"'),
]
TABLE = [
    *((GOTHS, *row) for row in SHARED),
    *((ROMANS, *row) for row in SHARED),
    *((GOTHS, *row) for row in IN_GOTHS),
    *((ROMANS, *row) for row in IN_ROMANS),
]


@pytest.mark.parametrize(
    ("record", "path", "value", "message"),
    [pytest.param(*row, id=f"{row[0]['game']} {row[3]}") for row in TABLE],
)
def test_a_fault_outside_the_choices_is_named_and_has_no_index(
    record: dict[str, Any], path: str, value: Any, message: str
) -> None:
    fault = refusal(json.dumps(changed(record, path, value)))
    assert str(fault) == message
    assert fault.index is None


def test_a_fault_outside_the_choices_goes_before_a_bad_choice() -> None:
    fault = refusal(changed(changed(GOTHS, "choices.0", None), "rules.turn_limit", 0))
    assert (fault.index, str(fault)[:16]) == (None, "rules.turn_limit")


# As text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON (Expecting value at line 1 column 1); a record is one JSON object"),
        ("goths", "not JSON (Expecting value at line 1 column 1); a record is one JSON object"),
        ("{'format': 1}", "not JSON (Expecting property name enclosed in double quotes at line 1 column 2); {}"),
        ('{"format":}', "not JSON (Expecting value at line 1 column 11); {}"),
        ('{"format" 1}', "not JSON (Expecting ':' delimiter at line 1 column 11); {}"),
        ("{}{}", "not JSON (Extra data at line 1 column 3); {}"),
        ('{"format": NaN}', "not JSON (NaN is not a JSON value); {}"),
        ('{"meta": -Infinity}', "not JSON (-Infinity is not a JSON value); {}"),
        (b"\xff\xfe{\x00}\x00", "not UTF-8 text (byte 0); {}"),
        (b'{"format": "\xc3"}', "not UTF-8 text (byte 12); {}"),
        ("[]", "a record is one JSON object, not []"),
        ("null", "a record is one JSON object, not null"),
        ('"{}"', 'a record is one JSON object, not "{}"'),
        ("7", "a record is one JSON object, not 7"),
        ("{}", 'the record lacks "format"'),
        ('{"format": "meadhall/1", "format": "meadhall/1"}', 'the key "format" stands twice in one object'),
        ('{"rules": {"turn_limit": 1, "turn_limit": 2}}', 'the key "turn_limit" stands twice in one object'),
        ('{"setup": {"hands": [{"gold": 1, "gold": 1}]}}', 'the key "gold" stands twice in one object'),
    ],
)
def test_text_that_is_no_record_is_refused(text: str | bytes, message: str) -> None:
    fault = refusal(text)
    assert str(fault) == message.replace("; {}", "; a record is one JSON object")
    assert fault.index is None


def test_a_comma_too_many_is_refused_in_the_words_of_this_python() -> None:
    assert re.fullmatch(
        r"not JSON \(.+ at line 1 column 1\d\); a record is one JSON object", str(refusal('{"format": 1,}'))
    )


def test_a_key_that_stands_twice_in_a_choice_is_a_fault_of_that_choice() -> None:
    text = json.dumps(changed(GOTHS, "choices.2", "here")).replace('"here"', '{"seat": "x", "seat": "x"}')
    assert refusal(text).index == 2


@pytest.mark.parametrize("record", [GOTHS, ROMANS], ids=["goths", "romans"])
@pytest.mark.parametrize("tenths", range(1, 10))
def test_a_record_cut_off_anywhere_is_refused(record: dict[str, Any], tenths: int) -> None:
    text = json.dumps(record)
    for cut in (text[: len(text) * tenths // 10], text.encode()[: len(text) * tenths // 10]):
        fault = refusal(cut)
        assert str(fault).startswith("not JSON (")
        assert fault.index is None


@pytest.mark.parametrize("where", ["rules.turn_limit", "setup.objectives", "choices.3", "meta.seed", "format"])
def test_a_number_of_5000_digits_is_refused(where: str) -> None:
    text = json.dumps(changed(GOTHS, where, "here")).replace('"here"', "9" * 5000)
    fault = refusal(text)
    assert str(fault).startswith("not JSON (Exceeds the limit (4300 digits)")
    assert len(str(fault)) < 200


def test_a_turn_limit_of_4000_digits_is_a_turn_limit() -> None:
    record = changed(GOTHS, "rules.turn_limit", 10**3999)
    assert Match.from_record(json.dumps(record)).position() == Match.from_record(GOTHS).position()


@pytest.mark.parametrize("brackets", ["[]", '{"a":}'])
@pytest.mark.parametrize("where", ["", "format", "game", "rules.turn_limit", "rules.x", "setup.fog", "choices.2"])
def test_deep_nesting_is_refused_however_deep(brackets: str, where: str) -> None:
    """Python can nest a thousand calls, so the depths around that are where a program would break."""
    for depth in (*range(2, 20), *range(880, 1010, 3), 5_000, 200_000):
        nest = brackets[:-1] * depth + "1" + brackets[-1] * depth
        text = json.dumps(changed(GOTHS, where, "here")).replace('"here"', nest) if where else nest
        assert len(str(refusal(text))) < 1000


@pytest.mark.parametrize("where", ["format", "game", "rules.fog_discard", "setup.fog.visigoth", "choices.0.1"])
def test_half_a_character_is_refused_in_words_that_can_be_printed(where: str) -> None:
    fault = refusal(json.dumps(changed(GOTHS, where, "x\ud800")))
    assert '"x\\ud800"' in str(fault)


GARBAGE: dict[str, Callable[[int], bytes]] = {
    "letters": lambda size: b"x" * size,
    "zeros": bytes,
    "no UTF-8": lambda size: b"\xff" * size,
    "digits": lambda size: b"7" * size,
    "white space": lambda size: b"\n" * size,
    "open lists": lambda size: b"[" * size,
    "open objects": lambda size: b'{"a":' * (size // 5),
    "one key again and again": lambda size: b"{" + b'"a":1,' * (size // 6) + b'"a":1}',
    "a long name": lambda size: json.dumps(changed(GOTHS, "game", "x" * size)).encode(),
    "a long choice": lambda size: json.dumps(changed(GOTHS, "choices.0.1", "x" * size)).encode(),
    "many bad choices": lambda size: json.dumps(changed(GOTHS, "choices", ["x"] * (size // 5))).encode(),
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_ten_megabytes_of_garbage_are_refused_in_a_few_seconds_and_few_words(kind: str) -> None:
    garbage = GARBAGE[kind](10_000_000)
    start = time.process_time()
    assert len(str(refusal(garbage))) < 1000
    assert time.process_time() - start < 5


# What is no fault


def test_a_byte_order_mark_and_white_space_around_a_record_are_accepted() -> None:
    text = f"\n\t {json.dumps(GOTHS, indent=4)} \r\n"
    assert Match.from_record(text.encode("utf-8-sig")).record() == GOTHS


def test_whatever_stands_in_meta_is_accepted() -> None:
    for meta in ("null", "[]", '"Zoë"', "-0.5e-3", '{"a": {"b": [1, "\\ud800"]}, "": true}', '{"a": 1, "a": 2}'):
        text = json.dumps(changed(GOTHS, "meta", "here")).replace('"here"', meta)
        assert Match.from_record(text.encode()).position() == Match.from_record(GOTHS).position()


def test_a_record_need_not_say_what_goes_without_saying() -> None:
    setup = {"objectives": ["trap", "plains", "queen"]}
    record = {"format": "meadhall/1", "game": "goths", "rules": {}, "setup": setup, "choices": []}
    assert Match.from_record(record).rules == {
        "fog_of_war": False,
        "fog_discard": "same-card",
        "lone_rulers": [],
        "turn_limit": None,
        "king_deck": [list(card) for card in Match.new("goths").rules["king_deck"]],
    }
