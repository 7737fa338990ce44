"""When something last happened at a table, how many tables there are, and how old ones are found and removed."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest
from sqlalchemy import func, select

from meadhall.store import Store, TableRemoved
from meadhall.store import base as stores
from meadhall.store.base import HOUR
from meadhall.store.schema import ANALYSES, ENTRIES, PRESENCE, TABLES
from tests.store.helpers import a_table, opened

NOON = 500_000 * HOUR


class Clock:
    """The time that the store sees."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NOON
        monkeypatch.setattr(stores, "time", self)

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return monotonic()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def active(store: Store, code: str) -> float:
    stored = await store.load(code)
    assert stored is not None
    return stored.active


def test_only_what_happens_openly_counts_as_activity_and_by_the_hour(where: str, clock: Clock) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            clock.now = NOON + 2 * HOUR + 100
            await store.append(table, 0, "sealed")
            assert await active(store, "ABCD") == NOON
            await store.append(table, 1, "for all to see", openly=True)
            assert await active(store, "ABCD") == NOON + 2 * HOUR
            clock.now += HOUR
            await store.append(table, 2, "the game begins", "playing")
            assert await active(store, "ABCD") == NOON + 3 * HOUR

    asyncio.run(scene())


def test_lists_go_by_activity(where: str, clock: Clock) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            tables = [await a_table(store, f"T{n}") for n in range(3)]
            clock.now += HOUR
            await store.append(tables[0], 0, "x", openly=True)
            await store.append(tables[1], 0, "sealed")
            assert [each.code for each in await store.listing(["open"], 9)] == ["T0", "T2", "T1"]
            assert [each.code for each in await store.keeping.latest(["open"], 2)] == ["T0", "T2"]

    asyncio.run(scene())


def test_tables_are_counted_as_they_are_written_moved_and_removed(where: str, clock: Clock) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            assert await store.counts() == {}
            tables = await asyncio.gather(*(a_table(store, f"T{n}") for n in range(5)))
            taken = await asyncio.gather(a_table(store, "T0"), return_exceptions=True)
            assert isinstance(taken[0], Exception)
            assert await store.counts() == {"open": 5}
            moves = [store.append(table, 0, "x", "playing") for table in tables[:3]]
            assert await asyncio.gather(*moves, store.append(tables[0], 0, "too late", "over")) == [True] * 3 + [False]
            await asyncio.gather(store.append(tables[0], 1, "x", "over"), store.append(tables[0], 2, "x", "over"))
            assert await store.counts() == {"open": 2, "playing": 2, "over": 1}
            await store.keeping.remove([tables[0], tables[3], 999], NOON + HOUR)
            assert await store.counts() == {"open": 1, "playing": 2}

    asyncio.run(scene())


def test_counts_agree_though_two_processes_write(database: str) -> None:
    async def scene() -> None:
        async with opened(database) as one, opened(database) as two:
            pairs = [(store, f"{name}{n}") for n in range(20) for store, name in ((one, "A"), (two, "B"))]
            tables = await asyncio.gather(*(a_table(store, code) for store, code in pairs))
            stores = [two, one] * 20  # each moves those of the other
            await asyncio.gather(*(s.append(t, 0, "x", "playing") for s, t in zip(stores, tables, strict=True)))
            assert await one.counts() == await two.counts() == {"playing": 40}

    asyncio.run(scene())


def test_idle_tables_are_found_from_the_longest_on_and_page_by_page(where: str, clock: Clock) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            for n in range(5):
                await store.create(f"T{n}", "goths", "{}", "open", True, [], bots=n == 4)
                clock.now += HOUR
            before = NOON + 3 * HOUR
            found = await store.keeping.idle("open", False, before, 2)
            assert [each.code for each in found] == ["T0", "T1"]
            last = found[-1]
            rest = await store.keeping.idle("open", False, before, 2, (last.active, last.id))
            assert [each.code for each in rest] == ["T2"]
            assert [each.code for each in await store.keeping.idle("open", True, clock.now, 9)] == ["T4"]
            assert await store.keeping.idle("playing", False, clock.now, 9) == []

    asyncio.run(scene())


def test_a_table_is_removed_with_all_that_belongs_to_it_unless_it_was_used_since(where: str, clock: Clock) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            old, used = await a_table(store, "OLD", "zero"), await a_table(store, "USED", "zero")
            for table in (old, used):
                await store.seen(table, "ann")
                await store.analyses.claim(table, 1, "me", 5.0, 5.0)
            store._presence_is_due()
            clock.now += 5 * HOUR
            await store.append(used, 1, "one", openly=True)
            await store.keeping.remove([old, used], NOON + HOUR)
            assert await store.load("OLD") is None
            with pytest.raises(TableRemoved):
                await store.append(old, 1, "one")
            stored = await store.load("USED")
            assert stored is not None
            assert stored.entries == ["zero", "one"]
            async with store._engine.connect() as connection:
                for kind, rows in ((TABLES, 1), (ENTRIES, 2), (PRESENCE, 1), (ANALYSES, 1)):
                    assert (await connection.execute(select(func.count()).select_from(kind))).scalar() == rows

    asyncio.run(scene())


def test_the_newest_table_stays_so_that_its_number_is_never_given_again(where: str, clock: Clock) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            first, last = await a_table(store, "OLD", "zero"), await a_table(store, "LAST", "zero")
            clock.now += 5 * HOUR
            found = await store.keeping.idle("open", False, clock.now, 9, removable=True)
            assert [table.id for table in found] == [first]
            await store.keeping.remove([first, last], clock.now)
            assert (await store.load("OLD"), (await store.load("LAST")) is None) == (None, False)
            assert await a_table(store, "NEXT", "zero") > last

    asyncio.run(scene())


def test_one_of_several_gets_a_chore_and_it_comes_round_again(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            got = await asyncio.gather(*(store.beats.claim("sweep", 100.0, 60.0) for _ in range(5)))
            assert sorted(got) == [False] * 4 + [True]
            assert not await store.beats.claim("sweep", 159.0, 60.0)
            assert await store.beats.claim("sweep", 160.0, 60.0)

    asyncio.run(scene())


def test_tables_of_an_older_store_count_as_used_when_it_was_brought_to_today(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "tables.sqlite"

    async def scene() -> None:
        async with opened(file) as store:
            await a_table(store, "OLD1")
            await a_table(store, "OLD2")
        with closing(sqlite3.connect(file)) as connection:
            for index in ("tables_listed", "tables_listed_game", "tables_idle"):
                connection.execute(f"DROP INDEX {index}")
            for column in ("bots", "active"):
                connection.execute(f"ALTER TABLE tables DROP COLUMN {column}")
            connection.execute("CREATE INDEX tables_listed ON tables (phase, public, id)")
            connection.execute("CREATE INDEX tables_listed_game ON tables (phase, public, game, id)")
            for table in ("tallies", "beats"):
                connection.execute(f"DROP TABLE {table}")
            connection.execute("UPDATE meadhall_version SET version_num = 'analyses'")
            connection.commit()
        before = time.time() - HOUR
        async with opened(file) as store:
            assert await active(store, "OLD1") > before
            assert await store.counts() == {"open": 2}
            assert await store.keeping.idle("open", False, before, 9) == []

    asyncio.run(scene())
