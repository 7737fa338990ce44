"""Romans: the pictures of an analysis show what was found, in the browser and in the terminal."""

import re
from functools import cache
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from meadhall.lab.analysis import analyse, romans_choices, romans_past
from meadhall.lab.analysis.report import Analysis
from meadhall.match import Match
from meadhall.terminal.romans_analysis import report
from meadhall.web.pages.alone import alone
from meadhall.web.pages.render import render
from meadhall.web.romans.analysis import Picture, picture
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import random_game, variant_named
from tests.web.browser import DESK, SMALL_PHONE, Visit

VARIANT = variant_named("romans, two and two")
every_language = pytest.mark.parametrize("lang", LANGUAGES)


@cache
def game() -> Match:
    return random_game(VARIANT, 8)


@cache
def analysed() -> Analysis:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(romans_past, "WORLD_COUNT", 64)
        patch.setattr(romans_choices, "SELECTING", 64)
        patch.setattr(romans_choices, "JUDGING", 128)
        return analyse(game())


def drawn(lang: str = "en") -> Picture:
    return picture(analysed(), game(), words(lang), {"gold": "Anna"})


def shown(lang: str, replay: str) -> str:
    """The part of the page."""
    return render(
        "romans/analysis.html",
        words(lang),
        game="romans",
        found=SimpleNamespace(detail=drawn(lang)),
        replay=replay,
    )


def test_rows_show_the_lines_and_mark_where_they_differ_from_the_one_that_was_laid() -> None:
    for found, played in zip(analysed().detail.rounds, drawn().rounds, strict=True):
        for lines, clan in zip(found.lines, played.clans, strict=True):
            others = [line for line in (lines.then, lines.hindsight) if line is not None and line != lines.laid]
            orders = [lines.laid.order] if lines.laid.order else []
            expected = [lines.laid.warriors, *orders, *(line.warriors for line in others)]
            assert [tuple(card.warrior for card in row.cards) for row in clan.rows] == expected
            for row in clan.rows:
                marked = [card.other for card in row.cards]
                assert marked == [
                    card.warrior != there for card, there in zip(row.cards, lines.laid.warriors, strict=True)
                ]


def test_forts_stand_under_the_warrior_on_whose_turn_they_were_taken() -> None:
    reordered = 0
    for found, played in zip(analysed().detail.rounds, drawn().rounds, strict=True):
        for lines, clan in zip(found.lines, played.clans, strict=True):
            reordered += bool(lines.laid.order)
            real = clan.rows[1] if lines.laid.order else clan.rows[0]
            kinds = [card.fort.kind if card.fort else "" for card in real.cards]
            assert kinds == [fort.partition("-")[0] for fort in lines.laid.captures]
            if lines.laid.order:
                assert [card.fort for card in clan.rows[0].cards] == [None] * 6
    assert reordered, "the game must have a zvord that changes the order"


def test_neutral_clans_show_their_line_and_no_better_one() -> None:
    for played in drawn().rounds:
        for clan in played.clans[2:]:
            assert clan.person == "neutral"
            assert [row.before for row in clan.rows] == [""]


@every_language
def test_the_page_links_each_round_to_the_replay_only_where_there_is_one(lang: str) -> None:
    with_links, without = shown(lang, "/t/CODE/replay?beat="), shown(lang, "")
    beats = [str(found.beat) for found in analysed().detail.rounds]
    assert re.findall(r'href="/t/CODE/replay\?beat=(\d+)"', with_links) == beats
    assert 'href="/' not in without
    for text in (with_links, without):
        assert "{" not in text
        assert len(re.findall(r'<li class="worth', text)) == 6 * len(beats)


@every_language
def test_the_report_in_the_terminal_fits_its_width_and_names_every_round(lang: str) -> None:
    console = Console(width=80, record=True, file=StringIO())
    for part in report(analysed(), game(), words(lang)):
        console.print(part)
    text = console.export_text()
    assert all(len(line) <= 80 for line in text.splitlines())
    for found in analysed().detail.rounds:
        assert words(lang).say("ui.round", round=found.number) in text


def test_without_a_script_one_may_see_the_lines_of_one_clan_alone(tmp_path: Path, visit: Visit) -> None:
    page = tmp_path / "analysis.html"
    page.write_text(alone(analysed(), game(), words("en")))
    for size in (DESK, SMALL_PHONE):
        tab = visit(size, js=False).new_page()
        tab.goto(page.as_uri())
        rounds = len(analysed().detail.rounds)
        assert tab.locator(".clan-lines:visible").count() == 4 * rounds
        tab.get_by_role("radio", name="All clans").focus()
        tab.keyboard.press("ArrowRight")
        assert tab.locator(".clan-lines:visible").count() == rounds
        assert tab.locator(".clan-lines.romans-gold:visible").count() == rounds
        assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]
