"""Standard input, output and error, also where one of them is closed, full, or read by nobody any more."""

import errno
import io
import json
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # most commands print plain text
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

REFUSED = 2  # the exit status if something given was wrong, or something could not be read or written


class _Output(io.FileIO):
    """Standard output that remembers why it could not be written: a caller may not pass that on."""

    lost: OSError | None = None

    def write(self, data: Any) -> int:
        """Write, and keep what went wrong."""
        try:
            return super().write(data)
        except OSError as problem:
            self.lost = problem
            raise


_output: _Output | None = None


def prepare() -> None:
    """Give every closed stream a descriptor again, so that no other file gets its number, and print any text.

    Reading from a standard input that was closed fails, and so does writing to a standard output that was closed; what
    would go to a closed standard error is lost.
    """
    global _output
    if sys.stdin is None:
        sys.stdin = open(_occupy(0, os.O_WRONLY), closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(_occupy(2, os.O_WRONLY), "w", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        _occupy(1, os.O_RDONLY)
    if sys.stdout is sys.__stdout__:
        _output = _Output(1, "w", closefd=False)
        encoding = None
        if sys.stdout is not None:
            encoding = sys.stdout.encoding
            with suppress(OSError):
                sys.stdout.flush()
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_output), encoding, line_buffering=_output.isatty())
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _occupy(descriptor: int, mode: int) -> int:
    """Open the null device under this number."""
    opened = os.open(os.devnull, mode)
    if opened != descriptor:
        os.dup2(opened, descriptor)
        os.close(opened)
    return descriptor


def lost_output() -> OSError | None:
    """Why standard output could not be written, if it was tried."""
    return _output.lost if _output is not None else None


def abandon_output() -> None:
    """Let what is left in the buffer go nowhere when Python closes standard output."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def reason(problem: OSError) -> str:
    """What the system says of a stream or a file, without the file's name."""
    return "it is closed" if problem.errno == errno.EBADF else problem.strerror or str(problem)


def report(problem: OSError) -> int:
    """Say what the system could not do; the exit status, which is 0 if our reader just had enough."""
    lost = lost_output()
    if lost is not None:
        abandon_output()
        if isinstance(lost, BrokenPipeError):
            return 0
        return complain(f"standard output cannot be written ({reason(lost)})")
    return complain(f"{problem.filename}: {reason(problem)}" if problem.filename else reason(problem))


def complain(message: str) -> int:
    """Say what is wrong on one line of standard error, after what was printed before; the exit status."""
    try:
        sys.stdout.flush()
    except OSError:
        abandon_output()
    with suppress(OSError):
        print(f"meadhall: {' '.join(message.split())}", file=sys.stderr, flush=True)
    return REFUSED


def dump(value: Any) -> str:
    """A value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def console(width: int | None = None) -> "Console":
    """Standard output with colours and tables, where Rich leaves a closed pipe to `main`."""
    from rich.console import Console

    class _Console(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return _Console(highlight=False, width=width)


def progress(*columns: "ProgressColumn", transient: bool = True) -> "Progress":
    """A progress bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=transient, disable=not sys.stderr.isatty())
