"""The time of an answer tells nothing: a table at which somebody is sealing is read as fast as any other."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import httpx
import pytest

from meadhall.tables import decisions
from meadhall.tables.lobby import Lobby
from meadhall.tables.seated import Seated
from meadhall.web.edge.session import fingerprint
from tests.store.helpers import slow_commits
from tests.store.postgres import database, postgres
from tests.variants import random_choice, variant_named
from tests.web.inprocess import served

__all__ = ["database", "postgres"]

SLOW = 0.02  # seconds that a commit takes
PAIRS = 2000  # for each way to ask
BASE = variant_named("goths, base")
SEALING, READING = "ostrogoth-warchief", "visigoth-warchief"
Read = Callable[[str], Awaitable[None]]


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite")
    return str(request.getfixturevalue("database"))


async def warchiefs_to_choose(lobby: Lobby) -> Seated:
    """A table at which both kings have played and no warchief has."""
    table = await lobby.open_table(BASE.game, BASE.rules, {}, "host")
    for seat in table.match.seats:
        await lobby.sit(table.code, fingerprint(seat), seat)
    seated = await lobby.seated(table.code)
    dice = Random(1)
    while len(table.waiting) < 2:
        await seal(seated, table.waiting[0], dice)
    return seated


async def seal(seated: Seated, seat: str, dice: Random) -> None:
    """Somebody makes a choice, or changes it."""
    table = seated.table
    choice = random_choice(table.match, seat, dice)
    await seated.change(decisions.choose(fingerprint(seat), seat, table.position, choice))


def asking(client: httpx.AsyncClient) -> tuple[Read, ...]:
    """Ways in which the other warchief asks for something that needs no write: the table, and what is refused."""
    headers = {"authorization": f"Bearer {READING}"}

    async def look(code: str) -> None:
        assert (await client.get(f"/api/tables/{code}", headers=headers)).status_code == 200

    async def err(code: str) -> None:
        late = {"position": 0, "choice": "act:axe"}
        assert (await client.post(f"/api/tables/{code}/choices", json=late, headers=headers)).status_code == 409

    return look, err


async def times_of(lobby: Lobby, asks: tuple[Read, ...], pairs: int) -> list[tuple[list[float], list[float]]]:
    """For each way to ask: how long it takes at a table while somebody seals there, and elsewhere meanwhile."""
    tables = [await warchiefs_to_choose(lobby) for _ in range(2)]
    dice = Random(2)
    times: list[tuple[list[float], list[float]]] = [([], []) for _ in asks]
    both = [(way, k) for way in range(len(asks)) for k in range(2)]
    while len(times[0][0]) < pairs:
        tables.reverse()  # so that what is different about the two tables cannot count
        sealing = asyncio.create_task(seal(tables[0], SEALING, dice))
        await asyncio.sleep(0.001)
        while not sealing.done():
            for way, k in dice.sample(both, len(both)):
                began = time.perf_counter()
                await asks[way](tables[k].table.code)
                times[way][k].append(time.perf_counter() - began)
                await asyncio.sleep(0)  # else the sealing would never get its turn
        await sealing
    return times


def area(there: list[float], elsewhere: list[float]) -> float:
    """The area under the curve: how likely it is that asking there took longer than elsewhere."""
    ranked = sorted([(seconds, True) for seconds in there] + [(seconds, False) for seconds in elsewhere])
    ranks = sum(rank for rank, (_, is_there) in enumerate(ranked, 1) if is_there)
    return (ranks - len(there) * (len(there) + 1) / 2) / (len(there) * len(elsewhere))


def areas(where: str, pairs: int) -> list[float]:
    async def run() -> list[float]:
        async with served(where) as (lobby, client):
            return [area(*times) for times in await times_of(lobby, asking(client), pairs)]

    return asyncio.run(run())


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every commit takes long, and people may change their minds as often as it takes to measure that."""
    slow_commits(monkeypatch, SLOW)
    monkeypatch.setattr(decisions, "MOST_CHOSEN", PAIRS)


@pytest.mark.usefixtures("slow_disk")
def test_the_time_of_an_answer_does_not_tell_that_somebody_is_sealing(where: str) -> None:
    for found in areas(where, PAIRS):
        assert abs(found - 0.5) <= 0.05


@pytest.mark.usefixtures("slow_disk")
def test_a_reader_who_waits_for_the_writer_is_found_out(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof is proved: with the lock that readers once took the same measure tells the two apart."""
    refresh = Seated.refresh

    async def waiting(seated: Seated) -> None:
        async with seated._writing:
            await refresh(seated)

    monkeypatch.setattr(Seated, "refresh", waiting)
    for found in areas(where, PAIRS // 20):
        assert found > 0.65
