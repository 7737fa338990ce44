"""Players that are programs: a level is a file here, and plays from a seat's view alone."""

from importlib import import_module
from random import Random
from typing import Any

from meadhall.bots import chance
from meadhall.bots.evaluation import Judgement, Why
from meadhall.faults import Fault, listing, show
from meadhall.match import View

LEVELS: tuple[str, ...] = ("random", "easy", "medium", "hard")
# Models of casual people, to measure the levels with; they are not offered at a table.
NOVICES: tuple[str, ...] = ("novice", "novice-bold", "novice-careful", "novice-muddled", "novice-simple")


def check_level(name: str) -> str:
    """The name of a level; a Fault that lists the levels for anything else."""
    if name not in LEVELS:
        raise Fault(f"there is no bot level {show(name)}; the levels are {listing(LEVELS)}")
    return name


def choose(level: str, view: View, dice: Random) -> str:
    """The name of the legal choice that a bot of this level makes; the same for the same view and dice."""
    if view.seat is None or not view.game.may_choose(view.state, view.number):
        raise Fault(f"{view.seat or 'a spectator'} has nothing to choose now, so a bot cannot choose for it")
    if level in NOVICES:
        novice = import_module("meadhall.bots.novice")
        return str(novice.choose(level.removeprefix("novice").removeprefix("-"), view, dice))
    if check_level(level) == "random":
        return chance.choose(view, dice)
    return str(_of_game(level, view.game.name).choose(view, dice))


def judge(view: View) -> Judgement:
    """What `hard` thinks of a position: chances, the value of each choice, what King cards could mean, and why."""
    if view.seat is None or not view.game.may_choose(view.state, view.number):
        raise Fault(f"{view.seat or 'a spectator'} has nothing to choose now, so there is nothing to judge")
    found: Judgement = _of_game("hard", view.game.name).judge(view)
    return found


def caveat(level: str, game: str, rules: dict[str, Any]) -> Why | None:
    """Why a level plays these rules by estimates only, if it does: its tables were made for others."""
    if check_level(level) in ("random", "easy"):
        return None
    found: Why | None = _of_game(level, game).caveat(rules)
    return found


def _of_game(level: str, game: str) -> Any:
    return import_module(f"meadhall.bots.{game}.{level}")
