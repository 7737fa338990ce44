"""Live streams on a server that can speak at once: nothing is lost, said twice or out of turn."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meadhall.tables.lobby import Hall
from meadhall.tables.table import Table
from meadhall.web.live import stream, way_to_say
from tests.variants import VARIANTS, Variant, random_choice, variant_named
from tests.web.halls import choose, company, in_hall, play

TWO = variant_named("romans, two")


class Line:
    """A connection that can be said something at once, unless it is busy."""

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.busy = False

    def say(self, message: bytes) -> bool:
        if not self.busy:
            self.said.append(message)
        return not self.busy


def follow(hall: Hall, table: Table, holder: str, line: Line) -> AsyncIterator[bytes]:
    return stream(hall, table.code, holder, "", lambda table, gone: table.tag(holder, gone).encode(), line.say)


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
    async def work(here: Hall) -> None:
        table, holders = await company(here, variant)
        lines = {holder: Line() for holder in (*holders.values(), "a spectator")}
        streams = {holder: follow(here, table, holder, line) for holder, line in lines.items()}
        coming = [await begun(messages) for messages in streams.values()]
        expected: dict[str, list[bytes]] = {holder: [] for holder in lines}
        last = {holder: table.tag(holder) for holder in lines}
        dice = Random(3)
        for _ in range(12):
            await play(here, table, dice, 1)
            await settled()
            for holder in lines:
                if table.tag(holder) != last[holder]:
                    expected[holder].append(message(table, holder))
                    last[holder] = table.tag(holder)
        assert {holder: line.said for holder, line in lines.items()} == expected
        assert not any(each.done() for each in coming)
        here.stop_watching()
        await asyncio.gather(*coming, return_exceptions=True)
        assert here.watchers == 0

    in_hall(tmp_path, work)


def test_what_cannot_be_said_at_once_is_said_by_the_stream_and_once_only(tmp_path: Path) -> None:
    async def work(here: Hall) -> None:
        table, holders = await company(here, TWO)
        line = Line()
        messages = follow(here, table, holders["gold"], line)
        coming = await begun(messages)
        line.busy, dice = True, Random(1)
        await choose(here, table, "gold", random_choice(table.match, "gold", dice))
        assert await coming == message(table, holders["gold"])
        # Until whoever takes the messages asks for the next one, this one is on its way: none may overtake it.
        line.busy = False
        await choose(here, table, "green", random_choice(table.match, "green", dice))
        await settled()
        assert line.said == []
        assert await anext(messages) == message(table, holders["gold"])
        coming = asyncio.ensure_future(anext(messages))  # type: ignore[arg-type]
        await settled()
        await play(here, table, dice, 2)
        await settled()
        assert line.said[-1] == message(table, holders["gold"])
        assert not coming.done()
        here.stop_watching()
        await asyncio.gather(coming, return_exceptions=True)

    in_hall(tmp_path, work)


def test_a_message_that_cannot_be_made_ends_the_stream(tmp_path: Path) -> None:
    async def work(here: Hall) -> None:
        table, holders = await company(here, TWO)
        broken = False

        def tell(table: Table, gone: frozenset[str]) -> bytes:
            if broken:
                raise RuntimeError("broken")
            return b"fine"

        messages = stream(here, table.code, holders["gold"], "", tell, Line().say)
        coming = await begun(messages)
        broken = True
        await choose(here, table, "gold", random_choice(table.match, "gold", Random(1)))
        with pytest.raises(RuntimeError, match="broken"):
            await coming
        assert here.watchers == 0

    in_hall(tmp_path, work)


def test_only_our_own_door_can_speak_at_once() -> None:
    scopes: list[Any] = [{}, {"extensions": None}, {"extensions": {"http.response.push": {}}}]
    assert [way_to_say(scope) for scope in scopes] == [None, None, None]


def test_the_live_table_is_the_table(tmp_path: Path) -> None:
    async def work(here: Hall) -> None:
        table, holders = await company(here, variant_named("goths, lone both with fog"))
        dice = Random(2)
        while table.phase == "playing":
            await play(here, table, dice, 1)
            for holder in (*holders.values(), None):
                for eyes in (None, *table.seats_of(holder)):
                    quick, face = (table.face(holder, eyes, at_once=at_once) for at_once in (True, False))
                    assert json.loads(quick.encoded()) == json.loads(face.encoded())
                    assert json.loads(face.encoded()) == json.loads(json.dumps(face.json()))

    in_hall(tmp_path, work)
