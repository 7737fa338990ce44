"""Bots outside the event loop: worker processes that get a seat's view as bytes and answer with a choice."""

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from random import Random
from typing import Any

from meadhall.bots import check_level, choose
from meadhall.game import game_named
from meadhall.match import View


class Pool:
    """Worker processes that play bots; they start with the first question and are replaced when they die."""

    def __init__(self, workers: int = 1) -> None:
        if workers < 1:
            raise ValueError(f"a pool needs 1 worker or more, not {workers}")
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self._starting = threading.Lock()
        self._closed = False

    async def choose(self, level: str, view: View, seed: int | str) -> str:
        """What `meadhall.bots.choose` answers with dice of this seed, thought out in a worker."""
        check_level(level)
        question = (view.game.name, view.rules, view.seat, bytes(view.state), level, seed)
        executor = await self._ready(None)
        try:
            return await asyncio.wrap_future(executor.submit(answer, *question))
        except BrokenProcessPool:  # a worker died, which takes its pool with it
            executor = await self._ready(executor)
            return await asyncio.wrap_future(executor.submit(answer, *question))

    def close(self) -> None:
        """End the workers; whoever still waits for one gets a CancelledError."""
        with self._starting:
            self._closed = True
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True, cancel_futures=True)

    async def _ready(self, broken: ProcessPoolExecutor | None) -> ProcessPoolExecutor:
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
                self._executor = _started(self._workers)
        if broken is not None:
            broken.shutdown(wait=False)
        return self._executor


def _started(workers: int) -> ProcessPoolExecutor:
    """An executor all of whose workers are on their way."""
    executor = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_serve)
    # Workers inherit this thread's mask: Ctrl-C cannot reach them even before they run a line of ours.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for _ in range(workers):
            warming: Future[None] = executor.submit(_warm_up)
            warming.add_done_callback(lambda done: done.cancelled() or done.exception())
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return executor


def _serve() -> None:
    """In the worker: leave Ctrl-C to the parent, and do not outlive it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_the_parent, daemon=True).start()


def _die_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _warm_up() -> None:
    """In the worker: import what the first answer would have to wait for."""
    for file in ("chance", "easy_goths", "easy_romans"):
        import_module(f"meadhall.bots.{file}")


def answer(game: str, rules: dict[str, Any], seat: str | None, state: bytes, level: str, seed: int | str) -> str:
    """In the worker: the view put together again, and the choice made from it."""
    chosen = game_named(game)
    view = View(chosen, rules, seat, chosen.state_type.from_buffer_copy(state))
    return choose(level, view, Random(seed))
