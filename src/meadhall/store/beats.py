"""Small marks with a time: proof that the store can be written, and who of several processes does a regular chore."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from meadhall.store.schema import BEATS

Write = Callable[[Any], Awaitable[bool]]

HEALTH = "health"
PROVED_FOR = 1.0  # seconds: who asks meanwhile shares the answer


class Beats:
    """The marks of a store, each by its name."""

    def __init__(self, insert: Callable[..., Any], write: Write) -> None:
        self._insert, self._write = insert, write
        self._proof: asyncio.Task[bool] | None = None
        self._asked = 0.0

    async def prove(self) -> None:
        """Raise unless the store can be written: a row of its own is, about every second at the most."""
        now = time.monotonic()
        if self._proof is None or (self._proof.done() and now - self._asked > PROVED_FOR):
            self._asked = now
            self._proof = asyncio.create_task(self._mark(HEALTH, time.time()))
        await asyncio.shield(self._proof)

    async def claim(self, name: str, now: float, every: float) -> bool:
        """Whether a chore is the caller's now: nobody has claimed it for so many seconds."""
        return await self._mark(name, now, BEATS.c.at <= now - every)

    async def _mark(self, name: str, now: float, where: Any = None) -> bool:
        statement = self._insert(BEATS).values(name=name, at=now)
        statement = statement.on_conflict_do_update(index_elements=["name"], set_={"at": now}, where=where)
        return await self._write(statement.returning(BEATS.c.name))
