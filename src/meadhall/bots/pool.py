"""Bots outside the event loop: worker processes that get a seat's view as bytes and answer with a choice."""

import asyncio
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

from meadhall.bots import LEVELS, caveat, check_level, choose, judge
from meadhall.bots.evaluation import Judgement, Why
from meadhall.bots.own.room import GuestRoom
from meadhall.bots.worker import COMPILED, compile_quietly, is_prepared, packed, prepare_when, settle_in, unpacked
from meadhall.match import View

PLAIN = ("random", "easy")  # levels with nothing to load or compile


class Pool:
    """Worker processes that play bots; they start with the first question and are replaced when they die."""

    def __init__(self, workers: int = 1, guests: Mapping[str, Path] | None = None) -> None:
        if workers < 1:
            raise ValueError(f"a pool needs 1 worker or more, not {workers}")
        # Those who play wait for nobody who only wants to know: a hint must not show in when others move.
        self.closed = False
        self._gate = _Gate()
        self._players = _Crew(workers, self._gate)
        self._judges = _Crew(1, self._gate)
        self._rooms = {name: GuestRoom(file) for name, file in (guests or {}).items()}

    @property
    def levels(self) -> tuple[str, ...]:
        """Every bot there is: the levels, and users' own bots by name."""
        return (*LEVELS, *self._rooms)

    async def choose(self, level: str, view: View, seed: int | str) -> str:
        """What `meadhall.bots.choose` answers with dice of this seed, or a user's bot, thought out in a worker."""
        if level in self._rooms:
            return await self._rooms[level].choose(view, seed)
        if check_level(level) not in PLAIN and view.game.name in COMPILED:
            self._gate.prepare()
        return str(await self._players.ask(answer, *packed(view), level, seed))

    async def judge(self, view: View) -> Judgement | None:
        """What `meadhall.bots.judge` makes of a view, by a worker of its own; None while that gets ready."""
        if view.game.name in COMPILED:
            self._gate.prepare()
        found: Judgement | None = await self._judges.ask(opinion, *packed(view))
        return found

    async def caveat(self, level: str, game: str, rules: dict[str, Any]) -> Why | None:
        """What `meadhall.bots.caveat` says; strong bots are not loaded where tables are served."""
        if level in self._rooms or check_level(level) in PLAIN:
            return None
        found: Why | None = await self._players.ask(caveat, level, game, rules)
        return found

    async def warm_up(self) -> None:
        """Start the workers, and in the background compile what strong bots need; it is over when that is."""
        self._gate.prepare()
        await self._players.ready(None)
        while not self._gate.open:
            await asyncio.sleep(0.2)
        await self._judges.ready(None)

    async def prepared(self) -> bool:
        """Is there a player that is ready for strong bots? Until then those play as well as they can."""
        return bool(await self._players.ask(is_prepared))

    def close(self) -> None:
        """End the workers; whoever still waits for one gets a CancelledError."""
        self.closed = True
        self._gate.close()
        self._players.close()
        self._judges.close()
        for room in self._rooms.values():
            room.close()


class _Gate:
    """Lets workers get ready for strong bots once all is compiled, by one process for all of them."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self.entrance, self._exit = self._context.Pipe(duplex=False)
        self._compiler: BaseProcess | None = None
        self._begun = self._closed = False
        self.open = False
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Start to compile in the background, unless that was done before."""
        with self._lock:
            if self._begun or self._closed:
                return
            self._begun = True
        threading.Thread(target=self._compile, daemon=True).start()

    def _compile(self) -> None:
        with self._lock:
            if self._closed:
                return
            with _deaf_to_ctrl_c():
                self._compiler = self._context.Process(target=compile_quietly, daemon=True)
                self._compiler.start()
        self._compiler.join()
        with self._lock:
            self._exit.close()  # which all workers see
            self.open = True

    def close(self) -> None:
        """End the compiling, if it still goes on."""
        with self._lock:
            self._closed = True
            if self._compiler is not None:
                self._compiler.kill()


class _Crew:
    """Some workers that take questions from one line."""

    def __init__(self, workers: int, gate: _Gate) -> None:
        self._workers = workers
        self._gate = gate
        self._executor: ProcessPoolExecutor | None = None
        self._starting = threading.Lock()
        self._closed = False

    async def ask(self, function: Callable[..., Any], *question: Any) -> Any:
        """What a worker answers; the question is asked again if a worker dies of it."""
        executor = await self.ready(None)
        try:
            return await asyncio.wrap_future(executor.submit(function, *question))
        except BrokenProcessPool:  # a worker died, which takes its crew with it
            executor = await self.ready(executor)
            return await asyncio.wrap_future(executor.submit(function, *question))

    def close(self) -> None:
        """End the workers."""
        with self._starting:
            self._closed = True
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True, cancel_futures=True)

    async def ready(self, broken: ProcessPoolExecutor | None) -> ProcessPoolExecutor:
        """The executor in use, other than one found broken; starting one takes a thread, not the event loop."""
        executor = self._executor
        if executor is not None and executor is not broken:
            return executor
        return await asyncio.to_thread(self._start, broken)

    def _start(self, broken: ProcessPoolExecutor | None) -> ProcessPoolExecutor:
        with self._starting:
            if self._closed:
                raise RuntimeError("the pool of bots is closed")
            if self._executor is None or self._executor is broken:
                self._executor = _started(self._workers, self._gate)
        if broken is not None:
            broken.shutdown(wait=False)
        return self._executor


def _started(workers: int, gate: _Gate) -> ProcessPoolExecutor:
    """An executor all of whose workers are on their way."""
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, context, initializer=_serve, initargs=(gate.entrance,))
    with _deaf_to_ctrl_c():
        for _ in range(workers):
            warming: Future[None] = executor.submit(_warm_up)
            warming.add_done_callback(lambda done: done.cancelled() or done.exception())
    return executor


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Workers inherit this thread's mask: Ctrl-C cannot reach them even before they run a line of ours."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(gate: Any) -> None:
    """In the worker: live as one, and get ready for strong bots when told to."""
    settle_in()
    prepare_when(gate)


def _warm_up() -> None:
    """In the worker: import what the first answer would have to wait for."""
    for file in ("chance", *(f"{game}.easy" for game in ("goths", "romans"))):
        import_module(f"meadhall.bots.{file}")


def answer(game: str, rules: dict[str, Any], seat: str | None, state: bytes, level: str, seed: int | str) -> str:
    """In the worker: the view put together again, and the choice made from it."""
    return choose(level, unpacked(game, rules, seat, state), Random(seed))


def opinion(game: str, rules: dict[str, Any], seat: str | None, state: bytes) -> Judgement | None:
    """In the worker: the view put together again, and judged; nobody waits for a compiler."""
    if game in COMPILED and not is_prepared():
        return None
    return judge(unpacked(game, rules, seat, state))
