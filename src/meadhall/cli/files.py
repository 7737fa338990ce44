"""Files that a command reads, and those it writes when its work is done.

The latter are refused before the work starts if they cannot be written.
"""

import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from meadhall.cli.streams import reason
from meadhall.faults import Fault


def lines_of(name: str) -> Iterator[bytes]:
    """The lines of a file, or of standard input; a Fault names the file that cannot be read."""
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            yield from file
    except OSError as problem:
        raise Fault(f"{'standard input' if name == '-' else name}: cannot be read ({reason(problem)})") from None


def whole_file(name: str) -> bytes:
    """All of a file, or of standard input."""
    return b"".join(lines_of(name))


class OutputFile:
    """A file to write. Making one proves that it can be: a Fault names the option that gave it, and what is wrong."""

    def __init__(self, option: str, file: Path) -> None:
        self.label = f"{option} {file}".strip()
        self.path = file
        self.atomic = True  # devices, pipes and our own output are written as they are; files are replaced
        if "\0" in str(file):
            raise Fault(f"{self.label}: no file can have a null character in its name")
        with self.reporting():
            self._check()

    def _check(self) -> None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            folder = self.path.absolute().parent
            if not folder.is_dir():
                raise Fault(f"{self.label}: there is no folder {folder}") from None
        else:
            if stat.S_ISDIR(found.st_mode):
                raise Fault(f"{self.label}: is a folder; give the name of a file")
            if not os.access(self.path, os.W_OK):
                raise Fault(f"{self.label}: cannot be written (Permission denied)")
            self.atomic = stat.S_ISREG(found.st_mode) and not _is_standard_output(found)
        if self.atomic:
            self.path = self.path.resolve()  # what a symbolic link leads to is replaced, not the link
            part = self._part()
            part.touch(exist_ok=False)
            part.unlink()

    def _part(self) -> Path:
        return self.path.with_name(f".meadhall-{secrets.token_hex(8)}.part")

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Turn what the system says of the file into a Fault."""
        try:
            yield
        except OSError as problem:
            raise Fault(f"{self.label}: cannot be written ({problem.strerror or problem})") from None

    def write(self, text: str | bytes) -> None:
        """Write all of it; a file that is there already stays as it is until all is written."""
        data = text if isinstance(text, bytes) else text.encode("utf-8")
        with self.reporting():
            if not self.atomic:
                with self.path.open("ab") as file:
                    file.write(data)
                return
            part = self._part()
            try:
                with part.open("xb") as file:
                    file.write(data)
                part.replace(self.path)
            finally:
                with suppress(OSError):
                    part.unlink()


def _is_standard_output(found: os.stat_result) -> bool:
    """Is this the file that standard output is redirected to?"""
    try:
        return os.path.samestat(found, os.fstat(1))
    except OSError:
        return False
