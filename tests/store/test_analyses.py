"""Analyses beside the log: one maker at a time, his progress for all to see, and a result that stays."""

import asyncio

from meadhall.store.analyses import KeptAnalysis
from tests.store.helpers import a_table, opened

VERSION = 3


def test_of_many_who_want_to_make_an_analysis_one_may(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            asked = (store.analyses.claim(table, VERSION, f"maker {k}", 100.0, 80.0) for k in range(10))
            assert sorted(await asyncio.gather(*asked)) == [False] * 9 + [True]

    asyncio.run(scene())


def test_work_is_left_to_its_maker_until_he_was_not_seen_for_long_or_has_failed(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table = await a_table(store)
            claim, note = store.analyses.claim, store.analyses.note
            assert await claim(table, VERSION, "one", 100.0, 80.0)
            assert await note(table, VERSION, "one", 110.0, 0.5)
            assert not await claim(table, VERSION, "two", 120.0, 100.0)
            assert await claim(table, VERSION, "two", 140.0, 120.0)
            assert not await note(table, VERSION, "one", 141.0, 0.9), "it is his no more"
            assert await store.analyses.get(table, VERSION) == KeptAnalysis("two", 140.0, 0.0, None, None)
            assert await note(table, VERSION, "two", 141.0, 0.2, fault="broken")
            assert not await note(table, VERSION, "two", 142.0, 0.3), "a late sign of life takes nothing back"
            assert await store.analyses.get(table, VERSION) == KeptAnalysis("two", 141.0, 0.2, "broken", None)
            assert await claim(table, VERSION, "three", 142.0, 122.0)

    asyncio.run(scene())


def test_a_result_is_there_after_reopening_and_nobody_makes_it_again(where: str) -> None:
    async def scene() -> None:
        async with opened(where) as store:
            table, other = await a_table(store), await a_table(store, "OTHER")
            assert await store.analyses.claim(table, VERSION, "one", 100.0, 80.0)
            assert await store.analyses.note(table, VERSION, "one", 101.0, 1.0, result="é" * 100_000)
            assert not await store.analyses.note(table, VERSION, "one", 102.0, 0.1)
        async with opened(where) as store:
            assert not await store.analyses.claim(table, VERSION, "two", 999.0, 900.0)
            kept = await store.analyses.get(table, VERSION)
            assert kept == KeptAnalysis("one", 101.0, 1.0, None, "é" * 100_000)
            assert await store.analyses.get(table, VERSION + 1) is None
            assert await store.analyses.get(other, VERSION) is None
            assert await store.analyses.forget(table, VERSION)
            assert await store.analyses.get(table, VERSION) is None

    asyncio.run(scene())
