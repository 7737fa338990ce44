"""The interface of a store, and what both kinds share: reads, and a writer that commits all that waits together."""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from sqlalchemy import ColumnElement, Connection, Double, and_, bindparam, false, or_, select, union_all, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from meadhall.store.analyses import Analyses
from meadhall.store.availability import COMMITS, Availability
from meadhall.store.beats import Beats
from meadhall.store.errors import CodeTaken, StoreClosed, StoreUnavailable, TableRemoved, is_unavailable, one_is_bad
from meadhall.store.keeping import Keeping, Tally
from meadhall.store.rows import Addition, Creation, Listed, Note, Stored
from meadhall.store.schema import ENTRIES, PRESENCE, TABLES

T = TypeVar("T")
Key = tuple[int, int]  # a table, and the number of an entry

_log = logging.getLogger(__name__)

READERS = 5  # connections; the writer has one more, so that it never waits for a crowd of readers
ENGINE: dict[str, Any] = {"pool_size": READERS + 1, "max_overflow": 0, "hide_parameters": True}
MOST_IN_A_BATCH = 1000
HOUR = 3600.0
PRESENCE_EVERY = 1.0  # seconds: a sign of life is not worth a commit of its own


class Store(ABC):
    """All tables of a database: numbered entries that are written once and never changed."""

    shared: ClassVar[bool]  # do other processes write the same tables?
    insert: ClassVar[Callable[..., Any]]  # the dialect's INSERT, which knows ON CONFLICT
    now: ClassVar[ColumnElement[float]]  # seconds by the clock of the database, the only one that all processes share

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._availability = Availability()
        self._waiting: list[Creation | Addition] = []
        self._notes: list[Note] = []
        self._seen: dict[tuple[int, str], float] = {}
        self._seen_due = False
        self._seen_timer: asyncio.TimerHandle | None = None
        self._work = asyncio.Event()
        self._readers = asyncio.Semaphore(READERS)
        self._closed = False
        insert = type(self).insert
        self._create = insert(TABLES).on_conflict_do_nothing(index_elements=["code"]).returning(TABLES.c.id)
        fresh = insert(PRESENCE).values(
            table_id=bindparam("table"), holder=bindparam("who"), seen=self.now - bindparam("ago", type_=Double)
        )
        self._upsert = fresh.on_conflict_do_update(
            index_elements=["table_id", "holder"],
            set_={"seen": fresh.excluded.seen},
            where=PRESENCE.c.seen < fresh.excluded.seen,
        )
        self.analyses = Analyses(insert, self._rows, self._note)
        self.beats = Beats(insert, self._note)
        self._tally = Tally(insert)
        self.keeping = Keeping(self._rows, self._note_work, self._tally)
        self._hour = 0.0
        self._active: set[int] = set()  # the tables that are known to be active this hour
        self._writer = asyncio.create_task(self._write(), name="store writer")

    # What a database does in its own way

    @abstractmethod
    def on_change(self, wake: Callable[[int | None], None]) -> None:
        """Have `wake` called with a table another process appended to, or None when some may have been missed."""

    @abstractmethod
    def _passing(self, error: Exception) -> bool:
        """Whether a second attempt may well succeed."""

    @abstractmethod
    async def _commit(self, batch: list[Creation | Addition]) -> list[int]:
        """Write a batch in one transaction; the answer to each write."""

    @abstractmethod
    def _enter(self, connection: Connection, rows: Sequence[tuple[Key, str]]) -> set[Key]:
        """Write entries without committing, and say which of them were not there yet."""

    # What callers ask for

    async def create(
        self,
        code: str,
        game: str,
        header: str,
        phase: str,
        public: bool,
        entries: Sequence[str],
        bots: bool = False,
    ) -> int:
        """Write a new table and return its id; `CodeTaken` if there is one with this code.

        `bots` says that nobody else ever sits here.
        """
        table = {"code": code, "game": game, "header": header, "phase": phase, "public": public, "bots": bots}
        table |= {"created": time.time(), "active": self._this_hour()}
        found = await self._ask(Creation(asyncio.get_running_loop().create_future(), table, list(entries)))
        if not found:
            raise CodeTaken(code)
        return found

    async def append(self, table: int, n: int, entry: str, phase: str | None = None, openly: bool = False) -> bool:
        """True: entry n is on disk, with the new phase if given. False: there was already an entry n.
        `TableRemoved` if there is no such table any more.

        What happens openly counts as activity, by the hour: lists, and how long a table stays, go by that.
        """
        hour = self._this_hour()
        active = hour if phase is not None or (openly and table not in self._active) else None
        asked = Addition(asyncio.get_running_loop().create_future(), table, n, entry, phase, active)
        try:
            written = bool(await self._ask(asked))
        except IntegrityError:
            raise TableRemoved from None
        if written and active == self._hour:
            self._active.add(table)
        return written

    def _this_hour(self) -> float:
        hour = time.time() // HOUR * HOUR
        if hour != self._hour:
            self._hour = hour
            self._active.clear()
        return hour

    async def load(self, code: str) -> Stored | None:
        """The table with this code and all its entries."""

        async def read(connection: AsyncConnection) -> Stored | None:
            row = (await connection.execute(select(TABLES).where(TABLES.c.code == code))).one_or_none()
            return None if row is None else Stored(**row._mapping, entries=await self._entries(connection, row.id, 0))

        return await self._read(read)

    async def entries(self, table: int, after: int) -> list[str]:
        """The entries with the numbers after, after + 1, ..."""
        return await self._read(lambda connection: self._entries(connection, table, after))

    async def news(self, lengths: Mapping[int, int]) -> dict[int, list[str]]:
        """The entries of several tables from these numbers on, in one read; a table without any is left out."""
        some = [and_(ENTRIES.c.table_id == table, ENTRIES.c.n >= after) for table, after in lengths.items()]
        wanted = select(ENTRIES.c.table_id, ENTRIES.c.entry).where(or_(false(), *some))
        found: dict[int, list[str]] = {}
        for table, entry in await self._rows(wanted.order_by(ENTRIES.c.table_id, ENTRIES.c.n)):
            found.setdefault(table, []).append(entry)
        return found

    async def listing(self, phases: Sequence[str], limit: int, game: str | None = None) -> list[Listed]:
        """Public tables in these phases, those first where something happened last; of one hour, the newest."""
        newest = []
        for phase in dict.fromkeys(phases):
            some = select(*TABLES.c["id", "code", "game", "phase", "created", "active"])
            some = some.where(TABLES.c.phase == phase, TABLES.c.public.is_(True))
            if game is not None:
                some = some.where(TABLES.c.game == game)
            # A limit for each phase, so that each reads only the end of its part of the index.
            newest.append(select(some.order_by(TABLES.c.active.desc(), TABLES.c.id.desc()).limit(limit).subquery()))
        if not newest:
            return []
        merged = union_all(*newest).subquery()
        wanted = select(*merged.c["code", "game", "phase", "created", "active"])
        wanted = wanted.order_by(merged.c.active.desc(), merged.c.id.desc()).limit(limit)
        return [Listed(*row) for row in await self._rows(wanted)]

    async def counts(self) -> dict[str, int]:
        """How many tables there are in each phase; they are counted as they are written."""
        return await self.keeping.counts()

    async def seen(self, table: int, holder: str) -> None:
        """Note that this holder is here. It is written with others, about every second."""
        if self._closed:
            return
        self._seen[table, holder] = time.monotonic()
        if self._seen_timer is None:
            self._seen_timer = asyncio.get_running_loop().call_later(PRESENCE_EVERY, self._presence_is_due)

    async def presence(self, table: int) -> dict[str, float]:
        """How many seconds ago each holder was last seen at this table."""
        ago = (self.now - PRESENCE.c.seen).label("ago")
        found = await self._rows(select(PRESENCE.c.holder, ago).where(PRESENCE.c.table_id == table))
        last = {row.holder: max(0.0, row.ago) for row in found}
        now = time.monotonic()
        for (where, holder), seen in self._seen.items():
            if where == table:
                last[holder] = min(now - seen, last.get(holder, now - seen))
        return last

    async def ping(self) -> None:
        """Raise if the database does not answer, or cannot be written."""
        await self._rows(select(TABLES.c.id).limit(1))
        await self.beats.prove()

    async def close(self) -> None:
        """Write what waits, then let go of the database."""
        self._closed = True
        if self._seen_timer is not None:
            self._presence_is_due()
        self._work.set()
        await asyncio.shield(self._writer)
        await self._engine.dispose()

    # Reading

    async def _read(self, read: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Read to the end even where whoever asked has gone meanwhile: a read broken off costs its connection."""
        try:
            found = await asyncio.shield(self._read_all(read))
        except Exception as error:
            self._raise_unavailable(error)
            raise
        self._availability.answered()
        return found

    async def _read_all(self, read: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Read on a connection from the pool; once more if that one turns out to be dead."""
        async with self._readers:
            try:
                async with self._engine.connect() as connection:
                    return await read(connection)
            except Exception as error:
                if not self._passing(error):
                    raise
            async with self._engine.connect() as connection:
                return await read(connection)

    def _raise_unavailable(self, error: Exception, writing: bool = False) -> None:
        """Raise StoreUnavailable where it is the database that failed, not what it was asked for."""
        if is_unavailable(error) or self._passing(error):
            self._availability.failed(error, writing)
            raise StoreUnavailable(type(error).__name__) from error

    async def _rows(self, wanted: Any) -> Sequence[Any]:
        async def read(connection: AsyncConnection) -> Sequence[Any]:
            return (await connection.execute(wanted)).all()

        return await self._read(read)

    @staticmethod
    async def _entries(connection: AsyncConnection, table: int, after: int) -> list[str]:
        wanted = select(ENTRIES.c.entry).where(ENTRIES.c.table_id == table, ENTRIES.c.n >= after)
        return list((await connection.scalars(wanted.order_by(ENTRIES.c.n))).all())

    # Writing

    async def _ask(self, write: Creation | Addition) -> int:
        if self._closed:
            raise StoreClosed("the store is closed")
        self._waiting.append(write)
        self._work.set()
        try:
            return await write.done
        except Exception as error:
            self._raise_unavailable(error, writing=True)
            raise

    async def _note(self, statement: Any) -> bool:
        """Have something written beside the tables, between batches; whether there was anything to write."""
        return await self._note_work(lambda connection: bool(connection.execute(statement).all()))

    async def _note_work(self, work: Callable[[Connection], bool]) -> bool:
        """The same for several statements in one transaction; it may be done twice, where a connection was lost."""
        if self._closed:
            raise StoreClosed("the store is closed")
        note = Note(asyncio.get_running_loop().create_future(), work)
        self._notes.append(note)
        self._work.set()
        try:
            return await note.done
        except Exception as error:
            self._raise_unavailable(error, writing=True)
            raise

    async def _settle_note(self, note: Note) -> None:
        try:
            written = await self._write_note(note.work)
        except Exception as error:
            if not note.done.done():
                note.done.set_exception(error)
        else:
            if not note.done.done():
                note.done.set_result(written)

    async def _write_note(self, work: Callable[[Connection], bool]) -> bool:
        """Write on a connection from the pool; once more if that one turns out to be dead."""
        for last in (False, True):
            executed = False
            try:
                async with self._engine.connect() as connection:
                    written = await connection.run_sync(work)
                    executed = True
                    await connection.commit()
                self._availability.answered(writing=True)
                return written
            except Exception as error:
                if last or executed or not self._passing(error):
                    raise
        raise AssertionError("the last attempt either returns or raises")

    def _presence_is_due(self) -> None:
        if self._seen_timer is not None:
            self._seen_timer.cancel()
        self._seen_timer = None
        self._seen_due = True
        self._work.set()

    async def _write(self) -> None:
        """The one writer: whatever came while it was busy goes to disk together."""
        while not self._closed or self._waiting or self._notes or self._seen_due:
            await self._work.wait()
            if self._waiting:
                batch = self._waiting[:MOST_IN_A_BATCH]
                del self._waiting[:MOST_IN_A_BATCH]
                await self._settle(batch)
            if self._notes:
                await self._settle_note(self._notes.pop(0))
            if self._seen_due:
                await self._write_presence()
            if not self._waiting and not self._notes and not self._closed:
                self._work.clear()

    async def _settle(self, batch: list[Creation | Addition]) -> None:
        """Commit a batch and answer its callers; those who left are simply not answered."""
        answers: Sequence[int | Exception]
        try:
            with COMMITS.time():
                answers = await self._commit(batch)
            self._availability.answered(writing=True)
        except Exception as error:
            if len(batch) > 1 and one_is_bad(error):
                # Halving finds it and keeps the order of the rest.
                await self._settle(batch[: len(batch) // 2])
                await self._settle(batch[len(batch) // 2 :])
                return
            answers = [error] * len(batch)
        for write, answer in zip(batch, answers, strict=True):
            if write.done.done():
                continue
            if isinstance(answer, Exception):
                write.done.set_exception(answer)
            else:
                write.done.set_result(answer)

    def _put(self, connection: Connection, batch: list[Creation | Addition]) -> tuple[list[int], list[int]]:
        """Write a batch without committing: the answers, and the older tables that have new entries.

        Everything is written in one order of keys, so that two processes may wait for each other but never deadlock.
        """
        answers: dict[Creation | Addition, int] = {}
        created: dict[tuple[int, int], str] = {}
        counted: Counter[str] = Counter()
        for made in sorted((w for w in batch if isinstance(w, Creation)), key=lambda made: str(made.table["code"])):
            found = answers[made] = connection.execute(self._create, made.table).scalar() or 0
            if found:
                created |= {(found, n): entry for n, entry in enumerate(made.entries)}
                counted[made.table["phase"]] += 1
        asked: dict[tuple[int, int], Addition] = {}
        for write in batch:
            if isinstance(write, Addition) and (write.table, write.n) not in created:
                asked.setdefault((write.table, write.n), write)  # of several for one number: who asked first
        rows = sorted((created | {key: write.entry for key, write in asked.items()}).items())
        written = self._enter(connection, rows) if rows else set()
        changed: dict[int, dict[str, Any]] = {}
        for write in (asked[key] for key in sorted(asked.keys() & written)):
            answers[write] = 1
            news = {"phase": write.phase, "active": write.active}
            changed.setdefault(write.table, {}).update({name: new for name, new in news.items() if new is not None})
        phases = {table: news["phase"] for table, news in changed.items() if "phase" in news}
        counted.update(self._tally.moved(connection, phases))
        for table, news in changed.items():
            if news:
                connection.execute(update(TABLES).where(TABLES.c.id == table).values(news))
        self._tally.add(connection, counted)
        return [answers.get(write, 0) for write in batch], list(changed)

    async def _write_presence(self) -> None:
        """Write who was seen, apart from everything that matters more."""
        self._seen_due = False
        seen = dict(sorted(self._seen.items()))
        if not seen:
            return
        now = time.monotonic()
        values = [{"table": table, "who": holder, "ago": now - at} for (table, holder), at in seen.items()]
        try:
            async with self._engine.connect() as connection:
                await connection.execute(self._upsert, values)
                await connection.commit()
        except Exception as error:
            # They will be seen again; the parameters hold secrets and are not logged.
            if is_unavailable(error) or self._passing(error):
                self._availability.failed(error)
            else:
                _log.warning("signs of life of %d holders were not written: %s", len(seen), type(error).__name__)
        for key, at in seen.items():
            if self._seen.get(key) == at:
                del self._seen[key]
