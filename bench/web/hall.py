"""A hall in the evening: tables of people and bots, every person at a page with its script, choosing as people do.

Each has a live stream and asks for what is new when it says so. A person thinks for a few seconds before every choice.
"""

import asyncio
import gzip
import json
import random
import re
import sys
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import uvloop

from web.machine import HOST, Cores, Server, allow_many_sockets, folder_on_disk, free_port, serving
from web.measured import Measured, Repeats, percentile
from web.pages import COOKIE, choice_of
from web.play import SEED, serve_command
from web.wire import Connection, Stream, connect, request

POSITION = re.compile(rb'data-position="(\d+)"')
THINKING = (2.0, 6.0)  # seconds before a choice
LEVELS = ("easy", "medium", "hard")
# What is played: the rules, who the people are, and who is left to bots.
COMPANIES: tuple[tuple[str, dict[str, Any], tuple[str, ...], tuple[str, ...]], ...] = (
    ("goths", {}, ("ostrogoth-warchief",), ("ostrogoth-king", "visigoth-king", "visigoth-warchief")),
    ("goths", {}, ("ostrogoth-king", "ostrogoth-warchief"), ("visigoth-king", "visigoth-warchief")),
    ("romans", {"players": ["gold", "green"]}, ("gold",), ("green",)),
    ("romans", {"players": ["gold", "green", "violet"]}, ("gold", "green"), ("violet",)),
)


@dataclass
class Evening:
    """What came of it."""

    answers: list[float] = field(default_factory=list)  # seconds from a choice to its answer
    pages: list[float] = field(default_factory=list)  # and from being told of something new to seeing it
    games: int = 0
    refusals: list[str] = field(default_factory=list)
    until: float = 0.0


class Person:
    """Somebody at a page."""

    def __init__(self, evening: Evening, port: int, code: str, seat: str, token: str, dice: random.Random) -> None:
        self.evening, self.port, self.dice = evening, port, dice
        self.code, self.seat, self.token = code, seat, token
        self.position = 0
        self.news = asyncio.Event()
        self.over = False
        self.line: Connection | None = None

    async def ask(self, data: bytes) -> tuple[int, bytes]:
        """On a connection that is kept open, as long as the server keeps it too."""
        while True:
            if self.line is None or self.line.transport.is_closing():
                (self.line,) = await connect(self.port, 1)
            try:
                return await self.line.ask(data)
            except ConnectionError:  # it was idle for too long, just now
                self.line.transport.close()

    async def play(self) -> None:
        """Until the game or the evening is over."""
        loop = asyncio.get_running_loop()
        cookie = f"\r\nCookie: {COOKIE}={self.token}\r\n\r\n".encode()
        live = request("GET", f"/t/{self.code}/live").replace(b"\r\n\r\n", cookie)
        stream, _ = await loop.create_connection(lambda: Stream(live, lambda _: self.news.set()), HOST, self.port)
        try:
            await self.look()
            while not self.over and loop.time() < self.evening.until:
                owed = await self.owed()
                if owed is not None:
                    await asyncio.sleep(self.dice.uniform(*THINKING))
                    await self.choose(owed)
                    continue
                self.news.clear()
                try:
                    async with asyncio.timeout_at(min(loop.time() + 5.0, self.evening.until)):
                        await self.news.wait()
                except TimeoutError:
                    continue
                self.evening.pages.append(await self.look())
        finally:
            stream.close()
            if self.line is not None:
                self.line.transport.close()

    async def owed(self) -> Any:
        """What is to be chosen here, as the page would show it; the load asks for it as a program, which is cheap."""
        _, body = await self.ask(request("GET", f"/api/tables/{self.code}", self.token))
        table = json.loads(body)
        self.over = table["phase"] in ("over", "ended")
        self.now = table["position"]
        return None if self.over else table["view"]["pending"].get(self.seat)

    async def choose(self, owed: Any) -> None:
        choice = choice_of(owed, self.dice)
        fields = {"position": str(self.now), "seat": self.seat, "choice": choice}
        body = urlencode(fields).encode()
        started = time.perf_counter()
        status, answer = await self.ask(self.asked("POST", f"/t/{self.code}/choose", body))
        self.evening.answers.append(time.perf_counter() - started)
        if status != 200:
            self.evening.refusals.append(f"{status} {choice}")
        self.shown(answer)

    async def look(self) -> float:
        """Ask for what is new, as the script does."""
        started = time.perf_counter()
        status, answer = await self.ask(self.asked("GET", f"/t/{self.code}"))
        if status != 200:
            self.evening.refusals.append(f"{status} page")
        self.shown(answer)
        return time.perf_counter() - started

    def asked(self, method: str, path: str, body: bytes | None = None) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {HOST}",
            f"Cookie: {COOKIE}={self.token}",
            "X-Fragment: table",
            f"X-Since: {self.position}",
            "Accept-Encoding: gzip",
            f"Origin: http://{HOST}",
        ]
        if body is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return "\r\n".join((*lines, "", "")).encode() + (body or b"")

    def shown(self, answer: bytes) -> None:
        page = gzip.decompress(answer) if answer[:2] == b"\x1f\x8b" else answer
        found = POSITION.findall(page)
        self.position = int(found[-1]) if found else self.position


