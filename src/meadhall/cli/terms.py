"""How long tables stay, as options of those commands that see to their end."""

import argparse
from typing import NamedTuple


class Term(NamedTuple):
    """An option that is a number of days, named like the setting of the server."""

    name: str
    help: str
    default: int


# The defaults are said here too, as whoever asks for help does not wait for a server to be imported; a test compares.
TERMS = (
    Term("close_open", "days without activity until an open table is closed", 30),
    Term("end_games", "days without activity until a game is ended", 90),
    Term("end_bots", "the same where only bots play", 1),
    Term("keep_records", "days until a game that is over is removed, with its record", 365),
    Term("keep_bots", "the same where only bots played", 30),
)


def add_terms(parser: argparse.ArgumentParser) -> None:
    """The options."""
    for name, said, default in TERMS:
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, metavar="DAYS", help=f"{said} (default: {default}; 0: never)")
