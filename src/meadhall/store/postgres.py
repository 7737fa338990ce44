"""Tables in a PostgreSQL database, where other processes write the same tables and connections get lost."""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, Double, literal_column, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from meadhall.faults import Fault
from meadhall.store.base import ENGINE, Key, Store
from meadhall.store.errors import StoreAway
from meadhall.store.migrations import migrate
from meadhall.store.rows import Addition, Creation
from meadhall.store.schema import ENTRIES

_log = logging.getLogger(__name__)

CHANNEL = "meadhall"
CONNECT_TIMEOUT = 10.0  # seconds
ANSWER_TIMEOUT = 30.0
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
    insert = postgresql.insert
    now = literal_column("CAST(extract(epoch FROM clock_timestamp()) AS double precision)", Double)

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
        return _will_pass(error)

    # Writing

    def _enter(self, connection: Connection, rows: Sequence[tuple[Key, str]]) -> set[Key]:
        values = [{"table_id": table, "n": n, "entry": entry} for (table, n), entry in rows]
        return {(row[0], row[1]) for row in connection.execute(_APPEND, values)}

    async def _commit(self, batch: list[Creation | Addition]) -> list[int]:
        """Write a batch and notify the other processes; again where what went wrong will pass."""
        for pause in (*PAUSES, None):
            transaction = None
            try:
                async with self._engine.connect() as connection:
                    answers, tables = await connection.run_sync(self._put, batch)
                    told = {"channel": CHANNEL, "sender": self._name, "tables": [str(table) for table in tables]}
                    transaction = (await connection.execute(_NOTIFY, told)).scalar_one()
                    await connection.commit()
                    return answers
            except Exception as error:
                # Only a commit that was asked for and not answered can have happened nevertheless.
                if transaction is not None and await self._happened(transaction):
                    return answers
                if pause is None or not self._passing(error):
                    raise
                _log.debug("writing %d entries again: %s", len(batch), type(error).__name__)
                await asyncio.sleep(pause)
        raise AssertionError("the last attempt either returns or raises")

    async def _happened(self, transaction: str) -> bool:
        """Ask the server what became of a transaction whose commit was not answered."""
        for pause in (*PAUSES, None):
            try:
                async with self._engine.connect() as connection:
                    outcome = (await connection.execute(_OUTCOME, {"transaction": transaction})).scalar()
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
                connection = await self._connect()
                try:
                    gone = asyncio.Event()
                    connection.add_termination_listener(lambda _, gone=gone: gone.set())
                    await connection.add_listener(CHANNEL, self._heard)
                    if self._hears.is_set():
                        self._wake(None)
                    self._hears.set()
                    self._availability.answered()
                    pause = PAUSES[0]
                    await self._until_gone(connection, gone)
                finally:
                    connection.terminate()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                self._availability.failed(error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    @staticmethod
    async def _until_gone(connection: Any, gone: asyncio.Event) -> None:
        while not gone.is_set():
            try:
                async with asyncio.timeout(STILL_THERE_EVERY):
                    await gone.wait()
            except TimeoutError:
                await connection.execute("SELECT 1")

    def _heard(self, connection: Any, pid: int, channel: str, payload: str) -> None:
        sender, _, table = payload.partition(" ")
        if sender != self._name and table.isdecimal():
            self._wake(int(table))

    def _wake(self, table: int | None) -> None:
        for wake in self._wakers:
            try:
                wake(table)
            except Exception:
                _log.exception("a listener to changes failed")


def _will_pass(error: Exception) -> bool:
    """Whether what went wrong may be right again in a while."""
    if isinstance(error, OSError | asyncpg.InterfaceError) or getattr(error, "connection_invalidated", False):
        return True
    return str(getattr(getattr(error, "orig", error), "sqlstate", None)).startswith(_PASSING)


# Opening a database


async def open_postgres(url: str) -> PostgresStore:
    """The store in the database of a URL, migrated to today; a Fault says why it cannot be had."""
    name = without_password(url)

    async def connect() -> Any:
        return await asyncpg.connect(
            url,
            timeout=CONNECT_TIMEOUT,
            command_timeout=ANSWER_TIMEOUT,
            server_settings={"application_name": "meadhall"},
        )

    await _check_reachable(name, connect)
    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, **ENGINE)
    try:
        await migrate(engine, name)
    except BaseException as error:
        await engine.dispose()
        if not isinstance(error, DBAPIError | OSError):
            raise
        cause = getattr(getattr(error, "orig", None), "__cause__", None) or error
        kind = StoreAway if _will_pass(error) else Fault
        raise kind(f"{name} cannot be used ({cause}): see to that, or give another database") from error
    store = PostgresStore(engine, connect)
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT):
            await store.hears()
    except BaseException as error:
        await store.close()
        if not isinstance(error, TimeoutError):
            raise
        raise StoreAway(f"{name} has no connection left to listen on: allow more, or start fewer processes") from error
    return store


async def _check_reachable(name: str, connect: Callable[[], Awaitable[Any]]) -> None:
    """A Fault that says why a database cannot be connected to, if that is so."""
    try:
        await (await connect()).close()
    except (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError) as error:
        raise Fault(f"{name} does not let us in: is it the right user, with the right password?") from error
    except asyncpg.InvalidCatalogNameError as error:
        raise Fault(f"{name}: there is no such database; make it first, with createdb") from error
    except OSError as error:
        raise StoreAway(f"{name} does not answer: is the server running, and is this its address?") from error
    except asyncpg.PostgresError as error:
        raise (StoreAway if _will_pass(error) else Fault)(f"{name} refuses: {error}") from error
    except (ValueError, asyncpg.InterfaceError):
        raise _misspelt() from None  # whose words might hold the password


def without_password(url: str) -> str:
    """The URL as it may be shown."""
    try:
        parts = urlsplit(url)
        user = f"{parts.username}@" if parts.username else ""
        port = f":{parts.port}" if parts.port else ""
        return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"
    except ValueError:
        raise _misspelt() from None


def _misspelt() -> Fault:
    return Fault("the database's URL cannot be read: it should look like postgresql://user:password@host/database")
