"""Measure Meadhall and its peers on one core in one run, and print one table."""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import thinking
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table
from rows import COMPARISONS, GOTHS, NANOSECONDS, RATE, ROWS, Comparison, Figure, Row, measure
from timing import REPEATS
from web.machine import Cores, find_cores

from web import section as web

FULL, QUICK = 0.5, 0.03  # seconds a repeat takes at least; up to twice that
PACKAGES = ("meadhall", "numba", "numpy", "open_spiel", "pettingzoo", "rlcard", "pgx", "jax", "torch")
WIDTH = 140  # where the table does not go to a terminal
VERDICTS = {True: "[green]met", False: "[red]missed", None: ""}


def pin() -> str:
    """Keep this process and its children to one core; gives a word about it."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned to a core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


def versions() -> dict[str, str]:
    """The version of Python and of every package that takes part."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def rounded(value: float, unit: str) -> str:
    """A figure to three digits, with its unit."""
    if unit == RATE:
        whole = round(value)
        return f"{round(whole, 3 - len(str(whole))):,}{unit}"
    return f"{value:.1f} {unit}" if unit == NANOSECONDS else f"{value:.3f} {unit}"


def shown(figure: Figure) -> str:
    """A row's figure, or why there is none, as rich writes it."""
    if figure.value is None:
        return f"[red]failed: {escape(figure.reason)}"
    return rounded(figure.value, figure.row.unit)


def promise(figure: Figure) -> str:
    """A row's target in words."""
    row = figure.row
    if row.target is None:
        return ""
    return f"≥ {row.target:,.0f}{row.unit}" if row.unit == RATE else f"< {row.target:g} {row.unit}"


def times_as_fast(figures: Sequence[Figure], figure: Figure, row: Row = GOTHS) -> float | None:
    """How many times this rate one of our rows is: batch play of Goths unless said otherwise."""
    ours = next(each.value for each in figures if each.row is row)
    return ours / figure.value if ours and figure.value and figure.row.unit == RATE else None


def against_best(figures: Sequence[Figure], comparison: Comparison) -> tuple[str, float | None, bool]:
    """The peer's best row, how many times as fast we are, and is that enough? Not while a row is missing."""
    peers = [figure for figure in figures if figure.row.who == comparison.peer]
    best = max(peers, key=lambda figure: figure.value or 0)
    times = times_as_fast(figures, best, comparison.ours)
    complete = all(figure.value for figure in peers)
    return best.row.what, times, complete and times is not None and times >= comparison.target


def table_of(figures: Sequence[Figure], caption: str) -> Table:
    """The one table: a line for each row, then the comparisons we promised."""
    table = Table(title=f"Random play, decisions per second, best of {REPEATS}", caption=caption)
    for heading in ("Who", "What"):
        table.add_column(heading)
    for heading in ("Figure", "Goths batch is", "Target"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for k, figure in enumerate(figures):
        row = figure.row
        times = times_as_fast(figures, figure)
        ratio = "" if times is None else f"{times:,.1f}x"
        who = "" if k > 0 and figures[k - 1].row.who == row.who else row.who
        last = k + 1 == len(figures) or figures[k + 1].row.who != row.who
        verdict = VERDICTS[figure.met]
        table.add_row(who, row.what, shown(figure), ratio, promise(figure), verdict, end_section=last)
    for comparison in COMPARISONS:
        what, ratio_to_best, met = against_best(figures, comparison)
        ratio = "no figure" if ratio_to_best is None else f"{ratio_to_best:,.1f}x"
        target = f"≥ {comparison.target:g}x"
        table.add_row(comparison.peer, f"its best ({what}): {comparison.ours.what}", "", ratio, target, VERDICTS[met])
    return table


def as_json(figures: Sequence[Figure], core: str) -> dict[str, Any]:
    """All that the table tells, for machines."""
    rows = [
        {
            "who": figure.row.who,
            "what": figure.row.what,
            "unit": figure.row.unit,
            "value": figure.value,
            "reason": figure.reason or None,
            "goths_batch_is_times": times_as_fast(figures, figure),
            "target": figure.row.target,
            "met": figure.met,
        }
        for figure in figures
    ]
    comparisons = []
    for comparison in COMPARISONS:
        best, times, met = against_best(figures, comparison)
        comparisons.append(
            {
                "peer": comparison.peer,
                "best": best,
                "ours": comparison.ours.what,
                "times": times,
                "target": comparison.target,
                "met": met,
            }
        )
    return {"core": core, "versions": versions(), "rows": rows, "comparisons": comparisons}


def compile_beforehand() -> None:
    """Leave compiled rules on disk, where every run but the very first finds them."""
    for game in ("goths", "romans"):
        command = [sys.executable, "-m", "meadhall", "sim", game, "--games", "1", "--json"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)  # a row that fails will say why


def measure_rules(quick: bool, console: Console) -> tuple[dict[str, Any], bool]:
    """Simulation and its peers: print the table; the figures for machines, and is there one for every row?"""
    core = pin()
    compile_beforehand()
    bar = track(ROWS, "Measuring", console=Console(stderr=True), transient=True)
    figures = [measure(row, QUICK if quick else FULL) for row in bar]
    known = ", ".join(f"{name} {number}" for name, number in versions().items())
    console.print(table_of(figures, f"{core}{hurry(quick)}; {known}"))
    return as_json(figures, core), all(figure.value is not None for figure in figures)


def measure_web(cores: Cores, quick: bool, console: Console) -> tuple[dict[str, Any], bool]:
    """Choices over HTTP and their peers, as above."""
    bar = track(web.ROWS, "Measuring over HTTP", console=Console(stderr=True), transient=True)
    figures = [web.measure(row, cores, quick) for row in bar]
    console.print(web.table_of(figures, f"{cores}{hurry(quick)}"), web.promises_of(figures))
    return web.as_json(figures, cores), all(figure.measured for figure in figures)


def measure_bots(quick: bool, console: Console) -> list[dict[str, Any]]:
    """How long bots think: print the table; the figures for machines."""
    with console.status("Measuring the bots") if sys.stdout.isatty() else nullcontext():
        figures = thinking.measure_all(quick)
    console.print(thinking.table_of(figures, f"each level with itself{hurry(quick)}"))
    return thinking.as_json(figures)


def hurry(quick: bool) -> str:
    """A warning under a table whose figures mean nothing."""
    return "; --quick: figures mean nothing" if quick else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it all; the status is 1 if any row has no figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("rules", "web", "bots"), help="measure one part")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    parser.add_argument("--quick", action="store_true", help="short repeats: a smoke test, not a measurement")
    options = parser.parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    cores = find_cores()  # before anything is pinned
    told: dict[str, Any] = {}
    complete = True
    if options.only in (None, "bots"):
        told["bots"] = measure_bots(options.quick, console)
    if options.only in (None, "rules"):
        rules, complete = measure_rules(options.quick, console)
        told |= rules
    if options.only in (None, "web"):
        told["web"], complete_web = measure_web(cores, options.quick, console)
        complete = complete and complete_web
    if options.json:
        options.json.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    return int(not complete)


if __name__ == "__main__":
    sys.exit(main())
