"""The matrices of an arena as a picture: who beats whom, and for games of partners who understands whom."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from meadhall.lab.arena.arena import Arena
from meadhall.lab.arena.intervals import Share
from meadhall.lab.arena.report import cells, matrix, roles

CELL, GAP, FONT = 92, 56, 14
LOW, MIDDLE, HIGH = (178, 74, 62), (246, 240, 226), (46, 112, 110)
INK, PAPER, FRAME = "#2b2622", "#fbf8f1", "#d8cdb8"


@dataclass(frozen=True)
class Panel:
    """One square of shares; `low` and `high` are where its colours end."""

    title: str
    rows: str
    columns: str
    names: list[str]
    shares: list[list[Share | None]]
    low: float = 0.0
    high: float = 1.0


def picture(arena: Arena) -> str:
    """All matrices side by side, as the text of an SVG file."""
    panels = _panels(arena)
    margins = [24 + 9 * max(len(name) for name in panel.names) for panel in panels]
    widths = [margin + CELL * len(panel.names) for margin, panel in zip(margins, panels, strict=True)]
    width = sum(widths) + GAP * (len(panels) + 1)
    height = 190 + CELL * max(len(panel.names) for panel in panels)
    setting = arena.setting
    heading = f"{arena.done:,} games of {setting.game}, seed {setting.seed}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="Georgia, serif" font-size="{FONT}" fill="{INK}">',
        f"<title>{escape(heading)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        _text(GAP, 44, heading, size=22),
    ]
    x = GAP
    for panel, margin, taken in zip(panels, margins, widths, strict=True):
        parts.append(_drawn(panel, x, margin))
        x += taken + GAP
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panels(arena: Arena) -> list[Panel]:
    panels = []
    names = [entrant.name for entrant in arena.entrants]
    if len(names) > 1:
        fair = 1.0 / arena.setting.sides
        others = "against" if arena.both_ways else f"against {arena.setting.sides - 1} copies of"
        panels.append(Panel("Games won", "bot", others, names, matrix(arena), 0.0, 2 * fair))
    if arena.fixed is not None and cells(arena):
        found = {(cell.first, cell.second): cell for cell in cells(arena)}
        plain = list(dict.fromkeys(cell.first for cell in found.values()))

        def square(what: Callable[[str, str], Share]) -> list[list[Share | None]]:
            return [[what(first, second) for second in plain] for first in plain]

        rows, columns = roles(arena)
        through = square(lambda first, second: found[first, second].through)
        won = square(lambda first, second: found[first, second].won)
        panels.append(Panel("Orders that got through", rows, columns, plain, through, 0.5, 1.0))
        panels.append(Panel(f"Games won as partners against {arena.fixed.name}", rows, columns, plain, won))
    return panels


def _drawn(panel: Panel, left: int, margin: int) -> str:
    """One panel: a title, names along two edges, and a coloured cell with its numbers for each pair."""
    x, y = left + margin, 130
    parts = [
        _text(left, 84, panel.title, size=17),
        _text(left, y - 8, f"{panel.rows} ↓   {panel.columns} →", size=11),
    ]
    for k, name in enumerate(panel.names):
        parts.append(_text(x - 10, y + CELL * k + CELL // 2 + 5, name, anchor="end"))
        parts.append(_text(x + CELL * k + CELL // 2, y - 8, _cut(name), anchor="middle"))
    for i, row in enumerate(panel.shares):
        for j, share in enumerate(row):
            parts.append(_cell(panel, x + CELL * j, y + CELL * i, share, f"{panel.names[i]}, {panel.names[j]}"))
    return "<g>" + "".join(parts) + "</g>"


def _cell(panel: Panel, x: int, y: int, share: Share | None, names: str) -> str:
    box = f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" stroke="{FRAME}" fill='
    if share is None or share.share is None:
        return f'{box}"{PAPER}"/>'
    at = (share.share - panel.low) / (panel.high - panel.low)
    colour, ink = _colour(min(1.0, max(0.0, at)))
    middle = x + CELL // 2
    interval = f"{100 * share.low:.1f}–{100 * share.high:.1f}"
    return (
        f'<g><title>{escape(names)}: {share}</title>{box}"{colour}"/>'
        + _text(middle, y + CELL // 2, f"{share.share:.1%}", size=17, anchor="middle", ink=ink)
        + _text(middle, y + CELL // 2 + 20, interval, size=11, anchor="middle", ink=ink)
        + "</g>"
    )


def _colour(at: float) -> tuple[str, str]:
    """From low over the middle to high, and an ink that can be read on it."""
    start, end, step = (LOW, MIDDLE, 2 * at) if at < 0.5 else (MIDDLE, HIGH, 2 * at - 1)
    red, green, blue = (round(a + (b - a) * step) for a, b in zip(start, end, strict=True))
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 140
    return f"#{red:02x}{green:02x}{blue:02x}", "#ffffff" if dark else INK


def _cut(name: str) -> str:
    """A name that fits over its column."""
    return name if len(name) <= 12 else name[:11] + "…"


def _text(x: int, y: int, text: str, size: int = FONT, anchor: str = "start", ink: str = INK) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{ink}">{escape(text)}</text>'
