"""Who is at a table now. It hangs on connections alone: whether somebody owes a choice must not show in it.

Going away and coming back can be seen by all, so it is made useless as a signal: whoever comes back after he was
missed is missed the next time only after twice as long.
"""

import asyncio
import contextlib
import time

from meadhall.store import Store, StoreUnavailable

NOTED_EVERY = 15.0  # seconds between two notes in the store that somebody is there
READ_EVERY = 10.0
MOST_DOUBLED = 10  # times
NOBODY: frozenset[str] = frozenset()


class Presence:
    """When the holders of a table's seats were last there, kept here and, for other processes, in the store.

    Times are of this process's own clock, which nobody sets; the store tells how long ago something was by its own.
    """

    def __init__(self, store: Store, table: int, grace: float) -> None:
        self.store = store
        self.table = table
        self.grace = grace
        self._seen: dict[str, float] = {}
        self._expected: dict[str, float] = {}  # since when; who was not seen yet is counted from there
        self._noted: dict[str, float] = {}
        self._missed: set[str] = set()
        self._returns: dict[str, int] = {}
        self._read = -READ_EVERY
        self._reading: asyncio.Task[None] | None = None

    async def touch(self, holder: str) -> None:
        """Somebody is there."""
        now = self._seen[holder] = time.monotonic()
        if now - self._noted.get(holder, -NOTED_EVERY) > min(NOTED_EVERY, self.grace / 4):
            self._noted[holder] = now
            await self.store.seen(self.table, holder)

    def gone(self, holders: set[str]) -> frozenset[str]:
        """Those who have not been there for as long as the grace period; nobody is missed who is alone."""
        if len(holders) < 2:
            return NOBODY
        now = time.monotonic()
        # Where this process is the only one, it knows best. Nobody waits for what the others know.
        stale = now - self._read > min(READ_EVERY, self.grace / 4)
        if self.store.shared and stale and (self._reading is None or self._reading.done()):
            self._read = now
            self._reading = asyncio.create_task(self._hear_of_others())
        gone = [holder for holder in holders if self._is_missed(holder, now)]
        return frozenset(gone) if gone else NOBODY

    def _is_missed(self, holder: str, now: float) -> bool:
        last = self._seen.get(holder) or self._expected.setdefault(holder, now)
        away, returns = now - last, self._returns.get(holder, 0)
        if holder in self._missed:
            if away <= self.grace:
                self._missed.discard(holder)
                self._returns[holder] = min(returns + 1, MOST_DOUBLED)
        elif away > self.grace * 2**returns:
            self._missed.add(holder)
        return holder in self._missed

    async def close(self) -> None:
        """Wait for what is still being read."""
        if self._reading is not None:
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _hear_of_others(self) -> None:
        with contextlib.suppress(StoreUnavailable):
            asked = time.monotonic()
            for holder, ago in (await self.store.presence(self.table)).items():
                self._seen[holder] = max(asked - ago, self._seen.get(holder, asked - ago))
