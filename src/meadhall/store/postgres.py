"""What PostgreSQL adds: other processes write the same tables, and connections get lost."""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncEngine

from meadhall.store.log import Addition, Creation, Key, Store
from meadhall.store.schema import ENTRIES

_log = logging.getLogger(__name__)

CHANNEL = "meadhall"
PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)  # seconds between attempts to write a batch
LONGEST_PAUSE = 5.0  # seconds between attempts to listen again
STILL_THERE_EVERY = 30.0  # seconds: a listener whose other end vanished silently is found out

# Serialisation, deadlock, lost connections, a server that stops or starts, too many clients.
_PASSING = ("40001", "40P01", "08", "57P", "53300")

_NOTIFY = text(
    "SELECT pg_current_xact_id()::text, count(pg_notify(:channel, :sender || ' ' || id)) "
    "FROM unnest(CAST(:tables AS text[])) AS id"
)
_APPEND = postgresql.insert(ENTRIES).on_conflict_do_nothing().returning(ENTRIES.c.table_id, ENTRIES.c.n)
_OUTCOME = text("SELECT pg_xact_status(CAST(CAST(:transaction AS text) AS xid8))")


class PostgresStore(Store):
    """All tables, in a PostgreSQL database that any number of processes share."""

    shared = True

    def __init__(self, engine: AsyncEngine, connect: Callable[[], Awaitable[Any]]) -> None:
        super().__init__(engine)
        self._connect = connect
        self._name = uuid.uuid4().hex
        self._wakers: list[Callable[[int | None], None]] = []
        self._hears = asyncio.Event()
        self._listener = asyncio.create_task(self._listen(), name="store listener")

    def on_change(self, wake: Callable[[int | None], None]) -> None:
        """Have `wake` called with a table another process appended to, or None when some may have been missed."""
        self._wakers.append(wake)

    async def hears(self) -> None:
        """Wait until no notification can be missed any more."""
        await self._hears.wait()

    async def close(self) -> None:
        """Write what waits, then let go of the database."""
        while not self._listener.done():
            self._listener.cancel()  # which gets lost if it comes in the very moment in which a connection does
            await asyncio.wait([self._listener], timeout=1)
        await super().close()

    def _passing(self, error: Exception) -> bool:
        """Whether a second attempt may well succeed. Unless it was the commit that failed, nothing was written."""
        if isinstance(error, OSError | asyncpg.InterfaceError) or getattr(error, "connection_invalidated", False):
            return True
        return str(getattr(getattr(error, "orig", error), "sqlstate", None)).startswith(_PASSING)

    # Writing

    def _enter(self, line: Connection, rows: Sequence[tuple[Key, str]]) -> set[Key]:
        values = [{"table_id": table, "n": n, "entry": entry} for (table, n), entry in rows]
        return {(row[0], row[1]) for row in line.execute(_APPEND, values)}

    async def _commit(self, batch: list[Creation | Addition]) -> list[int]:
        """As on SQLite, and tell the others; again where what went wrong will pass."""
        for pause in (*PAUSES, None):
            transaction = None
            try:
                async with self._engine.connect() as line:
                    answers, tables = await line.run_sync(self._put, batch)
                    told = {"channel": CHANNEL, "sender": self._name, "tables": [str(table) for table in tables]}
                    transaction = (await line.execute(_NOTIFY, told)).scalar_one()
                    await line.commit()
                    return answers
            except Exception as error:
                # Only a commit that was asked for and not answered can have happened nevertheless.
                if transaction is not None and await self._happened(transaction):
                    return answers
                if pause is None or not self._passing(error):
                    raise
                _log.info("writing %d entries again: %s", len(batch), type(error).__name__)
                await asyncio.sleep(pause)
        raise AssertionError("the last attempt either returns or raises")

    async def _happened(self, transaction: str) -> bool:
        """Ask the server what became of a transaction whose commit was not answered."""
        for pause in (*PAUSES, None):
            try:
                async with self._engine.connect() as line:
                    outcome = (await line.execute(_OUTCOME, {"transaction": transaction})).scalar()
                if outcome in ("committed", "aborted"):
                    return bool(outcome == "committed")
            except Exception as error:
                if pause is None or not self._passing(error):
                    raise
            if pause is not None:
                await asyncio.sleep(pause)
        raise ConnectionError("the database does not say whether the last entries were written")

    # Listening

    async def _listen(self) -> None:
        pause = PAUSES[0]
        while True:
            try:
                line = await self._connect()
                try:
                    gone = asyncio.Event()
                    line.add_termination_listener(lambda _, gone=gone: gone.set())
                    await line.add_listener(CHANNEL, self._heard)
                    if self._hears.is_set():
                        self._wake(None)
                    self._hears.set()
                    pause = PAUSES[0]
                    await self._until_gone(line, gone)
                finally:
                    line.terminate()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                _log.info("listening to the database failed: %s", type(error).__name__)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    @staticmethod
    async def _until_gone(line: Any, gone: asyncio.Event) -> None:
        while not gone.is_set():
            try:
                async with asyncio.timeout(STILL_THERE_EVERY):
                    await gone.wait()
            except TimeoutError:
                await line.execute("SELECT 1")

    def _heard(self, line: Any, pid: int, channel: str, payload: str) -> None:
        sender, _, table = payload.partition(" ")
        if sender != self._name and table.isdecimal():
            self._wake(int(table))

    def _wake(self, table: int | None) -> None:
        for wake in self._wakers:
            try:
                wake(table)
            except Exception:
                _log.exception("a listener to changes failed")
