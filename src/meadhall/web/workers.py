"""Several processes that serve one socket, and their supervisor: whoever dies is replaced, whatever it died of.

A worker says when it serves and every few seconds that it still does. One that dies is replaced at once, or after
pauses that grow while new ones end before they serve. The supervisor gives up only if a worker ends before any has ever
served: then something is wrong with how the server was started. SIGHUP replaces all workers, each when its successor
serves.
"""

import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from socket import socket, socketpair
from threading import Thread
from typing import Any

import uvicorn

from meadhall.faults import Fault

SIGN_EVERY = 5.0  # seconds between signs of life
HUNG_AFTER = 60.0  # seconds without one
START_LIMIT = 300.0  # seconds until the first; a busy machine takes long to start one
PAUSES = (0.1, 1.0, 2.0, 5.0, 15.0, 30.0)  # seconds before the next start, by how many in a row came to nothing
STOPPING = (signal.SIGTERM, signal.SIGINT)

_spawn = get_context("spawn")  # nothing of the supervisor's is left in a worker
_log = logging.getLogger(__name__)


def serve_as_worker(settings: dict[str, Any], listener: socket, signs: Connection) -> None:
    """What a worker does: serve until told to stop, or until the supervisor is no more."""
    parent = parent_process()
    assert parent is not None
    Thread(target=_stop_after, args=(parent.sentinel,), daemon=True).start()

    async def still_here() -> None:
        with suppress(OSError):
            signs.send_bytes(b"here")

    config = uvicorn.Config(**settings, callback_notify=still_here, timeout_notify=int(SIGN_EVERY))
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _stop_after(sentinel: int) -> None:
    wait([sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


@dataclass(eq=False)
class Worker:
    """A process that serves, as its supervisor sees it."""

    process: SpawnProcess
    signs: Connection
    heard: float = field(default_factory=time.monotonic)  # the last sign of life
    served: float | None = None  # since when it has served
    replaces: "Worker | None" = None  # who is told to stop once this one serves
    leaving: bool = False  # it was told to stop

    @property
    def hung_at(self) -> float:
        """When it counts as hung, should it give no sign of life until then."""
        return self.heard + (START_LIMIT if self.served is None else HUNG_AFTER)


class Workers:
    """The supervisor of a number of workers."""

    def __init__(
        self, count: int, settings: dict[str, Any], listener: socket, patience: float, buried: Callable[[int], None]
    ) -> None:
        self._count, self._settings, self._listener, self._patience = count, settings, listener, patience
        self._buried = buried  # told of every process that is no more
        self._workers: list[Worker] = []
        self._due: list[float] = []  # when workers are to be started in place of those that died
        self._vain_starts = 0
        self._ever_served = False
        self._asked: list[signal.Signals] = []

    def run(self) -> signal.Signals:
        """Serve until a signal says to stop, which is returned; a Fault if no worker can be started."""
        wakes, waker = socketpair()
        waker.setblocking(False)
        before = {number: signal.getsignal(number) for number in (*STOPPING, signal.SIGHUP)}
        for number in before:
            signal.signal(number, lambda given, _: self._asked.append(signal.Signals(given)))
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        try:
            for _ in range(self._count):
                self._start()
            while True:
                self._wait(wakes)
                stop = next((each for each in self._asked if each in STOPPING), None)
                if stop is not None:
                    return stop
                if self._asked:
                    self._asked.clear()
                    self._renew()
                self._look_after()
        finally:
            self._stop()
            signal.set_wakeup_fd(-1)
            for number, handler in before.items():
                signal.signal(number, handler)
            wakes.close()
            waker.close()

    def _start(self, replaces: Worker | None = None) -> None:
        ours, theirs = _spawn.Pipe(duplex=False)
        arguments = (self._settings, self._listener, theirs)
        process = _spawn.Process(target=serve_as_worker, args=arguments, name="meadhall worker")
        process.start()
        theirs.close()
        self._workers.append(Worker(process, ours, replaces=replaces))

    def _wait(self, wakes: socket) -> None:
        """Until a signal comes, a worker dies or gives a sign, or something is due."""
        now = time.monotonic()
        next_due = min([*self._due, *(each.hung_at for each in self._workers)], default=now + SIGN_EVERY)
        sentinels = [each.process.sentinel for each in self._workers]
        ready = wait([wakes, *sentinels, *(each.signs for each in self._workers)], max(0.0, next_due - now))
        if wakes in ready:
            wakes.recv(1024)
        for worker in self._workers:
            if worker.signs in ready:
                with suppress(EOFError, OSError):
                    worker.signs.recv_bytes()
                    self._hear(worker)

    def _hear(self, worker: Worker) -> None:
        worker.heard = time.monotonic()
        if worker.served is None:
            worker.served = worker.heard
            self._ever_served = True
            self._vain_starts = 0
            if worker.replaces is not None:
                self._tell_to_stop(worker.replaces)

    def _look_after(self) -> None:
        """Bury the dead, end the hung, and start whoever is due."""
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.process.is_alive() and now > worker.hung_at:
                _log.error("a worker gives no signs of life and is ended (process %d)", worker.process.pid)
                worker.process.kill()
                worker.process.join()
            if not worker.process.is_alive():
                self._bury(worker, now)
        for due in [each for each in self._due if each <= now]:
            self._due.remove(due)
            self._start()

    def _bury(self, worker: Worker, now: float) -> None:
        self._workers.remove(worker)
        worker.process.join()
        worker.signs.close()
        self._buried(worker.process.pid or 0)
        status = worker.process.exitcode
        worker.process.close()
        if worker.leaving:
            return
        if not self._ever_served:
            raise Fault(f"the server's processes cannot start ({_ending(status)}); the log says why")
        if worker.replaces is not None and worker.served is None:
            _log.error("a new worker ended before it served (%s): the old one stays", _ending(status))
            return
        self._vain_starts += worker.served is None
        pause = PAUSES[min(self._vain_starts, len(PAUSES) - 1)]
        _log.error("a worker ended (%s); another starts in %g s", _ending(status), pause)
        self._due.append(now + pause)

    def _renew(self) -> None:
        """Start a successor of each worker, who stops when that serves."""
        replaced = [each.replaces for each in self._workers]
        for worker in list(self._workers):
            if not worker.leaving and worker.replaces is None and worker not in replaced:
                self._start(replaces=worker)

    @staticmethod
    def _tell_to_stop(worker: Worker) -> None:
        worker.leaving = True
        worker.process.terminate()

    def _stop(self) -> None:
        """Tell all to stop, wait for as long as they may take, and end those that take longer."""
        for worker in self._workers:
            self._tell_to_stop(worker)
        until = time.monotonic() + self._patience
        for worker in self._workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            self._buried(worker.process.pid or 0)


def _ending(status: int | None) -> str:
    """How a process ended, in words."""
    if status is not None and status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"exit status {status}"
