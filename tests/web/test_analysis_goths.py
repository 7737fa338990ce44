"""Meant and read: what the page and the terminal show of every order is what the analysis found."""

import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from meadhall.bots.percent import percent
from meadhall.terminal.goths_analysis import LED, TORN, WHOLE, report
from meadhall.web.goths.analysis import FOLDED_FROM, picture
from meadhall.web.pages.insight import insight
from meadhall.web.pages.render import render
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.lab.goths_games import Analysed, analysed, every_variant
from tests.variants import GOTHS, Variant

PEOPLE = {"ostrogoth-king": "Ada", "ostrogoth-warchief": "Ben"}
every_language = pytest.mark.parametrize("language", LANGUAGES)


def page(game: Analysed, language: str, replay: str = "/t/ABC/replay?beat=") -> str:
    """The game's own part of the page."""
    found = insight(game.analysis, game.match, words(language), PEOPLE)
    return render("goths/analysis.html", words(language), found=found, game="goths", replay=replay)


@every_variant
def test_each_order_is_drawn_as_it_was_found(variant: Variant) -> None:
    game = analysed(variant)
    told = picture(game.analysis, game.match, words("en"), PEOPLE)
    tales = [tale for group in told.told for turn in group.turns for tale in turn.tales]
    assert len(tales) == len(game.analysis.detail.orders)
    for tale, order in zip(tales, game.analysis.detail.orders, strict=True):
        assert (tale.clan, tale.meant, tale.action) == (order.clan, order.meant.partition("/")[0], order.action)
        assert tale.whole == order.understood
        chances = {each.card.partition("/")[0]: percent(each.chance) for each in order.readings}
        assert {half.character: half.percent for half in tale.halves if half.percent} == chances
        assert [half.character for half in tale.halves if half.meant] == [tale.meant]
    for pair in told.pairs:
        assert sum(mark.whole for mark in pair.marks) == sum(tale.whole for tale in tales if tale.clan == pair.clan)


@every_language
def test_the_page_has_a_thread_for_each_order_and_a_link_to_each_turn(language: str) -> None:
    game = analysed(GOTHS[0])
    html = page(game, language)
    orders = game.analysis.detail.orders
    assert html.count("<article") == len(orders)
    assert re.findall(r"replay\?beat=(\d+)", html) == [
        str(beat) for beat in dict.fromkeys(each.beat for each in orders)
    ]
    assert html.count("class='torn'") == sum(not order.understood for order in orders)
    assert "Ada, Ben" in html


def test_without_a_replay_there_is_nothing_to_follow() -> None:
    assert "<a " not in page(analysed(GOTHS[0]), "en", replay="")


def test_in_a_long_game_only_turns_with_a_misread_order_lie_open() -> None:
    match, analysis = analysed(GOTHS[0])
    orders = analysis.detail.orders
    last = orders[-1].turn
    often = tuple(replace(order, turn=order.turn + k * last) for k in range(FOLDED_FROM) for order in orders)
    long = replace(analysis, detail=replace(analysis.detail, orders=often))
    told = picture(long, match, words("en"), {})
    assert {bool(group.folded) for group in told.told} == {True, False}
    for group in told.told:
        assert bool(group.folded) == all(turn.calm for turn in group.turns)
    numbers = [turn.number for group in told.told for turn in group.turns]
    assert numbers == sorted(numbers)


@every_variant
def test_the_terminal_shows_every_order_in_eighty_columns_in_all_languages(variant: Variant) -> None:
    match, analysis = analysed(variant)
    wanted = [LED if each.by_face_up else WHOLE if each.understood else TORN for each in analysis.detail.orders]
    for language in LANGUAGES:
        console = Console(width=80, file=StringIO())
        with console.capture() as captured:
            for part in report(analysis, match, words(language)):
                console.print(part)
        lines = captured.get().splitlines()
        threads = [next((each for each in (WHOLE, TORN, LED) if each in line), "") for line in lines]
        rows = [each for each in threads if each]
        assert rows[: len(wanted)] == wanted
        assert all(len(line.rstrip()) <= 80 for line in lines)
