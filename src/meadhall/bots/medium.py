"""The level `medium`: thinks a turn or a round ahead, and about what the others think."""

from importlib import import_module
from random import Random

from meadhall.match import View


def choose(view: View, dice: Random) -> str:
    """The choice of a medium bot in the game it is playing."""
    return str(import_module(f"meadhall.bots.medium_{view.game.name}").choose(view, dice))
