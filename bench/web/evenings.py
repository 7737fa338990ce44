"""Evenings of people and bots, by one process on SQLite and by four on PostgreSQL, and what stays in memory of them.

    PYTHONPATH=bench:. .venv/bin/python -m web.evenings

It needs the PostgreSQL of the tests. All of the machine is the server's, bar what the load takes.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from tests.store.postgres import made, running

from web import hall, memory
from web.machine import find_cores

SECONDS = 60.0
WIDTH = 150
VERDICTS = {True: "[green]met", False: "[red]missed"}
ON_DISK = {"fsync": "on", "shared_buffers": "128MB"}
KEPT_OVER, MORE = 300, 700  # games of which what is kept is full, and those after them
GROWTH = 1.05  # of the memory, at most


@dataclass(frozen=True)
class Evening:
    """What is played, by how many processes, and within how many milliseconds 99 of 100 choices are to be answered."""

    processes: int
    tables: int
    hurried: bool
    bound: float | None = None  # what several processes do hangs on how many cores there are

    @property
    def store(self) -> str:
        """Several processes share a database."""
        return "SQLite" if self.processes == 1 else "PostgreSQL"


EVENINGS = (
    Evening(1, 100, hurried=True, bound=200),
    Evening(1, 500, hurried=False, bound=500),
    Evening(4, 100, hurried=True),
    Evening(4, 500, hurried=False),
)


@contextmanager
def _database(evening: Evening) -> Iterator[str]:
    """Where an evening is written; "" for a file of its own."""
    if evening.processes == 1:
        yield ""
        return
    with made() as (folder, programs), running(folder, programs, ON_DISK) as server:
        yield server.fresh_database()


def evenings(seconds: float, console: Console) -> bool:
    """Play all of them and print what came of it; has each a figure?"""
    table = Table("Store", "Processes", "Tables", "Tellings", "Choices", "p50", "p99", "Target", "", "")
    whole = True
    for each in EVENINGS:
        print(f"{each.tables} tables, {each.store} ...", file=sys.stderr)
        row = (each.store, str(each.processes), str(each.tables), "skipped" if each.hurried else "watched")
        try:
            with _database(each) as database:
                found = hall.measure(seconds, each.tables, each.hurried, database, each.processes)
        except (OSError, RuntimeError) as fault:
            whole = False
            table.add_row(*row, "[red]failed", "", "", "", "", str(fault)[:200])
        else:
            target = ("", "") if each.bound is None else (f"< {each.bound:.0f} ms", VERDICTS[found.p99 < each.bound])
            times = (f"{found.rate:.0f}/s", f"{found.p50:.0f} ms", f"{found.p99:.0f} ms")
            table.add_row(*row, *times, *target, found.note)
    console.print(table)
    return whole


def main() -> int:
    """Print all; the status is 1 if there is no figure for something, not if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="N", help="of each evening (default: 60)")
    options = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    whole = evenings(options.seconds, console)
    share = options.seconds / SECONDS
    games = memory.measure(find_cores(), max(20, round(share * KEPT_OVER)), max(20, round(share * MORE)))
    console.print(
        f"Memory of games that are over: {games.note}, target < {GROWTH:.2f}x:", VERDICTS[games.rate < GROWTH]
    )
    return int(not whole)


if __name__ == "__main__":
    sys.exit(main())
