"""Every drawing there is, by name: what each game calls its own (`web/NAME/art.py`), and what all pages share."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from meadhall.web.drawing.canvas import Canvas, Drawing
from meadhall.web.drawing.poster import WIDTH, Group, poster
from meadhall.words import Words


@dataclass(frozen=True)
class Sign:
    """A drawing of `symbols.html` with its name; one of a side has the class that gives it its colours."""

    symbol: str
    name: str
    box: str = "0 0 64 64"
    side: str = ""


@dataclass(frozen=True)
class Signs:
    """Drawings of one kind."""

    title: str
    signs: Sequence[Sign]


class Art(Protocol):
    """What a game's `art.py` holds."""

    def signs(self, words: Words) -> list[Signs]:
        """Every drawing of its own, by name."""

    def pieces(self, canvas: Canvas, words: Words) -> list[Group]:
        """Every piece as it lies on a table, drawn on this canvas."""


@cache
def art_of(game: str) -> Art | None:
    """What a game has to show; None for a game that has drawn nothing."""
    name = f"meadhall.web.{game}.art"
    return cast(Art, import_module(name)) if find_spec(f"meadhall.web.{game}") and find_spec(name) else None


def shared_signs(words: Words) -> Signs:
    """The drawings that belong to no game."""
    named = {
        "seal": words.say("ui.art.seal"),
        "danger": words.say("ui.art.danger"),
        "lantern": words.say("ui.art.lantern"),
    }
    return Signs(words.say("ui.art.house"), [Sign(symbol, name) for symbol, name in named.items()])


def sheet(game: str, words: Words, theme: str) -> Drawing:
    """All pieces of a game on one sheet."""
    art = art_of(game)
    assert art is not None
    canvas = Canvas(theme, WIDTH, 0)
    return poster(canvas, words.title(game), art.pieces(canvas, words))
