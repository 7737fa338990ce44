"""Players that are programs, which play from a seat's view alone. A level of a game is a file, `bots/GAME/LEVEL.py`."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from meadhall.bots import chance
from meadhall.bots.evaluation import Evaluation, Reason
from meadhall.faults import Fault, listing, show
from meadhall.match import View

RANDOM, BEST = "random", "hard"
LEVELS: tuple[str, ...] = (RANDOM, "easy", "medium", BEST)
PLAIN = (RANDOM, "easy")  # levels with nothing to load or compile
# Models of casual people, to measure the levels with; they are not offered at a table.
NOVICES: tuple[str, ...] = ("novice", "novice-bold", "novice-careful", "novice-muddled", "novice-simple")


@cache
def levels_of(game: str) -> tuple[str, ...]:
    """The levels that there are for a game; `random` plays every game."""
    return tuple(level for level in LEVELS if level == RANDOM or _has(game, level))


@cache
def has_novices(game: str) -> bool:
    """Is there a model of casual people for a game?"""
    return _has(game, "novice")


def check_level(level: str, game: str | None = None) -> str:
    """The name of a level, which there is for this game; a Fault that lists the levels for anything else."""
    levels = LEVELS if game is None or level not in LEVELS else levels_of(game)
    if level not in levels:
        of_game = "" if levels is LEVELS else f" for {game}"
        raise Fault(f"there is no bot level {show(level)}{of_game}; the levels are {listing(levels)}")
    return level


def check_novice(name: str, game: str) -> str:
    """The name of a model of casual people, which there is for this game; otherwise a Fault."""
    if not has_novices(game):
        raise Fault(f"there is no {name} for {game}; the levels are {listing(levels_of(game))}")
    return name


def choose(level: str, view: View, rng: Random) -> str:
    """The name of the legal choice that a bot of this level makes; the same for the same view and seed."""
    _check_turn(view, "a bot cannot choose for it")
    game = view.game.name
    if level in NOVICES:
        novice = import_module("meadhall.bots.novice")
        temperament = check_novice(level, game).removeprefix("novice").removeprefix("-")
        return str(novice.choose(temperament, view, rng))
    if check_level(level, game) == RANDOM:
        return chance.choose(view, rng)
    return str(level_module(level, game).choose(view, rng))


def evaluate(view: View) -> Evaluation:
    """What `hard` thinks of a position: chances, the value of each choice, what King cards could mean, and why."""
    _check_turn(view, "there is nothing to evaluate")
    found: Evaluation = level_module(check_level(BEST, view.game.name), view.game.name).evaluate(view)
    return found


def caveat(level: str, game: str, rules: dict[str, Any]) -> Reason | None:
    """Why a level plays these rules by estimates only, if it does: its values were solved for others."""
    if check_level(level, game) in PLAIN or not _has(game, "caveats"):
        return None
    found: Reason | None = import_module(f"meadhall.bots.{game}.caveats").caveat(level, rules)
    return found


def level_module(level: str, game: str) -> Any:
    """The file that plays a level of a game."""
    return import_module(f"meadhall.bots.{game}.{level}")


def _has(game: str, file: str) -> bool:
    return find_spec(f"meadhall.bots.{game}") is not None and find_spec(f"meadhall.bots.{game}.{file}") is not None


def _check_turn(view: View, so: str) -> None:
    if not view.may_choose:
        raise Fault(f"{view.seat} has nothing to choose now, so {so}")
