"""A process that starts others by forking itself, in a millisecond or two where a new Python takes a hundred.

It imports what its children will need and then does nothing but fork: it never sees a game and never runs anybody's
own file, so what a child finds in memory is the same for every child. Children end when the parent ends, however it
ends, because their server sees its socket close and kills them.
"""

import ctypes
import gc
import json
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from meadhall.faults import Fault

# One thread for NumPy: other processes use the other cores, and sums come out the same on any machine.
# One hash seed: a bot that walks through a set does so in the same order every time.
ENVIRONMENT = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1") | {
    "PYTHONHASHSEED": "0"
}
PRELOADED, PRELUDE = ("meadhall.bots.own.seats", "random", "collections", "itertools"), "meadhall.bots.worker"
START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from meadhall.bots.forkserver import serve; serve()"
MESSAGE = struct.Struct("i")
FORK, READY = 0, 1  # to the server: fork (or, any other number, end that process); from it: prepared
NOT_MINE = -1
SET_PARENT_DEATH_SIGNAL = 1  # of Linux' prctl
LOW_PRIORITY = 10
BEHIND = 5  # a third of the processor's time beside one that is not, and never before it

Preparation = Callable[..., None]


class ProcessFault(Fault):
    """A process that could not be started."""


class ForkServer:
    """The parent's side of a fork server; it starts with the first process that is asked for, or with `prepare`.

    `preparation`, a function and its arguments, is called in the server before it forks: compiled code and tables
    that it leaves in memory are shared by all children. It may run at low priority, so that others go first. `behind`:
    so may the children, a little: they think while others, who have been asked something, only have to answer.
    """

    def __init__(
        self,
        preparation: tuple[Preparation, tuple[Any, ...]] | None = None,
        quietly: bool = False,
        behind: bool = False,
    ) -> None:
        self._preparation = preparation
        self._quietly = quietly
        self._behind = behind
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._starting, self._asking = threading.Lock(), threading.Lock()
        self._ready = self._closed = False

    @property
    def pid(self) -> int | None:
        """The server's own process, if it has started."""
        return None if self._process is None else self._process.pid

    @property
    def ready(self) -> bool:
        """Is the server prepared?"""
        return self._ready

    def prepare(self) -> None:
        """Start the server and wait until it is prepared; a ProcessFault if it ends instead."""
        with self._asking:
            self._prepare()

    def start(self, descriptor: int) -> int:
        """A new process that answers at the other end of this socket; its number."""
        with self._asking:
            self._prepare()
            try:
                pid = self._ask(FORK, [descriptor])
            except OSError:  # the server was killed: another takes its place
                self._forget()
                self._prepare()
                pid = self._ask(FORK, [descriptor])
        if pid < 0:
            raise ProcessFault(f"no process for a bot could be started: {os.strerror(-pid)}")
        return pid

    def end(self, pid: int) -> int:
        """End a process, whatever it is doing: the status it ended with, or had ended with (see os.wait)."""
        with self._asking, suppress(OSError):
            if self._closed:  # which has ended it
                return signal.SIGKILL
            status = self._ask(pid)
            if status != NOT_MINE:
                return status
        with suppress(OSError):  # its server was killed and left it behind
            os.kill(pid, signal.SIGKILL)
        return signal.SIGKILL

    def close(self) -> None:
        """End the server and all its children."""
        with self._starting:
            self._closed = True
            process, connection = self._process, self._socket
        if process is not None and connection is not None:
            with suppress(OSError):  # it may be gone already
                connection.shutdown(socket.SHUT_RDWR)  # from which it knows
            if not self._ready:
                process.kill()
            process.wait()
            with self._asking:  # nobody is talking to it any more
                connection.close()

    def _prepare(self) -> None:
        if self._ready:
            return
        self._launch()
        try:
            message = self._receive()
        except OSError:
            message = None
        if message != READY:
            self._forget()
            raise ProcessFault("the process that starts bots ended before it was ready; is there enough memory?")
        self._ready = True

    def _launch(self) -> None:
        with self._starting:
            if self._closed:
                raise RuntimeError("the processes of the bots are closed")
            self._socket, theirs = socket.socketpair()
            with theirs, without_interrupts():
                self._process = subprocess.Popen(
                    [sys.executable, "-c", START, json.dumps(sys.path), str(theirs.fileno())],
                    env=os.environ | ENVIRONMENT,
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                )
        orders = pickle.dumps((self._preparation, self._quietly, self._behind))
        self._socket.sendall(MESSAGE.pack(len(orders)) + orders)

    def _ask(self, message: int, descriptors: Sequence[int] = ()) -> int:
        if self._socket is None:
            raise BrokenPipeError
        socket.send_fds(self._socket, [MESSAGE.pack(message)], descriptors)
        return self._receive()

    def _receive(self) -> int:
        assert self._socket is not None
        return _whole(self._socket)

    def _forget(self) -> None:
        with self._starting:
            self._ready = False
            if self._socket is not None:
                self._socket.close()
            if self._process is not None:
                self._process.kill()
                self._process.wait()
            self._socket = self._process = None


