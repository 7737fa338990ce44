"""An analysis as the JSON interface and the command line give it: all numbers, and their sentences in a language."""

from typing import Any, Literal

import msgspec

from meadhall.bots.evaluation import Reason
from meadhall.lab.analysis.report import Analysis, Decision, Point, TurningPoint
from meadhall.tables.analyses import Stage
from meadhall.web.pages.insight import grade, said, sentence
from meadhall.words import Words


class DecisionInfo(msgspec.Struct):
    """A choice: what was chosen, what was better by what the seat knew then, and how much chance to win was lost.

    `choice` is its place in the record, `beat` that in the replay. The grade is best, near, slip or costly.
    """

    choice: int
    beat: int
    chapter: str
    seat: str
    chosen: str
    better: str
    win: float
    best: float
    lost: float
    grade: Literal["best", "near", "slip", "costly"]
    why: Reason
    sentence: str


class TurningPointInfo(msgspec.Struct):
    """Where the curve turned: whose chances rose there and by how much; `decision` is a place in `decisions`."""

    beat: int
    side: str
    swing: float
    decision: int | None
    why: Reason
    sentence: str


class AnalysisInfo(msgspec.Struct):
    """What a strong bot makes of a finished game. Chances are from 0 to 1, in the order of `sides`.

    A `beat` is a number of the replay. Sentences are in the language you ask for with Accept-Language. `detail` is each
    game's own.
    """

    version: int
    game: str
    sides: tuple[str, ...]
    winners: tuple[str, ...]
    curve: tuple[Point, ...]
    turning_points: tuple[TurningPointInfo, ...]
    decisions: tuple[DecisionInfo, ...]
    caveat: str | None
    detail: Any


class AnalysisStage(msgspec.Struct):
    """How far an analysis is: none was asked for, it waits for others or is made, it is done, or it failed.

    `progress` is from 0 to 1. When it is done, `analysis` is there; if it failed, `fault` says why, and asking again
    may help.
    """

    state: Literal["none", "waiting", "working", "done", "failed"]
    progress: float
    analysis: AnalysisInfo | None = None
    fault: str | None = None


def stage_info(stage: Stage, words: Words) -> AnalysisStage:
    """How far an analysis is, in a language."""
    return AnalysisStage(
        state=stage.state,
        progress=stage.progress,
        analysis=None if stage.analysis is None else analysis_info(stage.analysis, words),
        fault=None if stage.fault is None else words.say(stage.fault),
    )


def analysis_info(analysis: Analysis, words: Words) -> AnalysisInfo:
    """An analysis with its sentences in a language."""
    return AnalysisInfo(
        version=analysis.version,
        game=analysis.game,
        sides=analysis.sides,
        winners=analysis.winners,
        curve=analysis.curve,
        turning_points=tuple(_turning_point(each, analysis.game, words) for each in analysis.turning_points),
        decisions=tuple(_decision(each, analysis.game, words) for each in analysis.decisions),
        caveat=words.say(analysis.caveat) if analysis.caveat else None,
        detail=analysis.detail,
    )


def _turning_point(point: TurningPoint, game: str, words: Words) -> TurningPointInfo:
    return TurningPointInfo(
        point.beat, point.side, point.swing, point.decision, point.why, said(point.why, game, words)
    )


def _decision(decision: Decision, game: str, words: Words) -> DecisionInfo:
    return DecisionInfo(
        choice=decision.choice,
        beat=decision.beat,
        chapter=decision.chapter,
        seat=decision.seat,
        chosen=decision.chosen,
        better=decision.better,
        win=decision.win,
        best=decision.best,
        lost=decision.lost,
        grade=grade(decision),
        why=decision.why,
        sentence=sentence(decision, game, words),
    )
