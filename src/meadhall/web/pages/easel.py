"""Where tables are drawn: one at a time, and never for long before everybody else has had a turn."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count

STRETCH = 0.003  # seconds of drawing before others are let in, who may only want to seal a choice
AHEAD = 5.0  # seconds that some may come later than others, and still be first


class Easel:
    """Draws the pages of a process in the order in which they were asked for, but some of them before others.

    By turns all of them would be done when the last one is.
    """

    def __init__(self) -> None:
        self._taken = False
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._tickets = count()

    async def draw(self, strokes: Callable[[], Iterable[str]], first: bool = False) -> str:
        """All that is drawn, piece by piece; between the pieces whoever is there is answered.

        What to draw is asked for when its turn has come: where many wait, everybody gets what is newest by then.
        """
        drawn = []
        async with self._turn(first):
            since = time.perf_counter()
            for stroke in strokes():
                drawn.append(stroke)
                if time.perf_counter() - since > STRETCH:
                    await asyncio.sleep(0)
                    since = time.perf_counter()
        return "".join(drawn)

    @asynccontextmanager
    async def _turn(self, first: bool) -> AsyncIterator[None]:
        if self._taken:
            loop = asyncio.get_running_loop()
            turn: asyncio.Future[None] = loop.create_future()
            since = loop.time() - AHEAD if first else loop.time()
            heappush(self._waiting, (since, next(self._tickets), turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():  # it was his turn, and he has gone
                    self._pass_on()
                raise
        self._taken = True
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """Whoever is next may draw; until he does the easel stays taken, so that nobody comes in between."""
        while self._waiting:
            turn = heappop(self._waiting)[2]
            if not turn.done():
                turn.set_result(None)
                return
        self._taken = False
