"""Where compiled machine code is kept on disk, and who may put it there: one process at a time."""

import atexit
import os
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

import numba
from numba.core.compiler_lock import global_compiler_lock

from meadhall.faults import Fault

try:
    import fcntl
except ImportError:  # Windows: several processes may compile the same function, which costs time and nothing else
    fcntl = None  # type: ignore[assignment]


def private_folder(name: str) -> Path:
    """A folder of this name in the user's cache or, where that cannot be written, in the temporary directory."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    try:
        return _writable(Path(home) / "meadhall" / name)
    except OSError:
        pass
    try:
        return _writable(_temporary_base() / name)
    except OSError as error:
        raise Fault(
            "there is no folder to keep compiled rules in; set XDG_CACHE_HOME to one that can be written"
        ) from error


def _writable(folder: Path) -> Path:
    """The folder, made if need be; OSError if nothing can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lock").touch()
    return folder


def _temporary_base() -> Path:
    """A folder in the temporary directory that nobody else can write to, as whatever is found there will be run.

    It is kept from run to run unless somebody else made it first; then it is new, and removed at the end.
    """
    user = os.getuid() if hasattr(os, "getuid") else None  # on Windows the temporary directory is the user's own
    kept = Path(tempfile.gettempdir()) / ("meadhall" if user is None else f"meadhall-{user}")
    try:
        kept.mkdir(mode=0o700)
    except FileExistsError:
        found = kept.lstat()
        private = user is None or (found.st_uid == user and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO))
        if not (stat.S_ISDIR(found.st_mode) and private):
            return _passing_base()
    return kept


@cache
def _passing_base() -> Path:
    """A new folder in the temporary directory for this process alone."""
    folder = tempfile.mkdtemp(prefix="meadhall-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


class CompilerLock:
    """One process at a time compiles what is kept in a folder; the others wait, and load what it made.

    Compiling twice does no harm, so nobody waits longer than `patience` seconds: the other may have been suspended.
    """

    patience = 120.0

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self._held = False  # compiling a function compiles those it calls; Numba's own lock keeps other threads out

    def guard(self, twin: Any) -> Any:
        """Make a compiled function take the lock whenever it has to load or compile machine code."""
        unguarded = twin.compile

        def compile_in_turn(signature: Any) -> Any:
            # Numba's lock first: whoever compiles a function of his own that calls one of ours has it already.
            with global_compiler_lock, nullcontext() if self._held else self._hold():
                return unguarded(signature)

        twin.compile = compile_in_turn
        return twin

    @contextmanager
    def _hold(self) -> Iterator[None]:
        with ExitStack() as stack:
            with suppress(OSError):  # the folder is gone, or lies where files cannot be locked
                if fcntl is not None:
                    self._wait_for(stack.enter_context(self._path.open("w")))
            self._held = True
            try:
                yield
            finally:
                self._held = False

    def _wait_for(self, file: IO[str]) -> None:
        """Lock an open file; closing it unlocks it."""
        end = time.monotonic() + self.patience
        while True:
            try:
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    return None
                time.sleep(0.02)


_declaring = threading.RLock()  # where Numba keeps machine code is one setting for all threads


@contextmanager
def cached_in(folder: Path) -> Iterator[None]:
    """Functions declared here keep their machine code in a folder; those of other people go where they went before."""
    with _declaring:
        before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
