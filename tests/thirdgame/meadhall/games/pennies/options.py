"""Matching pennies with a hidden coin: its one option."""

from meadhall.games.options import Option

OPTIONS = (Option("swapped", "flag", "odd wins where even would", False),)
