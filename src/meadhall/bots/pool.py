"""The bots of a server: levels thought out by worker processes, people's own bots each in processes of its own."""

import asyncio
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import structlog

from meadhall.bots import LEVELS, PLAIN, check_level, levels_of, solved
from meadhall.bots.evaluation import Evaluation
from meadhall.bots.forkserver import ForkServer, ProcessFault
from meadhall.bots.own.seats import OwnBots
from meadhall.bots.processes import Heard, Supervisor
from meadhall.bots.worker import chosen, evaluated, packed, prepare_levels
from meadhall.engine.cores import cores_at_hand
from meadhall.games.game import GAMES
from meadhall.match import View

CHOICE_LIMIT = 10.0  # seconds for one choice of a level; even `hard` needs less than one
HINT_LIMIT = 20.0

log = structlog.get_logger("meadhall.bots")


class Pool:
    """Everything that thinks for the tables of a server; processes start when somebody asks.

    `quietly`: what strong bots need is compiled at low priority, as people are playing.
    """

    def __init__(self, workers: int | None = None, own: Mapping[str, Path] | None = None, quietly: bool = True) -> None:
        self.closed = False
        self._server = ForkServer(behind=True)  # whoever is answered goes first
        # Those who play wait for nobody who only wants to know: a hint must not show in when others move.
        self._players = Supervisor(self._server, cores_at_hand() if workers is None else workers)
        self._advisers = Supervisor(self._server, 1)
        self._students = Supervisor(self._server, 1)
        self._makers = Supervisor(self._server, 1)
        self._own = OwnBots(self._server, own or {})
        # Prepared once, in the background: what it compiles and loads, all workers forked from it then have.
        self._prepared = ForkServer((prepare_levels, (tuple(GAMES),)), quietly, behind=True)
        self._preparing: Future[None] | None = None

    @property
    def levels(self) -> tuple[str, ...]:
        """Every bot there is: the levels, and people's own bots by name."""
        return (*LEVELS, *self._own.files)

    def levels_of(self, game: str) -> tuple[str, ...]:
        """Every bot there is for a game."""
        return (*levels_of(game), *self._own.files)

    @property
    def pids(self) -> list[int]:
        """The processes that think now."""
        return [*self._players.pids, *self._advisers.pids, *self._students.pids, *self._makers.pids, *self._own.pids]

    @property
    def prepared(self) -> bool:
        """Are the workers ready for strong bots? Until then those play as well as they can."""
        return self._prepared.ready

    async def choose(
        self,
        level: str,
        view: View,
        seed: int | str,
        table: Hashable = None,
        limit: float | None = None,
        can_wait: bool = False,
    ) -> str:
        """What `meadhall.bots.choose` answers with this seed, or a person's own bot, thought out in a worker.

        A question that can wait is asked when there are no others. The limit is for thinking, not for waiting.
        """
        if level in self._own.files:
            return await self._own.choose(level, view, table, seed)
        if check_level(level, view.game.name) not in PLAIN:
            self._prepare()
        seconds = CHOICE_LIMIT if limit is None else limit
        return str(await self._players.ask(chosen, packed(view), level, seed, limit=seconds, can_wait=can_wait))

    async def evaluate(self, view: View) -> Evaluation | None:
        """What `meadhall.bots.evaluate` makes of a view, by a worker of its own; None while that gets ready."""
        self._prepare()
        found: Evaluation | None = await self._advisers.ask(evaluated, packed(view), limit=HINT_LIMIT)
        return found

    async def study(self, function: Callable[..., Any], *arguments: Any, limit: float, heard: Heard) -> Any:
        """What a function makes of a finished game, by a worker of its own, one game after the other.

        It waits until that is ready for strong bots. What it reports meanwhile is handed on to `heard`, in a thread.
        """
        await asyncio.shield(asyncio.wrap_future(self._prepare()))
        return await self._students.ask(function, *arguments, limit=limit, heard=heard)

    async def make(self, function: Callable[..., Any], *arguments: Any, limit: float) -> Any:
        """What a function makes that would hold up everybody else here, as a picture does, by a worker of its own."""
        return await self._makers.ask(function, *arguments, limit=limit)

    def leave(self, table: Hashable) -> None:
        """Forget a table whose game is over: the processes of own bots there end."""
        self._own.leave(table)

    async def warm_up(self) -> None:
        """Compile and load what strong bots need, in the background; it is over when that is."""
        prepared = self._prepare()
        await asyncio.to_thread(self._server.prepare)
        for game in GAMES:  # what pages say of bots is looked up before the first page is asked for
            await asyncio.to_thread(solved.fault, game)
        await asyncio.shield(asyncio.wrap_future(prepared))

    def close(self) -> None:
        """End all processes; whoever still waits for one gets a CancelledError."""
        self.closed = True
        self._players.close()
        self._advisers.close()
        self._students.close()
        self._makers.close()
        self._own.close()
        self._prepared.close()
        self._server.close()

    def _prepare(self) -> Future[None]:
        """Begin to get ready for strong bots, unless that was done before; when that is over, well or not."""
        if self._preparing is None:
            self._preparing = Future()
            threading.Thread(target=self._move_when_prepared, args=(self._preparing,), daemon=True).start()
        return self._preparing

    def _move_when_prepared(self, over: Future[None]) -> None:
        started = time.monotonic()
        try:
            self._prepared.prepare()
        except (ProcessFault, RuntimeError) as fault:
            if not self.closed:
                log.error("strong bots could not be prepared", error=str(fault))
        else:
            for supervisor in (self._players, self._advisers, self._students):
                supervisor.move_to(self._prepared)
            log.info("strong bots are ready", seconds=round(time.monotonic() - started, 1))
        over.set_result(None)
