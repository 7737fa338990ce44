"""The lobby: the tables of one store as one process serves them, found by their codes, with their bots at work.

Every change to a table is decided, written to the store, and only then takes effect (see `seated.py`).
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any
from weakref import WeakValueDictionary

import structlog
from msgspec import MsgspecError

from meadhall.bots.pool import Pool
from meadhall.faults import Fault
from meadhall.match import Match
from meadhall.store import CodeTaken, Listed, Store, Stored
from meadhall.tables import decisions
from meadhall.tables.analyses import TableAnalyses
from meadhall.tables.bots import TableBots, stand_in
from meadhall.tables.decisions import Decision
from meadhall.tables.entries import read_entry, read_header, write
from meadhall.tables.meters import OPENED
from meadhall.tables.pause import Pause
from meadhall.tables.presence import Presence
from meadhall.tables.refusals import NoSuchTable, Refusal, Unreadable
from meadhall.tables.seated import Seated
from meadhall.tables.table import DEFAULT_PACE, Table, deal

CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"  # nothing that looks like another, no vowels to spell words with
CODE_LENGTH = 6
KEPT = 1000  # tables that stay in memory though nobody uses them, some 200 kB each
KEPT_OVER = 100  # the same of those that are over; whoever looks back waits for a few milliseconds once
AT_ONCE = 50  # entries of a log that are replayed without a pause, about a millisecond

NO_PAUSE = Pause()

log = structlog.get_logger("meadhall.lobby")


class Lobby:
    """All tables of one store, as one process serves them."""

    def __init__(
        self,
        store: Store,
        pool: Pool,
        grace: float = 60.0,
        pause: Pause = NO_PAUSE,
        telling: Callable[[Match, int], float] = lambda match, since: 0.0,
        bots_play: bool = True,
    ) -> None:
        self.store = store
        self.telling = telling  # how many seconds it takes to tell what has happened since a position
        self.pool = pool
        self.bots = TableBots(pool)
        self.analyses = TableAnalyses(store, pool)
        self.grace = grace
        self.pause = pause
        self.bots_play = bots_play  # not for those who only look after tables
        self.closing = False
        # A table is found here as long as anybody uses it; the most recent ones are kept in use.
        self._seated: WeakValueDictionary[str, Seated] = WeakValueDictionary()
        self._by_number: WeakValueDictionary[int, Seated] = WeakValueDictionary()
        self._recent: OrderedDict[str, Seated] = OrderedDict()
        self._over: OrderedDict[str, Seated] = OrderedDict()
        self._unreadable: set[str] = set()
        self._loading: dict[str, asyncio.Task[Seated]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        store.on_change(self._changed_elsewhere)

    @property
    def levels(self) -> tuple[str, ...]:
        """The bots that can be put on a seat."""
        return self.pool.levels

    def levels_of(self, game: str) -> tuple[str, ...]:
        """The bots that can be put on a seat of a game."""
        return self.pool.levels_of(game)

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
        names: Mapping[str, str] | None = None,
    ) -> Table:
        """A new table: each seat is the host's ("me"), "open", or a bot's by its level; one not named is open.

        The host's seats are in the host's name, or by `names` each in that of whoever sits there at the same device.
        """
        header = deal(game, dict(rules), host, hints)
        table = Table(0, "", header)
        for seat in seats:
            decisions.check_seat(table, seat)
        entries = []
        for seat in table.places:
            who = decisions.wanted_on(table, seat, seats)
            called = name if names is None else names.get(seat)
            entry = decisions.first(seat, who, host, called, self.levels_of(game))
            if entry is not None:
                table.apply(entry)
                entries.append(write(entry).decode())
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            try:
                text, bots = write(header).decode(), table.bots_only
                await self.store.create(code, game, text, table.phase, public, entries, bots)
                break
            except CodeTaken:
                continue
        OPENED.labels(game).inc()
        log.info("table opened", code=code, game=game, phase=table.phase)
        return await self.table(code)

    async def table(self, code: str) -> Table:
        """The table of a code, as it is now."""
        return (await self.seated(code)).table

    async def seated(self, code: str) -> Seated:
        """A table with everything that any process has written, its bots at work."""
        code = tidy(code)
        seated = self._seated.get(code)
        if seated is None:
            joins = code in self._loading  # what was read for another may be older than this request
            if not joins:
                task = self._loading[code] = asyncio.create_task(self._load(code))
                task.add_done_callback(lambda _: self._loading.pop(code, None))
            seated = await asyncio.shield(self._loading[code])
            await seated.refresh() if joins else self._drive(seated)
        else:
            await seated.refresh()
        self._keep(seated)
        return seated

    def _keep(self, seated: Seated) -> None:
        """Keep a table in memory rather than those that were asked for before it."""
        code = seated.table.code
        kept, most = self._recent, KEPT
        if seated.table.phase in ("over", "ended"):
            self._recent.pop(code, None)
            kept, most = self._over, KEPT_OVER
        kept[code] = seated
        kept.move_to_end(code)
        while len(kept) > most:
            kept.popitem(last=False)

    async def _load(self, code: str) -> Seated:
        stored = await self.store.load(code) if _is_code(code) else None
        if stored is None:
            raise NoSuchTable("ui.refused.no-table", code=code[:12])
        table = await self._replayed(stored)
        presence = Presence(self.store, stored.id, self.grace)
        seated = Seated(table, self.store, presence, stored.public, self._drive, self._cannot_read)
        self._seated[code] = self._by_number[stored.id] = seated
        return seated

    async def _replayed(self, stored: Stored) -> Table:
        """A stored table, brought to where its log ends; with a long one others are let in between."""
        try:
            table = Table(stored.id, stored.code, read_header(stored.header))
            for number, entry in enumerate(stored.entries, 1):
                table.apply(read_entry(entry))
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0)
            return table
        except Exception as error:
            raise self._cannot_read(stored.code, error) from error

    def _cannot_read(self, code: str, error: Exception) -> Unreadable:
        """Forget a table that cannot be replayed, and log once what is wrong with it; the refusal to raise."""
        self._seated.pop(code, None)
        self.forget(code)
        if code not in self._unreadable:
            self._unreadable.add(code)
            expected = isinstance(error, Fault | MsgspecError)  # anything else may be a fault of ours
            said = f"{type(error).__name__}: {error}"[:300]
            log.error("table cannot be read", code=code, error=said, exc_info=None if expected else error)
        return Unreadable("ui.refused.unreadable", code=code)

    async def listed(self, limit: int) -> list[Listed]:
        """Public tables that are open or in play, by their last activity, without those known to be unreadable."""
        found = await self.store.listing(("playing", "open"), limit)
        return [each for each in found if each.code not in self._unreadable]

    def forget(self, code: str) -> None:
        """Do not keep a table in memory that nobody uses; one that is used stays, and is found again."""
        self._recent.pop(code, None)
        self._over.pop(code, None)

    def removed(self, code: str) -> None:
        """A table is no more in the store; whoever watches it sees what he has."""
        self.forget(code)
        self._seated.pop(code, None)

    async def readable(self, codes: Iterable[str], read: bool = True) -> list[Table]:
        """The tables of these codes, without those that are not there or cannot be read; one read for all in memory.

        Without that read they are as this process was last notified, which is good enough where nobody plays.
        """
        wanted = [tidy(code) for code in codes]
        known = [seated for code in wanted if (seated := self._seated.get(code)) is not None]
        behind = {seated.table.number: seated.table.length for seated in known if seated.may_be_behind}
        news = await self.store.news(behind) if behind and read else {}
        tables = []
        for code in wanted:
            try:
                seated = self._seated.get(code)
                if seated is None:
                    seated = await self.seated(code)
                elif entries := news.get(seated.table.number):
                    seated.take_in(behind[seated.table.number], entries)
                tables.append(seated.table)
            except (NoSuchTable, Unreadable):
                continue
        return tables

    def _changed_elsewhere(self, number: int | None) -> None:
        """Another process has written (None: perhaps to any table): those who watch here want to know."""
        some = list(self._by_number.values()) if number is None else [self._by_number.get(number)]
        for seated in some:
            if seated is not None:
                self._spawn(seated.refresh())

    async def change(self, code: str, decide: Decision) -> Table:
        """Change the table of a code as a decision asks."""
        return await (await self.seated(code)).change(decide)

    async def sit(self, code: str, holder: str, seat: str | None = None, name: str | None = None) -> str:
        """Take a seat, or the first that one may have; which it was."""
        return await self.sit_at(await self.seated(code), holder, seat, name)

    async def sit_at(self, seated: Seated, holder: str, seat: str | None = None, name: str | None = None) -> str:
        """The same at a table that was just looked up."""
        while True:
            places = seated.table.places
            own = (each for each, place in places.items() if place.former == holder)
            wanted = seat or next(own, None) or next((each for each, place in places.items() if place.open), None)
            if wanted is None:
                raise Refusal("ui.refused.full")
            try:
                await seated.change(decisions.sit(holder, wanted, name))
                await seated.touch(holder)
                return wanted
            except Refusal as refusal:
                if seat or refusal.key != "ui.refused.taken":
                    raise

    async def leave(self, code: str, holder: str, seat: str) -> None:
        """Get up from a seat."""
        seated = await self.seated(code)
        decisions.own_seat(seated.table, holder, seat)
        await seated.change(decisions.leave(holder, seat))

    async def seat_bot(self, code: str, holder: str | None, seat: str, level: str) -> None:
        """Put a bot on a seat."""
        seated = await self.seated(code)
        levels = self.levels_of(seated.table.header.game)
        await seated.change(decisions.seat_bot(holder, seat, level, await seated.gone(), levels))

    async def fill(self, code: str, holder: str | None, level: str) -> None:
        """Put bots on all open seats."""
        seated = await self.seated(code)
        await seated.change(decisions.fill(holder, level, self.levels_of(seated.table.header.game)))

    async def end(self, code: str, holder: str | None) -> None:
        """Close a table before its game is over."""
        seated = await self.seated(code)
        await seated.change(decisions.end(holder, await seated.gone()))

    async def set_pace(self, code: str, holder: str | None, ms: str) -> None:
        """How long bots among themselves wait before each choice, in milliseconds."""
        await self.change(code, decisions.set_pace(holder, ms))

    async def again(self, code: str, holder: str | None, exchanged: bool = False) -> str:
        """The code of another table with the same rules and company; all who ask get the same one."""
        return await self.again_at(await self.seated(code), holder, exchanged)

    async def again_at(self, seated: Seated, holder: str | None, exchanged: bool = False) -> str:
        """The same at a table that was just looked up.

        Whoever asks first says whether everybody keeps his seat, or seats are exchanged.
        """
        table, host = seated.table, seated.table.header.host
        decisions.check_again(table, holder)
        if table.next is None:
            header = table.header
            to = table.exchanged if exchanged else {}
            company = {to.get(seat, seat): place for seat, place in table.places.items()}
            seats = {seat: self._level_again(place.level, header.game) for seat, place in company.items()}
            fresh = await self.open_table(
                header.game, header.rules, seats, host, public=seated.public, hints=header.hints
            )
            new = await self.seated(fresh.code)
            for seat, place in company.items():
                if place.holder:
                    await new.change(decisions.sit(place.holder, seat, place.name))
            await seated.change(decisions.play_again_at(fresh.code))
            if table.next != fresh.code:  # another of the company was faster
                await new.change(decisions.end(host, frozenset()))
        return table.next or table.code

    def _level_again(self, level: str | None, game: str) -> str:
        """Who sits there in the next game; a person's own bot may be gone by then."""
        return decisions.OPEN if level is None else level if level in self.levels_of(game) else stand_in(game)

    # People

    def stop_watching(self) -> None:
        """End all live connections, so that the server can stop."""
        self.closing = True
        for seated in self._seated.values():
            seated.wake()

    @property
    def watchers(self) -> int:
        """How many live connections there are."""
        return sum(len(seated.watches) for seated in self._seated.values())

    # Bots

    def _drive(self, seated: Seated) -> None:
        """See to it that bots play, if any owe a choice and nobody sees to it yet."""
        owing = self.bots_play and seated.table.bots_owing()
        if owing and not seated.bots_at_work and (seated.watches or not seated.table.bots_only):
            seated.bots = self._spawn(self._run_bots(seated))
        if seated.table.phase in ("over", "ended"):
            self.bots.leave(seated.table)
            self._keep(seated)

    async def _run_bots(self, seated: Seated) -> None:
        """Let the bots choose until people are to; bots among themselves play for those who watch, and no faster.

        All of a position think while a pause runs that knows nothing of them, and choose at its end. People who
        choose at the same time are thinking too: they wait only if they are quicker than that.
        """
        table = seated.table
        told = table.position
        while owing := table.bots_owing():
            if table.bots_only and not seated.watches:
                return
            pause = self._watched(table, told) if table.bots_only else self.pause.over()
            told = position = table.position
            thoughts = (self.bots.choice(table, seat) for seat in owing)
            _, chosen = await asyncio.gather(pause, asyncio.gather(*thoughts))
            for seat, (choice, by, wanted) in zip(owing, chosen, strict=True):
                if by != wanted:
                    await seated.change(decisions.bot_stands_in(seat, position, by, wanted))
                await seated.change(decisions.bot_chooses(seat, position, choice))

    async def _watched(self, table: Table, since: int) -> None:
        """Give those who look on the time to see what has happened, as fast as the host wants it told."""
        await asyncio.sleep(max(1.0, self.telling(table.match, since)) * table.pace / DEFAULT_PACE)

    def look_after(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done in the background until the lobby closes."""
        self._spawn(work)

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
        await asyncio.gather(*(seated.presence.close() for seated in self._seated.values()))
        await self.analyses.close()
        self.pool.close()
        await self.store.close()


def tidy(code: str) -> str:
    """A code as people type it: case, spaces and hyphens do not matter."""
    return "".join(code.split()).replace("-", "").upper()


def _is_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in code)
