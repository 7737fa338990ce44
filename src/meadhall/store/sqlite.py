"""Tables in an SQLite file that one process alone has open, with a thread of its own for writing."""

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Double, Engine, create_engine, event, literal_column
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from meadhall.faults import Fault
from meadhall.store.base import ENGINE, Key, Store
from meadhall.store.errors import StoreLocked
from meadhall.store.migrations import migrate
from meadhall.store.rows import Addition, Creation
from meadhall.store.schema import ENTRIES

PRAGMAS = ("busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
_APPEND = str(sqlite.insert(ENTRIES).on_conflict_do_nothing().compile(dialect=sqlite.dialect()))
_VALUES = "(?, ?, ?)"


@cache
def _append(count: int) -> str:
    """The statement that writes so many entries."""
    return _APPEND.replace(_VALUES, ", ".join([_VALUES] * count))


class SqliteStore(Store):
    """All tables, in an SQLite file."""

    shared = False
    insert = sqlite.insert
    now = literal_column("((julianday('now') - 2440587.5) * 86400.0)", Double)

    def __init__(self, engine: AsyncEngine, writing: Engine, release: Callable[[], None]) -> None:
        super().__init__(engine)
        self._writing = writing
        self._thread = ThreadPoolExecutor(1, "store writer")
        self._release = release

    def on_change(self, wake: Callable[[int | None], None]) -> None:
        """Nothing to do: no other process writes to this file."""

    async def close(self) -> None:
        """Write what waits, then let go of the file."""
        await super().close()
        self._thread.shutdown()
        self._writing.dispose()
        self._release()

    def _passing(self, error: Exception) -> bool:
        """No: what is wrong with a file stays wrong."""
        return False

    async def _commit(self, batch: list[Creation | Addition]) -> list[int]:
        """Write a batch in the writer's thread: one change of threads for all of it, not one for each statement."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit_in_thread, batch)

    def _commit_in_thread(self, batch: list[Creation | Addition]) -> list[int]:
        with self._writing.connect() as connection:
            answers, _ = self._put(connection, batch)
            connection.commit()
        return answers

    def _enter(self, connection: Connection, rows: Sequence[tuple[Key, str]]) -> set[Key]:
        """Write all entries in one statement: with each the thread lets go of the interpreter, and may wait long."""
        connection.exec_driver_sql("SAVEPOINT before")
        values = [part for key, entry in rows for part in (*key, entry)]
        if connection.exec_driver_sql(_append(len(rows)), tuple(values)).rowcount == len(rows):
            return {key for key, _ in rows}
        connection.exec_driver_sql("ROLLBACK TO before")  # it was not said which
        return {key for key, entry in rows if connection.exec_driver_sql(_append(1), (*key, entry)).rowcount}


# Opening a file

_held: set[int] = set()  # locks of this process


def _forget_locks() -> None:
    # A forked worker shares its parent's locks, and would keep them after the parent was killed.
    for lock in _held:
        os.close(lock)
    _held.clear()


os.register_at_fork(after_in_child=_forget_locks)


def default_file() -> Path:
    """The file in the user's data directory that is used where none is given."""
    home = os.environ.get("XDG_DATA_HOME")
    folder = (Path(home) if home else Path.home() / ".local" / "share") / "meadhall"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Fault(f"the folder {folder} cannot be made ({error.strerror}): give another file with --db") from error
    return folder / "meadhall.sqlite"


async def open_sqlite(file: Path) -> SqliteStore:
    """The store in a file, made or migrated to today; a Fault says why it cannot be had."""
    file = file.expanduser().resolve()
    if not file.parent.is_dir():
        raise Fault(f"there is no folder {file.parent} for the database {file.name}: make it, or give another file")
    if file.is_dir():
        raise Fault(f"{file} is a folder: give the path of a file in it, such as {file / 'meadhall.sqlite'}")
    if file.exists() and not os.access(file, os.W_OK):
        raise Fault(f"the database {file} cannot be written: allow that, or give another file")
    release = _lock(file)
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),
        connect_args={"isolation_level": None},  # we begin transactions ourselves, also around migrations
        **ENGINE,
    )
    # Reads go through the event loop; writes have a thread and a connection of their own.
    writing = create_engine(
        URL.create("sqlite", database=str(file)),
        connect_args={"isolation_level": None, "check_same_thread": False},
        pool_size=1,
        max_overflow=0,
        hide_parameters=True,
    )
    for each in (engine.sync_engine, writing):
        event.listen(each, "connect", _set_pragmas)
        event.listen(each, "begin", _begin)
    try:
        await migrate(engine, str(file))
    except BaseException as error:
        writing.dispose()
        await engine.dispose()
        release()
        if not isinstance(error, sqlite3.Error | DBAPIError):
            raise
        cause = str(getattr(error, "orig", error))
        if "not a database" in cause:
            raise Fault(f"{file} is not an SQLite database: give another file, or a new one to be made") from error
        raise Fault(f"the database {file} cannot be used ({cause}): see to that, or give another file") from error
    return SqliteStore(engine, writing, release)


def _set_pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _lock(file: Path) -> Callable[[], None]:
    """Keep other processes away from this file. However this process ends, the system lets go of it."""
    try:
        lock = os.open(f"{file}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Fault(
            f"the folder {file.parent} cannot be written ({error.strerror}): allow that, or give a file elsewhere"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise StoreLocked(
            f"another meadhall has {file} open: stop that one, or give another file "
            "(several processes share tables in PostgreSQL only)"
        ) from error
    _held.add(lock)

    def release() -> None:
        if lock in _held:
            _held.remove(lock)
            os.close(lock)

    return release
