"""The machine's part: which cores, which disk, and servers that run on their own core while we measure."""

import os
import resource
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"
START_LIMIT, STOP_LIMIT = 60, 20  # seconds
IN_MEMORY = {"tmpfs", "ramfs"}
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cores:
    """The server's core and the load's; the same one where there is only one."""

    server: int
    load: int

    def __str__(self) -> str:
        if self.server == self.load:
            return f"server and load share core {self.load}: figures are too low"
        return f"server on core {self.server}, load on core {self.load}"


def find_cores() -> Cores:
    """The first core this process may use, and the last; ask before pinning anything."""
    usable = os.sched_getaffinity(0)
    return Cores(min(usable), max(usable))


def load_average() -> float:
    """How many processes have wanted a core in the last minute: of a busy machine, delays say little."""
    return os.getloadavg()[0]


@contextmanager
def folder_on_disk() -> Iterator[Path]:
    """A new folder on a real disk if there is one: in memory, a commit costs nothing."""
    places = (tempfile.gettempdir(), "/var/tmp", str(Path.cwd()))
    place = next((place for place in places if _file_system(place) not in IN_MEMORY), places[0])
    with tempfile.TemporaryDirectory(prefix="meadhall-bench-", dir=place, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _file_system(place: str) -> str:
    """The kind of file system a folder lies on."""
    best, kind = -1, ""
    where = Path(place).resolve()
    for line in Path("/proc/mounts").read_text("utf-8").splitlines():
        _, mount, found, *_ = line.split()
        if where.is_relative_to(mount) and len(mount) > best:
            best, kind = len(mount), found
    return kind


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


def allow_many_sockets() -> None:
    """Hundreds of tables with four streams each need more open files than many shells allow."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@dataclass
class Server:
    """A server under measurement."""

    process: subprocess.Popen[bytes]
    port: int

    workers: int = 1

    @property
    def pids(self) -> list[int]:
        """Its processes that answer: not those that think, which are children of these."""
        own = self.process.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text("utf-8") if self.workers > 1 else ""
        return [own, *map(int, children.split())]

    def cpu(self) -> float:
        """The seconds its processes have computed so far, all threads together."""
        found = (Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split() for pid in self.pids)
        return sum(int(fields[11]) + int(fields[12]) for fields in found) / TICKS

    def memory(self) -> float:
        """The megabytes they hold."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1]) for pid in self.pids)
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def serving(
    command: Sequence[str], port: int, core: int | None, log: Path, cwd: Path | None = None
) -> Iterator[Server]:
    """Run a server on one core, or wherever there is room, until it answers, and stop it afterwards."""

    def settle() -> None:
        if core is not None:
            os.sched_setaffinity(0, {core})
        allow_many_sockets()

    environment = os.environ | {"NODE_ENV": "production"}
    with log.open("wb") as lines:
        process = subprocess.Popen(
            command, stdout=lines, stderr=subprocess.STDOUT, preexec_fn=settle, cwd=cwd, env=environment
        )
    try:
        _wait_for(process, port, log)
        workers = int(command[command.index("--workers") + 1]) if "--workers" in command else 1
        yield Server(process, port, workers)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Until it answers anything at all over HTTP."""
    for _ in range(START_LIMIT * 20):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}: {last_line(log)}")
        with suppress(OSError):
            with suppress(urllib.error.HTTPError):  # no such page, but somebody is there to say so
                urllib.request.urlopen(f"http://{HOST}:{port}/healthz", timeout=1).close()
            return
        time.sleep(0.05)
    raise RuntimeError(f"the server does not answer after {START_LIMIT} s: {last_line(log)}")


def last_line(log: Path) -> str:
    """What a server said last."""
    lines = log.read_text("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
