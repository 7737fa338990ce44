"""A table's log: what is written is read again, once, in order, on SQLite and on PostgreSQL."""

import asyncio
import time
from typing import Any

import pytest
from sqlalchemy import event, text

from meadhall.store import CodeTaken, Listed, Stored
from meadhall.store.base import HOUR, READERS
from meadhall.store.sqlite import SqliteStore
from tests.store.helpers import a_table, opened


def test_a_table_is_loaded_as_it_was_created(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            before = time.time()
            table = await store.create("ABCD", "romans", '{"a": "é"}', "open", False, ["zero", "one"])
            stored = await store.load("ABCD")
            assert stored is not None
            assert before <= stored.created <= time.time()
            times = stored.created, False, stored.created // HOUR * HOUR
            assert stored == Stored(table, "ABCD", "romans", '{"a": "é"}', "open", False, *times, ["zero", "one"])
            assert stored.public is False
            assert await store.load("abcd") is None

    asyncio.run(scene())


def test_a_code_is_given_once(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            asked = await asyncio.gather(*(a_table(store, "ABCD", str(n)) for n in range(20)), return_exceptions=True)
            assert sum(isinstance(answer, int) for answer in asked) == 1
            assert sum(isinstance(answer, CodeTaken) for answer in asked) == 19
            with pytest.raises(CodeTaken):
                await a_table(store, "ABCD", "x")
            stored = await store.load("ABCD")
            assert stored is not None
            assert [stored.id] == [answer for answer in asked if isinstance(answer, int)]
            assert len(stored.entries) == 1
            assert await a_table(store, "EFGH") != stored.id

    asyncio.run(scene())


def test_an_entry_is_appended_once_and_keeps_its_phase(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store, "ABCD", "zero")
            assert await store.append(table, 1, "one")
            assert await store.append(table, 2, "two", "playing")
            assert not await store.append(table, 2, "another", "over")
            assert not await store.append(table, 0, "another")
            stored = await store.load("ABCD")
            assert stored is not None
            assert (stored.entries, stored.phase) == (["zero", "one", "two"], "playing")
            assert await store.entries(table, 1) == ["one", "two"]
            assert await store.entries(table, 3) == []

    asyncio.run(scene())


def test_of_fifty_who_race_for_one_number_one_has_it(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            won = []
            for n in range(3):
                asked = [store.append(table, n, f"{n} by {i}", f"phase {n} by {i}") for i in range(50)]
                answers = await asyncio.gather(*asked)
                assert answers.count(True) == 1
                won.append(f"{n} by {answers.index(True)}")
            stored = await store.load("ABCD")
            assert stored is not None
            assert (stored.entries, stored.phase) == (won, f"phase {won[-1]}")

    asyncio.run(scene())


def test_of_those_who_ask_together_only_those_whose_number_is_taken_are_refused(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            tables = [await a_table(store, f"TAB{k}") for k in range(6)]
            assert await asyncio.gather(*(store.append(table, 0, "first") for table in tables[::2])) == [True] * 3
            asked = [store.append(table, 0, "second", "over") for table in tables]
            assert await asyncio.gather(*asked) == [False, True] * 3
            for k, table in enumerate(tables):
                stored = await store.load(f"TAB{k}")
                assert stored is not None
                assert stored.entries == await store.entries(table, 0) == ["second" if k % 2 else "first"]
                assert (stored.phase == "over") == bool(k % 2)

    asyncio.run(scene())


def test_what_was_acknowledged_is_there_after_reopening(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            for n in range(5):
                assert await store.append(table, n, str(n))
            await store.seen(table, "ann")
        async with opened(where) as store:
            assert await store.entries(table, 0) == list("01234")
            assert 0 <= (await store.presence(table))["ann"] < 60
            assert not await store.append(table, 4, "x")
            assert await store.append(table, 5, "5")

    asyncio.run(scene())


def test_listing_shows_public_tables_newest_first(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            for n in range(6):
                game, phase = ("goths", "romans")[n % 2], ("open", "playing", "over")[n // 2]
                await store.create(f"T{n}", game, "{}", phase, True, [])
            await store.create("HIDE", "goths", "{}", "open", False, [])
            assert [t.code for t in await store.listing(["open", "playing"], 10)] == ["T3", "T2", "T1", "T0"]
            assert [t.code for t in await store.listing(["playing", "open", "open"], 3)] == ["T3", "T2", "T1"]
            assert [t.code for t in await store.listing(["open", "over"], 10, "romans")] == ["T5", "T1"]
            assert await store.listing([], 10) == []
            assert await store.listing(["ended"], 10) == []
            stored = await store.load("T5")
            assert stored is not None
            assert await store.listing(["over"], 1) == [Listed("T5", "romans", "over", stored.created, stored.active)]
            assert await store.counts() == {"open": 3, "playing": 2, "over": 2}

    asyncio.run(scene())


def test_no_statement_reads_more_with_more_tables(where: str) -> None:
    """Every statement finds its rows through an index, in the order wanted; tables are counted as they are written."""

    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            asked: list[tuple[str, Any]] = []

            def note(connection: object, cursor: object, statement: str, values: Any, *_: object) -> None:
                if statement.startswith(("SELECT", "UPDATE")) and "unnest" not in statement:
                    asked.append((statement, values))

            engines = [store._engine.sync_engine, *([store._writing] if isinstance(store, SqliteStore) else [])]
            for engine in engines:
                event.listen(engine, "before_cursor_execute", note)
            await store.append(table, 0, "x", "playing")
            await store.append(table, 1, "x", openly=True)  # of an hour in which that is known, and so written nowhere
            await store.counts()
            await store.keeping.idle("playing", True, time.time(), 9)
            await store.load("ABCD")
            await store.presence(table)
            await store.news({table: 0, table + 1: 5})
            await store.listing(["open", "playing"], 9)
            await store.listing(["open", "playing"], 9, "goths")
            for engine in engines:
                event.remove(engine, "before_cursor_execute", note)
            assert len(asked) == 10
            async with store._engine.connect() as connection:
                if store.shared:  # which would rather read such small tables whole
                    await connection.execute(text("SET enable_seqscan = off"))
                    await connection.execute(text("SET enable_bitmapscan = off"))
                for statement, values in asked:
                    explain = "EXPLAIN" if store.shared else "EXPLAIN QUERY PLAN"
                    rows = [str(row) for row in await connection.exec_driver_sql(f"{explain} {statement}", values)]
                    if "FROM tallies" in statement:
                        continue  # a row for each phase
                    assert any("Index" in row or "INDEX" in row or "PRIMARY KEY" in row for row in rows), rows
                    few = "union" in statement.lower() or " OR " in statement  # what is new of several tables
                    assert few or not any("TEMP B-TREE" in row for row in rows), rows
                    assert not any("Seq Scan" in row or "SCAN tables" in row for row in rows), rows

    asyncio.run(scene())


def test_presence_is_how_long_ago_each_holder_was_seen_whatever_the_clock_of_this_machine_says(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 5.0)  # the wall clock of a machine that is decades behind

    async def scene() -> None:
        async with opened(where) as store:
            table, other = await a_table(store), await a_table(store, "EFGH")
            assert await store.presence(table) == {}
            for holder in ("ann", "bob", "ann"):
                await store.seen(table, holder)
            await store.seen(other, "ann")
            await store.seen(999, "nobody")
            store._seen[table, "bob"] -= 100.0
            before = await store.presence(table)
            assert before.keys() == {"ann", "bob"}
            assert 100 <= before["bob"] < 160
            store._presence_is_due()
            await store.append(table, 0, "a write after it")
            await store.append(table, 1, "and another")
            assert not store._seen
            await store.seen(table, "bob")
            store._seen[table, "bob"] -= 500.0  # an older sign of life does not count
            assert 100 <= (await store.presence(table))["bob"] < 160
        async with opened(where) as store:
            after = await store.presence(table)
            assert 0 <= after["ann"] < 60
            assert 100 <= after["bob"] < 160
            assert (await store.presence(other)).keys() == {"ann"}

    asyncio.run(scene())


def test_nothing_is_written_where_nobody_was_seen(where: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            await store.seen(table, "ann")
            for number in range(4):
                store._presence_is_due()
                await store.append(table, number, "x")

    asyncio.run(scene())
    assert "signs of life" not in caplog.text


def test_the_news_of_several_tables_come_in_one_read(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            one, two, three = [await a_table(store, f"T{k}", "a", "b", "c") for k in range(3)]
            reads: list[str] = []

            def note(connection: object, cursor: object, statement: str, *_: object) -> None:
                reads.append(statement)

            event.listen(store._engine.sync_engine, "before_cursor_execute", note)
            assert await store.news({one: 1, two: 3, three: 2}) == {one: ["b", "c"], three: ["c"]}
            assert len([each for each in reads if each.startswith("SELECT")]) == 1
            assert await store.news({}) == {}

    asyncio.run(scene())


def test_ping_answers_until_the_store_is_closed(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            await store.ping()
        await store.close()
        await store.seen(1, "ann")
        with pytest.raises(RuntimeError, match="closed"):
            await store.append(1, 0, "x")

    asyncio.run(scene())


def test_a_read_whose_asker_has_gone_does_not_cost_its_connection(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            await a_table(store, "ABCD", "zero")
            await asyncio.gather(*(store.load("ABCD") for _ in range(READERS)))
            fresh: list[Any] = []
            event.listen(store._engine.sync_engine, "connect", lambda connection, _: fresh.append(connection))
            for steps in range(40):
                asked = asyncio.create_task(store.load("ABCD"))
                for _ in range(steps):
                    await asyncio.sleep(0)
                asked.cancel()
                await asyncio.gather(asked, return_exceptions=True)
            await asyncio.gather(*(store.load("ABCD") for _ in range(READERS)))
            assert fresh == []

    asyncio.run(scene())
