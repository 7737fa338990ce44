"""The chance to win, beat by beat, as a drawing: where everything lies, in per cent, for the template that draws it.

Two sides share one line above or below the middle; more are areas on top of each other. Across, everything is in per
cent of the width and lines do not scale, so that the same drawing fits a telephone and a wall.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from meadhall.lab.analysis.report import Analysis, Point
from meadhall.match import Beat

APART, WIDE_APART = 14.0, 5.0  # per cent of the width that a flag takes on a telephone, and from 900 px on
FEW = 9  # turns whose numbers fit below the curve on a telephone
AROUND = 4.0  # per cent of the width that an emblem and some air take to either side
TALL = 12.0  # per cent of the height: an area that is lower has no room for its emblem

Said = Callable[[Sequence[float]], str]
Corner = tuple[float, float]


@dataclass(frozen=True)
class Chapter:
    """A turn on the axis: its name, the beat it starts with, what it is called, and the part of the game it begins."""

    name: str
    beat: int
    heading: str
    part: str = ""  # such as a round; only at its first turn

    @property
    def label(self) -> str:
        """Its number within its part of the game."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class Area:
    """What belongs to a side: its outline, and where its emblem lies if there is room."""

    side: str
    outline: str
    emblem: Corner | None


@dataclass(frozen=True)
class Tick:
    """The start of a turn on the axis; those that are `few` are named even where there is little room."""

    x: float
    middle: float
    label: str
    part: str
    few: bool


@dataclass(frozen=True)
class Flag:
    """A turning point on the curve, by its number in the list; flags near each other stand in different rows."""

    number: int
    beat: int
    side: str
    x: float
    row: int
    wide_row: int  # where there is room for more beside each other


@dataclass(frozen=True)
class Cell:
    """A strip of the drawing, which is a link to its beat."""

    beat: int
    x: float
    width: float
    heading: str
    chances: tuple[float, ...]
    said: str


@dataclass(frozen=True)
class Curve:
    """The whole drawing."""

    areas: tuple[Area, ...]
    line: str  # of two sides
    ticks: tuple[Tick, ...]
    flags: tuple[Flag, ...]
    rows: int  # of flags
    wide_rows: int
    cells: tuple[Cell, ...]

    @property
    def parted(self) -> bool:
        """Has the game parts, such as rounds?"""
        return any(tick.part for tick in self.ticks)


def curve(analysis: Analysis, chapters: Sequence[Chapter], beats: int, said: Said) -> Curve:
    """The drawing of an analysis of a game with so many beats; `said` puts chances into words."""
    scale = _Scale(max(beats - 1, *(point.beat for point in analysis.curve), 1))
    points = analysis.curve
    pair = len(analysis.sides) == 2
    flags = tuple(_flags(analysis, scale))
    return Curve(
        areas=_halves(analysis.sides, points, scale) if pair else _layers(analysis.sides, points, scale),
        line=_text([(scale.at(point.beat), _down(point.win[0])) for point in points]) if pair else "",
        ticks=tuple(_ticks(chapters, scale)),
        flags=flags,
        rows=max((flag.row + 1 for flag in flags), default=0),
        wide_rows=max((flag.wide_row + 1 for flag in flags), default=0),
        cells=tuple(_cells(points, chapters, scale, said)),
    )


@dataclass(frozen=True)
class _Scale:
    last: int

    def at(self, beat: int) -> float:
        """Where a beat lies, in per cent of the width."""
        return round(100 * min(beat, self.last) / self.last, 2)


def _down(chance: float) -> float:
    """How far down a chance lies, in per cent of the height."""
    return round(100 * (1 - chance), 2)


def _text(corners: Iterable[Corner]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in corners)


def _halves(sides: Sequence[str], points: Sequence[Point], scale: _Scale) -> tuple[Area, ...]:
    """What lies between the line and the middle: above it the first side's, below it the other's."""
    line = [(scale.at(point.beat), _down(point.win[0])) for point in points]
    crossed = line[:1]
    for (x, y), (to_x, to_y) in pairwise(line):
        if (y - 50) * (to_y - 50) < 0:
            crossed.append((round(x + (to_x - x) * (50 - y) / (to_y - y), 2), 50.0))
        crossed.append((to_x, to_y))
    ends = [(crossed[-1][0], 50.0), (crossed[0][0], 50.0)] if crossed else []
    upper = [(x, min(y, 50.0)) for x, y in crossed]
    lower = [(x, max(y, 50.0)) for x, y in crossed]
    return Area(sides[0], _text(upper + ends), None), Area(sides[1], _text(lower + ends), None)


