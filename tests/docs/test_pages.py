"""What pages say of the code is what the code says: in tables that are made from it, and in those written by hand."""

import json
import re
from importlib import import_module
from typing import Any

import pytest
from prometheus_client import REGISTRY

import meadhall
from docs import generated
from meadhall import Match, RecordFault
from meadhall.games.game import GAMES, game_named
from meadhall.games.romans import state as romans
from meadhall.web.app import create
from meadhall.web.settings import Settings
from tests.docs.blocks import ROOT, SETTINGS, blocks_of

DOCS = ROOT / "docs"
RECORDS = (DOCS / "records.md").read_text()
HOSTING = (DOCS / "hosting.md").read_text()
TITLES = {"goths": "Goths Save the Queen", "romans": "Romans Go Home!"}


# Made from the code


def test_what_is_made_from_the_code_is_up_to_date() -> None:
    made = generated.pages()
    assert {page.name for page in made} >= {"goths.md", "romans.md", "commands.md", "observations-romans.md"}
    old = [page.name for page, text in made.items() if page.read_text(encoding="utf-8") != text]
    assert old == [], "`make docs` writes them anew"


# Records and views


def test_every_record_in_records_md_leads_to_what_stands_below_it() -> None:
    match: Match | None = None
    shown = 0
    for block in blocks_of("docs/records.md"):
        if block.more == "record":
            match = Match.from_record(block.text)
            assert match.record() == json.loads(block.text)
        elif block.more == "position":
            assert match is not None
            assert match.position() == json.loads(block.text)
            shown += 1
        elif block.more.startswith("view "):
            assert match is not None
            assert match.view(block.more.removeprefix("view ")).json() == json.loads(block.text)
            shown += 1
    assert shown == 3


def test_the_record_that_records_md_says_is_refused_is_refused_in_those_words() -> None:
    (record,) = (block.text for block in blocks_of("docs/records.md") if block.more == "refused")
    (message,) = (block.text for block in blocks_of("docs/records.md") if block.language == "text")
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


def test_the_page_about_python_names_all_that_is_promised() -> None:
    page = (DOCS / "python.md").read_text()
    assert [name for name in meadhall.__all__ if f"`{name}`" not in page] == []


# The games


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_names_all_phases_and_endings_and_no_others(game: str) -> None:
    state = import_module(f"meadhall.games.{game}.state")
    page = (DOCS / f"{game}.md").read_text()
    assert first_column(page, "phase") == [phase.name.lower().replace("_", "-") for phase in in_order(state.Phase)]
    assert first_column(page, "reason") == list(state.ENDINGS)
    assert TITLES[game] in page


def in_order(phases: Any) -> list[Any]:
    """As the page has them: steps that ask nothing come where they are declared."""
    return sorted(phases, key=lambda phase: phase.value)


def first_column(page: str, heading: str) -> list[str]:
    """The names in the first column of the table that has this heading."""
    rows = re.search(rf"^\| {heading} \|.*\n\| ---.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    assert rows, heading
    return [name for row in rows[1].splitlines() for name in re.findall(r"`([\w-]+)`", row.split("|")[1])]


def test_the_numbers_of_choices_of_romans_are_those_of_the_rules() -> None:
    page = (DOCS / "romans.md").read_text()
    for name, first, last in (
        ("plan", romans.PLAN, romans.REORDER),
        ("charm", romans.CHARM, romans.TAKE),
        ("take", romans.TAKE, romans.KEEP_AXX),
        ("signal", romans.DISCARD, romans.PAY),
        ("tax", romans.PAY, romans.CHOICE_COUNT),
    ):
        assert re.search(rf"^\| `{name}` .*\| {first} to {last - 1} \|", page, re.MULTILINE), name
    assert f"{romans.REORDER} to {romans.CHARM - 1}" in page


# Hosting


def test_every_setting_is_described_with_its_default() -> None:
    inside = {"MEADHALL_RECORD"}  # how `meadhall replay --open` hands its record over
    rows = dict(re.findall(r"^\| `(MEADHALL_\w+)` \|[^|]*\| ([^|]*) \|", HOSTING, re.MULTILINE))
    assert rows.keys() == SETTINGS - inside
    for name, said in rows.items():
        default = getattr(Settings(), name.removeprefix("MEADHALL_").lower())
        if default != "":
            assert said == f"`{default:g}`" if isinstance(default, float) else f"`{default}`", name
    readme = (ROOT / "README.md").read_text()
    assert set(re.findall(r"`(MEADHALL_\w+?)(?:=\w+)?`", readme)) <= SETTINGS


def test_every_metric_is_described() -> None:
    assert create, "all that declares one is imported with it"
    names = {family.name for family in REGISTRY.collect() if family.name.startswith("meadhall_")}
    assert {name.removesuffix("_total") for name in re.findall(r"`(meadhall_\w+)`", HOSTING)} == names


# Everywhere


def test_the_first_page_names_the_makers_and_sends_people_to_the_box() -> None:
    for page in ("docs/index.md", "docs/goths.md", "docs/romans.md"):
        text = (ROOT / page).read_text()
        assert "unofficial" in text
        assert "buy the box" in text
    for makers in (
        "Vincent Bonnard",
        "Gyom",
        "Sit Down!",
        "Eric B. Vogel",
        "François Bruel",
        "Vainglorious",
        "lui-même",
    ):
        assert makers in (DOCS / "index.md").read_text()
