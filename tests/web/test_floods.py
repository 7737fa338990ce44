"""Floods from one address: the server takes no more than it can bear, and others are answered as usual."""

import os
import socket
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.web.flood import Flood, flooding
from tests.web.server import PATIENCE, Server

RATE, BURST = 100, 400  # requests
BY_ADDRESS, STREAMS = 250, 100  # as set unless said otherwise
VISITS, TRIES = 15, 20  # on a busy machine others may slow both down: the best of several tries counts
SLOWER = 2.0  # times the usual
GROWTH = 24e6  # bytes
OPENING = '{"game": "goths"}'
visitors = count()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its usual limits, but that it waits less long and counts faster."""
    env = {"MEADHALL_REQUEST_TIME": "2"}
    with Server(tmp_path_factory.mktemp("flooded"), "--rate-limit", str(RATE), env=env) as running:
        yield running
        assert '"level": "error"' not in running.log


def port(hall: Server) -> int:
    return int(hall.url.rpartition(":")[2])


def waited(hall: Server) -> float:
    """The median time until somebody new, at an address of his own, has the home page."""
    number, times = next(visitors), []
    for _ in range(VISITS):
        started = time.perf_counter()
        visitor = HTTPConnection("127.0.0.1", port(hall), PATIENCE, (f"127.1.0.{1 + number}", 0))
        visitor.request("GET", "/")
        answer = visitor.getresponse()
        assert answer.status == 200
        answer.read()
        visitor.close()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def memory(hall: Server) -> int:
    """The bytes that the server holds."""
    assert hall.process is not None
    resident = Path(f"/proc/{hall.process.pid}/statm").read_text().split()[1]
    return int(resident) * os.sysconf("SC_PAGE_SIZE")


class Withstood(NamedTuple):
    """What came of a flood that was tried until it was seen that it slows nobody down.

    The connections of each try end on their own; but only the first may begin with a burst, so what they were answered
    is counted over all tries, with the time since the first began.
    """

    ends: dict[str, int]  # of the last try
    answers: Counter[str]
    seconds: float


def withstand(hall: Server, flood: Flood) -> Withstood:
    """Under a flood others are answered in less than twice their usual time; how its connections ended."""
    before, slower, begun = memory(hall), 0.0, time.monotonic()
    answers: Counter[str] = Counter()
    usual: list[float] = []
    flooded: list[float] = []
    while not usual or (slower >= SLOWER and len(usual) < TRIES):
        usual.append(waited(hall))
        with flooding(flood) as running:
            flooded.append(waited(hall))
        answers.update({end: number for end, number in running.ends.items() if end.isdigit()})
        slower = min(flooded) / statistics.median(usual)
    assert slower < SLOWER, f"{flooded} s instead of {usual}; the flood: {running.ends}"
    assert memory(hall) - before < GROWTH
    assert hall.is_healthy()
    return Withstood(running.ends, answers, time.monotonic() - begun)


def asking(path: str, method: str = "GET", more: str = "", body: str = "", host: str = "x") -> str:
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}{length}\r\n{body}"


JSON = "Content-Type: application/json\r\n"


def test_heads_without_end_are_cut_off(hall: Server) -> None:
    ends = withstand(hall, Flood(port(hall), 20, ("GET / HTTP/1.1\r\n",), "X: y\r\n")).ends
    assert set(ends) <= {"431", "closed", "open"}
    assert ends.get("open", 0) < 20


def test_addresses_without_end_are_cut_off(hall: Server) -> None:
    ends = withstand(hall, Flood(port(hall), 20, ("GET /",), "x")).ends
    assert set(ends) <= {"414", "closed", "open"}
    assert ends.get("open", 0) < 20


def test_half_sent_heads_stop_nobody(hall: Server) -> None:
    ends = withstand(hall, Flood(port(hall), 1100, ("GET / HTTP/1.1\r\nHost: x\r\nX",))).ends
    assert ends["open"] <= BY_ADDRESS


def test_half_sent_bodies_stop_nobody(hall: Server) -> None:
    half = asking("/api/tables", "POST", JSON, OPENING)[:-1]
    ends = withstand(hall, Flood(port(hall), 1100, (half,))).ends
    assert ends["open"] <= BY_ADDRESS


def test_connections_on_which_nothing_is_said_stop_nobody(hall: Server) -> None:
    ends = withstand(hall, Flood(port(hall), 2000)).ends
    assert ends["open"] <= BY_ADDRESS


@pytest.mark.parametrize("whole", ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", asking("/api/tables", "POST", JSON, OPENING)])
def test_who_is_half_done_is_told_so_and_let_go_however_often_he_says_a_little(whole: str, hall: Server) -> None:
    with socket.create_connection(("127.0.0.1", port(hall)), 0.1) as slow:
        heard, said = b"", 0
        while not heard:
            if said < len(whole) - 1:
                slow.sendall(whole[said : said + 1 if said else -20].encode())
                said = said + 1 if said else len(whole) - 20
            try:
                heard = slow.recv(1000)
            except TimeoutError:
                continue
        assert heard.startswith(b"HTTP/1.1 408 ")
        slow.settimeout(PATIENCE)
        while slow.recv(1000):
            pass


def test_a_thousand_live_streams_of_one_address_leave_others_theirs(hall: Server) -> None:
    host = hall.player()
    code = host.open_table("goths")
    stream = f"GET /t/{code}/live HTTP/1.1\r\nHost: x\r\n\r\n"
    ends = withstand(hall, Flood(port(hall), 1002, (stream,))).ends
    assert 0 < ends["200"] <= STREAMS
    assert set(ends) <= {"200", "429", "503", "closed", "open"}
    with host.live(code) as messages:
        assert next(messages)["code"] == code


def test_codes_for_any_number_of_hosts_hold_nobody_up(hall: Server) -> None:
    host = hall.player()
    code = host.open_table("goths")
    token = f"Authorization: Bearer {host.token}\r\n"
    asked = asking(f"/t/{code}", more=token, host="{n}." + "x" * 240)
    stood = withstand(hall, Flood(port(hall), 200, (asked,), pace=200))
    assert stood.answers["429"] > 0
    assert 0 < stood.answers["200"] < BURST + RATE * stood.seconds


def test_new_tables_cost_the_same_by_whatever_path(hall: Server) -> None:
    odd = ("/api//tables", "//api/tables", "/api/tables//", "/%61pi/tables", "/api/%74ables/", "/api/tables?x=/")
    asked = tuple(asking(path, "POST", JSON, OPENING) for path in odd)
    stood = withstand(hall, Flood(port(hall), 200, asked, pace=200, address="127.0.0.4"))
    assert stood.answers["429"] > 0
    assert 0 < stood.answers["201"] <= (BURST + RATE * stood.seconds) / 10 + 1
