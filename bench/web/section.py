"""The web part of the benchmark: its rows, what we promised, and the table."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from importlib import import_module
from multiprocessing import get_context
from textwrap import shorten
from typing import Any

from rich.markup import escape
from rich.table import Table

from web.machine import Cores
from web.measured import Measured, Repeats

FEW_WORDS = 200  # characters
FULL, QUICK = Repeats(), Repeats(count=1, seconds=0.5, warm_up=0.3)
VERDICTS = {True: "[green]met", False: "[red]missed", None: ""}

US, BARE, PEER = "Meadhall", "Starlette, bare", "boardgame.io"


@dataclass(frozen=True)
class Row:
    """One thing to measure: `work` names a function `module:function`, called with cores, repeats and `args`."""

    key: str
    who: str
    what: str
    work: str
    args: tuple[Any, ...] = ()
    quick_args: tuple[Any, ...] | None = None  # where a smoke test should do less
    before: str = ""  # what the same row gave before answers were compressed


@dataclass(frozen=True)
class Promise:
    """A target: a value made of measured rows, and the bound it has to keep."""

    what: str
    value: Callable[[dict[str, Measured]], float]  # KeyError where a row is missing
    bound: float
    at_least: bool
    shown: str  # a format

    def keeps(self, value: float) -> bool:
        """Is this good enough?"""
        return value >= self.bound if self.at_least else value < self.bound


ROWS = (
    Row("bare", BARE, "one commit a request, 32 connections", "web.bare:measure"),
    Row("peer-1", PEER, "in memory, 50 clients, 50 matches", "web.boardgameio:measure", (1,)),
    Row("peer-2", PEER, "in memory, 50 clients, 25 matches of two", "web.boardgameio:measure", (2,)),
    Row("goths", US, "Goths, 200 tables of 2 people, both listening", "web.play:measure", ("goths", 2)),
    Row("goths-4", US, "Goths, 200 tables of 4 people, all listening", "web.play:measure", ("goths", 4)),
    Row("romans", US, "Romans, 200 tables of 2 people, both listening", "web.play:measure", ("romans", 2)),
    Row("romans-4", US, "Romans, 200 tables of 4 people, all listening", "web.play:measure", ("romans", 4)),
    Row("stored", US, "cost of a choice, 100,000 tables : 100", "web.stored:measure", (), (2_000,)),
    Row("floods", US, "the home page, flooded : as usual", "web.floods:measure"),
    Row("page-goths", US, "a table of Goths, cold", "web.pages:measure", ("goths",), before="169 kB sent"),
    Row("page-romans", US, "a table of Romans, cold", "web.pages:measure", ("romans",), before="144 kB sent"),
    Row("update-goths", US, "a change of Goths, to each page", "web.updates:measure", ("goths",), before="38.9 kB"),
    Row("update-romans", US, "a change of Romans, to each page", "web.updates:measure", ("romans",), before="34.5 kB"),
)


def _peer(found: dict[str, Measured]) -> float:
    return max(found["peer-1"].rate, found["peer-2"].rate)


PROMISES = (
    Promise("Goths : bare handler", lambda m: m["goths"].rate / m["bare"].rate, 1, True, "{:.2f}x"),
    Promise("Goths : boardgame.io at its best", lambda m: m["goths"].rate / _peer(m), 0.5, True, "{:.2f}x"),
    Promise("Goths, p99 of POST to update", lambda m: m["goths"].p99, 100, False, "{:.0f} ms"),
    Promise("Romans, p99 of POST to update", lambda m: m["romans"].p99, 100, False, "{:.0f} ms"),
    Promise("a choice, 100,000 tables : 100", lambda m: m["stored"].rate, 1.2, False, "{:.2f}x"),
    Promise("a page under a flood : as usual", lambda m: m["floods"].rate, 2, False, "{:.2f}x"),
    Promise("Goths, the page in all", lambda m: m["page-goths"].kilobytes, 150, False, "{:.0f} kB"),
    Promise("Romans, the page in all", lambda m: m["page-romans"].kilobytes, 150, False, "{:.0f} kB"),
    Promise("Goths, the page over the wire", lambda m: m["page-goths"].sent, 75, False, "{:.0f} kB"),
    Promise("Romans, the page over the wire", lambda m: m["page-romans"].sent, 75, False, "{:.0f} kB"),
    Promise("Goths, a change over the wire", lambda m: m["update-goths"].kilobytes, 10, False, "{:.1f} kB"),
    Promise("Romans, a change over the wire", lambda m: m["update-romans"].kilobytes, 10, False, "{:.1f} kB"),
    Promise("Goths, ready to act", lambda m: m["page-goths"].p50 / 1000, 1, False, "{:.2f} s"),
    Promise("Romans, ready to act", lambda m: m["page-romans"].p50 / 1000, 1, False, "{:.2f} s"),
)


@dataclass(frozen=True)
class Figure:
    """What came of a row: something measured, or the reason why there is nothing."""

    row: Row
    measured: Measured | None = None
    reason: str = ""


def measure(row: Row, cores: Cores, quick: bool) -> Figure:
    """Measure a row in a fresh process on the load's core."""
    repeats = QUICK if quick else FULL
    if quick and row.quick_args is not None:
        row = replace(row, args=row.quick_args)
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:
        try:
            return Figure(row, apart.submit(_answer, row, cores, repeats).result())
        except Exception as fault:
            return Figure(row, reason=shorten(f"{type(fault).__name__}: {fault}", FEW_WORDS, placeholder=" ..."))


