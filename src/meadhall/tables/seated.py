"""A table in the memory of one process: a cache that the log can always rebuild, and the only way to change it.

Who reads never waits for who writes: else the time of an answer would tell that somebody is sealing a choice.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import structlog
from msgspec import MsgspecError

from meadhall.faults import Fault
from meadhall.store import Store, TableRemoved
from meadhall.tables.decisions import Decision
from meadhall.tables.entries import AnyEntry, Chose, StoodIn, read_entry, write
from meadhall.tables.meters import CHOICES, LIVE
from meadhall.tables.presence import Presence
from meadhall.tables.refusals import NoSuchTable, Refusal
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
        self.watches: dict[asyncio.Event, str | None] = {}  # each with the holder for whom somebody watches
        self.bots: asyncio.Task[None] | None = None
        self._store = store
        self._drive = drive
        self._refuse = refuse
        self._writing = asyncio.Lock()  # which no reader takes
        self._behind = False  # a write failed, and may or may not be in the log

    @property
    def bots_at_work(self) -> bool:
        """Is somebody seeing to it that the bots of this table play?"""
        return self.bots is not None and not self.bots.done()

    @property
    def may_be_behind(self) -> bool:
        """Can there be entries in the store that are not applied here?"""
        return self._store.shared or self._behind

    async def refresh(self) -> None:
        """Apply what other processes have written."""
        if self.may_be_behind:
            await self._catch_up()
        self._drive(self)

    async def _catch_up(self) -> None:
        start = self.table.length
        self.take_in(start, await self._store.entries(self.table.number, start))
        self._behind = False

    def take_in(self, first: int, entries: Sequence[str]) -> None:
        """Apply entries that were read from the store, the first of which has this number.

        While they were being read others may have applied some of them, so each counts by its number.
        """
        try:
            for entry in entries[max(0, self.table.length - first) :]:
                self._apply(read_entry(entry))
        except (Fault, MsgspecError) as error:  # a newer program may have written here
            raise self._refuse(self.table.code, error) from error

    def _apply(self, entry: AnyEntry) -> None:
        """Move on by an entry, and wake those who can see that."""
        table = self.table
        before = table.position, table.company
        table.apply(entry)
        if isinstance(entry, Chose | StoodIn) and before == (table.position, table.company):
            self._wake_only(table.places[entry.seat].holder)  # it is sealed, and nobody else's business
        else:
            self.wake()

    async def change(self, decide: Decision) -> Table:
        """Write the entries that a decision asks for, one by one, each before it takes effect.

        Where another process has written first, the decision is asked again about the table as that left it. What is
        refused, or done already, is answered at once: it must not wait for what somebody else is writing.
        """
        if decide(self.table) is not None:
            # To the end, also where whoever asked has gone meanwhile.
            work = asyncio.ensure_future(self._change(decide))
            work.add_done_callback(_look_at)
            await asyncio.shield(work)
        self._drive(self)
        return self.table

    async def _change(self, decide: Decision) -> None:
        table = self.table
        async with self._writing:
            while (entry := decide(table)) is not None:
                if await self._write(entry):
                    if isinstance(entry, Chose):
                        by = "person" if table.places[entry.seat].holder else "bot"
                        CHOICES.labels(table.header.game, by).inc()
                        break  # a choice is all that whoever makes one asks for
                else:
                    await self._catch_up()

    async def _write(self, entry: AnyEntry) -> bool:
        """Write an entry and apply it; False if another process has written one of the same number."""
        table, number = self.table, self.table.length
        after = table.phase_after(entry)
        phase = after if after != table.phase else None
        try:
            text, openly = write(entry).decode(), table.happens_openly(entry)
            written = await self._store.append(table.number, number, text, phase, openly)
        except TableRemoved:
            raise NoSuchTable("ui.refused.no-table", code=table.code) from None
        except BaseException:
            self._behind = True
            raise
        if written and table.length == number:  # nobody who read it meanwhile has applied it
            self._apply(entry)
        if written and phase in SAID:
            log.info(SAID[phase], code=table.code, game=table.header.game, entries=table.length)
        return written

    # People

    async def touch(self, holder: str | None) -> None:
        """Somebody who may hold a seat is there; only where others could miss him is it worth a note."""
        if holder is not None and holder in self.table.holders and len(self.table.holders) > 1:
            await self.presence.touch(holder)

    async def gone(self) -> frozenset[str]:
        """The holders of seats who have not been there for as long as the grace period."""
        return self.presence.gone(self.table.holders)

    @contextmanager
    def watching(self, changed: asyncio.Event, holder: str | None = None) -> Iterator[None]:
        """Have an event set whenever there may be something new for a holder, or a spectator."""
        self.watches[changed] = holder
        self._drive(self)
        with LIVE.track_inprogress():
            try:
                yield
            finally:
                self.watches.pop(changed, None)

    def wake(self) -> None:
        """Tell everybody who watches that there may be something new."""
        for watch in self.watches:
            watch.set()

    def _wake_only(self, holder: str | None) -> None:
        """Tell one holder; a bot's seat has none."""
        if holder is not None:
            for watch, whose in self.watches.items():
                if whose == holder:
                    watch.set()


def _look_at(work: "asyncio.Future[None]") -> None:
    """Take note of how something ended for which perhaps nobody waits any more."""
    if not work.cancelled():
        work.exception()
