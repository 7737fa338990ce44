"""Live streams: nothing is lost, said twice or out of turn."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from meadhall.tables.lobby import Lobby
from meadhall.tables.table import Table
from meadhall.web.live import stream
from tests.variants import VARIANTS, Variant, random_choice, variant_named
from tests.web.lobbies import choose, company, in_lobby, play, until

TWO = variant_named("romans, two")


class Followed:
    """A holder's stream as a server reads it: it asks for the next message as soon as it has one."""

    def __init__(self, lobby: Lobby, table: Table, holder: str) -> None:
        self.messages = follow(lobby, table, holder)
        self.heard: list[bytes] = []
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.messages:
            self.heard.append(message)


async def follow(lobby: Lobby, table: Table, holder: str) -> AsyncIterator[bytes]:
    seated = await lobby.seated(table.code)
    async for message in stream(lobby, seated, holder, "", lambda table, gone: table.tag(holder, gone).encode()):
        yield message


async def begun(messages: AsyncIterator[bytes]) -> asyncio.Future[bytes]:
    """A stream that has told the table as it is, and now waits for something new."""
    assert (await anext(messages)).startswith(b"retry")
    assert (await anext(messages)).startswith(b"event: table\n")
    coming = asyncio.ensure_future(anext(messages))  # type: ignore[arg-type]
    await settled()
    return coming


async def settled() -> None:
    """Until everything has happened that was about to."""
    for _ in range(10):
        await asyncio.sleep(0)


def message(table: Table, holder: str) -> bytes:
    return b"event: table\ndata: " + table.tag(holder).encode() + b"\n\n"


@pytest.mark.parametrize("variant", [v for v in VARIANTS if len(v.deal(0).seats) > 1], ids=str)
def test_every_change_one_can_see_is_said_once_and_nothing_else(variant: Variant, tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, variant)
        followed = {holder: Followed(here, table, holder) for holder in (*holders.values(), "a spectator")}
        expected = {holder: [b"retry: 1000\n\n", message(table, holder)] for holder in followed}
        last = {holder: table.tag(holder) for holder in followed}
        dice = Random(3)
        await until(lambda: {holder: each.heard for holder, each in followed.items()} == expected)
        for _ in range(12):
            await play(here, table, dice, 1)
            for holder in followed:
                if table.tag(holder) != last[holder]:
                    expected[holder].append(message(table, holder))
                    last[holder] = table.tag(holder)
            await settled()
            assert {holder: each.heard for holder, each in followed.items()} == expected
        here.stop_watching()
        await asyncio.gather(*(each.reading for each in followed.values()))
        assert here.watchers == 0

    in_lobby(tmp_path, work)


def test_whoever_takes_a_message_late_gets_what_is_new_by_then_and_once_only(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, TWO)
        messages = follow(here, table, holders["gold"])
        coming = await begun(messages)
        dice = Random(1)
        await choose(here, table, "gold", random_choice(table.match, "gold", dice))
        assert await coming == message(table, holders["gold"])
        # While that message is on its way several things happen; the next one tells them together.
        await play(here, table, dice, 3)
        await settled()
        assert await anext(messages) == message(table, holders["gold"])
        coming = asyncio.ensure_future(anext(messages))  # type: ignore[arg-type]
        await settled()
        assert not coming.done()
        here.stop_watching()
        await asyncio.gather(coming, return_exceptions=True)

    in_lobby(tmp_path, work)


def test_a_message_that_cannot_be_made_ends_the_stream(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, TWO)
        broken = False

        def tell(table: Table, gone: frozenset[str]) -> bytes:
            if broken:
                raise RuntimeError("broken")
            return b"fine"

        messages = stream(here, await here.seated(table.code), holders["gold"], "", tell)
        coming = await begun(messages)
        broken = True
        await choose(here, table, "gold", random_choice(table.match, "gold", Random(1)))
        with pytest.raises(RuntimeError, match="broken"):
            await coming
        assert here.watchers == 0

    in_lobby(tmp_path, work)
