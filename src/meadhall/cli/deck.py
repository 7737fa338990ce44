"""`meadhall deck`: print a game's deck file, to copy and correct."""

import argparse

from meadhall.cli.options import add_game

HELP = "print a game's deck file, to copy and correct"
EPILOG = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_game(parser)


def run(options: argparse.Namespace) -> None:
    """Print the deck that is used if no other is given."""
    from meadhall.games.decks import own_deck_text

    print(own_deck_text(options.game), end="")
