"""What a finished game looks like to a strong bot: who stood how, when that turned, and what would have been better.

A game's part is `lab/analysis/GAME.py` with `found(match, progress)`, which gives a `Found`, and `Detail`, the
dataclass of its own findings: made of dataclasses, tuples, names, numbers, `Reason` and None, with all types annotated,
it can be kept as JSON and read again. `Found.decisions` has every choice at which there was something to choose, also
those that were as good as any: the summary counts them. Without the file a game cannot be analysed.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from meadhall.bots import caveat
from meadhall.faults import Fault
from meadhall.lab.analysis.report import VERSION, Analysis, Found
from meadhall.match import Match

__all__ = ["VERSION", "Progress", "analyse", "can_analyse", "check", "read", "written"]

Progress = Callable[[float], None]  # told how much is done, from 0 to 1


def can_analyse(game: str) -> bool:
    """Is there an analysis for this game?"""
    return find_spec(f"meadhall.lab.analysis.{game}") is not None


def check(match: Match) -> None:
    """A Fault if a game cannot be analysed."""
    if match.outcome is None:
        raise Fault("the game is not over: only a finished game can be analysed, as its analysis shows everything")
    if not can_analyse(match.game.name):
        raise Fault(f"there is no analysis of {match.game.name}")


def analyse(match: Match, progress: Progress = lambda done: None) -> Analysis:
    """The analysis of a finished game; a Fault before the end. The same game always gets the same one."""
    check(match)
    assert match.outcome is not None
    game = match.game.name
    found: Found = _module(game).found(match, progress)
    reason = caveat("hard", game, match.rules)
    return Analysis(
        game=game,
        sides=found.sides or tuple(match.game.sides(match.rules)),
        winners=tuple(match.outcome.winners),
        curve=found.curve,
        decisions=found.decisions,
        turning_points=found.turning_points,
        detail=found.detail,
        caveat=None if reason is None else reason.key,
    )


def written(analysis: Analysis) -> str:
    """An analysis as it is kept."""
    return msgspec.json.encode(analysis).decode()


def read(text: str | bytes) -> Analysis:
    """A kept analysis, the same as when it was made; a Fault if it is none."""
    try:
        analysis = msgspec.json.decode(text, type=Analysis)
        detail = getattr(_module(analysis.game), "Detail", Any)
        return replace(analysis, detail=msgspec.convert(analysis.detail, detail, strict=False))
    except msgspec.MsgspecError as error:
        raise Fault(f"this is no analysis: {error}") from error


def _module(game: str) -> Any:
    if not can_analyse(game):
        raise Fault(f"there is no analysis of {game}")
    return import_module(f"meadhall.lab.analysis.{game}")
