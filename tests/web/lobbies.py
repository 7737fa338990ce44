"""A lobby in this process, on a real store: what the tests of tables and of secrecy share."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meadhall.bots.pool import Pool
from meadhall.store import open_store
from meadhall.tables import decisions
from meadhall.tables.lobby import Lobby
from meadhall.tables.refusals import Refusal
from meadhall.tables.table import Table
from tests.variants import Variant, random_choice

GOTHS_SEATS = ("ostrogoth-king", "ostrogoth-warchief", "visigoth-king", "visigoth-warchief")


class KeptPool(Pool):
    """A pool that outlives its lobby, as starting one takes longer than most tests."""

    def close(self) -> None:
        """Stay open for the next lobby."""

    def really_close(self) -> None:
        super().close()


@pytest.fixture(scope="module")
def pool() -> Iterator[KeptPool]:
    """Bots for all tests of a file."""
    made = KeptPool()
    yield made
    made.really_close()


@asynccontextmanager
async def opened(folder: Path, grace: float = 60.0, pool: Pool | None = None) -> AsyncIterator[Lobby]:
    """A lobby on the SQLite file of a folder."""
    lobby = Lobby(await open_store(folder / "tables.sqlite"), pool or Pool(), grace)
    try:
        yield lobby
    finally:
        await lobby.close()


async def company(lobby: Lobby, variant: Variant, **more: Any) -> tuple[Table, dict[str, str]]:
    """A table with a person on every seat, or on both of a lone ruler's; and who holds each."""
    table = await lobby.open_table(variant.game, variant.rules, {}, "host", **more)
    for seat in table.match.seats:
        holder = f"holder of {table.played_together(seat)[0]}"
        await lobby.change(table.code, decisions.sit(holder, seat, None))
    return table, {seat: place.holder or "" for seat, place in table.places.items()}


async def choose(lobby: Lobby, table: Table, seat: str, choice: str, position: int | None = None) -> None:
    """Choose for a seat as whoever holds it."""
    at = table.position if position is None else position
    await lobby.change(table.code, decisions.choose(table.places[seat].holder, seat, at, choice))


async def play(lobby: Lobby, table: Table, dice: Random, most: int | None = None) -> list[tuple[str, str]]:
    """People play at random to the end, or so many choices."""
    made: list[tuple[str, str]] = []
    while most is None or len(made) < most:
        owing = [seat for seat in table.match.waiting if table.places[seat].holder]
        if not owing:
            break
        seat = dice.choice(owing)
        choice = random_choice(table.match, seat, dice)
        await choose(lobby, table, seat, choice)
        made.append((seat, choice))
    return made


async def refusal_of(work: Awaitable[Any]) -> Refusal:
    """The refusal that something must meet."""
    with pytest.raises(Refusal) as refused:
        await work
    return refused.value


async def until(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait for something that a bot, a clock or another process will bring about."""
    async with asyncio.timeout(60):
        while True:
            found = holds()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(0.005)


def everything_known(table: Table, holders: Mapping[str, str]) -> list[Any]:
    """A table as all its players, and a spectator, see it."""
    return [(table.face(h, s), table.story(h, s), table.tag(h)) for s, h in {"": "", **holders}.items()]


def in_lobby(folder: Path, work: Callable[[Lobby], Awaitable[Any]], **more: Any) -> Any:
    """Do something in a lobby of its own."""

    async def run() -> Any:
        async with opened(folder, **more) as here:
            return await work(here)

    return asyncio.run(run())


def sitters(table: Table) -> dict[str, str]:
    return {seat: place.holder or place.level or "open" for seat, place in table.places.items()}
