"""Figures by matplotlib as SVG, in the colours of the page they stand on, which may be a light or a dark one."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from meadhall.faults import Fault
from meadhall.lab.study.estimates import Estimate
from meadhall.lab.study.report import Form, percent

# Colours that stand for the page's own: matplotlib wants some, and a sheet says later what they are.
INK, FAINT, LINE = "#010101", "#020202", "#030303"
SERIES = ("#0a0a01", "#0a0a02", "#0a0a03", "#0a0a04", "#0a0a05")
_NAMES = {INK: "ink", FAINT: "faint", LINE: "line"} | dict(
    zip(SERIES, ("one", "two", "three", "four", "five"), strict=True)
)
WIDTH = 7.2  # inches, of 72 units
MARKS = "osD^v"


def check_matplotlib() -> None:
    """A Fault that says what to install, if matplotlib is not there."""
    if find_spec("matplotlib") is None:
        raise Fault('figures need matplotlib, which is not installed: pip install "meadhall[study]"')


@contextmanager
def _drawn(height: float, **how: Any) -> Iterator[tuple[Any, list[str]]]:
    """Axes to draw on; the list holds the SVG when that is done."""
    check_matplotlib()
    import matplotlib as mpl
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {
        "svg.fonttype": "none",  # words stay words
        "svg.hashsalt": "meadhall",  # the same figure, the same bytes
        "font.size": 11,
        "axes.edgecolor": FAINT,
        "axes.labelcolor": FAINT,
        "text.color": INK,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "ytick.labelcolor": INK,
        "grid.color": LINE,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    made: list[str] = []
    with mpl.rc_context(settings):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        figure.patch.set_alpha(0.0)
        axes = figure.add_subplot(**how)
        axes.patch.set_alpha(0.0)
        yield axes, made
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    made.append(_in_colours_of_the_page(file.getvalue()))


def _in_colours_of_the_page(svg: str) -> str:
    """Only the drawing itself, with variables for colours."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for colour, name in _NAMES.items():
        svg = svg.replace(colour, f"var(--{name})")
    return svg.strip()


def _as_percent(axis: Any, form: Form) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: form(value)))


def intervals(
    rows: Sequence[tuple[str, Mapping[str, Estimate | None]]],
    form: Form = percent,
    at: float | None = None,
    label: str = "",
) -> str:
    """A line for each name, with a dot and its interval for each series; `at` is the value to compare with."""
    series = list(dict.fromkeys(name for _, found in rows for name in found))
    height = 0.9 + len(rows) * (0.26 + 0.13 * len(series)) + (0.35 if len(series) > 1 else 0)
    with _drawn(height) as (axes, made):
        if at is not None:
            axes.axvline(at, color=FAINT, linewidth=1, linestyle=(0, (4, 3)))
        for place, name in enumerate(series):
            offset = (place - (len(series) - 1) / 2) * 0.7 / max(len(series), 2)
            found = [(k + offset, each[name]) for k, (_, each) in enumerate(rows) if each.get(name) is not None]
            points = [(y, estimate) for y, estimate in found if estimate is not None]
            axes.errorbar(
                [estimate.value for _, estimate in points],
                [y for y, _ in points],
                xerr=[
                    [estimate.value - estimate.low for _, estimate in points],
                    [estimate.high - estimate.value for _, estimate in points],
                ],
                fmt=MARKS[place % 5],
                color=SERIES[place % 5],
                markersize=6,
                capsize=3,
                label=name,
            )
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel(label)
        _as_percent(axes.xaxis, lambda value: form(value).replace(".0 %", " %"))
        if len(series) > 1:
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(series), frameon=False, handletextpad=0.2)
    return made[0]


def heat(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]], form: Form = percent
) -> str:
    """A field of numbers, the larger the darker; below 0 in the other colour."""
    known = [abs(value) for row in values for value in row if value is not None]
    most = max(known, default=1.0) or 1.0
    with _drawn(0.7 + 0.36 * len(rows)) as (axes, made):
        for y, row in enumerate(values):
            for x, value in enumerate(row):
                if value is None:
                    axes.text(x, y, "–", ha="center", va="center", color=FAINT)
                    continue
                colour = SERIES[0] if value >= 0 else SERIES[1]
                axes.fill(
                    [x - 0.48, x + 0.48, x + 0.48, x - 0.48],
                    [y - 0.46, y - 0.46, y + 0.46, y + 0.46],
                    color=colour,
                    alpha=round(0.55 * abs(value) / most, 3),
                    linewidth=0,
                )
                axes.text(x, y, form(value), ha="center", va="center")
        axes.set_xticks(range(len(columns)), columns)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_xlim(-0.55, len(columns) - 0.45)
        axes.set_ylim(len(rows) - 0.45, -0.55)
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False, labelcolor=INK)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return made[0]


def curves(found: Mapping[str, tuple[Sequence[float], Sequence[float]]], across: str, up: str) -> str:
    """Shares that grow along a line, one for each name."""
    styles = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (1, 1)))
    with _drawn(3.6) as (axes, made):
        for place, (name, (x, y)) in enumerate(found.items()):
            axes.plot(x, y, color=SERIES[place % 5], linestyle=styles[place % 5], linewidth=2, label=name)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.set_ylim(0, 1.02)
        axes.locator_params(axis="x", integer=True)
        _as_percent(axes.yaxis, lambda value: f"{100 * value:.0f} %")
        axes.grid(linewidth=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(found), frameon=False)
    return made[0]
