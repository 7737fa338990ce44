"""Who is at a table now. It hangs on connections alone: whether somebody owes a choice must not show in it."""

import time

from meadhall.store import Store

NOTED_EVERY = 15.0  # seconds between two notes in the store that somebody is there
READ_EVERY = 10.0
NOBODY: frozenset[str] = frozenset()


class Presence:
    """When the holders of a table's seats were last there, kept here and, for other processes, in the store."""

    def __init__(self, store: Store, table: int, grace: float) -> None:
        self.store = store
        self.table = table
        self.grace = grace
        self._seen: dict[str, float] = {}
        self._noted: dict[str, float] = {}
        self._read = 0.0

    async def touch(self, holder: str) -> None:
        """Somebody is there."""
        now = self._seen[holder] = time.time()
        if now - self._noted.get(holder, 0.0) > min(NOTED_EVERY, self.grace / 4):
            self._noted[holder] = now
            await self.store.seen(self.table, holder, now)

    async def gone(self, holders: set[str]) -> frozenset[str]:
        """Those who have not been there for as long as the grace period; nobody is missed who is alone."""
        if len(holders) < 2:
            return NOBODY
        # Where this process is the only one, it knows best after it has read what was known before it started.
        if not self._read or (self.store.shared and time.time() - self._read > min(READ_EVERY, self.grace / 4)):
            now = time.time()
            for holder, seen in (await self.store.presence(self.table)).items():
                self._seen[holder] = max(seen, self._seen.get(holder, 0.0))
            self._read = now
        return self._absent(holders)

    def _absent(self, holders: set[str]) -> frozenset[str]:
        now = time.time()
        gone = [holder for holder in holders if now - self._seen.setdefault(holder, now) > self.grace]
        return frozenset(gone) if gone else NOBODY
