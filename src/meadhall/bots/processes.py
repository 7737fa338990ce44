"""The supervisor of every process that thinks: at the tables, in the arena, and for people's own bots.

A worker is a process with a connection of its own, which answers one question at a time. One that hangs is killed when
its time is up, one that dies is replaced, and neither costs anything but the question it was asked.
"""

import asyncio
import logging
import os
import pickle
import queue
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from multiprocessing import Pipe
from typing import Any, NamedTuple

from meadhall.bots.forkserver import ForkServer

_log = logging.getLogger(__name__)

LAST = 9  # the turn of those who close, after all questions
Heard = Callable[[Any], None]  # told what a worker reports before it answers


class WorkerLost(Exception):
    """A worker that gave no answer and is no more."""


class TimedOut(WorkerLost):
    """A worker that was ended because it took too long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"took longer than {seconds:g} s")
        self.seconds = seconds

    def __reduce__(self) -> tuple[type, tuple[float]]:
        return TimedOut, (self.seconds,)


class Died(WorkerLost):
    """A worker that ended by itself; `status` is that of os.wait."""

    def __init__(self, status: int) -> None:
        super().__init__(f"ended by itself ({_told(status)})")
        self.status = status

    def __reduce__(self) -> tuple[type, tuple[int]]:
        return Died, (self.status,)


def _told(status: int) -> str:
    """How a process ended, in words."""
    if os.WIFSIGNALED(status):
        return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"exit status {os.waitstatus_to_exitcode(status)}"


class Worker:
    """One process, which answers one question at a time."""

    def __init__(self, server: ForkServer) -> None:
        self.server = server
        self._connection, theirs = Pipe()
        with theirs:
            self.pid = server.start(theirs.fileno())
        self._status: int | None = None
        self._ending = threading.Lock()

    def ask(
        self, function: Callable[..., Any], *arguments: Any, limit: float | None = None, heard: Heard = lambda _: None
    ) -> Any:
        """What the function returns or raises in the process; TimedOut or Died if there is no answer.

        What it reports meanwhile (see `forkserver.report`) is handed on to `heard`.
        """
        question = pickle.dumps((function, arguments))
        until = None if limit is None else time.monotonic() + limit
        try:
            self._connection.send_bytes(question)
            while True:
                if not self._connection.poll(None if until is None else max(0.0, until - time.monotonic())):
                    self.end()
                    raise TimedOut(limit or 0.0)
                done, answer = pickle.loads(self._connection.recv_bytes())
                if done is not None:
                    break
                heard(answer)
        except (EOFError, OSError, pickle.UnpicklingError):
            status = self.end()
            self._connection.close()
            raise Died(status) from None
        if not done:
            raise answer
        return answer

    def end(self) -> int:
        """End the process, whatever it is doing; the status it ended with. Whoever waits for its answer gets Died."""
        with self._ending:
            if self._status is None:
                self._status = self.server.end(self.pid)
            return self._status


class _Question(NamedTuple):
    turn: tuple[int, int]  # questions are answered in the order of these
    answer: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    limit: float | None
    heard: Heard


class Supervisor:
    """Some workers that take questions from one queue; they start when there are questions for them.

    Questions that can wait are answered when there are no others. A question that a worker died of is asked once more,
    of another. One that took too long is not.
    """

    def __init__(self, server: ForkServer, workers: int = 1) -> None:
        if workers < 1:
            raise ValueError(f"a supervisor needs 1 worker or more, not {workers}")
        self.size = workers
        self._server = server
        self._questions: queue.PriorityQueue[tuple[tuple[int, int], _Question | None]] = queue.PriorityQueue()
        self._asked = 0
        self._workers: dict[int, Worker] = {}
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._unanswered = 0
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """The processes that there are now."""
        with self._lock:
            return [worker.pid for worker in self._workers.values()]

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        limit: float | None = None,
        heard: Heard = lambda _: None,
        can_wait: bool = False,
    ) -> Future[Any]:
        """What the function returns or raises in a worker, in time; TimedOut or Died if there is no answer.

        What the worker reports meanwhile is handed on to `heard`, in a thread.
        """
        with self._lock:
            if self._closed:
                raise RuntimeError("the bots' workers are closed")
            self._asked += 1
            question = _Question((int(can_wait), self._asked), Future(), function, arguments, limit, heard)
            self._unanswered += 1
            if len(self._threads) < min(self.size, self._unanswered):
                thread = threading.Thread(target=self._supervise, args=(len(self._threads),), daemon=True)
                self._threads.append(thread)
                thread.start()
            self._questions.put((question.turn, question))
        return question.answer

    async def ask(self, function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        """The same, for those who wait in an event loop."""
        return await asyncio.wrap_future(self.submit(function, *arguments, **more))

    def move_to(self, server: ForkServer) -> None:
        """Have another server's processes answer from the next question on."""
        self._server = server

    def close(self) -> None:
        """End the workers; whoever still waits for an answer gets a CancelledError."""
        with self._lock:
            self._closed = True
            threads, workers = self._threads, list(self._workers.values())
            for number, _ in enumerate(threads):
                self._questions.put(((LAST, number), None))
        for worker in workers:
            worker.end()
        for thread in threads:
            thread.join()

    # One thread for each worker

    def _supervise(self, number: int) -> None:
        while (question := self._questions.get()[1]) is not None:
            if self._closed:
                question.answer.cancel()
            elif question.answer.set_running_or_notify_cancel():
                try:
                    question.answer.set_result(self._answered(number, question))
                except BaseException as error:
                    question.answer.set_exception(CancelledError() if self._closed else error)
            with self._lock:
                self._unanswered -= 1
        self._dismiss(number)

    def _answered(self, number: int, question: _Question) -> Any:
        for last in (False, True):
            worker = self._worker(number)
            try:
                return worker.ask(question.function, *question.arguments, limit=question.limit, heard=question.heard)
            except WorkerLost as loss:
                self._dismiss(number)
                if not self._closed:
                    _log.info("a worker that thinks is replaced: it %s", loss)
                if last or self._closed or isinstance(loss, TimedOut):
                    raise
        raise AssertionError

    def _worker(self, number: int) -> Worker:
        worker = self._workers.get(number)
        if worker is not None and worker.server is self._server:
            return worker
        self._dismiss(number)
        worker = Worker(self._server)
        with self._lock:
            self._workers[number] = worker
            closed = self._closed
        if closed:
            worker.end()
        return worker

    def _dismiss(self, number: int) -> None:
        with self._lock:
            worker = self._workers.pop(number, None)
        if worker is not None:
            worker.end()
