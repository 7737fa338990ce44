"""Tables have an end: those that nobody uses any more are closed, and old records make room.

A table's age is counted from when something last happened there for all to see. A choice that is still sealed does not
count: otherwise lists, and the end of a table, would tell that somebody had made one.
"""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from random import uniform
from typing import Literal

import structlog

from meadhall.store import Kept, StoreUnavailable
from meadhall.tables.entries import Ended
from meadhall.tables.lobby import Lobby
from meadhall.tables.refusals import Refusal

DAY = 86400.0
EVERY = 600.0  # seconds between two sweeps
FIRST_AFTER = (5.0, 30.0)  # seconds: several processes that start together do not all ask at once
BATCH = 100  # tables looked up, or removed, at a time
MOST = 5000  # tables in one sweep; the next goes on
BREATH = 0.01  # seconds between tables, in which everybody else goes first
CHORE = "sweep"

What = Literal["closed", "ended", "removed"]

log = structlog.get_logger("meadhall.lobby")


@dataclass(frozen=True)
class Terms:
    """How many days each kind of table stays though nothing happens there; 0: for ever."""

    open: float = 30.0  # a table that waits for players is closed
    games: float = 90.0  # a game is ended
    bots: float = 1.0  # a game in which only bots play is ended: they wait while nobody watches
    records: float = 365.0  # what is over is removed, with its record
    bot_records: float = 30.0  # the same where only bots played


@dataclass(frozen=True)
class Deed:
    """Something that was done to a table, or would be."""

    what: What
    table: Kept


class Housekeeper:
    """Sees to it that the tables of a lobby come to an end, within the terms.

    With an archive, a folder, the records of games are written there before they are removed.
    """

    def __init__(self, lobby: Lobby, terms: Terms, archive: Path | None = None) -> None:
        self._lobby, self._store = lobby, lobby.store
        self._terms, self._archive = terms, archive

    async def run(self) -> None:
        """Sweep now and then for as long as the server runs; of several processes one does."""
        await asyncio.sleep(uniform(*FIRST_AFTER))
        while True:
            try:
                if await self._store.beats.claim(CHORE, time.time(), 0.9 * EVERY):
                    await self._sweep_and_log()
            except StoreUnavailable as error:
                log.warning("tables could not be looked after", error=str(error))
            except Exception as error:
                log.error("tables could not be looked after", exc_info=error)
            await asyncio.sleep(EVERY)

    async def _sweep_and_log(self) -> None:
        done: dict[What, int] = {}
        async for deed in self.sweep(time.time()):
            done[deed.what] = done.get(deed.what, 0) + 1
        if done:
            log.info("tables looked after", **done)

    async def sweep(self, now: float, rehearse: bool = False) -> AsyncIterator[Deed]:
        """Do all that is due, a little at a time, and tell each deed; or only say what would be done."""
        terms = self._terms
        left = MOST
        for phase, bots, days in (("open", False, terms.open), ("playing", False, terms.games)):
            async for table in self._idle(phase, bots, days, now):
                if left and (rehearse or await self._end(table)):
                    left -= 1
                    yield Deed("closed" if phase == "open" else "ended", table)
        async for table in self._idle("playing", True, terms.bots, now):
            if left and (rehearse or await self._end(table)):
                left -= 1
                yield Deed("ended", table)
        for bots, days in ((False, terms.records), (True, terms.bot_records)):
            for phase in ("over", "ended"):
                async for deed in self._remove_old(phase, bots, days, now, rehearse):
                    yield deed

    async def _idle(
        self, phase: str, bots: bool, days: float, now: float, removable: bool = False
    ) -> AsyncIterator[Kept]:
        """The tables of a kind that have been left alone for so many days, from the longest on."""
        after = (-1.0, 0)
        while days:
            found = await self._store.keeping.idle(phase, bots, now - days * DAY, BATCH, after, removable)
            for table in found:
                after = table.active, table.id
                yield table
                await asyncio.sleep(BREATH)
            if len(found) < BATCH:
                return

    async def _end(self, table: Kept) -> bool:
        """Close a table as its host could, unless somebody does something there at this very moment."""
        try:
            seated = await self._lobby.seated(table.code)
            length = seated.table.length
            after = await seated.change(
                lambda now: Ended() if now.length == length and now.phase in ("open", "playing") else None
            )
        except Refusal:  # it is gone, or cannot be read; that is logged
            return False
        self._lobby.forget(table.code)
        return after.phase == "ended"

    async def _remove_old(self, phase: str, bots: bool, days: float, now: float, rehearse: bool) -> AsyncIterator[Deed]:
        batch: list[Kept] = []
        async for table in self._idle(phase, bots, days, now, removable=True):
            batch.append(table)
            if len(batch) == BATCH:
                for deed in await self._removed(batch, now - days * DAY, rehearse):
                    yield deed
                batch = []
        for deed in await self._removed(batch, now - days * DAY, rehearse):
            yield deed

    async def _removed(self, tables: list[Kept], before: float, rehearse: bool) -> list[Deed]:
        """Remove some tables, after their records are safe in the archive if there is one."""
        if tables and not rehearse:
            if self._archive is not None:
                tables = await self._archived(tables, self._archive)
            await self._store.keeping.remove([table.id for table in tables], before)
            for table in tables:
                self._lobby.removed(table.code)
        return [Deed("removed", table) for table in tables]

    async def _archived(self, tables: list[Kept], folder: Path) -> list[Kept]:
        """Append the records of games to the file of this month; those that are safe there, or have nothing to keep."""
        safe, lines = [], []
        for table in tables:
            try:
                match = (await self._lobby.table(table.code)).match
            except Refusal:  # a table that cannot be read stays where it is
                continue
            record = match.record()
            if record["choices"]:
                lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
            safe.append(table)
        if lines:
            file = folder / time.strftime("%Y-%m.jsonl", time.gmtime())
            await asyncio.to_thread(_append, file, "".join(f"{line}\n" for line in lines))
        return safe


def _append(file: Path, text: str) -> None:
    """Add to a file, and come back when it is on disk."""
    with file.open("a", encoding="utf-8") as archive:
        archive.write(text)
        archive.flush()
        os.fsync(archive.fileno())
