"""The interface of a store, and what both kinds share: reads, and a writer that commits all that waits together."""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from sqlalchemy import ColumnElement, Connection, Double, and_, bindparam, false, func, or_, select, union_all, update
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from meadhall.store.analyses import Analyses
from meadhall.store.availability import COMMITS, Availability
from meadhall.store.schema import ENTRIES, PRESENCE, TABLES

T = TypeVar("T")
Key = tuple[int, int]  # a table, and the number of an entry

_log = logging.getLogger(__name__)

READERS = 5  # connections; the writer has one more, so that it never waits for a crowd of readers
ENGINE: dict[str, Any] = {"pool_size": READERS + 1, "max_overflow": 0, "hide_parameters": True}
MOST_IN_A_BATCH = 1000
PRESENCE_EVERY = 1.0  # seconds: a sign of life is not worth a commit of its own


class CodeTaken(Exception):
    """There is already a table with this code."""


class StoreUnavailable(Exception):
    """The database does not answer, or cannot be written now; the same request may succeed later."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it lies in the database. Its entries are at least as new as its phase."""

    id: int
    code: str
    game: str
    header: str
    phase: str
    public: bool
    created: float
    entries: list[str]


@dataclass(frozen=True, slots=True)
class Listed:
    """A table as the list of public tables shows it."""

    code: str
    game: str
    phase: str
    created: float


@dataclass(eq=False, slots=True)
class Creation:
    """A table to be written; answered with its id, or 0 if the code is taken."""

    done: asyncio.Future[int]
    table: dict[str, Any]
    entries: Sequence[str]


@dataclass(eq=False, slots=True)
class Addition:
    """An entry to be written; answered with 1, or 0 if there was already an entry with its number."""

    done: asyncio.Future[int]
    table: int
    n: int
    entry: str
    phase: str | None


@dataclass(eq=False, slots=True)
class Note:
    """Something to be written beside the tables; answered with whether there was anything to write."""

    done: asyncio.Future[bool]
    statement: Any


def _one_is_bad(error: Exception) -> bool:
    """Whether one of the writes is to blame, not the database, which would fail them all."""
    if _is_unavailable(error):
        return False
    state = getattr(getattr(error, "orig", error), "sqlstate", None)
    return state is None or state[:2] in ("22", "23")  # PostgreSQL's classes of bad data and broken constraints


def _is_unavailable(error: Exception) -> bool:
    """Whether the database is to blame: out of reach, without a free connection, its disk full."""
    return isinstance(error, OperationalError | InterfaceError | NoConnectionFree | OSError) or bool(
        getattr(error, "connection_invalidated", False)
    )


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

    async def create(self, code: str, game: str, header: str, phase: str, public: bool, entries: Sequence[str]) -> int:
        """Write a new table and return its id; `CodeTaken` if there is one with this code."""
        table = {"code": code, "game": game, "header": header, "phase": phase, "public": public, "created": time.time()}
        found = await self._ask(Creation(asyncio.get_running_loop().create_future(), table, list(entries)))
        if not found:
            raise CodeTaken(code)
        return found

    async def append(self, table: int, n: int, entry: str, phase: str | None = None) -> bool:
        """True: entry n is on disk, with the new phase if given. False: there was already an entry n."""
        return bool(await self._ask(Addition(asyncio.get_running_loop().create_future(), table, n, entry, phase)))

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
        """Public tables in these phases, newest first."""
        newest = []
        for phase in dict.fromkeys(phases):
            some = select(*TABLES.c["id", "code", "game", "phase", "created"])
            some = some.where(TABLES.c.phase == phase, TABLES.c.public.is_(True))
            if game is not None:
                some = some.where(TABLES.c.game == game)
            # A limit for each phase, so that each reads only the end of its part of the index.
            newest.append(select(some.order_by(TABLES.c.id.desc()).limit(limit).subquery()))
        if not newest:
            return []
        merged = union_all(*newest).subquery()
        wanted = select(*merged.c["code", "game", "phase", "created"]).order_by(merged.c.id.desc()).limit(limit)
        return [Listed(*row) for row in await self._rows(wanted)]

    async def counts(self) -> dict[str, int]:
        """How many tables there are in each phase."""
        return {row.phase: row[1] for row in await self._rows(select(TABLES.c.phase, func.count()).group_by("phase"))}

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
        """Raise if the database does not answer."""
        await self._rows(select(TABLES.c.id).limit(1))

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

    def _raise_unavailable(self, error: Exception) -> None:
        """Raise StoreUnavailable where it is the database that failed, not what it was asked for."""
        if _is_unavailable(error) or self._passing(error):
            self._availability.failed(error)
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
            raise RuntimeError("the store is closed")
        self._waiting.append(write)
        self._work.set()
        try:
            return await write.done
        except Exception as error:
            self._raise_unavailable(error)
            raise

    async def _note(self, statement: Any) -> bool:
        """Have something written beside the tables, between batches; whether there was anything to write."""
        if self._closed:
            raise RuntimeError("the store is closed")
        note = Note(asyncio.get_running_loop().create_future(), statement)
        self._notes.append(note)
        self._work.set()
        try:
            return await note.done
        except Exception as error:
            self._raise_unavailable(error)
            raise

    async def _settle_note(self, note: Note) -> None:
        try:
            async with self._engine.connect() as connection:
                written = bool((await connection.execute(note.statement)).all())
                await connection.commit()
        except Exception as error:
            if not note.done.done():
                note.done.set_exception(error)
        else:
            if not note.done.done():
                note.done.set_result(written)

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
            self._availability.answered()
        except Exception as error:
            if len(batch) > 1 and _one_is_bad(error):
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
        for made in sorted((w for w in batch if isinstance(w, Creation)), key=lambda made: str(made.table["code"])):
            found = answers[made] = connection.execute(self._create, made.table).scalar() or 0
            if found:
                created |= {(found, n): entry for n, entry in enumerate(made.entries)}
        asked: dict[tuple[int, int], Addition] = {}
        for write in batch:
            if isinstance(write, Addition) and (write.table, write.n) not in created:
                asked.setdefault((write.table, write.n), write)  # of several for one number: who asked first
        rows = sorted((created | {key: write.entry for key, write in asked.items()}).items())
        if not rows:
            return [answers[write] for write in batch], []
        written = self._enter(connection, rows)
        changed: dict[int, str | None] = {}
        for write in (asked[key] for key in sorted(asked.keys() & written)):
            answers[write] = 1
            changed[write.table] = write.phase or changed.get(write.table)
        for table, phase in changed.items():
            if phase is not None:
                connection.execute(update(TABLES).where(TABLES.c.id == table).values(phase=phase))
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
            if _is_unavailable(error) or self._passing(error):
                self._availability.failed(error)
            else:
                _log.warning("signs of life of %d holders were not written: %s", len(seen), type(error).__name__)
        for key, at in seen.items():
            if self._seen.get(key) == at:
                del self._seen[key]
