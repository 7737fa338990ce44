"""The processes that play an arena. A bot that hangs beyond help or ends its process costs one game, not the arena."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from meadhall.bots.own.files import FORM, limited, patience
from meadhall.bots.worker import settle_in
from meadhall.faults import Fault
from meadhall.lab.arena.entrants import is_file
from meadhall.lab.arena.play import LOADING, Ended, Fixture, House, Played, Setting, Watch, play_deal

GRACE = 1.0  # seconds beyond the time limit before a process is ended
GLANCE = 0.2  # seconds between looks at who hangs
# What a worker keeps telling its parent, in memory they share.
UNTIL, DEAL, WAY, TURN, SEAT, FIELDS = range(6)
NOTHING = -1
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def _one_thread_and_no_interrupts() -> Iterator[None]:
    """What a process inherits that is started now.

    Ctrl-C cannot reach it even before it runs a line of ours. NumPy has one thread in it: all cores are at work
    already, and sums come out the same on any machine.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@dataclass
class Job:
    """Some deals of one fixture; `ends` holds what is known of games that took a worker with them."""

    number: int  # the fixture's
    fixture: Fixture
    deals: range
    ends: dict[tuple[int, int], Ended] = field(default_factory=dict)


class Worker:
    """One process, and the parent's end of the line to it."""

    def __init__(self, setting: Setting, bots: Sequence[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self.bots = bots
        self.told = context.RawArray("d", FIELDS)
        self.line, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, self.told, setting, tuple(bots)), daemon=True)
        with _one_thread_and_no_interrupts():
            self.process.start()
        other.close()
        self.job: Job | None = None

    def give(self, job: Job) -> None:
        """Let it play."""
        self.job = job
        self.told[UNTIL], self.told[SEAT] = 0.0, NOTHING
        self.line.send(job)

    @property
    def hangs(self) -> bool:
        """Is its bot long past the time limit, and could not be stopped?"""
        return bool(0.0 < self.told[UNTIL] < time.monotonic() - GRACE)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.line.close()


class Crew:
    """As many workers as cores; they are replaced when they die."""

    def __init__(self, setting: Setting, bots: Sequence[str], cores: int) -> None:
        self.setting, self.bots, self.cores = setting, bots, cores
        self.workers: list[Worker] = []

    def play(self, jobs: Iterator[Job], done: Callable[[Job, list[list[Played]]], None]) -> None:
        """Play all jobs; `done` gets what came of each, in any order."""
        try:
            # The first one compiles what is to be compiled, and finds out whether every file can be loaded.
            self._hire()
            for job in jobs:
                while not (free := [worker for worker in self.workers if worker.job is None]):
                    if len(self.workers) < self.cores:
                        self._hire()
                    else:
                        self._hear(done)
                free[0].give(job)
            while any(worker.job is not None for worker in self.workers):
                self._hear(done)
        finally:
            for worker in self.workers:
                worker.end()
            self.workers = []

    def _hire(self) -> Worker:
        """A worker that has loaded all bots."""
        worker = Worker(self.setting, self.bots)
        try:
            self._await(worker)
        except BaseException:
            worker.end()
            raise
        self.workers.append(worker)
        return worker

    def _await(self, worker: Worker) -> None:
        while not worker.line.poll(GLANCE):
            if worker.hangs:
                raise Fault(f"{worker.bots[int(worker.told[SEAT])]} took longer than {LOADING:g} s to load; {FORM}")
        try:
            fault = worker.line.recv()
        except EOFError:
            if worker.told[UNTIL] > 0.0:
                bot = worker.bots[int(worker.told[SEAT])]
                raise Fault(f"{bot} ended its process when it was loaded; {FORM}") from None
            raise Fault("a process of the arena ended when it started; is there enough memory?") from None
        if fault is not None:
            raise Fault(fault)

    def _hear(self, done: Callable[[Job, list[list[Played]]], None]) -> None:
        """Take in what workers have done, and replace those that are past help."""
        busy = [worker for worker in self.workers if worker.job is not None]
        lines: list[Any] = [thing for worker in busy for thing in (worker.line, worker.process.sentinel)]
        heard = wait(lines, GLANCE)
        for worker in busy:
            if worker.line in heard:
                try:
                    played = worker.line.recv()
                except (EOFError, OSError):
                    self._replace(worker, "ended", "ended its process")
                    continue
                assert worker.job is not None
                done(worker.job, played)
                worker.job = None
            elif worker.process.sentinel in heard:
                self._replace(worker, "ended", "ended its process")
            elif worker.hangs:
                seconds = self.setting.budget
                self._replace(worker, "late", f"took longer than {seconds:g} s")

    def _replace(self, worker: Worker, kind: str, said: str) -> None:
        """The game a bot took its worker with is lost for it; a new worker plays the rest of the job."""
        job, told = worker.job, worker.told
        assert job is not None
        worker.end()
        self.workers.remove(worker)
        if told[SEAT] == NOTHING:
            status = worker.process.exitcode
            raise Fault(f"a process of the arena ended by itself (status {status}); is there enough memory?")
        ended = Ended(kind, int(told[TURN]), int(told[SEAT]), said)
        job.ends[int(told[DEAL]), int(told[WAY])] = ended
        self._hire().give(job)


# In the worker


def _work(line: Connection, told: Any, setting: Setting, bots: tuple[str, ...]) -> None:
    """Load the bots, then play what comes until the parent hangs up."""
    settle_in()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # bots may print as they like
        os.dup2(nowhere, stream)
    house = House(setting)
    line.send(_load(house, told, bots))
    while True:
        try:
            job = line.recv()
        except EOFError:
            return
        line.send([_play(house, job, deal, told) for deal in job.deals])


def _load(house: House, told: Any, bots: tuple[str, ...]) -> str | None:
    """Get every bot ready; the text of the Fault if one cannot."""
    for number, bot in enumerate(bots):
        try:
            if is_file(bot):
                told[SEAT], told[UNTIL] = number, time.monotonic() + patience(LOADING)
                limited(lambda bot=bot: house.welcome(bot), LOADING)  # type: ignore[misc]
            else:
                house.welcome(bot)
        except Fault as fault:
            return str(fault) if str(Path(bot)) in str(fault) else f"{bot}: {fault}"
        told[UNTIL] = 0.0
    return None


def _play(house: House, job: Job, deal: int, told: Any) -> list[Played]:
    def watch(way: int) -> Watch:
        def tell(until: float, turn: int, seat: int) -> None:
            told[DEAL], told[WAY], told[TURN], told[SEAT], told[UNTIL] = deal, way, turn, seat, until

        return tell

    known = {way: ended for (of_deal, way), ended in job.ends.items() if of_deal == deal}
    return play_deal(house, job.fixture, deal, known, watch)
