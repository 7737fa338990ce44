"""Pictures of positions as SVG: made from a view and the events its seat may know, like a page, and from nothing else.

A game's own is `web/NAME/drawing.py` with `draw`; without one the position is told in words.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from meadhall.games.game import Event
from meadhall.match import Beat, View
from meadhall.web.drawing import plain
from meadhall.web.drawing.canvas import Drawing
from meadhall.words import Words


class Pictures(Protocol):
    """What a game's `drawing.py` holds."""

    def draw(
        self,
        view: View,
        events: Sequence[Event],
        words: Words,
        theme: str,
        people: Mapping[str, str],
        beat: Beat | None,
    ) -> Drawing:
        """The table as a seat or a spectator sees it; with a beat, as it is while that is being told."""


@cache
def _of(game: str) -> Pictures:
    name = f"meadhall.web.{game}.drawing"
    there = find_spec(f"meadhall.web.{game}") and find_spec(name)
    return cast(Pictures, import_module(name) if there else plain)


def draw(
    view: View,
    events: Sequence[Event],
    words: Words,
    theme: str = "light",
    people: Mapping[str, str] | None = None,
    beat: Beat | None = None,
) -> Drawing:
    """The picture of a position, with the names of those who play where they are known."""
    return _of(view.game.name).draw(view, events, words, theme, people or {}, beat)
