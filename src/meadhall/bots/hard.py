"""The level `hard`: plays by tables made from the rules, and by what everybody can reason out."""

from importlib import import_module
from random import Random

from meadhall.match import View


def choose(view: View, dice: Random) -> str:
    """The choice of a hard bot in the game it is playing."""
    return str(import_module(f"meadhall.bots.hard_{view.game.name}").choose(view, dice))
