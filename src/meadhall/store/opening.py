"""Opening a store: where it lies, who else has it open, which version it is, and what to say if that fails."""

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg  # type: ignore[import-untyped]
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from meadhall.faults import Fault
from meadhall.store.log import READERS, Store
from meadhall.store.postgres import PostgresStore
from meadhall.store.schema import VERSION_TABLE

ENGINE: dict[str, Any] = {"pool_size": READERS + 1, "max_overflow": 0, "hide_parameters": True}
PRAGMAS = ("busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
MIGRATION_LOCK = 0x6D656164  # "mead": whoever holds this advisory lock may migrate
CONNECT_TIMEOUT = 10.0
ANSWER_TIMEOUT = 30.0

_held: set[int] = set()  # locks of this process


def _forget_locks() -> None:
    # A forked worker shares its parent's locks, and would keep them after the parent was killed.
    for lock in _held:
        os.close(lock)
    _held.clear()


os.register_at_fork(after_in_child=_forget_locks)


async def open_store(where: str | Path | None) -> Store:
    """Open the store at a path or a postgresql:// URL (default: in the user's data directory), migrated to today."""
    if isinstance(where, str) and "://" in where:
        scheme = where.partition("://")[0]
        if scheme not in ("postgresql", "postgres"):
            raise Fault(
                f"the database {scheme}://... is of no known kind: give the path of an SQLite file, "
                "or postgresql://user:password@host/database"
            )
        return await _open_postgres(where)
    return await _open_sqlite(_default_file() if where is None else Path(where))


# SQLite


def _default_file() -> Path:
    home = os.environ.get("XDG_DATA_HOME")
    folder = (Path(home) if home else Path.home() / ".local" / "share") / "meadhall"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Fault(f"the folder {folder} cannot be made ({error.strerror}): give another file with --db") from error
    return folder / "meadhall.sqlite"


async def _open_sqlite(file: Path) -> Store:
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
        await _migrate(engine, str(file))
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
    return Store(engine, writing, release)


def _set_pragmas(line: Any, _: Any) -> None:
    cursor = line.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(line: Connection) -> None:
    line.exec_driver_sql("BEGIN")


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
        raise Fault(
            f"another meadhall has {file} open: stop that one, or give another file "
            "(several processes share tables in PostgreSQL only)"
        ) from error
    _held.add(lock)

    def release() -> None:
        if lock in _held:
            _held.remove(lock)
            os.close(lock)

    return release


# PostgreSQL


async def _open_postgres(url: str) -> Store:
    name = _without_password(url)

    async def connect() -> Any:
        return await asyncpg.connect(
            url,
            timeout=CONNECT_TIMEOUT,
            command_timeout=ANSWER_TIMEOUT,
            server_settings={"application_name": "meadhall"},
        )

    try:
        await (await connect()).close()
    except (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError) as error:
        raise Fault(f"{name} does not let us in: is it the right user, with the right password?") from error
    except asyncpg.InvalidCatalogNameError as error:
        raise Fault(f"{name}: there is no such database; make it first, with createdb") from error
    except OSError as error:
        raise Fault(f"{name} does not answer: is the server running, and is this its address?") from error
    except asyncpg.PostgresError as error:
        raise Fault(f"{name} refuses: {error}") from error
    except (ValueError, asyncpg.InterfaceError):
        raise _misspelt() from None  # whose words might hold the password
    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, **ENGINE)
    try:
        await _migrate(engine, name)
    except BaseException as error:
        await engine.dispose()
        if not isinstance(error, DBAPIError | OSError):
            raise
        cause = getattr(getattr(error, "orig", None), "__cause__", None) or error
        raise Fault(f"{name} cannot be used ({cause}): see to that, or give another database") from error
    store = PostgresStore(engine, connect)
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT):
            await store.hears()
    except BaseException as error:
        await store.close()
        if not isinstance(error, TimeoutError):
            raise
        raise Fault(f"{name} has no connection left to listen on: allow more, or start fewer processes") from error
    return store


def _without_password(url: str) -> str:
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


# Migrations


async def _migrate(engine: AsyncEngine, name: str) -> None:
    async with engine.begin() as line:
        await line.run_sync(_migrate_line, name)


def _migrate_line(line: Connection, name: str) -> None:
    """Bring the database to today's version, in the transaction of this connection."""
    if line.dialect.name == "postgresql":
        line.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = line
    tables = inspect(line).get_table_names()
    if VERSION_TABLE in tables:
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        if not known.issuperset(line.scalars(text(f"SELECT version_num FROM {VERSION_TABLE}"))):
            raise Fault(f"{name} was written by a newer meadhall: install that one, or give another database")
    elif tables:
        raise Fault(f"{name} holds the tables of another program: give meadhall a database of its own")
    command.upgrade(config, "head")
