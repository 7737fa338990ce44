"""What a choice costs with 100,000 stored tables, beside what it costs with 100: the same hundred go on in both."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop

from web.machine import Cores, Server, allow_many_sockets, folder_on_disk, free_port, serving
from web.measured import Measured, Repeats, best
from web.play import SEED, once, serve_command
from web.players import Players

FEW, MANY = 100, 100_000
UNDER_WAY = 32
FIRST_CHOICES = 4_000  # so that the stored tables stand in the middle of their games


def measure(cores: Cores, repeats: Repeats, many: int = MANY) -> Measured:
    """How many times as much a choice costs; the rate is that ratio."""
    allow_many_sockets()
    with folder_on_disk() as folder:
        return uvloop.run(_compare(cores, repeats, folder, many))


async def _compare(cores: Cores, repeats: Repeats, folder: Path, many: int) -> Measured:
    few_file, many_file = folder / "few.db", folder / "many.db"
    players = Players(0, "goths", 2, SEED)
    async with _open(players, few_file, cores):
        await players.fill(FEW, 0)
        done = 0
        while done < FIRST_CHOICES and not all(table.over for table in players.tables):
            await players.play(0.2, UNDER_WAY)
            await players.settle()
            done += players.choices
    _multiply(few_file, many_file, many)
    # Each file has its own players: the same tables, which go their own ways.
    costs: dict[Path, list[Measured]] = {few_file: [], many_file: []}
    companies = {file: players.twin() for file in costs}
    for _ in range(repeats.count):
        for file, found in costs.items():
            async with _open(companies[file], file, cores) as server:
                await companies[file].play(repeats.warm_up, UNDER_WAY)
                await companies[file].settle()
                found.append(await once(companies[file], server, repeats, UNDER_WAY, FEW, FEW))
    few, lots = best(costs[few_file]), best(costs[many_file])
    return Measured(few.rate / lots.rate, note=f"{few.rate:,.0f}/s and {lots.rate:,.0f}/s")


@asynccontextmanager
async def _open(players: Players, file: Path, cores: Cores) -> AsyncIterator[Server]:
    """Serve a file, with the players's seats back at their tables."""
    port = free_port()
    with serving(serve_command(file, port), port, cores.server, file.with_suffix(".log")) as server:
        players.port = port
        await players.fill(len(players.tables), 0)
        try:
            yield server
        finally:
            players.close()


def _multiply(few: Path, to: Path, many: int) -> None:
    """Copy every table, entries and all, again and again under new codes into a file of so many."""
    source = sqlite3.connect(few)
    database = sqlite3.connect(to)
    source.backup(database)
    source.close()
    with database:
        database.execute("PRAGMA synchronous = OFF")
        stored, last = database.execute("SELECT count(*), max(id) FROM tables").fetchone()
        columns = [row[1] for row in database.execute("PRAGMA table_info(tables)")]
        values = {"id": "id + :last * k", "code": "code || k"}
        copies = (many + stored - 1) // stored - 1
        numbers = {"last": last, "copies": copies}
        count = "WITH RECURSIVE copy(k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM copy WHERE k < :copies)"
        picked = ", ".join(values.get(column, column) for column in columns)
        database.execute(
            f"INSERT INTO tables ({', '.join(columns)}) {count} SELECT {picked} FROM copy, tables", numbers
        )
        database.execute(
            f"INSERT INTO entries (table_id, n, entry) {count} "
            "SELECT table_id + :last * k, n, entry FROM copy, entries ORDER BY 1, 2",
            numbers,
        )
    database.close()
