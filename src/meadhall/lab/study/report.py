"""A study's report: one page that needs nothing beside it, and its numbers as a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from typing import Any

from meadhall.lab.study.estimates import Estimate

Cell = Estimate | str | int | None
Form = Callable[[float], str]


def percent(value: float) -> str:
    """A share as people read it."""
    return f"{100 * value:.1f} %"


def points(value: float) -> str:
    """A difference of shares, in percentage points."""
    return f"{100 * value:+.1f}"


def number(value: float) -> str:
    """A plain number."""
    return f"{value:,.2f}"


def with_interval(estimate: Estimate, form: Form) -> str:
    """An estimate and its interval."""
    return f"{form(estimate.value)} ({form(estimate.low)} to {form(estimate.high)})"


@dataclass
class Table:
    """Rows of a name and as many cells as there are headings after the first."""

    headings: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    form: Form = percent
    forms: Mapping[str, Form] = field(default_factory=dict)  # of columns that are written otherwise

    def shown(self, heading: str, value: Cell) -> str:
        """As it is shown."""
        if value is None:
            return "–"
        if isinstance(value, Estimate):
            form = self.forms.get(heading, self.form)
            return f"{form(value.value)} <small>{escape(f'{form(value.low)} to {form(value.high)}')}</small>"
        return f"{value:,}" if isinstance(value, int) else escape(value)


@dataclass
class Section:
    """One question within the study: words, a figure and its numbers."""

    title: str
    words: Sequence[str]
    table: Table
    figure: str = ""  # SVG
    shown: str = ""  # what the figure shows, for whoever does not see it


@dataclass
class Report:
    """The whole of it. `answer` stands at the top."""

    name: str
    title: str
    answer: Sequence[str]
    sections: Sequence[Section]
    played: Table = field(default_factory=lambda: Table((), ()))
    command: str = ""

    def html(self) -> str:
        """One page, with its own style and figures; the same for the same games, to the byte."""
        style = resources.files("meadhall.lab.study").joinpath("report.css").read_text("utf-8")
        parts = [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(self.title)}</title>",
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            "<main>",
            '<p class="over">A study of Meadhall</p>',
            f"<h1>{escape(self.title)}</h1>",
            '<div class="answer">',
            *(f"<p>{escape(line)}</p>" for line in self.answer),
            "</div>",
            *(line for section in self.sections for line in _section(section)),
            *self._method(),
            "</main>",
            "</body>",
            "</html>",
        ]
        return "\n".join(parts) + "\n"

    def _method(self) -> Iterator[str]:
        yield "<section>"
        yield "<h2>How this was found</h2>"
        yield (
            "<p>Intervals are 95 %. All samples play the same deals, so that what differs between them is not luck of "
            "the draw; where two sides differ, they change seats from game to game. The games are tables beside this "
            "page, in <code>games/</code>; the numbers of this page are in "
            f"<code>{escape(self.name)}.parquet</code>.</p>"
        )
        yield f"<p>To make it again: <code>{escape(self.command)}</code></p>"
        yield from _table(self.played)
        yield "</section>"

    def rows(self) -> list[dict[str, Any]]:
        """Every number of the page: where it stands, its value, its interval and how many games it comes from."""
        found = []
        for section in self.sections:
            for name, cells in section.table.rows:
                for heading, cell in zip(section.table.headings[1:], cells, strict=True):
                    if isinstance(cell, Estimate | int):
                        row = {"section": section.title, "row": name, "column": heading}
                        found.append(row | _numbers(cell))
        return found


def _numbers(cell: Estimate | int) -> dict[str, Any]:
    if isinstance(cell, int):
        return {"value": float(cell), "low": None, "high": None, "games": None}
    return {"value": cell.value, "low": cell.low, "high": cell.high, "games": cell.games}


def _section(section: Section) -> Iterator[str]:
    yield "<section>"
    yield f"<h2>{escape(section.title)}</h2>"
    for line in section.words:
        yield f"<p>{escape(line)}</p>"
    if section.figure:
        yield f'<figure role="img" aria-label="{escape(section.shown)}">{section.figure}</figure>'
        yield "<details><summary>The numbers</summary>"
        yield from _table(section.table)
        yield "</details>"
    else:
        yield from _table(section.table)
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    yield '<div class="wide"><table>'
    yield "<thead><tr>" + "".join(f'<th scope="col">{escape(each)}</th>' for each in table.headings) + "</tr></thead>"
    yield "<tbody>"
    for name, cells in table.rows:
        columns = zip(table.headings[1:], cells, strict=True)
        shown = "".join(f"<td>{table.shown(heading, cell)}</td>" for heading, cell in columns)
        yield f'<tr><th scope="row">{escape(name)}</th>{shown}</tr>'
    yield "</tbody></table></div>"
