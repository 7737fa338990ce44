"""`meadhall analyse`: a report, JSON, a page that needs nothing else, and clear words where it cannot be."""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meadhall.cli import main
from meadhall.lab.analysis import analyse
from meadhall.match import Match
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.test_cli import GOTHS
from tests.variants import random_choice

RULES: dict[str, dict[str, Any]] = {"goths": {"turn_limit": 3}, "romans": {"players": ["gold", "green"]}}
every_game = pytest.mark.parametrize("game", RULES)


def played(game: str) -> Match:
    match, dice = Match.new(game, RULES[game], 7), Random(7)
    while match.outcome is None:
        seat = match.waiting[0]
        match.commit(seat, random_choice(match, seat, dice))
    return match


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A finished game of each kind, as a file."""
    folder = tmp_path_factory.mktemp("records")
    found = {}
    for game in RULES:
        found[game] = folder / f"{game}.json"
        found[game].write_text(json.dumps(played(game).record()))
    return found


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@every_game
def test_the_report_has_the_curve_the_turning_points_and_every_seat(
    game: str, records: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "analyse", str(records[game]))
    assert (status, err) == (0, "")
    match = played(game)
    said = words("en")
    for heading in ("curve", "turned", "choosers", "truth"):
        assert said.say(f"ui.analysis.{heading}") in out
    for seat in match.seats:
        assert said.seat(game, seat) in out
    assert "100 %" in out
    assert "50 %" in out
    analysis = analyse(match)
    assert out.count(" +") >= len(analysis.turning_points)
    marks = sum(out.count(mark) for mark in "◐○✗")
    assert marks >= sum(decision.lost >= 0.01 for decision in analysis.decisions)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_is_in_every_language(
    lang: str, records: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "analyse", str(records["goths"]), "--lang", lang)
    assert status == 0
    assert words(lang).say("ui.analysis.turned") in out
    assert not re.search(r"\{|\bui\.|\bgoths\.", out)


@every_game
def test_json_has_every_number_and_sentences(
    game: str, records: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "analyse", str(records[game]), "--json", "--lang", "de")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    found = json.loads(out)
    analysis = analyse(played(game))
    assert found["game"] == game
    assert found["curve"] == json.loads(json.dumps(analysis.json()["curve"]))
    assert len(found["decisions"]) == len(analysis.decisions)
    assert [each["beat"] for each in found["turning_points"]] == [each.beat for each in analysis.turning_points]
    assert all(each["sentence"] for each in found["turning_points"] + found["decisions"])
    assert found["detail"]


@every_game
def test_the_page_needs_nothing_else(
    game: str, records: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "analysis.html"
    status, out, _ = run(capsys, "analyse", str(records[game]), "--html", str(page), "--lang", "fr")
    assert (status, out) == (0, words("fr").say("cli.analysis-written", file=page) + "\n")
    text = page.read_text(encoding="utf-8")
    assert text.lstrip().startswith("<!DOCTYPE html>")
    assert '<html lang="fr"' in text
    assert "<script" not in text
    assert not re.search(r"""\b(?:src|href|action)=["'](?!#)""", text), "nothing is fetched and nothing links away"
    assert not re.search(r"@import|url\(|https?:", re.sub(r"http://www\.w3\.org/\S+", "", text))
    assert 'class="curve-plot"' in text
    assert text.count('class="flag"') == len(analyse(played(game)).turning_points)


def test_standard_input_and_output_serve_as_files(records: dict[str, Path]) -> None:
    command = [sys.executable, "-m", "meadhall", "analyse", "-", "--html", "/dev/stdout"]
    done = subprocess.run(command, input=records["goths"].read_bytes(), capture_output=True, check=True, timeout=300)
    assert done.stdout.decode().rstrip().endswith("</html>")
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (json.dumps(GOTHS), "the game is not over: only a finished game can be analysed"),
        ("{}", "the record lacks"),
        ("no record", "not JSON"),
        (None, "game.json: cannot be read (No such file or directory)"),
    ],
    ids=["running", "empty", "text", "missing"],
)
def test_what_cannot_be_analysed_is_said_in_one_line(
    text: str | None, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    if text is not None:
        file.write_text(text)
    page = tmp_path / "page.html"
    status, out, err = run(capsys, "analyse", str(file), "--html", str(page))
    assert (status, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1
    assert not page.exists()


def test_a_page_that_cannot_be_written_is_refused_before_the_work(
    records: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meadhall.lab.analysis.analyse", lambda *_: pytest.fail("it was analysed"))
    status, _, err = run(capsys, "analyse", str(records["goths"]), "--html", "/no/such/folder/page.html")
    assert status == 2
    assert "--html /no/such/folder/page.html: there is no folder /no/such/folder" in err
