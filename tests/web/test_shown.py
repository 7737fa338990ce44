"""Pictures of the rules: every clause that can be shown is shown with the pieces of the table, and truly."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from markupsafe import escape

from meadhall.match import Match
from meadhall.web.goths import shown as goths
from meadhall.web.pages.rulebook import rule_text
from meadhall.web.romans import shown as romans
from meadhall.web.shown import Figure, Strip, figures
from meadhall.words.languages import LANGUAGES
from meadhall.words.rulebook import clauses, rulebook

GAMES = {"goths": goths, "romans": romans}
# What is about people, or says what follows from a picture elsewhere.
NOTHING_TO_SHOW = {"goths": {"G2.3", "G9.2", "G9.3", "G10.4", "G10.5"}, "romans": {"R6.3", "R7.2"}}
every_game = pytest.mark.parametrize("game", GAMES)


def figure(clause: str, lang: str = "en") -> Figure:
    return figures("goths" if clause.startswith("G") else "romans", lang)[clause]


def pieces(strip: Strip, kind: str) -> list[Any]:
    """The pieces of a kind on a strip, from left to right."""
    return [piece.it for cell in strip.cells for piece in cell.pieces if piece.kind == kind]


@every_game
def test_every_clause_that_can_be_shown_is_shown_and_every_picture_has_its_clause(game: str) -> None:
    written = clauses(rulebook(game, "en"))
    assert set(figures(game, "en")) == set(written) - NOTHING_TO_SHOW[game]
    assert set(written) >= NOTHING_TO_SHOW[game]


@pytest.mark.parametrize("lang", LANGUAGES)
@every_game
def test_the_page_has_each_picture_once_with_its_caption_and_stays_light(game: str, lang: str) -> None:
    text, made = rule_text(game, lang), figures(game, lang)
    assert text.count('<figure class="shown') == len(made)
    for each in made.values():
        assert each.strips
        assert all(strip.cells and all(cell.pieces for cell in strip.cells) for strip in each.strips)
        assert escape(each.caption) in text
    assert len(text) < 210_000
    assert "<input" not in text  # nobody is asked anything in a rulebook
    drawn = re.findall(r'role="img"([^>]*)>', text)
    assert drawn
    assert all(re.search(r'aria-label="[^"]+"', each) for each in drawn)


# Goths


def games_shown() -> Iterator[goths.Game]:
    for plan in goths.SHOWN.values():
        for row in plan.rows:
            yield from (cell.game for cell in getattr(row, "cells", ()) if isinstance(cell, goths.Show))


def test_an_order_that_a_picture_does_not_speak_of_changes_nothing() -> None:
    checked = 0
    for played in set(games_shown()):
        for turn_number, turn in enumerate(played.turns):
            before = replace(played, turns=played.turns[:turn_number], begun=())
            told = list(turns_events(before, turn))
            for clan, action in (("ostrogoth", turn.ostrogoth), ("visigoth", turn.visigoth)):
                if action == goths.IDLE and not any(event.code == "won" for event in told):
                    checked += 1
                    codes = {event.code for event in told if event.args.get("clan") == clan}
                    assert codes & {"no-effect", "protected"} or spared(told, clan), (played, turn_number, codes)
    assert checked > 50


def turns_events(before: goths.Game, turn: goths.Turn) -> list[Any]:
    match = before.match()
    start = len(match.full_events())
    goths._play(match, turn)
    return match.full_events()[start:]


def spared(told: list[Any], clan: str) -> bool:
    """Rats that find nobody."""
    return any(event.code == "attacked" and event.args.get("action") == "rats" for event in told) and not any(
        event.code == "lost" and event.args.get("cause") == "rats" for event in told
    )


@pytest.mark.parametrize(
    ("clause", "kinds", "units"),
    [
        ("G6.5", ["plain", "forest", "barricade"], [(3, 1), (3, 1), (3, 3)]),
        ("G6.8", ["plain", "forest", "barricade"], [(2, 1), (2, 2), (2, 2)]),
        ("G6.9", ["barricade", "plain"], [(2, 1), (2, 2)]),
    ],
)
def test_attacks_take_what_the_rules_take(clause: str, kinds: list[str], units: list[tuple[int, int]]) -> None:
    tiles = [pieces(strip, "tile") for strip in figure(clause).strips]
    assert [before.ground for before, _ in tiles] == kinds
    assert [(len(before.army.units), len(after.army.units)) for before, after in tiles] == units


def test_a_shot_always_leaves_the_catapult_inactive() -> None:
    assert [[side.loaded for side in pieces(strip, "catapult")] for strip in figure("G6.5").strips] == [
        [True, False]
    ] * 3


def test_every_back_is_shown_with_the_two_cards_it_can_be() -> None:
    assert [(len(pieces(strip, "back")), len(pieces(strip, "front"))) for strip in figure("G1.3").strips] == [
        (1, 2)
    ] * 4


def test_orders_are_shown_as_the_rules_understand_them() -> None:
    assert [strip.mark for strip in figure("G4.1").strips] == ["yes", "no", "yes"]


def test_with_six_cards_up_the_other_two_are_in_hand() -> None:
    (strip,) = figure("G4.6").strips
    assert [len(side.face_up) for side in pieces(strip, "kings")] == [6]
    assert [len(cards) for cards in pieces(strip, "hand")] == [2]


def test_the_queen_ends_the_game() -> None:
    won = goths.LAST_PLAIN.then("advance", goths.IDLE, "enter:objective-2").match()
    assert ended(won) == "queen"
    assert ended(goths.WEAK.then("advance", goths.IDLE, "enter:objective-1").match()) == "elimination"


def ended(match: Match) -> str:
    assert match.outcome
    return match.outcome.reason


# Romans


@pytest.mark.parametrize(
    ("clause", "totals"),
    [
        ("R4.3", {"gold": 8, "green": 0}),
        ("R4.4", {"gold": 1, "green": 1, "red": 2}),
        ("R4.6", {"gold": 6, "green": 2}),
        ("R4.7", {"red": 7, "green": 10, "violet": 6}),
        ("R4.8", {"red": 7, "green": 7, "violet": 5}),
        ("R4.9", {"gold": 4, "green": 4, "red": 2}),
    ],
)
def test_sums_are_those_of_the_text(clause: str, totals: dict[str, int]) -> None:
    (rows,) = next(each for strip in figure(clause).strips if (each := pieces(strip, "sums")))
    assert {row.sum.clan: row.sum.total for row in rows} == totals


@pytest.mark.parametrize(
    ("clause", "before", "after"),
    [
        ("R3.1", "4 −2 8 3 4 3", "3 4 −2 4 3 8"),
        ("R4.10", "1 4 −2 5 3 6", "4 −2 5 3 1"),
        ("R9.1", "1 4 −2 5 3 6", "1 4 −2 5 3"),
        ("R9.2", "1 4 −2 5 3 6", "1 4 5 3 6"),
    ],
)
def test_the_wall_changes_as_the_rules_say(clause: str, before: str, after: str) -> None:
    strip = figure(clause).strips[-1]
    cells = [" ".join(piece.it.value for piece in cell.pieces) for cell in strip.cells]
    assert cells == [before, after]


@pytest.mark.parametrize(
    ("clause", "stays", "goes"),
    [
        ("R4.11", [], ["druhid", "archr"]),
        ("R4.12", ["axx"], ["druhid"]),
        ("R4.13", ["horsie"], ["druhid"]),
        ("R5.1", ["druhid"], ["charriott"]),
        ("R8.2", ["horsie"], ["druhid"]),
    ],
)
def test_who_stays_and_who_goes(clause: str, stays: list[str], goes: list[str]) -> None:
    (strip,) = figure(clause).strips
    lane = pieces(strip, "field")[-1]
    assert [card.warrior for card in lane[0].cards if card.look == "up"] == stays
    assert [card.warrior for card in lane[0].cards if card.look == "gone"] == goes


def test_of_two_equal_warriors_the_one_revealed_first_leaves() -> None:
    before, after = ([card.look for card in lane.cards] for (lane,) in pieces(figure("R6.2").strips[0], "field"))
    assert before == ["up", "up"]
    assert after == ["gone", "up"]


def test_three_legions_win_the_pictured_game() -> None:
    assert ended(romans.LEGIONS.match()) == "legions"


def test_the_eighteen_forts_are_all_there() -> None:
    assert sum(int(cell.said.split()[0]) for cell in figure("R1.2").strips[0].cells) == 18


def test_secrets_are_shown_to_their_owner_alone() -> None:
    (strip,) = figure("R10.2").strips
    own, others = (piece.it.cards for cell in strip.cells for piece in cell.pieces)
    assert [card.look for card in own] == ["up", "up", "up", "mine", "mine", "mine"]
    assert [card.look for card in others] == ["up", "up", "up", "back", "back", "back"]
