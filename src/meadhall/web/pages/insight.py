"""An analysis as it is shown: the curve, the turning points in words, how each seat chose, and the game's own part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from meadhall.bots.evaluation import Reason
from meadhall.bots.percent import percent
from meadhall.lab.analysis.report import Analysis, Decision
from meadhall.match import Match
from meadhall.web.game import analysis_of
from meadhall.web.pages.curve import Chapter, Curve, chapters, curve
from meadhall.web.pages.hints import label, reason
from meadhall.web.telling import chapter, heading
from meadhall.words import Words

Grade = Literal["best", "near", "slip", "costly"]
# How a choice is judged, by the chance to win that it lost.
_GRADES: tuple[tuple[float, Grade], ...] = ((0.01, "best"), (0.05, "near"), (0.15, "slip"))


@dataclass(frozen=True)
class Turned:
    """A turning point in words: by whom, what was chosen, and what would have been better."""

    number: int
    beat: int
    side: str
    turn: str
    why: str
    swing: int  # in per cent
    choice: str = ""  # the decision behind it in a sentence, if one is to blame
    seat: str = ""


@dataclass(frozen=True)
class Mark:
    """A choice of a seat: how good it was, in a word and in a sentence."""

    grade: Grade
    beat: int
    said: str


@dataclass(frozen=True)
class Chooser:
    """How a seat chose: a mark for each choice, and a kind word."""

    seat: str
    name: str
    side: str
    marks: tuple[Mark, ...]
    good: int
    said: str


@dataclass(frozen=True)
class Row:
    """A line of the table that stands for the curve: the chances of all sides at the end of a turn."""

    heading: str
    beat: int
    chances: tuple[int, ...]


@dataclass(frozen=True)
class Insight:
    """All that the page of an analysis shows."""

    game: str
    sides: tuple[str, ...]
    winners: tuple[str, ...]
    curve: Curve
    summary: str  # of the curve, for those who do not see it
    rows: tuple[Row, ...]
    turned: tuple[Turned, ...]
    choosers: tuple[Chooser, ...]
    caveat: str
    detail: Any
    chapters: tuple[Chapter, ...]
    beats: int

    @property
    def pair(self) -> bool:
        """Do two sides play against each other?"""
        return len(self.sides) == 2


def insight(analysis: Analysis, match: Match, words: Words, people: Mapping[str, str]) -> Insight:
    """An analysis in words and places."""
    game = analysis.game
    beats = [beat for some in match.opened_timeline() for beat in some]
    turns = chapters(beats, [(chapter(beat), heading(beat, words)) for beat in beats])
    drawn = curve(analysis, turns, len(beats), partial(chances, words, game, analysis.sides))
    own = analysis_of(game)
    return Insight(
        game=game,
        sides=analysis.sides,
        winners=analysis.winners,
        curve=drawn,
        summary=_summary(analysis, words),
        rows=tuple(_rows(drawn)),
        turned=tuple(_turned(analysis, turns, words)),
        choosers=tuple(_choosers(analysis, match, words, people)),
        caveat=words.say(analysis.caveat) if analysis.caveat else "",
        detail=None if own is None else own.picture(analysis, match, words, people),
        chapters=turns,
        beats=len(beats),
    )


def chances(words: Words, game: str, sides: Sequence[str], win: Sequence[float]) -> str:
    """The chances of all sides in words."""
    said = (
        words.say("ui.analysis.chance", side=words.side(game, side), percent=percent(chance))
        for side, chance in zip(sides, win, strict=True)
    )
    return ", ".join(said)


def _summary(analysis: Analysis, words: Words) -> str:
    """How all stood in the beginning and shortly before the end."""
    if not analysis.curve:
        return ""
    first, last = analysis.curve[0], analysis.curve[max(len(analysis.curve) - 2, 0)]
    return words.say(
        "ui.analysis.summary",
        first=chances(words, analysis.game, analysis.sides, first.win),
        last=chances(words, analysis.game, analysis.sides, last.win),
    )


def _rows(drawn: Curve) -> list[Row]:
    """The last point of each turn."""
    rows: dict[str, Row] = {}
    for cell in drawn.cells:
        rows[cell.heading] = Row(cell.heading, cell.beat, tuple(percent(chance) for chance in cell.chances))
    return list(rows.values())


def _turned(analysis: Analysis, turns: Sequence[Chapter], words: Words) -> list[Turned]:
    found = []
    for number, point in enumerate(analysis.turning_points, 1):
        behind = None if point.decision is None else analysis.decisions[point.decision]
        decision = behind if behind is not None and grade(behind) != "best" else None  # nobody is to blame
        found.append(
            Turned(
                number,
                point.beat,
                point.side,
                next((turn.heading for turn in reversed(turns) if turn.beat <= point.beat), ""),
                said(point.why, analysis.game, words),
                percent(point.swing),
                "" if decision is None else sentence(decision, analysis.game, words),
                "" if decision is None else decision.seat,
            )
        )
    return found


def sentence(decision: Decision, game: str, words: Words) -> str:
    """What was chosen, what was better, by how much and why."""
    args = {"seat": words.seat(game, decision.seat), "choice": label(game, decision.chosen, words)}
    if decision.better == decision.chosen or grade(decision) == "best":
        return words.say("ui.analysis.well-chosen", **args)
    better = label(game, decision.better, words)
    told = words.say("ui.analysis.better", **args, better=better, percent=percent(decision.lost))
    return f"{told} {said(decision.why, game, words)}".rstrip()


def grade(decision: Decision) -> Grade:
    """How good a choice was."""
    return next((name for most, name in _GRADES if decision.lost < most), "costly")


def _choosers(analysis: Analysis, match: Match, words: Words, people: Mapping[str, str]) -> list[Chooser]:
    """How each seat chose that had something to choose."""
    found = []
    game = analysis.game
    for side, seats in match.game.sides(match.rules).items():
        for seat in seats:
            own = [decision for decision in analysis.decisions if decision.seat == seat]
            if own:
                marks = tuple(_mark(each, game, words) for each in own)
                good = sum(mark.grade in ("best", "near") for mark in marks)
                said = words.say("ui.analysis.chose-well", good=good, n=len(own))
                found.append(Chooser(seat, people.get(seat, ""), side, marks, good, said))
    return found


def _mark(decision: Decision, game: str, words: Words) -> Mark:
    return Mark(grade(decision), decision.beat, sentence(decision, game, words))


def said(why: Reason, game: str, words: Words) -> str:
    """A reason in words; nothing where there is none."""
    return reason(why, game, words) if why.key else ""