async def table(evening: Evening, port: int, number: int) -> None:
    """Game after game at one table."""
    dice = random.Random(f"{SEED} {number}")
    loop = asyncio.get_running_loop()
    while loop.time() < evening.until:
        game, rules, people, bots = COMPANIES[number % len(COMPANIES)]
        seats = {people[0]: "me"} | {seat: dice.choice(LEVELS) for seat in bots}
        (line,) = await connect(port, 1)
        opened = json.loads(await ask(line, "/api/tables", {"game": game, "rules": rules, "seats": seats}))
        code, tokens = opened["code"], {people[0]: opened["token"]}
        for seat in people[1:]:
            tokens[seat] = json.loads(await ask(line, f"/api/tables/{code}/seats", {"seat": seat}))["token"]
        line.transport.close()
        await asyncio.gather(*(Person(evening, port, code, seat, token, dice).play() for seat, token in tokens.items()))
        evening.games += 1


async def ask(line: Connection, path: str, body: dict[str, Any]) -> bytes:
    status, answer = await line.ask(request("POST", path, None, json.dumps(body).encode()))
    if status >= 400:
        raise RuntimeError(f"{path} was refused with status {status}: {answer.decode()[:200]}")
    return answer


async def _evening(server: Server, tables: int, seconds: float) -> Measured:
    evening = Evening(until=asyncio.get_running_loop().time() + seconds)
    own, theirs, before = time.process_time(), server.cpu(), server.memory()
    sitting = [asyncio.create_task(table(evening, server.port, number)) for number in range(tables)]
    await asyncio.gather(*sitting)
    own, theirs = time.process_time() - own, server.cpu() - theirs
    if evening.refusals:
        raise RuntimeError(f"{len(evening.refusals)} requests were refused: {evening.refusals[:3]}")
    answers, news = sorted(evening.answers), sorted(evening.pages)
    cost, shown = 1000 * theirs / len(answers), 1000 * percentile(news, 0.99)
    note = f"{cost:.1f} ms of processor a choice; news p99 {shown:.0f} ms; {before:.0f} to {server.memory():.0f} MB"
    p50, p99 = (1000 * percentile(answers, part) for part in (0.5, 0.99))
    return Measured(len(answers) / seconds, p50, p99, own / seconds, theirs / seconds, note=note)


def measure(cores: Cores, repeats: Repeats, tables: int) -> Measured:
    """So many tables for a while; bots think on whatever is left of the machine."""
    allow_many_sockets()
    with folder_on_disk() as folder:
        port = free_port()
        with serving(serve_command(folder / "tables.db", port), port, cores.server, folder / "log") as server:
            return uvloop.run(_evening(server, tables, 20 * repeats.seconds))


if __name__ == "__main__":
    from web.machine import find_cores

    print(measure(find_cores(), Repeats(seconds=float(sys.argv[2]) / 20), int(sys.argv[1])))