def _layers(sides: Sequence[str], points: Sequence[Point], scale: _Scale) -> tuple[Area, ...]:
    """One area for each side, the first on top; together they are as high as the drawing."""
    areas = []
    top = [0.0] * len(points)
    for number, side in enumerate(sides):
        below = [above + 100 * point.win[number] for above, point in zip(top, points, strict=True)]
        upper = [(scale.at(point.beat), round(y, 2)) for point, y in zip(points, top, strict=True)]
        lower = [(scale.at(point.beat), round(y, 2)) for point, y in zip(points, below, strict=True)]
        areas.append(Area(side, _text(upper + lower[::-1]), _roomiest(upper, lower)))
        top = below
    return tuple(areas)


def _roomiest(upper: Sequence[Corner], lower: Sequence[Corner]) -> Corner | None:
    """Where in an area there is most room for an emblem, away from the edges: the middle of its height around there."""
    best: tuple[float, float, float] | None = None  # height, across, down
    for x, _ in upper:
        if not AROUND <= x <= 100 - AROUND:
            continue
        high = max(y for at, y in upper if abs(at - x) <= AROUND)
        low = min(y for at, y in lower if abs(at - x) <= AROUND)
        if low - high >= TALL and (best is None or low - high > best[0]):
            best = low - high, x, round((high + low) / 2, 2)
    return best and (best[1], best[2])


def _ticks(chapters: Sequence[Chapter], scale: _Scale) -> Iterable[Tick]:
    every = -(-len(chapters) // FEW)
    ends = [*(scale.at(chapter.beat) for chapter in chapters[1:]), 100.0]
    for number, (chapter, end) in enumerate(zip(chapters, ends, strict=True)):
        start = scale.at(chapter.beat)
        yield Tick(start, round((start + end) / 2, 2), chapter.label, chapter.part, number % every == 0)


def _flags(analysis: Analysis, scale: _Scale) -> Iterable[Flag]:
    places = [scale.at(turning.beat) for turning in analysis.turning_points]
    rows = zip(_in_rows(places, APART), _in_rows(places, WIDE_APART), strict=True)
    for number, (turning, x, (row, wide)) in enumerate(zip(analysis.turning_points, places, rows, strict=True), 1):
        yield Flag(number, turning.beat, turning.side, x, row, wide)


def _in_rows(places: Sequence[float], apart: float) -> list[int]:
    """The row of each place, so that in each row they are so far apart."""
    rows: list[int] = []
    for k, x in enumerate(places):
        taken = {row for row, other in zip(rows, places[:k], strict=True) if abs(x - other) < apart}
        rows.append(next(row for row in range(k + 1) if row not in taken))
    return rows


def _cells(points: Sequence[Point], chapters: Sequence[Chapter], scale: _Scale, said: Said) -> Iterable[Cell]:
    """A strip for each point, from half way to the one before to half way to the next."""
    places = [scale.at(point.beat) for point in points]
    edges = [0.0, *(round((one + other) / 2, 2) for one, other in pairwise(places)), 100.0]
    for point, (start, end) in zip(points, pairwise(edges), strict=True):
        heading = next((each.heading for each in reversed(chapters) if each.beat <= point.beat), "")
        yield Cell(point.beat, start, round(end - start, 2), heading, point.win, said(point.win))


def chapters(beats: Sequence[Beat], names: Sequence[tuple[str, str]]) -> tuple[Chapter, ...]:
    """The turns of a game, from the name and the heading of each beat's."""
    found: list[Chapter] = []
    part = ""
    for number, (name, heading) in enumerate(names[: len(beats)]):
        if found and found[-1].name == name:
            continue
        within = heading.partition(" · ")[0] if "." in name else ""
        found.append(Chapter(name, number, heading, within if within != part else ""))
        part = within
    return tuple(found)
