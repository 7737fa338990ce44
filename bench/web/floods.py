"""How much longer a page takes while somebody at another address floods the server."""

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from web.machine import HOST, Cores, folder_on_disk, free_port, serving
from web.measured import Measured, Repeats, percentile
from web.play import serve_command

ROOT = Path(__file__).parents[2]
FLOODS = {
    "endless heads": {"connections": 20, "first": ["GET / HTTP/1.1\r\n"], "then": "X: y\r\n"},
    "half-sent heads": {"connections": 1100, "first": ["GET / HTTP/1.1\r\nHost: x\r\nX"]},
    "silent connections": {"connections": 2000},
}
VISITS = 100


def measure(cores: Cores, repeats: Repeats) -> Measured:
    """The worst of several floods, each at its best repeat; the rate is how many times as long the home page takes."""
    worst, note = Measured(0), []
    with folder_on_disk() as folder:
        port = free_port()
        with serving(serve_command(folder / "tables.db", port), port, cores.server, folder / "log"):
            for name, flood in FLOODS.items():
                found = min((_once(port, flood) for _ in range(repeats.count)), key=lambda each: each.rate)
                note.append(f"{name} {found.rate:.2f}")
                worst = max(worst, found, key=lambda each: each.rate)
    return Measured(worst.rate, worst.p50, worst.p99, note=", ".join(note))


def _once(port: int, flood: dict[str, object]) -> Measured:
    usual = percentile(_visits(port), 0.5)
    with _flooding({"port": port, **flood}):
        times = _visits(port)
    return Measured(percentile(times, 0.5) / usual, percentile(times, 0.5), percentile(times, 0.99))


def _visits(port: int) -> list[float]:
    """The milliseconds until each of some visitors has the home page."""
    times = []
    for _ in range(VISITS):
        started = time.perf_counter()
        visitor = http.client.HTTPConnection(HOST, port)
        visitor.request("GET", "/")
        visitor.getresponse().read()
        visitor.close()
        times.append(1000 * (time.perf_counter() - started))
    return sorted(times)


@contextmanager
def _flooding(flood: dict[str, object]) -> Iterator[None]:
    """The same flood as in the tests, from a process of its own."""
    command = [sys.executable, "-m", "tests.web.flood", json.dumps(flood)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    try:
        if process.stdout is None or process.stdout.readline() != "under way\n":
            raise RuntimeError("the flood did not come")
        yield
    finally:
        process.communicate(timeout=60)
