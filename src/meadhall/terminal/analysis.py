"""The analysis of a game in the terminal: the curve, the turning points, how each seat chose, and the game's own part.

That part is `terminal/GAME_analysis.py` with `report(analysis, match, words)`, which gives what rich can print, in
order: headings as `Text`, tables, panels. It may be missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from meadhall.lab.analysis.report import Analysis, Point
from meadhall.match import Match
from meadhall.terminal.pieces import INK, MUTED, Sign
from meadhall.words import Words

ROWS = 13  # of the curve: one is the middle
NARROWEST, WIDEST = 40, 100
MARKS = {"best": "●", "near": "◐", "slip": "○", "costly": "✗"}
# Sides of a game that has no signs of its own.
PLAIN = (Sign("#D9B97E", INK, "●", "∙"), Sign("#8CC6F2", INK, "■", "║"), Sign("#B7A385", INK, "◆", "╳"))


class OwnReport(Protocol):
    """What is called in a game's `GAME_analysis.py`."""

    def report(self, analysis: Analysis, match: Match, words: Words) -> Sequence[RenderableType]:
        """The game's own findings."""


@dataclass(frozen=True)
class Turn:
    """A turning point in words."""

    number: int
    side: str
    when: str
    swing: str
    why: str
    choice: str


@dataclass(frozen=True)
class Chosen:
    """How a seat chose: a grade for each of its choices."""

    seat: str
    side: str
    grades: tuple[str, ...]
    said: str


@dataclass(frozen=True)
class Told:
    """An analysis in words, as the pages say it."""

    turns: tuple[Turn, ...]
    chosen: tuple[Chosen, ...]
    starts: tuple[tuple[int, str], ...]  # the beat at which each turn starts, and its number
    beats: int
    caveat: str


def report(analysis: Analysis, match: Match, words: Words, told: Told, width: int) -> RenderableType:
    """The whole report."""
    signs = _signs(analysis)
    width = min(max(width, NARROWEST), WIDEST)
    outcome = words.outcome(analysis.game, match.outcome.record) if match.outcome else ""
    parts: list[RenderableType] = [Text(words.title(analysis.game), style="bold"), outcome]
    parts += [_heading(words.say("ui.analysis.curve")), *_legend(analysis, signs, words)]
    parts += _curve(analysis, told, signs, width)
    parts.append(_heading(words.say("ui.analysis.turned")))
    if told.turns:
        parts.append(_turns(told.turns, signs))
    else:
        parts.append(Text(words.say("ui.analysis.no-turn")))
    if told.chosen:
        parts += [_heading(words.say("ui.analysis.choosers")), _chosen(told.chosen, signs), _key(words)]
    if own := own_report(analysis, match, words):
        parts += [Text(), *own]
    parts.append(_heading(words.say("ui.analysis.truth")))
    parts += [Text(text, style=MUTED) for text in (words.say("ui.analysis.truth-how"), told.caveat) if text]
    return Group(*parts)


def own_report(analysis: Analysis, match: Match, words: Words) -> Sequence[RenderableType]:
    """What a game's own part says; nothing if it has none."""
    name = f"meadhall.terminal.{analysis.game}_analysis"
    return cast(OwnReport, import_module(name)).report(analysis, match, words) if find_spec(name) else ()


def _signs(analysis: Analysis) -> dict[str, Sign]:
    """How the sides are told from each other: as at the game's table, if it has one here."""
    name = f"meadhall.terminal.{analysis.game}"
    known: dict[str, Sign] = getattr(import_module(name), "SIGNS", {}) if find_spec(name) else {}
    return {side: known.get(side, PLAIN[k % len(PLAIN)]) for k, side in enumerate(analysis.sides)}


def _heading(text: str) -> RenderableType:
    return Padding(Text(text, style="bold underline"), (1, 0, 0, 0))


def _legend(analysis: Analysis, signs: dict[str, Sign], words: Words) -> list[RenderableType]:
    """Above which the curve lies is the first side's; of more than two, each has its pattern."""
    badges = [signs[side].badge(words.side(analysis.game, side)) for side in analysis.sides]
    if len(badges) == 2:
        return [Text.assemble("▲", badges[0], "   ▼", badges[1])]
    patterns = [Text(signs[side].pattern * 2, style=signs[side].on_fill) for side in analysis.sides]
    return [Text("  ").join(Text.assemble(one, other) for one, other in zip(patterns, badges, strict=True))]


