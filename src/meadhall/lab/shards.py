"""Work cut into shards, each a function and its arguments, done by whatever workers there are: here or elsewhere.

A shard's result follows from its arguments alone, so it does not matter who does it, when, or how often.
"""

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import Any, Protocol, TypeVar

from meadhall.bots.forkserver import without_interrupts
from meadhall.engine.cores import cores_at_hand

Job = TypeVar("Job")
Result = TypeVar("Result")
Value = TypeVar("Value")


class Workers(Protocol):
    """Who does shards: threads, processes, or a cluster (`lab/cluster.py`)."""

    @property
    def cores(self) -> int:
        """How many shards are done at once."""

    def ahead(self) -> int:
        """How many shards to have submitted, so that nobody is idle."""

    def submit(self, function: Callable[..., Result], /, *arguments: Any) -> Future[Result]:
        """Have a function called; for processes and clusters it is one of a module, with arguments that can travel."""

    def put(self, value: Value) -> Value:
        """An argument of many shards, made ready to travel once. Whoever gets it only reads it."""


class Threads(ThreadPoolExecutor):
    """Workers in this process, for what runs without Python's lock."""

    def __init__(self, cores: int) -> None:
        super().__init__(cores)
        self.cores = cores

    def ahead(self) -> int:
        """Two for each thread."""
        return 2 * self.cores

    def put(self, value: Value) -> Value:
        """Threads have it already."""
        return value


class Processes(ProcessPoolExecutor):
    """Workers in processes of this machine."""

    def __init__(self, cores: int) -> None:
        super().__init__(cores, multiprocessing.get_context("spawn"))
        self.cores = cores

    def ahead(self) -> int:
        """Two for each process."""
        return 2 * self.cores

    def put(self, value: Value) -> Value:
        """It travels with each shard."""
        return value

    def submit(self, function: Callable[..., Result], /, *arguments: Any, **named: Any) -> Future[Result]:
        """Have a function called; processes that start now are out of reach of Ctrl-C, which is for us."""
        with without_interrupts():
            return super().submit(function, *arguments, **named)


def elsewhere_or_here(workers: Workers | None, cores: int | None, most: int) -> AbstractContextManager[Workers]:
    """The workers given, or else processes of this machine; threads if one can do it, which need not start anew."""
    if workers is not None:
        return nullcontext(workers)
    count = min(cores or cores_at_hand(), most)
    return Processes(count) if count > 1 else Threads(1)


def in_flight(
    submit: Callable[[Job], Future[Result]], jobs: Iterable[Job], ahead: Callable[[], int]
) -> Generator[tuple[Job, Result], None, None]:
    """Every job and what came of it, as they are done; so many are submitted before they are needed, and no more.

    Whoever stops early gives up the rest.
    """
    left, waiting = iter(jobs), dict[Future[Result], Job]()
    try:
        while True:
            for job in islice(left, max(0, ahead() - len(waiting))):
                waiting[submit(job)] = job
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()


def in_order(
    submit: Callable[[Job], Future[Result]], jobs: Iterable[Job], ahead: Callable[[], int]
) -> Generator[tuple[Job, Result], None, None]:
    """The same in the order of the jobs."""
    left, waiting = iter(jobs), deque[tuple[Job, Future[Result]]]()
    try:
        while True:
            waiting.extend((job, submit(job)) for job in islice(left, max(0, ahead() - len(waiting))))
            if not waiting:
                return
            job, future = waiting.popleft()
            yield job, future.result()
    finally:
        for _, future in waiting:
            future.cancel()
