"""Analyses of finished games: made by a process in the background, once for all who ask, and kept with the table."""

import asyncio
import secrets
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import structlog

from meadhall.bots.pool import Pool
from meadhall.bots.processes import TimedOut, WorkerLost
from meadhall.faults import Fault
from meadhall.lab.analysis import VERSION, can_analyse, read
from meadhall.lab.analysis.report import Analysis
from meadhall.lab.analysis.worker import analysed
from meadhall.record import RecordData
from meadhall.store import Store, StoreUnavailable
from meadhall.tables.refusals import Refusal, Senseless
from meadhall.tables.table import Table

LIMIT = 300.0  # seconds for one game, however busy the machine is with others
MOST = 20  # games that wait to be analysed, in one process
KEPT = 50  # analyses in memory
SIGN_EVERY = 2.0  # seconds between signs of life
GONE_AFTER = 20.0  # seconds without one: whoever was at it is no more
PAUSES = (0.5, 2.0, 8.0)  # seconds between attempts to write a result

State = Literal["none", "waiting", "working", "done", "failed"]

log = structlog.get_logger("meadhall.lobby")


class TooBusy(Refusal):
    """So many games wait to be analysed that one more is refused."""

    status = 503


@dataclass(frozen=True)
class Stage:
    """How far the analysis of a game is, from 0 to 1; what went wrong is the key of a sentence."""

    state: State
    progress: float = 0.0
    analysis: Analysis | None = None
    fault: str | None = None


@dataclass(eq=False)
class _Work:
    """An analysis that this process makes."""

    task: asyncio.Task[None] | None = None
    begun: bool = False
    progress: float = 0.0

    def hear(self, done: float) -> None:
        """The worker says how far it is; it never seems to go back, not even where another had to begin again."""
        self.begun = True
        self.progress = max(self.progress, min(float(done), 1.0))

    @property
    def stage(self) -> Stage:
        return Stage("working" if self.begun else "waiting", self.progress)


class TableAnalyses:
    """The analyses of a lobby's tables; several processes that share a store share them, and the work."""

    def __init__(self, store: Store, pool: Pool) -> None:
        self._store, self._pool = store, pool
        self._name = secrets.token_hex(8)
        self._works: dict[int, _Work] = {}
        self._known: OrderedDict[int, Analysis] = OrderedDict()

    async def look(self, table: Table) -> Stage:
        """How far the analysis of a table's game is; a Refusal if there can be none."""
        _check(table)
        known = self._known.get(table.number)
        if known is not None:
            self._known.move_to_end(table.number)
            return Stage("done", 1.0, known)
        work = self._works.get(table.number)
        if work is not None:
            return work.stage
        kept = await self._store.analyses.get(table.number, VERSION)
        if kept is None:
            return Stage("none")
        if kept.result is not None:
            return await self._read(table, kept.result)
        if kept.fault is not None:
            return Stage("failed", fault=kept.fault)
        # Only where several processes share the store can another be at it.
        if self._store.shared and kept.seen >= time.time() - GONE_AFTER:
            return Stage("working" if kept.progress else "waiting", kept.progress)
        return Stage("none")

    async def start(self, table: Table) -> Stage:
        """Have a game analysed, unless that was done or somebody is at it; a Refusal while too many wait."""
        stage = await self.look(table)
        if stage.state in ("waiting", "working", "done"):
            return stage
        if table.number not in self._works:  # nobody else asked in the meantime
            if len(self._works) >= MOST:
                raise TooBusy("ui.refused.analysis-busy")
            work = self._works[table.number] = _Work()
            work.task = asyncio.create_task(self._make(table.number, table.code, table.match.record(), work))
        return self._works[table.number].stage

    async def close(self) -> None:
        """Stop all work; somebody else may do it."""
        works, self._works = self._works, {}
        tasks = [work.task for work in works.values() if work.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for table in works:
            with suppress(StoreUnavailable):
                await self._store.analyses.note(table, VERSION, self._name, seen=0.0, progress=0.0)

    async def _read(self, table: Table, result: str) -> Stage:
        """A kept analysis; one that cannot be read is as good as none."""
        try:
            analysis = await asyncio.to_thread(read, result)
        except Fault as fault:
            log.warning("a kept analysis cannot be read", code=table.code, error=str(fault)[:300])
            await self._store.analyses.forget(table.number, VERSION)
            return Stage("none")
        self._remember(table.number, analysis)
        return Stage("done", 1.0, analysis)

    def _remember(self, table: int, analysis: Analysis) -> None:
        self._known[table] = analysis
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    # In the background

    async def _make(self, table: int, code: str, record: RecordData, work: _Work) -> None:
        """Claim the work, have a worker do it, and keep what it finds or what went wrong."""
        try:
            now = time.time()
            since = now - GONE_AFTER if self._store.shared else now + 1  # no other process has this store
            if not await self._store.analyses.claim(table, VERSION, self._name, now, since):
                return
            signs = asyncio.create_task(self._give_signs(table, work))
            try:
                await self._finish(table, code, record, work)
            finally:
                signs.cancel()
        except StoreUnavailable as error:
            log.warning("an analysis could not be kept", code=code, error=str(error))
        finally:
            self._works.pop(table, None)

    async def _finish(self, table: int, code: str, record: RecordData, work: _Work) -> None:
        result = fault = analysis = None
        try:
            result = str(await self._pool.study(analysed, record, limit=LIMIT, heard=work.hear))
            analysis = await asyncio.to_thread(read, result)
        except WorkerLost as loss:
            log.error("an analysis failed", code=code, error=str(loss))
            fault = "ui.analysis.fault-slow" if isinstance(loss, TimedOut) else "ui.analysis.fault-died"
        except Exception as error:
            if self._pool.closed:
                raise
            log.error("an analysis failed", code=code, exc_info=error)
            fault = "ui.analysis.fault-broken"
        try:
            await self._keep(table, work, fault, result)
        finally:
            if analysis is not None:
                self._remember(table, analysis)

    async def _keep(self, table: int, work: _Work, fault: str | None, result: str | None) -> None:
        """Write what came out, with some patience."""
        for pause in (*PAUSES, None):
            try:
                note = self._store.analyses.note
                await note(table, VERSION, self._name, time.time(), work.progress, fault, result)
                return
            except StoreUnavailable:
                if pause is None:
                    raise
                await asyncio.sleep(pause)

    async def _give_signs(self, table: int, work: _Work) -> None:
        """Tell other processes how far this one is."""
        while True:
            await asyncio.sleep(SIGN_EVERY)
            with suppress(StoreUnavailable):
                await self._store.analyses.note(table, VERSION, self._name, time.time(), work.progress)


def _check(table: Table) -> None:
    """A refusal where a game cannot be analysed: its analysis shows everything, like its record."""
    if table.phase == "ended":
        raise Refusal("ui.refused.analysis-ended")
    if table.phase != "over":
        raise Refusal("ui.refused.analysis-early")
    if not can_analyse(table.header.game):
        raise Senseless("ui.refused.analysis-none")
