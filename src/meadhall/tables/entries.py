"""The entries of a table's log. A table is its header and these, in order; all else is derived from them."""

from typing import Any

import msgspec

from meadhall.faults import Fault

FORMAT = 1
"""The number of the format of stored tables: their header, their entries, and the rules they are played by."""


class Header(msgspec.Struct, frozen=True):
    """What a table starts from: the game, its options, what was dealt, and who opened the table."""

    game: str
    rules: dict[str, Any]
    setup: dict[str, Any]
    host: str
    hints: bool = False  # may people ask for hints where others play too?
    format: int = 1  # headers were written without it at first


class Entry(msgspec.Struct, frozen=True, tag_field="is"):
    """One thing that was done at a table."""


class Sat(Entry, frozen=True, tag="sat"):
    """Somebody took a seat: the holder of a secret, known by its fingerprint."""

    seat: str
    holder: str
    name: str | None = None


class Left(Entry, frozen=True, tag="left"):
    """Whoever sat there left the seat open."""

    seat: str


class Bot(Entry, frozen=True, tag="bot"):
    """A bot took the seat."""

    seat: str
    level: str


class Chose(Entry, frozen=True, tag="chose"):
    """A choice, which may change one that is still sealed."""

    seat: str
    choice: str


class StoodIn(Entry, frozen=True, tag="stood-in"):
    """The bot on a seat could not choose, and one of this level did."""

    seat: str
    level: str


class Ended(Entry, frozen=True, tag="ended"):
    """The table was closed before the game was over."""


class Paced(Entry, frozen=True, tag="paced"):
    """How long bots among themselves wait before each choice."""

    ms: int


class Again(Entry, frozen=True, tag="again"):
    """The same company plays on at another table."""

    code: str


AnyEntry = Sat | Left | Bot | Chose | StoodIn | Ended | Paced | Again
write = msgspec.json.Encoder().encode
read_entry = msgspec.json.Decoder(AnyEntry).decode
_header = msgspec.json.Decoder(Header).decode
_format = msgspec.json.Decoder(dict[str, Any]).decode


def read_header(text: str) -> Header:
    """A stored header; a Fault if it is of a format that this program does not know."""
    number = _format(text).get("format", 1)
    if number != FORMAT:
        raise Fault(f"the table is stored in format {number}; this program reads format {FORMAT}")
    return _header(text)
