"""Databases as earlier versions left them, with tables in play, as SQL in `released/`.

python -m tests.store.dumps     writes those of today's schema; run it with every release that changes the schema
"""

import asyncio
import contextlib
import re
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import asyncpg

from meadhall.bots.pool import Pool
from meadhall.store import open_store
from meadhall.tables import decisions
from meadhall.tables.lobby import Lobby
from meadhall.tables.table import Table
from tests.store.postgres import Server, postgres, program
from tests.variants import random_choice

FOLDER = Path(__file__).parent / "released"
VERSION = r"""INSERT INTO \S*\bmeadhall_version\b\S* VALUES ?\('(\w+)'\)"""


def holder_of(seat: str) -> str:
    """Whoever sits there in all these tables, as a server stores him."""
    return sha256(f"holder of {seat}".encode()).hexdigest()[:40]


async def play(lobby: Lobby, table: Table, dice: Random, most: int = 10_000) -> None:
    """Everybody plays at random to the end, or so many choices."""
    for _ in range(most):
        if not (waiting := sorted(table.match.waiting)):
            return
        seat = dice.choice(waiting)
        choice = random_choice(table.match, seat, dice)
        await lobby.change(table.code, decisions.choose(table.places[seat].holder, seat, table.position, choice))


async def fill(where: str) -> None:
    """A game that is over, one of each game in play, and a table that waits for players."""
    lobby, dice = Lobby(await open_store(where), Pool(), 60.0), Random(7)
    for game, options, choices in (("goths", {}, 10_000), ("goths", {}, 9), ("romans", {"players": TWO}, 5)):
        table = await lobby.open_table(game, options, {}, holder_of("host"), "Ann")
        for seat in table.match.seats:
            await lobby.change(table.code, decisions.sit(holder_of(seat), seat, "Bo"))
        await play(lobby, table, dice, choices)
    await lobby.open_table("goths", {}, {"ostrogoth-king": "me"}, holder_of("host"), "Ann", False)
    await lobby.store.analyses.claim(1, 1, "somebody", 1.5e9, 0.0)
    await lobby.store.seen(2, holder_of("visigoth-king"), 1.5e9)
    await lobby.close()


TWO = ["gold", "green"]


def restore(script: str, where: str) -> None:
    """Make the database that a script describes."""
    if "://" not in where:
        with contextlib.closing(sqlite3.connect(where)) as connection:
            connection.executescript(script)
        return

    async def run() -> None:
        connection = await asyncpg.connect(where)
        await connection.execute(script)
        await connection.close()

    asyncio.run(run())


def sqlite_dump(folder: Path) -> str:
    file = folder / "tables.sqlite"
    asyncio.run(fill(str(file)))
    with contextlib.closing(sqlite3.connect(file)) as connection:
        return "\n".join(connection.iterdump()) + "\n"


def postgresql_dump(server: Server) -> str:
    url = server.fresh_database()
    asyncio.run(fill(url))
    command = (program("pg_dump"), "--inserts", "--no-owner", "--no-privileges", "--schema=public", url)
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # What psql alone understands, what sets up a session of psql, and the schema that every database has.
    unwanted = r"^(?:\\|--|SET |SELECT pg_catalog.set_config|(?:CREATE|COMMENT ON) SCHEMA public)"
    return re.sub(r"\n{2,}", "\n", "\n".join(row for row in made.splitlines() if not re.match(unwanted, row))).lstrip()


def dumps() -> Iterator[tuple[str, str]]:
    """Today's databases, by dialect."""
    with tempfile.TemporaryDirectory() as folder:
        yield "sqlite", sqlite_dump(Path(folder))
    with contextlib.contextmanager(postgres.__wrapped__)() as server:  # type: ignore[attr-defined]
        yield "postgresql", postgresql_dump(server)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for dialect, script in dumps():
        (revision,) = re.findall(VERSION, script)
        (FOLDER / f"{revision}.{dialect}.sql").write_text(script)
