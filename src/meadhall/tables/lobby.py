"""The lobby: every change to a table is decided, written to the store, and only then takes effect.

Nothing in memory is needed to serve a table: what is kept here is a cache that the log can always rebuild.
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import structlog

from meadhall.bots.pool import Pool
from meadhall.store import CodeTaken, Store
from meadhall.tables import decisions
from meadhall.tables.bots import STAND_IN, Counsel
from meadhall.tables.decisions import Decision
from meadhall.tables.entries import Chose, read_entry, read_header, write
from meadhall.tables.pause import Pause
from meadhall.tables.presence import Presence
from meadhall.tables.refusals import NoSuchTable, Refusal
from meadhall.tables.table import Table, deal

CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"  # nothing that looks like another, no vowels to spell words with
CODE_LENGTH = 6
KEPT = 5000  # tables in memory

NO_PAUSE = Pause()

log = structlog.get_logger("meadhall.lobby")


class Watch(Protocol):
    """Whatever wants to know that there may be something new, such as an event."""

    def set(self) -> None:
        """There may be something new."""


class Seated:
    """A table in memory: one change at a time, those who watch it, the bots at work, and who is there."""

    def __init__(self, table: Table, presence: Presence, public: bool) -> None:
        self.table = table
        self.presence = presence
        self.public = public
        self.lock = asyncio.Lock()
        self.watches: set[Watch] = set()
        self.bots: asyncio.Task[None] | None = None
        self.behind = False  # a write was broken off, and may or may not be in the log

    async def gone(self) -> frozenset[str]:
        """The holders of seats who have not been there for as long as the grace period."""
        return await self.presence.gone(self.table.holders)

    def wake(self) -> None:
        """Tell everybody who watches that there may be something new."""
        for watch in self.watches:
            watch.set()

    @property
    def idle(self) -> bool:
        """Can this be forgotten until somebody asks for it again?"""
        at_work = self.bots is not None and not self.bots.done()
        return not self.watches and not at_work and not self.lock.locked()


class Lobby:
    """All tables of one store, as one process serves them."""

    def __init__(self, store: Store, pool: Pool, grace: float = 60.0, pause: Pause = NO_PAUSE) -> None:
        self.store = store
        self.pool = pool
        self.counsel = Counsel(pool)
        self.grace = grace
        self.pause = pause
        self.closing = False
        self._cache: OrderedDict[str, Seated] = OrderedDict()
        self._codes: dict[int, str] = {}
        self._loading: dict[str, asyncio.Task[Seated]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        store.on_change(self._changed_elsewhere)

    @property
    def levels(self) -> tuple[str, ...]:
        """The bots that can be put on a seat."""
        return self.pool.levels

    # Tables

    async def open_table(
        self,
        game: str,
        rules: Mapping[str, Any],
        seats: Mapping[str, str],
        host: str,
        name: str | None = None,
        public: bool = True,
        hints: bool = False,
    ) -> Table:
        """A new table: each seat is the host's ("me"), "open", or a bot's by its level; one not named is open."""
        header = deal(game, dict(rules), host, hints)
        table = Table(0, "", header)
        for seat in seats:
            decisions.check_seat(table, seat)
        entries = []
        for seat in table.places:
            entry = decisions.first(seat, decisions.wanted_on(table, seat, seats), host, name, self.levels)
            if entry is not None:
                table.apply(entry)
                entries.append(write(entry).decode())
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            try:
                await self.store.create(code, game, write(header).decode(), table.phase, public, entries)
                break
            except CodeTaken:
                continue
        log.info("table opened", code=code, game=game, phase=table.phase)
        return await self.table(code)

    async def table(self, code: str) -> Table:
        """The table of a code, as it is now."""
        return (await self.seated(code)).table

    async def seated(self, code: str) -> Seated:
        """A table with everything that any process has written, its bots at work."""
        code = tidy(code)
        seated = self._cache.get(code)
        if seated is None:
            if code not in self._loading:
                task = self._loading[code] = asyncio.create_task(self._load(code))
                task.add_done_callback(lambda _: self._loading.pop(code, None))
            seated = await asyncio.shield(self._loading[code])
        else:
            self._cache.move_to_end(code)
            if self.store.shared or seated.behind:
                # Under the lock, lest an entry just written here be applied twice.
                async with seated.lock:
                    if self.store.shared or seated.behind:
                        await self._catch_up(seated)
        self._drive(seated)
        return seated

    async def _load(self, code: str) -> Seated:
        stored = await self.store.load(code) if _is_code(code) else None
        if stored is None:
            raise NoSuchTable("ui.refused.no-table", code=code[:12])
        table = Table(stored.id, code, read_header(stored.header), map(read_entry, stored.entries))
        seated = self._cache[code] = Seated(table, Presence(self.store, stored.id, self.grace), stored.public)
        self._codes[stored.id] = code
        if len(self._cache) > KEPT:
            oldest = next(iter(self._cache.values()))
            if oldest.idle:
                del self._cache[oldest.table.code], self._codes[oldest.table.number]
            else:
                self._cache.move_to_end(oldest.table.code)
        return seated

    async def _catch_up(self, seated: Seated) -> None:
        """Apply what other processes have written."""
        table, start = seated.table, seated.table.length
        for entry in await self.store.entries(table.number, start):
            table.apply(read_entry(entry))
        seated.behind = False
        if table.length != start:
            seated.wake()

    def _changed_elsewhere(self, number: int | None) -> None:
        """Another process has written (None: perhaps to any table): those who watch here want to know."""
        for each in list(self._codes) if number is None else [number]:
            seated = self._cache.get(self._codes.get(each, ""))
            if seated is not None:
                self._spawn(self._refresh(seated))

    async def _refresh(self, seated: Seated) -> None:
        async with seated.lock:
            await self._catch_up(seated)
        self._drive(seated)

    async def change(self, code: str, decide: Decision) -> Table:
        """Write the entries that a decision asks for, one by one, each before it takes effect.

        Where another process has written first, the decision is asked again about the table as that left it.
        """
        seated = await self.seated(code)
        table = seated.table
        async with seated.lock:
            while (entry := decide(table)) is not None:
                after = table.phase_after(entry)
                phase = after if after != table.phase else None
                seated.behind = True
                written = await self.store.append(table.number, table.length, write(entry).decode(), phase)
                seated.behind = False
                if written:
                    table.apply(entry)
                    seated.wake()
                    if isinstance(entry, Chose):
                        break  # a choice is all that whoever makes one asks for
                else:
                    await self._catch_up(seated)
        self._drive(seated)
        return table

    async def sit(self, code: str, holder: str, seat: str | None = None, name: str | None = None) -> str:
        """Take a seat, or the first open one; which it was."""
        while True:
            table = await self.table(code)
            wanted = seat or next((each for each, place in table.places.items() if place.open), None)
            if wanted is None:
                raise Refusal("ui.refused.full")
            try:
                await self.change(code, decisions.sit(holder, wanted, name))
                return wanted
            except Refusal as refusal:
                if seat or refusal.key != "ui.refused.taken":
                    raise

    async def leave(self, code: str, holder: str, seat: str) -> None:
        """Get up from a seat."""
        decisions.own_seat(await self.table(code), holder, seat)
        await self.change(code, decisions.leave(holder, seat))

    async def seat_bot(self, code: str, holder: str | None, seat: str, level: str) -> None:
        """Put a bot on a seat."""
        await self.change(code, decisions.seat_bot(holder, seat, level, await self.gone(code), self.levels))

    async def fill(self, code: str, holder: str | None, level: str) -> None:
        """Put bots on all open seats."""
        await self.change(code, decisions.fill(holder, level, self.levels))

    async def end(self, code: str, holder: str | None) -> None:
        """Close a table before its game is over."""
        await self.change(code, decisions.end(holder, await self.gone(code)))

    async def set_pace(self, code: str, holder: str | None, ms: str) -> None:
        """How long bots among themselves wait before each choice, in milliseconds."""
        await self.change(code, decisions.set_pace(holder, ms))

    async def again(self, code: str, holder: str | None) -> str:
        """The code of another table with the same rules and company; all who ask get the same one."""
        seated = await self.seated(code)
        table, host = seated.table, seated.table.header.host
        decisions.check_again(table, holder)
        if table.next is None:
            seats = {seat: self._level_again(place.level) for seat, place in table.places.items()}
            header = table.header
            fresh = await self.open_table(
                header.game, header.rules, seats, host, public=seated.public, hints=header.hints
            )
            for seat, place in table.places.items():
                if place.holder:
                    await self.change(fresh.code, decisions.sit(place.holder, seat, place.name))
            await self.change(code, decisions.play_again_at(fresh.code))
            if table.next != fresh.code:  # another of the company was faster
                await self.change(fresh.code, decisions.end(host, frozenset()))
        return (await self.table(code)).next or code

    def _level_again(self, level: str | None) -> str:
        """Who sits there in the next game; a user's bot may be gone by then."""
        return decisions.OPEN if level is None else level if level in self.levels else STAND_IN

    # People

    @contextmanager
    def watching(self, table: Table, watch: Watch) -> Iterator[None]:
        """Have something set whenever there may be something new at a table."""
        seated = self._cache[table.code]
        seated.watches.add(watch)
        self._drive(seated)
        try:
            yield
        finally:
            seated.watches.discard(watch)

    def stop_watching(self) -> None:
        """End all live connections, so that the server can stop."""
        self.closing = True
        for seated in self._cache.values():
            seated.wake()

    @property
    def watchers(self) -> int:
        """How many live connections there are."""
        return sum(len(seated.watches) for seated in self._cache.values())

    async def touch(self, code: str, holder: str | None) -> None:
        """Somebody who may hold a seat is there; only where others could miss him is it worth a note."""
        seated = await self.seated(code)
        if holder in seated.table.holders and holder is not None and len(seated.table.holders) > 1:
            await seated.presence.touch(holder)

    async def gone(self, code: str) -> frozenset[str]:
        """Those of a table's company who are not there any more."""
        return await (await self.seated(code)).gone()

    # Bots

    def _drive(self, seated: Seated) -> None:
        """See to it that bots play, if any owe a choice and nobody sees to it yet."""
        idle = seated.bots is None or seated.bots.done()
        if idle and seated.table.bots_owing() and (seated.watches or not seated.table.bots_only):
            seated.bots = self._spawn(self._run_bots(seated))

    async def _run_bots(self, seated: Seated) -> None:
        """Let the bots choose until people are to; bots among themselves play for those who watch, and no faster.

        All of a position think while a pause runs that knows nothing of them, and choose at its end. People who
        choose at the same time are thinking too: they wait only if they are quicker than that.
        """
        table = seated.table
        while owing := table.bots_owing():
            if table.bots_only and not seated.watches:
                return
            pause = asyncio.sleep(table.pace / 1000) if table.bots_only else self.pause.over()
            position = table.position
            thoughts = (self.counsel.choice(table, seat) for seat in owing)
            _, choices = await asyncio.gather(pause, asyncio.gather(*thoughts))
            for seat, choice in zip(owing, choices, strict=True):
                await self.change(table.code, decisions.bot_chooses(seat, position, choice))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("background task failed", exc_info=error)

    async def close(self) -> None:
        """Stop the bots and close the store; whatever was acknowledged is in it."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.pool.close()
        await self.store.close()


def tidy(code: str) -> str:
    """A code as people type it: case, spaces and hyphens do not matter."""
    return "".join(code.split()).replace("-", "").upper()


def _is_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in code)
