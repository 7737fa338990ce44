"""One process for each seat that somebody's own bot plays: what it remembers is that seat's memory of that game.

A process is forked from a server that has never run the file, so that nothing a bot leaves anywhere in Python (in its
names, in modules it imports, in builtins) is there for another seat to find.
"""

import asyncio
import os
import random
import signal
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from meadhall.bots.forkserver import ForkServer
from meadhall.bots.own.files import FORM, Forfeit, OwnBot, check_choice, load
from meadhall.bots.processes import Died, TimedOut, Worker
from meadhall.bots.worker import Packed, packed, unpacked
from meadhall.faults import Fault
from meadhall.match import View


class TimeLimit(NamedTuple):
    """How long a bot may think, in seconds of the processor, and by the clock for one that only waits."""

    processor: float
    clock: float


def fair(seconds: float) -> TimeLimit:
    """A limit on the processor's time, so that a busy machine changes no result."""
    return TimeLimit(seconds, 5.0 * seconds + 2.0)


def prompt(seconds: float) -> TimeLimit:
    """A limit by the clock, as somebody is waiting."""
    return TimeLimit(seconds, seconds)


AT_A_TABLE, LOADING_AT_A_TABLE = prompt(5.0), prompt(20.0)
LOADING = fair(10.0)
MOST = 64  # processes of own bots that a server keeps; the one that has been idle the longest goes first
IDLE = 600.0  # seconds without a question after which one is ended


class OwnSeat:
    """The process of one seat for one game. It is started here, has to load the file, and has to be ended."""

    def __init__(self, server: ForkServer, file: Path, limit: TimeLimit) -> None:
        self.file, self.limit = file, limit
        self._worker = Worker(server)

    def load(self, seed: int | str, limit: TimeLimit) -> None:
        """Run the file in the process; a Fault says what is wrong with it."""
        try:
            self._worker.ask(_load, str(self.file), seed, limit.processor, limit=limit.clock)
        except (TimedOut, Died) as loss:
            kind, said = _forfeited(loss, limit)
            when = "to load" if kind == "late" else "when it was loaded"
            raise Forfeit(kind, f"{self.file} {said} {when}; {FORM}") from None

    @property
    def pid(self) -> int:
        """The process."""
        return self._worker.pid

    def choose(self, view: View) -> str:
        """The legal choice the bot makes; a Forfeit says what it did instead."""
        try:
            answer = self._worker.ask(_choose, packed(view), self.limit.processor, limit=self.limit.clock)
        except (TimedOut, Died) as loss:
            raise Forfeit(*_forfeited(loss, self.limit)) from None
        return check_choice(view, str(answer))

    def choose_often(self, view: View, times: int, seed: int | str) -> list[str]:
        """So many legal choices in one position, each made anew, with random numbers of their own."""
        seconds, clock = self.limit.processor * times, self.limit.clock * times
        try:
            answers = self._worker.ask(_choose_often, packed(view), seconds, times, seed, limit=clock)
        except (TimedOut, Died) as loss:
            raise Forfeit(*_forfeited(loss, self.limit)) from None
        return [check_choice(view, str(answer)) for answer in answers]

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._worker.end()


@cache
def own_bots_server() -> ForkServer:
    """Whence this process has those of people's own bots, where it plays whole games with them."""
    return ForkServer()


def check_files(files: Iterable[Path], server: ForkServer) -> None:
    """A Fault unless every one of these bots can be loaded; each is tried in a process of its own."""
    for file in files:
        seat = OwnSeat(server, file, AT_A_TABLE)
        try:
            seat.load(0, LOADING)
        finally:
            seat.end()


def _forfeited(loss: TimedOut | Died, limit: TimeLimit) -> tuple[str, str]:
    """What a process that gave no answer did, in a word and in words."""
    late = isinstance(loss, TimedOut) or (os.WIFSIGNALED(loss.status) and os.WTERMSIG(loss.status) == signal.SIGPROF)
    return ("late", f"took longer than {limit.processor:g} s") if late else ("ended", "ended its process")


# At the tables


