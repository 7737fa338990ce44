"""Players that are programs: a level is a file here, and plays from a seat's view alone."""

from importlib import import_module
from random import Random

from meadhall.faults import Fault, listing, show
from meadhall.match import View

LEVELS: tuple[str, ...] = ("random", "easy")

# A level's file has `choose(view, dice)`; the standard library owns the name random.
_FILES = {"random": "chance", "easy": "easy"}


def check_level(name: str) -> str:
    """The name of a level; a Fault that lists the levels for anything else."""
    if name not in LEVELS:
        raise Fault(f"there is no bot level {show(name)}; the levels are {listing(LEVELS)}")
    return name


def choose(level: str, view: View, dice: Random) -> str:
    """The name of the legal choice that a bot of this level makes; the same for the same view and dice."""
    file = _FILES[check_level(level)]
    if view.seat is None or not view.game.may_choose(view.state, view.number):
        raise Fault(f"{view.seat or 'a spectator'} has nothing to choose now, so a bot cannot choose for it")
    return str(import_module(f"meadhall.bots.{file}").choose(view, dice))
