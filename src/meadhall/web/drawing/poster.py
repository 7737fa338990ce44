"""A sheet with every piece of a game, each in three sizes and by its name."""

from collections.abc import Sequence
from dataclasses import dataclass

from meadhall.web.drawing import letters
from meadhall.web.drawing.canvas import Canvas, Drawing
from meadhall.web.drawing.cloth import HEM, hem, weave

WIDTH = 1200.0
EDGE = 36.0
SIZES = (1.0, 0.6, 0.34)
BETWEEN = 10.0
NAMES = 26.0  # the height of a name
TITLE = 84.0
HEADING = 46.0


@dataclass(frozen=True)
class Item:
    """A piece as it is drawn at a table, with its name."""

    name: str
    width: float
    height: float
    markup: str

    @property
    def room(self) -> float:
        """How wide its three sizes are together."""
        return sum(self.width * size + BETWEEN for size in SIZES)


@dataclass(frozen=True)
class Group:
    """Pieces of one kind."""

    title: str
    items: Sequence[Item]


def poster(canvas: Canvas, title: str, groups: Sequence[Group]) -> Drawing:
    """All of them on the cloth, group by group; the canvas is the one on which they were drawn."""
    token = canvas.token
    rows: list[tuple[float, list[tuple[float, float, Item]] | str]] = []
    y = TITLE
    for group in groups:
        rows.append((y, group.title))
        y += HEADING
        for row in _rows(group.items):
            high = max(item.height for item in row)
            laid, x = [], EDGE
            for item in row:
                laid.append((x, high, item))
                x += _cell(item)
            rows.append((y, laid))
            y += high + NAMES + 18
        y += 6
    canvas.height = y + 20
    canvas.lay(0, 0, canvas.rect(0, 0, WIDTH, canvas.height, token("cloth")))
    canvas.lay(0, 0, weave(canvas, 0, canvas.height))
    canvas.lay(0, 0, canvas.rect(0, 0, WIDTH, 62, token("raised")))
    canvas.lay(EDGE, 31, canvas.words(title, 0, 0, (32,), WIDTH - 2 * EDGE, token("ink"), "title"))
    canvas.lay(0, 62, hem(canvas))
    canvas.lay(0, canvas.height - HEM, hem(canvas))
    for top, content in rows:
        if isinstance(content, str):
            canvas.lay(EDGE, top + 26, canvas.words(content, 0, 0, (24,), 800, token("accent"), "title"))
            continue
        for x, high, item in content:
            _lay(canvas, item, x, top, high)
    return canvas.finished(title, ", ".join(item.name for group in groups for item in group.items), token("surface"))


def _cell(item: Item) -> float:
    """A piece's room with its name below it."""
    return max(item.room + 14, letters.width(item.name, "text", 16) + 20)


def _rows(items: Sequence[Item]) -> list[list[Item]]:
    """As many in a row as there is room for."""
    rows: list[list[Item]] = []
    left = 0.0
    for item in items:
        if not rows or left < _cell(item):
            rows.append([])
            left = WIDTH - 2 * EDGE + 14
        rows[-1].append(item)
        left -= _cell(item)
    return rows


def _lay(canvas: Canvas, item: Item, x: float, y: float, high: float) -> None:
    """A piece in its three sizes on one line, its name below."""
    at = x
    foot = y + high
    for number, size in enumerate(SIZES):
        drawn = f'<g transform="scale({size})">{item.markup}</g>'
        canvas.lay(at, foot - item.height * size, drawn, label="" if number else item.name)
        at += item.width * size + BETWEEN
    canvas.lay(x, foot + 20, canvas.text(item.name, 0, 0, 16, canvas.token("muted")))
