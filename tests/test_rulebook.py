"""The rulebook: the same clauses in four languages, each with a test, each behind some code where code needs it."""

import re
from pathlib import Path

import pytest

from meadhall.games.goths.names import EVENTS as GOTHS_EVENTS
from meadhall.games.romans.names import EVENTS as ROMANS_EVENTS
from meadhall.words.languages import LANGUAGES
from meadhall.words.rulebook import clauses, decisions, rulebook

ROOT = Path(__file__).parent.parent
GAMES = {"goths": 53, "romans": 39}


def clauses_in_test_names() -> set[str]:
    names = re.findall(r"def test_([GR])(\d+)_(\d+)_", "".join(p.read_text() for p in (ROOT / "tests").rglob("*.py")))
    return {f"{letter}{section}.{clause}" for letter, section, clause in names}


@pytest.mark.parametrize("game", GAMES)
def test_every_language_has_the_same_clauses_once_and_in_order(game: str) -> None:
    english = clauses(rulebook(game, "en"))
    assert len(english) == len(set(english)) == GAMES[game]
    for lang in LANGUAGES:
        assert clauses(rulebook(game, lang)) == english


def test_every_clause_has_a_test_named_after_it_and_every_such_test_a_clause() -> None:
    written = {clause for game in GAMES for clause in clauses(rulebook(game, "en"))}
    assert clauses_in_test_names() == written


def last_part(text: str, title: int) -> str:
    """A part of a rulebook, counted from the end."""
    return text.split("\n## ")[title]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_same_decisions_stand_at_the_end_of_every_language_and_nowhere_else(game: str, lang: str) -> None:
    text = rulebook(game, lang)
    assert decisions(text) == decisions(rulebook(game, "en"))
    assert len(decisions(text)) >= 10
    assert decisions(last_part(text, -2)) == decisions(text)
    assert set(decisions(text)) <= set(clauses(text))
    assert clauses(last_part(text, -2)) == clauses(last_part(text, -1)) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rulebook_is_for_people_and_holds_no_notation_for_programs(game: str, lang: str) -> None:
    text = rulebook(game, lang)
    notation = r"`|\w:\w|[a-z]_[a-z]|\b(?:terrain|objective|legion|signal|tax|unwary|ordinary)-\d"
    assert re.findall(notation, text) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_clause_that_a_page_refers_to_is_on_it(game: str, lang: str) -> None:
    text = rulebook(game, lang)
    assert set(re.findall(r"\b[GR]\d+\.\d+", text)) <= set(clauses(text))


def test_clause_ids_in_the_code_are_clauses_of_the_rulebook() -> None:
    written = {clause for game in GAMES for clause in clauses(rulebook(game, "en"))}
    for source in (ROOT / "src").rglob("*.py"):
        for clause in re.findall(r"\b[GR]\d+\.\d+", source.read_text()):
            assert clause in written, f"{source.name}: {clause}"


def test_every_event_comes_from_a_clause() -> None:
    written = {clause for game in GAMES for clause in clauses(rulebook(game, "en"))}
    for told in (*GOTHS_EVENTS.values(), *ROMANS_EVENTS.values()):
        named = [told.clause] if isinstance(told.clause, str) else [] if callable(told.clause) else list(told.clause)
        assert set(named) <= written