@contextmanager
def without_interrupts() -> Iterator[None]:
    """A process started now inherits this thread's mask: Ctrl-C cannot reach it before it runs a line of ours."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _whole(connection: socket.socket) -> int:
    """The next number from a socket; an OSError if it was closed."""
    data = connection.recv(MESSAGE.size, socket.MSG_WAITALL)
    if len(data) < MESSAGE.size:
        raise BrokenPipeError
    number: int = MESSAGE.unpack(data)[0]
    return number


# In the server


def serve() -> None:
    """In the server: get prepared, then fork and end processes as told until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=int(sys.argv[2]))
    children: set[int] = set()
    try:
        preparation, quietly, behind = pickle.loads(control.recv(_whole(control), socket.MSG_WAITALL))
        for name in PRELOADED:
            import_module(name)
        import_module(PRELUDE).prelude()
        if preparation is not None:
            function, arguments = preparation
            _prepared(function, arguments, quietly, control)
        gc.collect()
        gc.freeze()  # children share these pages as long as nobody writes to them
        control.sendall(MESSAGE.pack(READY))
        while True:
            data, descriptors, _, _ = socket.recv_fds(control, MESSAGE.size, 1)
            if len(data) < MESSAGE.size:
                break
            answer = (
                _forked(control, children, behind, *descriptors)
                if descriptors
                else _ended(children, *MESSAGE.unpack(data))
            )
            control.sendall(MESSAGE.pack(answer))
    except OSError:  # the parent is gone
        pass
    except Exception:
        traceback.print_exc()
    finally:
        for child in tuple(children):
            _ended(children, child)
        os._exit(0)


def _prepared(function: Preparation, arguments: tuple[Any, ...], quietly: bool, control: socket.socket) -> None:
    """Call the preparation in a thread, quietly in one of low priority, which children do not inherit.

    Meanwhile the parent has nothing to say: if there is something to read from it, it is gone.
    """
    done, finish = os.pipe()

    def run() -> None:
        try:
            if quietly and sys.platform == "linux":  # elsewhere a thread has no priority of its own
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW_PRIORITY)
            function(*arguments)
        finally:
            os.close(finish)

    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(run)
        if control.fileno() in select.select([control.fileno(), done], [], [])[0]:
            os._exit(1)
        running.result()
    os.close(done)


def _forked(control: socket.socket, children: set[int], behind: bool, descriptor: int) -> int:
    try:
        pid = os.fork()
    except OSError as error:
        return -(error.errno or 1)
    if pid == 0:
        control.close()
        children.clear()
        _die_with_the_server()
        os.nice(BEHIND if behind else 0)
        _work(Connection(descriptor))  # which never returns
    os.close(descriptor)
    children.add(pid)
    return pid


def _die_with_the_server() -> None:
    """Where the system can do that: should the server be killed, so are its children, whatever they are doing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _ended(children: set[int], pid: int) -> int:
    """Nobody else waits for the children, so their numbers are theirs until here."""
    if pid not in children:
        return NOT_MINE
    children.discard(pid)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


# In its children

_parent: Connection | None = None


def report(value: Any) -> None:
    """In a worker, tell whoever asked how far the answer is; anywhere else it is told to nobody."""
    if _parent is not None:
        _parent.send_bytes(pickle.dumps((None, value)))


def _work(connection: Connection) -> None:
    """In a worker: answer questions, each a function and its arguments, until the parent hangs up."""
    global _parent
    _parent = connection
    status = 1
    try:
        while True:
            connection.send_bytes(_answer(connection.recv_bytes()))
    except EOFError:
        status = 0
    finally:
        os._exit(status)


def _answer(question: bytes) -> bytes:
    """The answer to a question as it has travelled here."""
    return answered(_asked, question)


def _asked(question: bytes) -> Any:
    function, arguments = pickle.loads(question)
    return function(*arguments)


def answered(function: Callable[..., Any], *arguments: Any) -> bytes:
    """What the function returns (True), or the exception that it raises (False), if it can travel."""
    try:
        return pickle.dumps((True, function(*arguments)))
    except Exception as error:
        try:
            answer = pickle.dumps((False, error))
            pickle.loads(answer)
        except Exception:
            answer = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return answer
