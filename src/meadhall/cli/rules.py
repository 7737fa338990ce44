"""`meadhall rules`: print a game's rulebook."""

import argparse
import sys

from meadhall.cli.options import add_game, add_language
from meadhall.cli.streams import console

HELP = "print the rulebook"
EPILOG = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_game(parser)
    add_language(parser)


def run(options: argparse.Namespace) -> None:
    """Print the rulebook, set in type on a terminal and as Markdown anywhere else."""
    from meadhall.words.rulebook import rulebook

    text = rulebook(options.game, options.lang)
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        page = console()
        page.print(Markdown(text), width=min(100, page.width))
    else:
        print(text, end="")
