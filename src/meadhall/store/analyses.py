"""What is kept of a finished game beside its log: its analysis, or how far whoever makes it has come."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, or_, select, update

from meadhall.store.schema import ANALYSES

Read = Callable[[Any], Awaitable[Sequence[Any]]]
Write = Callable[[Any], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class KeptAnalysis:
    """A row: who makes or made it, when he was last seen at work, how far, what went wrong, and the result."""

    maker: str
    seen: float
    progress: float
    fault: str | None
    result: str | None


class Analyses:
    """The analyses of a store's tables, each by its table and the version of what makes them."""

    def __init__(self, insert: Callable[..., Any], read: Read, write: Write) -> None:
        self._insert, self._read, self._write = insert, read, write

    async def get(self, table: int, version: int) -> KeptAnalysis | None:
        """What there is of a table's analysis."""
        columns = ANALYSES.c["maker", "seen", "progress", "fault", "result"]
        rows = await self._read(select(*columns).where(*_which(table, version)))
        return KeptAnalysis(*rows[0]) if rows else None

    async def claim(self, table: int, version: int, maker: str, now: float, since: float) -> bool:
        """Whether the work is the maker's now: nobody has done it or has been seen at it since then."""
        fresh = {"maker": maker, "seen": now, "progress": 0.0, "fault": None}
        statement = self._insert(ANALYSES).values(table_id=table, version=version, **fresh)
        idle = or_(ANALYSES.c.seen < since, ANALYSES.c.fault.is_not(None))
        statement = statement.on_conflict_do_update(
            index_elements=["table_id", "version"], set_=fresh, where=ANALYSES.c.result.is_(None) & idle
        )
        return await self._write(statement.returning(ANALYSES.c.table_id))

    async def note(
        self,
        table: int,
        version: int,
        maker: str,
        seen: float,
        progress: float,
        fault: str | None = None,
        result: str | None = None,
    ) -> bool:
        """Write how far the maker has come, if the work is still his and neither done nor given up."""
        open_ = (ANALYSES.c.result.is_(None), ANALYSES.c.fault.is_(None))
        mine = (*_which(table, version), ANALYSES.c.maker == maker, *open_)
        values = {"seen": seen, "progress": progress, "fault": fault, "result": result}
        return await self._write(update(ANALYSES).where(*mine).values(values).returning(ANALYSES.c.table_id))

    async def forget(self, table: int, version: int) -> bool:
        """Throw away what there is of a table's analysis."""
        return await self._write(delete(ANALYSES).where(*_which(table, version)).returning(ANALYSES.c.table_id))


def _which(table: int, version: int) -> tuple[Any, Any]:
    return ANALYSES.c.table_id == table, ANALYSES.c.version == version
