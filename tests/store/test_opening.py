"""Opening a store: where it lies by default, its migrations, and what is said when it cannot be opened."""

import asyncio
import contextlib
import os
import re
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from meadhall.faults import Fault
from meadhall.store import open_store
from meadhall.store.schema import METADATA, VERSION_TABLE
from meadhall.store.sqlite import PRAGMAS
from tests.store.helpers import a_table, opened
from tests.store.postgres import Server


def refused(where: str | Path | None) -> str:
    """Why this cannot be opened."""

    async def scene() -> str:
        with pytest.raises(Fault) as fault:
            await open_store(where)
        return str(fault.value)

    return asyncio.run(scene())


def a_cookie_jar(file: str | Path) -> None:
    """An SQLite database of another program."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE cookies (id int)")


# Where and how


@pytest.mark.parametrize("variable", ["XDG_DATA_HOME", "HOME"])
def test_by_default_the_file_lies_in_the_users_data_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "new"))

    async def scene() -> None:
        async with opened(None) as store:
            await a_table(store)

    asyncio.run(scene())
    share = tmp_path / "new" / (".local/share" if variable == "HOME" else "")
    assert (share / "meadhall" / "meadhall.sqlite").stat().st_size > 0


def test_a_path_may_hold_any_characters(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "a b?c#d%20é.db") as store:
            await a_table(store)

    asyncio.run(scene())
    assert (tmp_path / "a b?c#d%20é.db").exists()


def test_every_connection_to_sqlite_is_set_to_keep_its_promises(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "tables.sqlite") as store:
            connections = [await store._engine.connect() for _ in range(4)]
            for connection in connections:
                found = [(await connection.execute(text(f"PRAGMA {p.split()[0]}"))).scalar() for p in PRAGMAS]
                assert found == [5000, "wal", 2, 1]
                await connection.close()

    asyncio.run(scene())


def test_a_live_file_is_copied_by_sqlites_own_backup(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "a.db") as store:
            table = await a_table(store, "ABCD", "zero")
            assert await store.append(table, 1, "one")
            with contextlib.closing(sqlite3.connect(tmp_path / "a.db")) as live:
                live.execute("VACUUM INTO ?", (str(tmp_path / "vacuumed.db"),))
                with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
                    live.backup(copy)
            assert await store.append(table, 2, "two")
        for name in ("copy.db", "vacuumed.db"):
            async with opened(tmp_path / name) as store:
                stored = await store.load("ABCD")
                assert stored is not None
                assert stored.entries == ["zero", "one"]

    asyncio.run(scene())


# Migrations


def test_the_migrations_make_what_the_schema_says(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store, store._engine.connect() as connection:

            def differences(plain: object) -> list[object]:
                options = {"version_table": VERSION_TABLE, "compare_type": True}
                context = MigrationContext.configure(plain, opts=options)  # type: ignore[arg-type]
                return list(compare_metadata(context, METADATA))

            assert await connection.run_sync(differences) == []

    asyncio.run(scene())


def test_migrating_twice_is_harmless_and_silent(where: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")

    async def scene() -> None:
        async with opened(where) as store:
            await a_table(store, "ABCD", "zero")
        for _ in range(2):
            async with opened(where) as store:
                stored = await store.load("ABCD")
                assert stored is not None
                assert stored.entries == ["zero"]

    asyncio.run(scene())
    assert caplog.messages == []


def test_a_migration_that_fails_leaves_nothing_behind(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from alembic import op

    create_table = op.create_table

    def fail(name: str, *columns: object, **options: object) -> None:
        if name == "presence":
            raise KeyboardInterrupt
        create_table(name, *columns, **options)

    async def scene() -> None:
        with monkeypatch.context() as patched:
            patched.setattr(op, "create_table", fail)
            with pytest.raises(KeyboardInterrupt):
                await open_store(where)
        async with opened(where) as store:
            await a_table(store)

    asyncio.run(scene())


def test_a_newer_database_is_refused(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store, store._engine.begin() as connection:
            await connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = 'future'"))

    asyncio.run(scene())
    assert "was written by a newer meadhall: install that one, or give another database" in refused(where)
    assert "newer" in refused(where), "the refusal lets go of the file"


def test_another_programs_database_is_refused(where: str, postgres: Server) -> None:
    if "://" in where:
        postgres.run("CREATE TABLE cookies (id int)", database=where.split("?")[0].rpartition("/")[2])
    else:
        a_cookie_jar(where)
    assert "holds the tables of another program: give meadhall a database of its own" in refused(where)


# Faults of files


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert refused(tmp_path / "none" / "a.db") == (
        f"there is no folder {tmp_path / 'none'} for the database a.db: make it, or give another file"
    )


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert refused(tmp_path).startswith(f"{tmp_path} is a folder: give the path of a file in it")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nobody, not even root, makes files in /proc.
    assert re.fullmatch(
        r"the folder /proc cannot be written \(.+\): allow that, or give a file elsewhere", refused("/proc/a.db")
    )
    monkeypatch.setenv("XDG_DATA_HOME", "/proc")
    assert re.fullmatch(r"the folder /proc/meadhall cannot be made \(.+\): give another file with --db", refused(None))


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.db").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    assert refused(tmp_path / "a.db").endswith("a.db cannot be written: allow that, or give another file")


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("Dear diary, " * 100)
    assert refused(tmp_path / "a.db") == (
        f"{tmp_path / 'a.db'} is not an SQLite database: give another file, or a new one to be made"
    )
    assert (tmp_path / "a.db").read_text() == "Dear diary, " * 100


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    a_cookie_jar(file)
    file.write_bytes(file.read_bytes()[:4096] + b"x" * 4096)
    with file.open("r+b") as damaged:
        damaged.seek(100)
        damaged.write(b"x" * 500)
    assert re.fullmatch(rf"the database {file} cannot be used \(.+\): see to that, or give another file", refused(file))


def test_a_file_is_open_in_one_process_only(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    child = "import asyncio, sys; from meadhall.store import open_store; asyncio.run(open_store(sys.argv[1]))"

    async def scene() -> None:
        async with opened(file):
            tried = subprocess.run([sys.executable, "-c", child, file], capture_output=True, text=True, check=False)
            assert f"another meadhall has {file} open: stop that one, or give another file" in tried.stderr
            with pytest.raises(Fault, match="another meadhall"):
                await open_store(file)
        async with opened(file):
            pass

    asyncio.run(scene())


def test_a_forked_worker_does_not_keep_the_file(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "a.db"):
            stay, go = os.pipe()
            wait, there = os.pipe()
            worker = os.fork()
            if worker == 0:
                os.close(go)
                os.write(there, b"!")
                os.read(stay, 1)
                os._exit(0)
            os.read(wait, 1)
        async with opened(tmp_path / "a.db"):
            os.close(go)
        for end in (stay, wait, there):
            os.close(end)
        assert os.waitpid(worker, 0)[1] == 0

    asyncio.run(scene())


# Faults of servers


def test_an_unknown_scheme_is_named_without_the_rest() -> None:
    assert refused("mysql://ann:secret@host/db") == (
        "the database mysql://... is of no known kind: give the path of an SQLite file, "
        "or postgresql://user:password@host/database"
    )


@pytest.mark.parametrize(
    "url",
    ["postgresql://ann:secret@host:port/db", "postgresql://ann:secret@[host/db", "postgres://ann:secret@h/d?sslmode=x"],
)
def test_a_misspelt_url_is_refused_without_the_password(url: str) -> None:
    assert refused(url) == (
        "the database's URL cannot be read: it should look like postgresql://user:password@host/database"
    )


def test_a_server_that_does_not_answer_is_named_without_the_password() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        assert refused(f"postgresql://ann:secret@{address}/db") == (
            f"postgresql://ann@{address}/db does not answer: is the server running, and is this its address?"
        )


def test_a_wrong_password_is_not_repeated(postgres: Server) -> None:
    postgres.run("CREATE ROLE guarded LOGIN PASSWORD 'right'")
    for user, password in (("guarded", "wrong"), ("guarded", ""), ("stranger", "wrong")):
        assert refused(postgres.url("postgres", user, password)) == (
            f"postgresql://{user}@/postgres does not let us in: is it the right user, with the right password?"
        )


def test_an_unknown_database_is_named(postgres: Server) -> None:
    assert refused(postgres.url("nowhere")) == (
        "postgresql://postgres@/nowhere: there is no such database; make it first, with createdb"
    )


def test_a_database_that_refuses_is_quoted(postgres: Server, database: str) -> None:
    name = database.split("?")[0].rpartition("/")[2]
    postgres.run(f"CREATE ROLE visitor_{name} LOGIN")
    assert re.fullmatch(
        rf"postgresql://visitor_{name}@/{name} cannot be used \(permission denied for schema public\): see to .+",
        refused(postgres.url(name, f"visitor_{name}")),
    )
    postgres.run(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
    assert refused(database).startswith(f"postgresql://postgres@/{name} refuses: ")
