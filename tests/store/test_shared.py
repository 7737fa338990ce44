"""Several processes on one PostgreSQL: they wake each other, and lost connections lose nothing."""

import asyncio

import asyncpg
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from meadhall.store import StoreUnavailable, open_store
from meadhall.store.postgres import PostgresStore
from tests.store.helpers import a_table, around_commits, opened, slow_commits, until

OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND "
OTHERS += "pid <> pg_backend_pid()"
LISTENERS = f"{OTHERS} AND query LIKE 'LISTEN%'"


async def ask(database: str, query: str) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute(query)
    await connection.close()


def test_an_entry_wakes_the_others_and_not_its_writer(database: str) -> None:
    async def scene() -> None:
        async with opened(database) as one, opened(database) as two:
            assert one.shared
            heard: dict[str, list[int | None]] = {"one": [], "two": []}
            one.on_change(heard["one"].append)
            two.on_change(heard["two"].append)
            tables = [await a_table(one, f"T{n}") for n in range(3)]
            assert await one.append(tables[1], 0, "x")
            await until(lambda: heard["two"] == [tables[1]])
            assert not await two.append(tables[1], 0, "y")
            assert await two.append(tables[2], 0, "y")
            await until(lambda: heard["one"] == [tables[2]])
            assert heard["two"] == [tables[1]]
            assert await one.entries(tables[2], 0) == ["y"]

    asyncio.run(scene())


def test_a_failing_waker_does_not_stop_the_others(database: str) -> None:
    async def scene() -> None:
        async with opened(database) as one, opened(database) as two:
            heard: list[int | None] = []

            def fail(table: int | None) -> None:
                raise ValueError(table)

            two.on_change(fail)
            two.on_change(heard.append)
            table = await a_table(one)
            for n in range(2):
                await one.append(table, n, "x")
            await until(lambda: heard == [table, table])

    asyncio.run(scene())


def test_a_lost_listener_comes_back_and_says_that_it_was_away(database: str) -> None:
    async def scene() -> None:
        async with opened(database) as one, opened(database) as two:
            heard: list[int | None] = []
            two.on_change(heard.append)
            table = await a_table(one)
            await ask(database, LISTENERS)
            await until(lambda: heard == [None])
            assert await one.append(table, 0, "x")
            await until(lambda: heard == [None, table])

    asyncio.run(scene())


def test_a_listener_that_is_lost_while_closing_stops_nevertheless(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connections: list[asyncpg.Connection] = []
    connect = asyncpg.connect

    async def noted(*words: object, **options: object) -> asyncpg.Connection:
        connections.append(await connect(*words, **options))
        return connections[-1]

    async def scene() -> None:
        monkeypatch.setattr(asyncpg, "connect", noted)
        for steps in range(6):
            async with opened(database):
                connections[-1].terminate()
                for _ in range(steps):
                    await asyncio.sleep(0)

    asyncio.run(scene())


def test_two_processes_race_and_each_number_has_one_winner(database: str) -> None:
    async def scene() -> None:
        async with opened(database) as one, opened(database) as two:
            tables = [await a_table(one, f"T{n}") for n in range(20)]
            for n in range(5):
                first = asyncio.gather(*(one.append(table, n, "one") for table in tables))
                second = asyncio.gather(*(two.append(table, n, "two") for table in reversed(tables)))
                by_one, by_two = await first, list(reversed(await second))
                for table, a, b in zip(tables, by_one, by_two, strict=True):
                    assert a != b
                    assert await one.entries(table, n) == ["one" if a else "two"]

    asyncio.run(scene())


def test_connections_that_are_cut_cost_nobody_a_write(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened(database) as store:
            tables = [await a_table(store, f"T{n}") for n in range(10)]
            commits = slow_commits(monkeypatch, 0.02)

            async def play(table: int) -> None:
                for n in range(20):
                    assert await store.append(table, n, str(n))

            async def cut() -> None:
                for n in range(3):
                    await until(lambda n=n: len(commits) >= 4 * n + 2)
                    await ask(database, OTHERS)

            await asyncio.gather(cut(), *(play(table) for table in tables))
            await ask(database, OTHERS)
            for table in tables:
                assert await store.entries(table, 0) == [str(n) for n in range(20)]

    asyncio.run(scene())


@pytest.mark.parametrize("reached", [True, False])
def test_a_commit_without_an_answer_is_looked_up(database: str, monkeypatch: pytest.MonkeyPatch, reached: bool) -> None:
    """The connection ends around COMMIT: once after the server did it, once before."""

    async def scene() -> None:
        async with opened(database) as store:
            table = await a_table(store, "T0", "zero")
            commit = AsyncConnection.commit
            cuts = 0

            async def cut(connection: AsyncConnection) -> None:
                nonlocal cuts
                cuts += 1
                if cuts > 1:
                    return await commit(connection)
                if reached:
                    await commit(connection)
                raw = await connection.get_raw_connection()
                assert raw.driver_connection is not None
                raw.driver_connection.terminate()
                raise ConnectionResetError("cut")

            monkeypatch.setattr(AsyncConnection, "commit", cut)
            answers = await asyncio.gather(store.append(table, 1, "x", "over"), store.append(table, 0, "y"))
            assert answers == [True, False]
            assert cuts == (1 if reached else 2)
            stored = await store.load("T0")
            assert stored is not None
            assert (stored.entries, stored.phase) == (["zero", "x"], "over")

    asyncio.run(scene())


def test_several_processes_may_start_at_once(database: str) -> None:
    async def scene() -> None:
        stores = await asyncio.gather(*(open_store(database) for _ in range(5)))
        await a_table(stores[0])
        for store in stores:
            assert await store.load("ABCD") is not None
            await store.close()

    asyncio.run(scene())


def test_a_server_that_is_gone_fails_the_ping_and_the_write(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened(database) as store:
            assert isinstance(store, PostgresStore)
            table = await a_table(store)

            async def nobody_there(*_: object, **__: object) -> None:
                raise ConnectionRefusedError("nobody there")

            monkeypatch.setattr("meadhall.store.postgres.PAUSES", (0.001,) * 3)
            monkeypatch.setattr(asyncpg, "connect", nobody_there)
            around_commits(monkeypatch, nobody_there)
            await store._engine.dispose()
            with pytest.raises(StoreUnavailable, match="ConnectionRefusedError"):
                await store.append(table, 0, "x")
            with pytest.raises(StoreUnavailable, match="ConnectionRefusedError"):
                await store.ping()

    asyncio.run(scene())
