"""What a change at a table costs each page that shows it: bytes over the wire, and how long the server takes."""

import gzip
import http.client
import json
import random
import re
import time
from dataclasses import dataclass, field
from typing import Any

from web.machine import HOST, Cores, folder_on_disk, free_port, serving
from web.measured import Measured, Repeats, percentile
from web.pages import COOKIE, choice_of
from web.play import SEED, serve_command
from web.players import COMPANIES

POSITION = re.compile(rb'data-position="(\d+)"')
TAG = re.compile(rb'data-tag="([^"]*)"')
FRAME = b'class="frame"'


@dataclass
class Costs:
    """What the changes of some games cost one page, each in bytes and milliseconds."""

    sent: list[int] = field(default_factory=list)
    raw: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    frames: int = 0  # beats that were sent to be played


def measure(cores: Cores, repeats: Repeats, game: str) -> Measured:
    """Whole games of four people at random; one of them looks at each change, as the script of a page does."""
    costs = Costs()
    with folder_on_disk() as folder:
        port = free_port()
        with serving(serve_command(folder / "tables.db", port), port, cores.server, folder / "log"):
            for number in range(repeats.count):
                _Game(port, game, random.Random(f"{SEED} {number}")).play(costs)
    times = sorted(costs.times)
    count = len(costs.sent)
    sent, raw = sum(costs.sent) / count / 1000, sum(costs.raw) / count / 1000
    most = f"{raw:.0f} kB before compression; at most {max(costs.sent) / 1000:.0f} kB sent"
    note = f"{most}; {count} changes with {costs.frames / count:.1f} frames each"
    return Measured(0, percentile(times, 0.5), percentile(times, 0.99), kilobytes=sent, note=note)


class _Game:
    """One game: who holds which seat, and a connection for each purpose."""

    def __init__(self, port: int, game: str, dice: random.Random) -> None:
        self.dice = dice
        self.program = http.client.HTTPConnection(HOST, port)
        self.page = http.client.HTTPConnection(HOST, port)
        rules, (first, *others) = COMPANIES[game, 4]
        opened = self._call("POST", "/api/tables", None, {"game": game, "rules": rules, "seats": {first: "me"}})
        self.code = opened["code"]
        self.tokens = {first: opened["token"]}
        for seat in others:
            self.tokens[seat] = self._call("POST", f"{self._path}/seats", None, {"seat": seat})["token"]
        self.viewer = first
        self.position, self.tag = 0, b""

    @property
    def _path(self) -> str:
        return f"/api/tables/{self.code}"

    def play(self, costs: Costs) -> None:
        """Play to the end; after each choice the page asks for what is new, if there is anything for it to see."""
        self._look(None)
        while owing := self._owing():
            seat, position, pending = self.dice.choice(owing)
            choice = choice_of(pending, self.dice)
            self._call("POST", f"{self._path}/choices", self.tokens[seat], {"position": position, "choice": choice})
            self._look(costs)

    def _owing(self) -> list[tuple[str, int, Any]]:
        tables = {seat: self._call("GET", self._path, token) for seat, token in self.tokens.items()}
        return [
            (seat, table["position"], table["view"]["pending"][seat])
            for seat, table in tables.items()
            if table["phase"] == "playing" and seat in table["view"]["pending"]
        ]

    def _look(self, costs: Costs | None) -> None:
        """What the page fetches when it hears of a change: the beats since what it shows, and the table as it is now.

        Where nothing changed for it, it would not ask.
        """
        headers = {
            "Cookie": f"{COOKIE}={self.tokens[self.viewer]}",
            "X-Fragment": "table",
            "X-Since": str(self.position),
            "Accept-Encoding": "gzip",
        }
        started = time.perf_counter()
        self.page.request("GET", f"/t/{self.code}", headers=headers)
        answer = self.page.getresponse()
        sent = answer.read()
        passed = 1000 * (time.perf_counter() - started)
        raw = gzip.decompress(sent) if answer.headers["Content-Encoding"] == "gzip" else sent
        tag, position = (found[1] if (found := each.search(raw)) else b"" for each in (TAG, POSITION))
        if tag == self.tag:
            return
        self.tag, self.position = tag, int(position or 0)
        if costs is not None:
            costs.sent.append(len(sent) + len(str(answer.headers)))
            costs.raw.append(len(raw))
            costs.times.append(passed)
            costs.frames += raw.count(FRAME)

    def _call(self, method: str, path: str, token: str | None, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self.program.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.program.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} was refused with status {answer.status}: {text.decode()[:200]}")
        return json.loads(text)
