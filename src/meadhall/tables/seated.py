"""A table in the memory of one process: a cache that the log can always rebuild, and the only way to change it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from msgspec import MsgspecError

from meadhall.faults import Fault
from meadhall.store import Store
from meadhall.tables.decisions import Decision
from meadhall.tables.entries import Chose, read_entry, write
from meadhall.tables.meters import CHOICES, LIVE
from meadhall.tables.presence import Presence
from meadhall.tables.refusals import Refusal
from meadhall.tables.table import Table

SAID = {"playing": "game started", "over": "game over", "ended": "table ended"}  # of a phase, in the log
log = structlog.get_logger("meadhall.lobby")


class Seated:
    """A table, those who watch it, the bots at work, and who is there; one change at a time."""

    def __init__(
        self,
        table: Table,
        store: Store,
        presence: Presence,
        public: bool,
        drive: Callable[["Seated"], None],  # sees to it that bots play
        refuse: Callable[[str, Exception], Refusal],  # what to raise where the log cannot be read
    ) -> None:
        self.table = table
        self.presence = presence
        self.public = public
        self.watches: set[asyncio.Event] = set()
        self.bots: asyncio.Task[None] | None = None
        self._store = store
        self._drive = drive
        self._refuse = refuse
        self._lock = asyncio.Lock()
        self._behind = False  # a write was broken off, and may or may not be in the log

    @property
    def bots_at_work(self) -> bool:
        """Is somebody seeing to it that the bots of this table play?"""
        return self.bots is not None and not self.bots.done()

    async def refresh(self) -> None:
        """Apply what other processes have written."""
        if self._store.shared or self._behind:
            # Under the lock, lest an entry just written here be applied twice.
            async with self._lock:
                if self._store.shared or self._behind:
                    await self._catch_up()
        self._drive(self)

    async def _catch_up(self) -> None:
        start = self.table.length
        entries = await self._store.entries(self.table.number, start)
        try:
            for entry in entries:
                self.table.apply(read_entry(entry))
        except (Fault, MsgspecError) as error:  # a newer program may have written here
            raise self._refuse(self.table.code, error) from error
        self._behind = False
        if self.table.length != start:
            self.wake()

    async def change(self, decide: Decision) -> Table:
        """Write the entries that a decision asks for, one by one, each before it takes effect.

        Where another process has written first, the decision is asked again about the table as that left it.
        """
        table = self.table
        async with self._lock:
            while (entry := decide(table)) is not None:
                after = table.phase_after(entry)
                phase = after if after != table.phase else None
                self._behind = True
                written = await self._store.append(table.number, table.length, write(entry).decode(), phase)
                self._behind = False
                if written:
                    table.apply(entry)
                    self.wake()
                    if phase in SAID:
                        log.info(SAID[phase], code=table.code, game=table.header.game, entries=table.length)
                    if isinstance(entry, Chose):
                        by = "person" if table.places[entry.seat].holder else "bot"
                        CHOICES.labels(table.header.game, by).inc()
                        break  # a choice is all that whoever makes one asks for
                else:
                    await self._catch_up()
        self._drive(self)
        return table

    # People

    async def touch(self, holder: str | None) -> None:
        """Somebody who may hold a seat is there; only where others could miss him is it worth a note."""
        if holder is not None and holder in self.table.holders and len(self.table.holders) > 1:
            await self.presence.touch(holder)

    async def gone(self) -> frozenset[str]:
        """The holders of seats who have not been there for as long as the grace period."""
        return await self.presence.gone(self.table.holders)

    @contextmanager
    def watching(self, changed: asyncio.Event) -> Iterator[None]:
        """Have an event set whenever there may be something new."""
        self.watches.add(changed)
        self._drive(self)
        with LIVE.track_inprogress():
            try:
                yield
            finally:
                self.watches.discard(changed)

    def wake(self) -> None:
        """Tell everybody who watches that there may be something new."""
        for watch in self.watches:
            watch.set()
