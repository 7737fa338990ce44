"""How many tables there are, which of them nobody has used for long, and how they are removed."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, tuple_

from meadhall.store.schema import ANALYSES, ENTRIES, PRESENCE, TABLES, TALLIES

Read = Callable[[Any], Awaitable[Sequence[Any]]]
Write = Callable[[Callable[[Connection], bool]], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as whoever looks after all of them sees it. `bots`: nobody else ever sits there."""

    id: int
    code: str
    game: str
    phase: str
    public: bool
    bots: bool
    created: float
    active: float


_KEPT = TABLES.c["id", "code", "game", "phase", "public", "bots", "created", "active"]


# SQLite gives the number of the newest table to the next one if it is removed, and somebody may still have it in mind.
_NEVER_AGAIN = TABLES.c.id < select(func.max(TABLES.c.id)).scalar_subquery()


class Tally:
    """The number of tables in each phase, kept with every write, so that nobody has to count."""

    def __init__(self, insert: Callable[..., Any]) -> None:
        more = insert(TALLIES)
        self._add = more.on_conflict_do_update(index_elements=["phase"], set_={"n": TALLIES.c.n + more.excluded.n})

    def moved(self, connection: Connection, phases: Mapping[int, str]) -> Counter[str]:
        """What changes in the numbers when these tables get these phases."""
        counted: Counter[str] = Counter()
        if phases:
            wanted = select(TABLES.c.id, TABLES.c.phase).where(TABLES.c.id.in_(phases)).order_by(TABLES.c.id)
            for row in connection.execute(wanted.with_for_update(key_share=True)):
                counted[row.phase] -= 1
                counted[phases[row.id]] += 1
        return counted

    def add(self, connection: Connection, counted: Mapping[str, int]) -> None:
        """Write how the numbers have changed, in one order, so that processes never wait for each other in a ring."""
        rows = [{"phase": phase, "n": n} for phase, n in sorted(counted.items()) if n]
        if rows:
            connection.execute(self._add, rows)


class Keeping:
    """The tables of a store as a whole."""

    def __init__(self, read: Read, write: Write, tally: Tally) -> None:
        self._read, self._write, self._tally = read, write, tally

    async def counts(self) -> dict[str, int]:
        """How many tables there are in each phase."""
        return {row.phase: row.n for row in await self._read(select(TALLIES)) if row.n}

    async def idle(
        self,
        phase: str,
        bots: bool,
        before: float,
        limit: int,
        after: tuple[float, int] = (-1.0, 0),
        removable: bool = False,
    ) -> list[Kept]:
        """Tables of a phase where nothing has happened since a time, from the longest on, after one that is known.

        Of those that are over all but the newest can be removed.
        """
        wanted = select(*_KEPT).where(TABLES.c.phase == phase, TABLES.c.bots.is_(bots))
        # An older program that writes here too notes no activity.
        wanted = wanted.where(TABLES.c.active < before, TABLES.c.created < before)
        wanted = wanted.where(tuple_(TABLES.c.active, TABLES.c.id) > after)
        if removable:
            wanted = wanted.where(_NEVER_AGAIN)
        return [Kept(*row) for row in await self._read(wanted.order_by(TABLES.c.active, TABLES.c.id).limit(limit))]

    async def latest(self, phases: Sequence[str], limit: int, game: str | None = None) -> list[Kept]:
        """Tables of these phases, public or not, those first where something happened last."""
        wanted = select(*_KEPT).where(TABLES.c.phase.in_(phases))
        if game is not None:
            wanted = wanted.where(TABLES.c.game == game)
        order = TABLES.c.active.desc(), TABLES.c.id.desc()
        return [Kept(*row) for row in await self._read(wanted.order_by(*order).limit(limit))]

    async def remove(self, tables: Sequence[int], before: float) -> None:
        """Remove these tables, and all that belongs to them, where nothing has happened since; the newest stays."""
        await self._write(lambda connection: self._remove(connection, tables, before))

    def _remove(self, connection: Connection, tables: Sequence[int], before: float) -> bool:
        wanted = select(TABLES.c.id, TABLES.c.phase).where(
            TABLES.c.id.in_(tables), TABLES.c.active < before, _NEVER_AGAIN
        )
        found = connection.execute(wanted.order_by(TABLES.c.id).with_for_update()).all()
        gone = [row.id for row in found]
        for each in (ANALYSES, PRESENCE, ENTRIES):
            connection.execute(delete(each).where(each.c.table_id.in_(gone)))
        connection.execute(delete(TABLES).where(TABLES.c.id.in_(gone)))
        fewer = Counter(row.phase for row in found)
        self._tally.add(connection, {phase: -n for phase, n in fewer.items()})
        return bool(gone)