def _answer(row: Row, cores: Cores, repeats: Repeats) -> Measured:
    """What the fresh process does; whatever its libraries print goes to standard error."""
    os.dup2(2, 1)
    os.sched_setaffinity(0, {cores.load})
    module, _, function = row.work.partition(":")
    time.sleep(repeats.warm_up)  # what ran before may still be stopping
    found: Measured = getattr(import_module(module), function)(cores, repeats, *row.args)
    return found


def _cells(measured: Measured) -> tuple[str, ...]:
    """A row's figures in words; what was not measured stays empty."""
    rate = "" if measured.kilobytes else f"{measured.rate:,.2f}x" if measured.rate < 10 else f"{measured.rate:,.0f}/s"
    weight = f"{measured.kilobytes:.{0 if measured.kilobytes >= 20 else 1}f} kB" if measured.kilobytes else ""
    times = [f"{value:.{0 if value >= 20 else 1}f} ms" if value else "" for value in (measured.p50, measured.p99)]
    busy = [f"{100 * share:.0f}%" if share else "" for share in (measured.server_busy, measured.load_busy)]
    return rate or weight, *times, *busy, measured.note


def table_of(figures: Sequence[Figure], caption: str) -> Table:
    """A line for each row."""
    table = Table(title="Over HTTP: choices per second, best repeat, delays from the same repeat", caption=caption)
    for heading in ("Who", "What"):
        table.add_column(heading)
    for heading in ("Figure", "p50", "p99", "Server", "Load"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for figure in figures:
        row = figure.row
        if figure.measured is None:
            table.add_row(row.who, row.what, "[red]failed", "", "", "", "", f"[red]{escape(figure.reason)}")
        else:
            *cells, note = _cells(figure.measured)
            before = f"before: {row.before}" if row.before else ""
            table.add_row(row.who, row.what, *cells, "; ".join(filter(None, (note, before))))
    return table


def _kept(figures: Sequence[Figure]) -> list[tuple[Promise, float | None, bool]]:
    """Each promise with its value and whether it is kept; not while a row it needs is missing."""
    found = {figure.row.key: figure.measured for figure in figures if figure.measured}
    kept = []
    for promise in PROMISES:
        try:
            value = promise.value(found)
            kept.append((promise, value, promise.keeps(value)))
        except KeyError:
            kept.append((promise, None, False))
    return kept


def promises_of(figures: Sequence[Figure]) -> Table:
    """A line for each target."""
    table = Table(title="Targets over HTTP")
    table.add_column("What")
    table.add_column("Figure", justify="right")
    table.add_column("Target", justify="right")
    table.add_column("")
    for promise, value, kept in _kept(figures):
        bound = f"{'≥' if promise.at_least else '<'} {promise.shown.format(promise.bound)}"
        figure = "no figure" if value is None else promise.shown.format(value)
        table.add_row(promise.what, figure, bound, VERDICTS[kept])
    return table


def as_json(figures: Sequence[Figure], cores: Cores) -> dict[str, Any]:
    """All that the two tables tell, for machines."""
    rows = [
        {
            "key": figure.row.key,
            "who": figure.row.who,
            "what": figure.row.what,
            "reason": figure.reason or None,
            **(figure.measured.as_json() if figure.measured else {}),
        }
        for figure in figures
    ]
    targets = [
        {"what": promise.what, "value": value, "bound": promise.bound, "at_least": promise.at_least, "met": kept}
        for promise, value, kept in _kept(figures)
    ]
    return {"cores": str(cores), "rows": rows, "targets": targets}
