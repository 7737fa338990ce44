"""What the pages in docs/ show is what happens."""

import doctest
import json
import re
from pathlib import Path
from typing import Any

import pytest

from meadhall import Match, RecordFault
from meadhall.games.game import GAMES, game_named

DOCS = Path(__file__).parent.parent / "docs"
RECORDS = (DOCS / "records.md").read_text()
BLOCKS = re.findall(r"^```(json|text) ?([\w -]*)\n(.*?)^```", RECORDS, re.MULTILINE | re.DOTALL)


def test_the_sessions_in_python_md_run_as_printed() -> None:
    results = doctest.testfile(str(DOCS / "python.md"), module_relative=False)
    assert results.attempted >= 25
    assert results.failed == 0


def test_every_record_in_records_md_leads_to_what_stands_below_it() -> None:
    match: Match | None = None
    shown = 0
    for kind, what, text in BLOCKS:
        if kind == "json" and what == "record":
            match = Match.from_record(text)
            assert match.record() == json.loads(text)
        elif what == "position":
            assert match is not None
            assert match.position() == json.loads(text)
            shown += 1
        elif what.startswith("view "):
            assert match is not None
            assert match.view(what.removeprefix("view ")).json() == json.loads(text)
            shown += 1
    assert shown == 3


def test_the_record_that_records_md_says_is_refused_is_refused_in_those_words() -> None:
    (record,) = (text for _, what, text in BLOCKS if what == "refused")
    (message,) = (text for kind, _, text in BLOCKS if kind == "text")
    with pytest.raises(RecordFault) as refused:
        Match.from_record(record)
    assert str(refused.value) == " ".join(message.split())


@pytest.mark.parametrize("game", GAMES)
def test_every_option_and_every_key_of_a_view_is_described(game: str) -> None:
    for option in game_named(game).options:
        assert f"`{option.name}`" in RECORDS
    for key in keys_of(Match.new(game).view().json()):
        assert f'"{key}"' in RECORDS or f"`{key}`" in RECORDS, key


@pytest.mark.parametrize("game", GAMES)
def test_the_declared_types_have_exactly_the_keys_that_are_written(game: str) -> None:
    match = Match.new(game)
    declared = game_named(game)
    assert set(declared.view_type.__annotations__) == set(match.view().json())
    assert set(match.record()["setup"]) <= set(declared.setup_type.__annotations__)
    assert {option.name for option in declared.options} == set(declared.rules_type.__annotations__)


def keys_of(value: Any) -> set[str]:
    """The keys of an object that are not names of clans or seats, and of what lies in it."""
    if not isinstance(value, dict):
        return set().union(*map(keys_of, value)) if isinstance(value, list) else set()
    named = {"ostrogoth", "visigoth", "ostrogoth-warchief", "visigoth-warchief", "gold", "green"}
    return {key for key in value if key not in named}.union(*map(keys_of, value.values()))
