"""The game table in the terminal: people take seats and type their choices, bots play the rest."""

from meadhall.terminal.play import play

__all__ = ["play"]
