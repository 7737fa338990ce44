"""The record of a game: read, checked and written exactly as the format says, `meadhall/1`."""

import json
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

from meadhall.faults import RecordFault, listing, show
from meadhall.games.checks import check_keys, check_list
from meadhall.games.game import GAMES, Game, game_named

FORMAT = "meadhall/1"
_KEYS = ("format", "game", "rules", "setup", "choices", "meta")


class RecordData(TypedDict):
    """A record as JSON: `rules` and `setup` are as the game declares them, `choices` are pairs of seat and choice."""

    format: str
    game: str
    rules: dict[str, Any]
    setup: dict[str, Any]
    choices: list[list[str]]
    meta: NotRequired[Any]


class _Repeated(dict[str, Any]):
    """A JSON object in which a key stands twice."""

    key = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    repeated = _Repeated(value)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            repeated.key = key
        seen.add(key)
    return repeated


def _refuse_repeated(value: Any) -> None:
    if isinstance(value, _Repeated):
        raise RecordFault(f"the key {show(value.key)} stands twice in one object")
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        if isinstance(child, dict | list):
            _refuse_repeated(child)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


@dataclass
class Header:
    """All of a record but its choices: the game, its rules as given and complete, its deal, free notes."""

    game: Game
    rules: dict[str, Any]
    setup: dict[str, Any]
    full_rules: dict[str, Any]
    meta: Any = field(default=None)

    def as_json(self, choices: list[list[str]]) -> RecordData:
        """The record with these choices."""
        record = RecordData(format=FORMAT, game=self.game.name, rules=self.rules, setup=self.setup, choices=choices)
        if self.meta is not None:
            record["meta"] = self.meta
        return record

    def __deepcopy__(self, memo: dict[int, Any]) -> "Header":
        rules, setup, full, meta = deepcopy((self.rules, self.setup, self.full_rules, self.meta), memo)
        return Header(self.game, rules, setup, full, meta)


def parse(text: str | bytes) -> Any:
    """The JSON value of a record's text."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError as problem:
        raise RecordFault(f"not UTF-8 text (byte {problem.start}); a record is one JSON object") from None
    except json.JSONDecodeError as problem:
        where = f"line {problem.lineno} column {problem.colno}"
        raise RecordFault(f"not JSON ({problem.msg} at {where}); a record is one JSON object") from None
    except ValueError as problem:
        reason = str(problem).split(";")[0]
        raise RecordFault(f"not JSON ({reason}); a record is one JSON object") from None
    except RecursionError:
        raise RecordFault("not a record (nested too deeply); a record is one JSON object") from None


def read_header(record: Any) -> Header:
    """Check all of a parsed record but its choices."""
    if not isinstance(record, dict):
        raise RecordFault(f"a record is one JSON object, not {show(record)}")
    if isinstance(record, _Repeated):
        _refuse_repeated(record)
    for key, value in record.items():
        if key not in ("choices", "meta"):  # a choice is no object anyway, and meta is free
            _refuse_repeated(value)
    if "format" in record and record["format"] != FORMAT:
        raise RecordFault(f"format {show(record['format'])} is not known; this program reads {show(FORMAT)}")
    check_keys("the record", record, _KEYS, _KEYS[:5])
    if not isinstance(record["game"], str) or record["game"] not in GAMES:
        raise RecordFault(f"game must be one of {listing(GAMES)}, not {show(record['game'])}")
    game = game_named(record["game"])
    rules = game.check_rules(record["rules"])
    game.check_setup(rules, record["setup"])
    check_list("choices", record["choices"])
    return Header(game, record["rules"], record["setup"], rules, record.get("meta"))
