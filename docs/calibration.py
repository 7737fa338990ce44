"""How often positions of Romans called so and so are won: a picture and a table of what the solver has counted."""

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

from meadhall.bots.romans.solved import solved_values

PLAYERS = {2: "#2a7fb8", 3: "#c77700", 4: "#3f8f3f"}
FEWEST = 25  # positions; what is counted in fewer says nothing
SIZE, LEFT, TOP = 340, 60, 20

STYLE = """\
text { font: 13px sans-serif; fill: #333; }
path { fill: none; stroke: #888; }
.even { stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } }
"""


class Point(NamedTuple):
    """Positions that were called about the same: the chance they were called, the share won, and how many."""

    players: int
    called: float
    won: float
    positions: int

    @property
    def margin(self) -> float:
        """Half of a 95 % interval, as if every position came from a game of its own."""
        return 1.96 * sqrt(max(self.won * (1.0 - self.won), 0.01) / self.positions)


def points() -> Iterator[Point]:
    """What was counted, by number of players and tenth of the scale."""
    found = solved_values()
    assert found is not None
    for players in PLAYERS:
        for called, won, count in found["check"][players - 1].tolist():
            if count >= FEWEST:
                yield Point(players, called / count, won / count, int(count))


def table() -> str:
    """The same as numbers, in Markdown."""
    head = "| players | called | won | positions |\n| --- | --- | --- | --- |\n"
    rows = (f"| {each.players} | {each.called:.0%} | {each.won:.0%} | {each.positions:,} |\n" for each in points())
    return head + "".join(rows)


def picture() -> str:
    """Shares won over the chances that were called, as SVG."""
    parts = [_axes(), f'<path class="even" d="M{_x(0)} {_y(0)} L{_x(1)} {_y(1)}"/>']
    for each in points():
        low, high = _y(each.won - each.margin), _y(each.won + each.margin)
        x, colour = _x(each.called) + 3 * (each.players - 3), PLAYERS[each.players]
        parts.append(f'<path d="M{x} {low} L{x} {high}" style="stroke: {colour}; stroke-width: 2"/>')
        parts.append(f'<circle cx="{x}" cy="{_y(each.won)}" r="4" fill="{colour}"/>')
    for k, (players, colour) in enumerate(PLAYERS.items()):
        y = TOP + 20 + 20 * k
        parts.append(f'<circle cx="{LEFT + 20}" cy="{y - 4}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{LEFT + 32}" y="{y}">{players} players</text>')
    width, height = LEFT + SIZE + 20, TOP + SIZE + 50
    title = "Romans: how often positions are won, by the chance they were called"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _axes() -> str:
    marks = [f'<path d="M{_x(0)} {_y(1)} L{_x(0)} {_y(0)} L{_x(1)} {_y(0)}"/>']
    for k in range(0, 11, 2):
        marks.append(f'<text x="{_x(k / 10)}" y="{_y(0) + 18}" text-anchor="middle">{10 * k} %</text>')
        marks.append(f'<text x="{_x(0) - 8}" y="{_y(k / 10) + 4}" text-anchor="end">{10 * k} %</text>')
    marks.append(f'<text x="{_x(0.5)}" y="{_y(0) + 38}" text-anchor="middle">called</text>')
    marks.append(f'<text x="{_x(0) - 46}" y="{_y(0.5)}" text-anchor="middle" ')
    marks[-1] += f'transform="rotate(-90 {_x(0) - 46} {_y(0.5)})">won</text>'
    return "\n".join(marks)


def _x(share: float) -> int:
    return LEFT + round(SIZE * share)


def _y(share: float) -> int:
    return TOP + SIZE - round(SIZE * min(max(share, 0.0), 1.0))
