"""What a rule is shown with: strips of pieces, drawn by the templates of their game."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from meadhall.words import words


@dataclass(frozen=True)
class Piece:
    """A piece of the table: of which kind, what its template needs, and whose it is."""

    kind: str
    it: Any
    clan: str = ""


@dataclass(frozen=True)
class Cell:
    """Pieces that lie together, and a word below them; an act is a card that leads from one cell to the next."""

    pieces: tuple[Piece, ...]
    said: str = ""
    act: bool = False


@dataclass(frozen=True)
class Strip:
    """Cells from left to right: with arrows they follow one another, without they lie side by side."""

    cells: tuple[Cell, ...]
    arrows: bool = True
    said: str = ""  # what comes of it
    mark: str = ""  # yes or no, where the strip shows which of the two it is


@dataclass(frozen=True)
class Figure:
    """A picture of a clause: what it shows in a sentence, and its strips; a wide one needs the whole column."""

    caption: str
    strips: tuple[Strip, ...]
    wide: bool = False
    single: bool = False  # its strips are too long to stand side by side


@cache
def figures(game: str, lang: str) -> Mapping[str, Figure]:
    """The pictures of a game's clauses in a language; a game may have none."""
    name = f"meadhall.web.{game}.shown"
    return cast("Mapping[str, Figure]", import_module(name).figures(words(lang))) if find_spec(name) else {}


# The rules on one page


@dataclass(frozen=True)
class Item:
    """A line of a summary: pieces, and what is said of them."""

    text: str
    pieces: tuple[Piece, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a summary: numbered steps, things one by one, a picture, or a table of what meets what."""

    look: str  # steps, things, picture, table, or extra: a variant, beside a table
    title: str
    items: tuple[Item, ...] = ()
    heads: tuple[Piece, ...] = ()  # of a table's columns
    rows: tuple[tuple[Piece, tuple[str, ...]], ...] = ()
    whole: bool = False  # as wide as the page


@cache
def summary(game: str, lang: str) -> tuple[Section, ...]:
    """A game's rules on one page in a language; nothing for a game that has none."""
    name = f"meadhall.web.{game}.summary"
    return cast("tuple[Section, ...]", import_module(name).summary(words(lang))) if find_spec(name) else ()


def has_summary(game: str) -> bool:
    """Are a game's rules there on one page?"""
    return find_spec(f"meadhall.web.{game}.summary") is not None
