"""Live updates: a stream that speaks when there is something new to see, and otherwise beats like a clock.

The beat keeps its own time, so nothing about it tells when anybody else has chosen.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

from meadhall.tables.hall import Hall
from meadhall.tables.table import Table

BEAT = 10.0  # seconds


async def stream(
    hall: Hall, code: str, holder: str | None, known: str, tell: Callable[[Table, frozenset[str]], bytes]
) -> AsyncIterator[bytes]:
    """A message for each change that the holder can see, counted from the tag he knows of."""
    every = min(BEAT, hall.grace / 4)
    loop = asyncio.get_running_loop()
    yield b"retry: 1000\n\n"
    seated = await hall.seated(code)
    table = seated.table
    with hall.watching(table) as changed:
        beat = loop.time() + every
        clock = loop.call_at(beat, changed.set)
        try:
            while not hall.closing:
                changed.clear()
                gone = await seated.gone()
                tag = table.tag(holder, gone)
                if tag != known:
                    known = tag
                    yield b"event: table\ndata: " + tell(table, gone) + b"\n\n"
                if loop.time() >= beat:
                    beat += every
                    clock = loop.call_at(beat, changed.set)
                    await hall.touch(code, holder)
                    yield b": beat\n\n"
                await changed.wait()
        finally:
            clock.cancel()
