"""The one writer: many waiting writes in one commit, each answered for itself, whatever happens."""

import asyncio
import os
import random
import signal
import subprocess
import sys

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from meadhall.store import Store, StoreUnavailable, TableRemoved
from tests.store.helpers import a_table, around_commits, opened, slow_commits


def test_waiting_writes_share_a_commit(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            tables = [await a_table(store, f"T{n}") for n in range(100)]
            commits = slow_commits(monkeypatch, 0.01)
            assert all(await asyncio.gather(*(store.append(table, 0, "x") for table in tables)))
            assert len(commits) <= 2

    asyncio.run(scene())


def test_slow_storage_loses_nothing_and_keeps_the_order(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(store: Store, table: int, rounds: int) -> list[str]:
        """Two players who both append whenever they can, reloading when the other was first."""
        log: list[str] = []

        async def player(name: str) -> None:
            for move in range(rounds):
                entry = f"{name}{move}"
                while True:
                    n = len(log)
                    if await store.append(table, n, entry):
                        log[n:] = [entry]
                        break
                    log[n:] = await store.entries(table, n)

        await asyncio.gather(player("a"), player("b"))
        return log

    async def scene() -> None:
        async with opened(where) as store:
            tables = [await a_table(store, f"T{n}") for n in range(30)]
            slow_commits(monkeypatch, 0.01)
            await asyncio.gather(*(play(store, table, 10) for table in tables))
            for table in tables:
                log = await store.entries(table, 0)
                for name in "ab":
                    assert [entry for entry in log if entry[0] == name] == [f"{name}{move}" for move in range(10)]
                assert len(log) == 20

    asyncio.run(scene())


BAD = {
    "a table that is not there": (987654, 0, "x"),
    "no text": (None, 1, None),
    "a number too large": (None, 2**70, "x"),
    "half a character": (None, 1, "\ud800"),
}


@pytest.mark.parametrize("bad", BAD)
def test_one_bad_write_does_not_fail_its_batch(where: str, bad: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            tables = [await a_table(store, f"T{n}") for n in range(20)]
            table, n, entry = BAD[bad]
            asked = [store.append(t, 0, f"of {t}") for t in tables]
            asked.insert(7, store.append(tables[3] if table is None else table, n, entry))
            asked.insert(9, a_table(store, "T3"))
            answers = await asyncio.gather(*asked, return_exceptions=True)
            assert isinstance(answers.pop(9), Exception)
            assert isinstance(answers.pop(7), Exception)
            assert answers == [True] * 20
            for t in tables:
                assert await store.entries(t, 0) == [f"of {t}"]

    asyncio.run(scene())


def test_a_failed_commit_is_told_to_everybody(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            failing = True

            async def fail() -> None:
                if failing:
                    raise OSError("no more")

            monkeypatch.setattr("meadhall.store.postgres.PAUSES", (0.001,))
            around_commits(monkeypatch, fail)
            answers = await asyncio.gather(*(store.append(table, n, "x") for n in range(9)), return_exceptions=True)
            assert [type(answer) for answer in answers] == [StoreUnavailable] * 9
            assert {type(answer.__cause__) for answer in answers if isinstance(answer, Exception)} == {OSError}
            assert await store.entries(table, 0) == []
            failing = False
            assert await store.append(table, 0, "x")

    asyncio.run(scene())


def test_a_full_disk_claims_nothing(tmp_path: object) -> None:
    async def scene() -> None:
        async with opened(f"{tmp_path}/tables.sqlite") as store:
            table = await a_table(store)
            pages = 1

            def limit(connection: object, *_: object) -> None:
                connection.execute(f"PRAGMA max_page_count = {pages}")  # type: ignore[attr-defined]

            event.listen(store._writing, "checkout", limit)
            asked = [store.append(table, n, "x" * 20_000) for n in range(20)]
            answers = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(answer) for answer in answers] == [StoreUnavailable] * 20
            assert {type(answer.__cause__) for answer in answers if isinstance(answer, Exception)} == {OperationalError}
            assert await store.entries(table, 0) == []
            pages = 1_000_000
            assert await store.append(table, 0, "x" * 20_000)

    asyncio.run(scene())


def test_callers_who_leave_do_not_stop_the_writer(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            tables = [await a_table(store, f"T{n}") for n in range(40)]
            slow_commits(monkeypatch, 0.01)
            dice = random.Random(7)
            for n in range(4):
                asked = [asyncio.create_task(store.append(table, n, str(n))) for table in tables]
                asked += [asyncio.create_task(store.load("T0")) for _ in tables]
                for _ in range(dice.randrange(1, 6)):
                    await asyncio.sleep(0)
                for leaving in dice.sample(asked, 40):
                    leaving.cancel()
                for left in await asyncio.gather(*asked, return_exceptions=True):
                    assert not isinstance(left, Exception), left
                await asyncio.gather(*(store.append(table, n, str(n)) for table in tables))
            for table in tables:
                assert await store.entries(table, 0) == list("0123")

    asyncio.run(scene())


def test_closing_waits_for_what_was_asked(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            slow_commits(monkeypatch, 0.02)
            asked = [asyncio.create_task(store.append(table, n, str(n))) for n in range(5)]
            await asyncio.sleep(0)
        assert await asyncio.gather(*asked) == [True] * 5
        async with opened(where) as store:
            assert await store.entries(table, 0) == list("01234")

    asyncio.run(scene())


def test_an_unknown_table_is_refused(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            with pytest.raises(TableRemoved):
                await store.append(5, 0, "x")

    asyncio.run(scene())


CHILD = """
import asyncio, sys
from meadhall.store import open_store

async def main():
    store = await open_store(sys.argv[1])
    tables = [(await store.load(f"T{i}")).id for i in range(8)]
    async def play(i):
        n = len(await store.entries(tables[i], 0))
        while await store.append(tables[i], n, str(n)):
            print(i, n, flush=True)
            n += 1
    await asyncio.gather(*(play(i) for i in range(8)))

asyncio.run(main())
"""


def test_kill_9_loses_nothing_that_was_acknowledged(where: str) -> None:
    async def tables(rows: int) -> list[list[str]]:
        async with opened(where) as store:
            if not rows:
                return [[str(await a_table(store, f"T{i}"))] for i in range(8)]
            stored = [await store.load(f"T{i}") for i in range(8)]
            return [table.entries for table in stored if table]

    asyncio.run(tables(0))
    dice = random.Random(3)
    acknowledged = [-1] * 8
    for _ in range(2):
        child = subprocess.Popen([sys.executable, "-c", CHILD, where], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        for _ in range(dice.randrange(50, 400)):
            child.stdout.readline()
        os.kill(child.pid, signal.SIGKILL)
        for line in child.stdout.read().splitlines():
            if len(words := line.split()) == 2:
                acknowledged[int(words[0])] = int(words[1])
        child.wait()
        child.stdout.close()
        for log, n in zip(asyncio.run(tables(8)), acknowledged, strict=True):
            assert log == [str(i) for i in range(len(log))]
            assert len(log) > n