def check_own_bots(files: Iterable[Path]) -> None:
    """A Fault unless every one of these bots can be loaded, before a server or anything else is started."""
    server = ForkServer()
    try:
        check_files(files, server)
    finally:
        server.close()


class _Sitting:
    """A seat of a table, and its process if it has one."""

    def __init__(self) -> None:
        self.seat: OwnSeat | None = None
        self.over = False
        self.asking = threading.Lock()
        self.timer: asyncio.TimerHandle | None = None


class OwnBots:
    """People's own bots at the tables of a server, by name; a process for each seat of each table they play at."""

    def __init__(self, server: ForkServer, files: Mapping[str, Path]) -> None:
        self.files = files
        self._server = server
        self._sittings: OrderedDict[tuple[Hashable, str | None, str], _Sitting] = OrderedDict()
        self._threads = ThreadPoolExecutor(MOST, thread_name_prefix="own-bot")

    @property
    def pids(self) -> list[int]:
        """The processes that there are now."""
        return [sitting.seat.pid for sitting in self._sittings.values() if sitting.seat is not None]

    async def choose(self, name: str, view: View, table: Hashable, seed: int | str) -> str:
        """What a bot answers on a seat of a table; a Fault says why there is no answer."""
        key = (table, view.seat, name)
        sitting = self._sittings.setdefault(key, _Sitting())
        self._sittings.move_to_end(key)
        if len(self._sittings) > MOST:
            self._end(next(iter(self._sittings)))
        loop = asyncio.get_running_loop()
        if sitting.timer is not None:
            sitting.timer.cancel()
        try:
            return await loop.run_in_executor(self._threads, self._asked, sitting, name, view, seed)
        finally:
            if not sitting.over:
                sitting.timer = loop.call_later(IDLE, self._end, key)

    def leave(self, table: Hashable) -> None:
        """End all processes of a table; its game is over."""
        for key in [key for key in self._sittings if key[0] == table]:
            self._end(key)

    def close(self) -> None:
        """End all processes."""
        for key in list(self._sittings):
            self._end(key)
        self._threads.shutdown()

    def _asked(self, sitting: _Sitting, name: str, view: View, seed: int | str) -> str:
        with sitting.asking:
            try:
                if sitting.seat is None:
                    self._seat(sitting, self.files[name], seed)
                assert sitting.seat is not None
                return sitting.seat.choose(view)
            except Forfeit as forfeit:
                if forfeit.kind in ("late", "ended"):
                    sitting.seat = None
                raise Fault(f"{name} {forfeit}") from None

    def _seat(self, sitting: _Sitting, file: Path, seed: int | str) -> None:
        sitting.seat = OwnSeat(self._server, file, AT_A_TABLE)
        if sitting.over:  # it was ended before there was a process to end
            sitting.seat.end()
        try:
            sitting.seat.load(seed, LOADING_AT_A_TABLE)
        except Fault:
            sitting.seat.end()
            sitting.seat = None
            raise

    def _end(self, key: tuple[Hashable, str | None, str]) -> None:
        sitting = self._sittings.pop(key, None)
        if sitting is not None:
            sitting.over = True
            if sitting.timer is not None:
                sitting.timer.cancel()
            if sitting.seat is not None:
                sitting.seat.end()


# In the process

_seated: tuple[OwnBot, Random] | None = None


def _load(file: str, seed: int | str, seconds: float) -> None:
    """Load the bot, with random numbers of its own; what it prints is nobody's answer."""
    global _seated
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    random.seed(seed)  # for bots that do not use the generator they are given
    with _limited(seconds):
        _seated = load(Path(file)), Random(seed)


def _choose(view: Packed, seconds: float) -> str:
    assert _seated is not None
    bot, rng = _seated
    with _limited(seconds):
        return bot.choose(unpacked(view), rng)


def _choose_often(view: Packed, seconds: float, times: int, seed: int | str) -> list[str]:
    assert _seated is not None
    random.seed(seed)
    seen, rng = unpacked(view), Random(seed)
    with _limited(seconds):
        return [_seated[0].choose(seen, rng) for _ in range(times)]


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Have the system end this process if it uses so much of the processor meanwhile."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
