"""Live updates: a stream of Server-Sent Events with a message when there is something new to see.

Between messages it sends comments at fixed times, which say nothing about when anybody else has chosen.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

from meadhall.tables.lobby import Lobby
from meadhall.tables.seated import Seated
from meadhall.tables.table import Table

BEAT = 10.0  # seconds
SHORTEST = 0.25  # between two beats, however short the grace period is
Tell = Callable[[Table, frozenset[str]], bytes]


async def stream(lobby: Lobby, seated: Seated, holder: str | None, known: str, tell: Tell) -> AsyncIterator[bytes]:
    """A message for each change that the holder can see, counted from the tag he knows of.

    `tell` makes the data of a message from the table and from who is gone.
    """
    every = max(SHORTEST, min(BEAT, lobby.grace / 4))
    loop = asyncio.get_running_loop()
    yield b"retry: 1000\n\n"
    changed = asyncio.Event()
    with seated.watching(changed, holder):
        beat = loop.time() + every
        clock = loop.call_at(beat, changed.set)
        try:
            while not lobby.closing:
                changed.clear()
                table, gone = seated.table, await seated.gone()
                tag = table.tag(holder, gone)
                if tag != known:
                    known = tag
                    yield b"event: table\ndata: " + tell(table, gone) + b"\n\n"
                if loop.time() >= beat:
                    beat += every
                    clock = loop.call_at(beat, changed.set)
                    await seated.refresh()
                    await seated.touch(holder)
                    yield b": beat\n\n"
                await changed.wait()
        finally:
            clock.cancel()
