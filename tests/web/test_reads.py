"""What requests cost others: one read of the store at most, and a long log stops nobody."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meadhall.store import Store
from meadhall.tables.entries import Chose, Header, Sat, write
from meadhall.tables.lobby import Lobby
from meadhall.web.edge.session import fingerprint
from tests.store.postgres import database, postgres
from tests.variants import random_choice, variant_named
from tests.web.inprocess import served
from tests.web.lobbies import choose, company, in_lobby

__all__ = ["database", "postgres"]

TWO = variant_named("romans, two")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows with every read of the store."""
    made: list[str] = []
    read = Store._read

    async def noted(store: Store, wanted: Callable[[Any], Awaitable[Any]]) -> Any:
        made.append(wanted.__qualname__)
        return await read(store, wanted)

    monkeypatch.setattr(Store, "_read", noted)
    return made


def test_a_request_reads_a_shared_store_once(database: str, reads: list[str]) -> None:
    async def scene() -> None:
        async with served(database) as (lobby, client):
            table = await lobby.open_table("romans", TWO.rules, {}, fingerprint("gold"))
            code, me = table.code, {"authorization": "Bearer gold"}
            others = [(await lobby.open_table("romans", TWO.rules, {}, "host")).code for _ in range(5)]
            cookies = {"cookie": f"tables={'.'.join([code, *others])}; meadhall=gold", "origin": "http://localhost"}

            async def asked(method: str, path: str, status: int, **more: Any) -> None:
                (await lobby.seated(code)).presence._read = time.monotonic() + 1000  # in the background, now and then
                reads.clear()
                client.cookies.clear()
                answer = await client.request(method, path, **({"headers": me} | more))
                assert answer.status_code == status, (path, answer.text[:300])
                assert len(reads) <= 1, (path, reads)

            at, api = f"/t/{code}", f"/api/tables/{code}"
            await asked("POST", f"{api}/seats", 201, json={"seat": "gold"})
            await asked("POST", f"{at}/sit", 303, data={"seat": "green"}, headers={"origin": "http://localhost"})
            plan = random_choice(table.match, "gold", Random(1))
            await asked("POST", f"{api}/choices", 200, json={"position": table.position, "choice": plan})
            for path in (at, api, f"{api}/events", f"{at}/replay", "/watch", "/api/tables"):
                await asked("GET", path, 200)
            await asked("GET", "/", 200, headers=cookies)
            form = {"position": str(table.position), "seat": "gold", "choice": plan}
            await asked("POST", f"{at}/choose", 303, data=form, headers=cookies)
            await asked("POST", f"{at}/pace", 409, data={"ms": "0"}, headers=cookies)
            await asked("POST", f"{at}/fill", 303, data={}, headers=cookies)
            await asked("POST", f"{at}/bot", 409, data={"seat": "green", "sure": "yes"}, headers=cookies)
            await asked("POST", f"{at}/leave", 303, data={"seat": "gold", "sure": "yes"}, headers=cookies)
            await asked("POST", f"{at}/end", 303, data={"sure": "yes"}, headers=cookies)

    asyncio.run(scene())


def test_what_one_process_has_answered_the_next_request_to_another_sees(database: str) -> None:
    async def scene() -> None:
        async with served(database) as (here, _), served(database) as (there, client):
            table, _ = await company(here, TWO)
            await client.get(f"/api/tables/{table.code}")
            there.store._wakers.clear()  # type: ignore[attr-defined]  # not even a notification is needed
            for k in range(5):
                await choose(here, table, "gold", random_choice(table.match, "gold", Random(k)))
                assert (await there.table(table.code)).length == table.length

    asyncio.run(scene())


def test_readers_of_a_table_apply_each_entry_once_however_they_overtake_each_other(database: str) -> None:
    async def scene() -> None:
        async with served(database) as (here, _), served(database) as (there, _):
            table, _ = await company(here, TWO)
            other = await there.seated(table.code)
            for k in range(10):
                sealing = asyncio.create_task(
                    choose(here, table, "gold", random_choice(table.match, "gold", Random(k)))
                )
                while not sealing.done():
                    await asyncio.gather(*(other.refresh() for _ in range(4)), here.table(table.code))
                await sealing
                await other.refresh()
                assert other.table.length == table.length
                assert other.table.match.record() == table.match.record()

    asyncio.run(scene())


def test_a_long_log_is_loaded_without_stopping_others(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, _ = await company(here, TWO)
        dice = Random(1)
        plans = [random_choice(table.match, "gold", dice) for _ in range(50)]
        sat = [Sat(seat, f"holder of {seat}") for seat in table.match.seats]
        changes = [Chose("gold", plans[k % 50]) for k in range(6000)]
        entries = [write(entry).decode() for entry in (*sat, *changes)]
        header = Header("romans", table.header.rules, table.header.setup, "host")
        await here.store.create("BCDFGH", "romans", write(header).decode(), "playing", False, entries)
        longest, since = 0.0, time.process_time()
        loading = asyncio.create_task(here.table("BCDFGH"))
        began = time.process_time()
        while not loading.done():
            await asyncio.sleep(0)
            longest, since = max(longest, time.process_time() - since), time.process_time()
        assert (await loading).length == len(entries)
        assert longest < (time.process_time() - began) / 4

    in_lobby(tmp_path, work)