# The curve


def _curve(analysis: Analysis, told: Told, signs: dict[str, Sign], width: int) -> list[Text]:
    """The curve in letters: a column for some beats, with the numbers of turning points above and of turns below."""
    columns = width - 7
    last = max(told.beats - 1, 1)
    wins = [_win_at(analysis.curve, last * column / (columns - 1)) for column in range(columns)]
    lines = [_marked([(turning.beat, str(number)) for number, turning in _numbered(analysis)], last, columns)]
    for row in range(ROWS):
        label = {0: "100 %", ROWS // 2: " 50 %", ROWS - 1: "  0 %"}.get(row, "")
        line = Text(f"{label:>5} ", style=MUTED, no_wrap=True)
        for win in wins:
            line.append(*_cell(analysis.sides, win, row, signs))
        lines.append(line)
    lines.append(_marked(told.starts, last, columns))
    return lines


def _numbered(analysis: Analysis) -> list[tuple[int, Point]]:
    return [(number, Point(each.beat, ())) for number, each in enumerate(analysis.turning_points, 1)]


def _win_at(points: Sequence[Point], beat: float) -> tuple[float, ...]:
    """The chances at a beat, on a straight line between the points around it."""
    before = max((point for point in points if point.beat <= beat), key=lambda point: point.beat, default=points[0])
    after = min((point for point in points if point.beat >= beat), key=lambda point: point.beat, default=points[-1])
    if before.beat == after.beat:
        return after.win
    share = (beat - before.beat) / (after.beat - before.beat)
    return tuple(one + share * (other - one) for one, other in zip(before.win, after.win, strict=True))


def _cell(sides: Sequence[str], win: Sequence[float], row: int, signs: dict[str, Sign]) -> tuple[str, str]:
    """A letter and its style: what lies between the curve and the middle, or the side that owns the place."""
    height = 1 - (row + 0.5) / ROWS  # of the middle of the row
    if len(sides) == 2:
        if row == ROWS // 2:
            return "─", MUTED
        if 0.5 < height <= win[0]:
            return signs[sides[0]].pattern, signs[sides[0]].on_fill
        if win[0] <= height < 0.5:
            return signs[sides[1]].pattern, signs[sides[1]].on_fill
        return " ", ""
    below = 1.0
    for side, chance in zip(sides, win, strict=True):  # the first on top
        below -= chance
        if height >= below:
            return signs[side].pattern, signs[side].on_fill
    return signs[sides[-1]].pattern, signs[sides[-1]].on_fill


def _marked(marks: Sequence[tuple[int, str]], last: int, columns: int) -> Text:
    """Labels where their beats are; one that has no room is left out."""
    row = [" "] * columns
    for beat, label in marks:
        at = min(round((columns - 1) * beat / last), columns - len(label))
        if all(letter == " " for letter in row[max(at - 1, 0) : at + len(label) + 1]):
            row[at : at + len(label)] = label
    return Text(" " * 6 + "".join(row), no_wrap=True)


# Turning points and choices


def _turns(turns: Sequence[Turn], signs: dict[str, Sign]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1, 1, 0))
    for turn in turns:
        body = [Text.assemble((turn.when, MUTED), (f" · {turn.swing}", "bold")), Text(turn.why)]
        if turn.choice:
            body.append(Text(turn.choice, style=MUTED))
        sign = signs[turn.side]
        table.add_row(Text(f" {turn.number} {sign.charge} ", style=sign.on_fill), Group(*body))
    return table


def _chosen(chosen: Sequence[Chosen], signs: dict[str, Sign]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    for each in chosen:
        marks = " ".join(MARKS[grade] for grade in each.grades)
        table.add_row(signs[each.side].badge(each.seat), Group(Text(each.said), Text(marks, style="bold")))
    return table


def _key(words: Words) -> Text:
    said = {
        "best": words.say("ui.analysis.mark-best"),
        "near": words.say("ui.analysis.mark-near"),
        "slip": words.say("ui.analysis.mark-slip"),
        "costly": words.say("ui.analysis.mark-costly"),
    }
    return Text("   ".join(f"{MARKS[grade]} {text}" for grade, text in said.items()), style=MUTED)
