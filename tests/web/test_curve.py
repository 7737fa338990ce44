"""The curve of an analysis: every point where it belongs, whatever the game; flags that do not hide each other."""

from itertools import combinations

import pytest

from meadhall.bots.evaluation import Reason
from meadhall.lab.analysis.report import Analysis, Point, TurningPoint
from meadhall.web.pages.curve import APART, WIDE_APART, Chapter, Curve, curve

WHY = Reason("ui.turn", {"turn": 1})


def drawn(
    wins: list[tuple[float, ...]], turned: tuple[int, ...] = (), chapters: tuple[Chapter, ...] = (), beats: int = 101
) -> Curve:
    """The curve of chances that lie ten beats apart."""
    sides = ("ostrogoth", "visigoth") if len(wins[0]) == 2 else ("gold", "green", "violet", "red")[: len(wins[0])]
    points = tuple(Point(10 * k, win) for k, win in enumerate(wins))
    turning = tuple(TurningPoint(beat, sides[0], 0.2, WHY) for beat in turned)
    analysis = Analysis("game", sides, sides[:1], points, (), turning, None)
    return curve(analysis, chapters or (Chapter("1", 0, "Turn 1"),), beats, lambda win: str(win))


def corners(outline: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (corner.split(",") for corner in outline.split())]


def test_two_sides_share_a_line_and_have_what_lies_between_it_and_the_middle() -> None:
    found = drawn([(0.5, 0.5), (0.75, 0.25), (0.25, 0.75), (1.0, 0.0)])
    assert corners(found.line) == [(0, 50), (10, 25), (20, 75), (30, 0)]
    upper, lower = (corners(area.outline) for area in found.areas)
    assert all(y <= 50 for _, y in upper)
    assert all(y >= 50 for _, y in lower)
    assert (15, 50) in upper, "where the line crosses the middle, one area ends and the other begins"
    assert (15, 50) in lower


def test_more_sides_fill_the_whole_height_together() -> None:
    found = drawn([(0.25, 0.25, 0.25, 0.25), (0.7, 0.1, 0.1, 0.1), (0.1, 0.2, 0.6, 0.1)])
    assert found.line == ""
    assert [area.side for area in found.areas] == ["gold", "green", "violet", "red"]
    assert all(y == 0 for _, y in corners(found.areas[0].outline)[:3])
    assert [y for _, y in corners(found.areas[-1].outline)[3:]] == [100, 100, 100]
    for above, below in zip(found.areas, found.areas[1:], strict=False):
        assert corners(above.outline)[3:][::-1] == corners(below.outline)[:3], "no gap and no overlap"
    emblems = {area.side: area.emblem for area in found.areas}
    assert emblems == {"gold": (10, 35), "green": (20, 20), "violet": (20, 60), "red": None}


def test_an_emblem_lies_where_its_area_is_high_for_a_while() -> None:
    """Not on a peak, nor beside an edge over which it would hang."""
    points = [
        Point(beat, (win, (1 - win) / 2, (1 - win) / 2)) for beat, win in ((10, 0.5), (20, 0.5), (29, 0.5), (30, 0.9))
    ]
    points += [Point(31, (0.2, 0.4, 0.4)), Point(60, (0.2, 0.4, 0.4)), Point(100, (0.0, 0.5, 0.5))]
    analysis = Analysis("game", ("gold", "green", "red"), (), tuple(points), (), (), None)
    gold = curve(analysis, (Chapter("1", 0, "Turn 1"),), 101, str).areas[0]
    assert gold.emblem == (10, 25)


@pytest.mark.parametrize("turned", [(0,), (1, 2, 3, 4), (5, 50, 52, 95), (10, 12, 90, 92, 100)], ids=str)
def test_flags_stand_where_the_game_turned_and_never_on_each_other(turned: tuple[int, ...]) -> None:
    found = drawn([(0.5, 0.5)] * 11, turned)
    assert [(flag.number, flag.beat, flag.x) for flag in found.flags] == [
        (number, beat, beat) for number, beat in enumerate(turned, 1)
    ]
    for one, other in combinations(found.flags, 2):
        assert one.row != other.row or abs(one.x - other.x) >= APART
        assert one.wide_row != other.wide_row or abs(one.x - other.x) >= WIDE_APART
    assert found.rows == max(flag.row for flag in found.flags) + 1
    assert found.wide_rows == max(flag.wide_row for flag in found.flags) + 1
    assert found.wide_rows <= found.rows


def test_every_place_of_the_drawing_is_a_link_to_the_nearest_beat() -> None:
    chapters = (Chapter("1.1", 0, "Round 1 · Turn 1", "Round 1"), Chapter("1.2", 50, "Round 1 · Turn 2"))
    found = drawn([(0.5, 0.5)] * 11, chapters=chapters)
    assert found.cells[0].x == 0
    assert found.cells[-1].x + found.cells[-1].width == 100
    for one, other in zip(found.cells, found.cells[1:], strict=False):
        assert one.x + one.width == pytest.approx(other.x)
    assert [cell.heading for cell in found.cells] == ["Round 1 · Turn 1"] * 5 + ["Round 1 · Turn 2"] * 6
    assert [(tick.x, tick.label, tick.part) for tick in found.ticks] == [(0, "1", "Round 1"), (50, "2", "")]
    assert found.parted


def test_of_many_turns_only_some_are_named_where_there_is_little_room() -> None:
    chapters = tuple(Chapter(str(k + 1), 4 * k, f"Turn {k + 1}") for k in range(25))
    found = drawn([(0.5, 0.5)] * 11, chapters=chapters)
    assert len(found.ticks) == 25
    assert 5 < sum(tick.few for tick in found.ticks) <= 9


def test_a_game_that_is_over_at_once_has_a_curve_too() -> None:
    found = drawn([(1.0, 0.0)], beats=1)
    assert corners(found.line) == [(0, 0)]
    assert len(found.cells) == 1
