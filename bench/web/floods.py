"""How much longer a page takes while somebody at another address floods the server."""

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from web.machine import HOST, Cores, folder_on_disk, free_port, serving
from web.measured import Measured, Repeats, percentile
from web.play import serve_command

ROOT = Path(__file__).parents[2]
POST = "POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
FLOODS: dict[str, dict[str, Any]] = {
    "endless heads": {"connections": 20, "first": ["GET / HTTP/1.1\r\n"], "then": "X: y\r\n"},
    "endless addresses": {"connections": 20, "first": ["GET /"], "then": "x"},
    "half-sent heads": {"connections": 1100, "first": ["GET / HTTP/1.1\r\nHost: x\r\nX"]},
    "half-sent bodies": {"connections": 1100, "first": [f"{POST}Content-Length: 500\r\n\r\n{{"]},
    "live streams": {"connections": 1002, "first": ["GET /t/{code}/live HTTP/1.1\r\nHost: x\r\n\r\n"]},
    "silent connections": {"connections": 2000},
}
VISITS = 100


def measure(cores: Cores, repeats: Repeats) -> Measured:
    """The worst of several floods, each at its best repeat; the rate is how many times as long the home page takes."""
    worst, note = Measured(0), []
    with folder_on_disk() as folder:
        port = free_port()
        with serving(serve_command(folder / "tables.db", port), port, cores.server, folder / "log"):
            code = _open_table(port)
            for name, flood in FLOODS.items():
                flood = {**flood, "first": [each.replace("{code}", code) for each in flood.get("first", [""])]}
                found = min((_once(port, flood) for _ in range(repeats.count)), key=lambda each: each.rate)
                note.append(f"{name} {found.rate:.2f}")
                worst = max(worst, found, key=lambda each: each.rate)
    return Measured(worst.rate, worst.p50, worst.p99, note=", ".join(note))


def _once(port: int, flood: dict[str, Any]) -> Measured:
    usual = percentile(_visits(port), 0.5)
    with _flooding({"port": port, **flood}):
        times = _visits(port)
    return Measured(percentile(times, 0.5) / usual, percentile(times, 0.5), percentile(times, 0.99))


def _open_table(port: int) -> str:
    """A table that streams can follow; its code."""
    host = http.client.HTTPConnection(HOST, port)
    host.request("POST", "/api/tables", json.dumps({"game": "goths"}), {"content-type": "application/json"})
    opened = json.loads(host.getresponse().read())
    host.close()
    return str(opened["code"])


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
def _flooding(flood: dict[str, Any]) -> Iterator[None]:
    """The same flood as in the tests, from a process of its own."""
    command = [sys.executable, "-m", "tests.web.flood", json.dumps(flood)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    try:
        if process.stdout is None or process.stdout.readline() != "under way\n":
            raise RuntimeError("the flood did not come")
        yield
    finally:
        process.communicate(timeout=60)
