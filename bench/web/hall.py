"""A hall in the evening: tables of people and bots, every person at a page with its script, choosing as people do.

Each has a live stream and asks for what is new when it says so. A person watches what is told at normal speed, and
then thinks for a few seconds before the next choice; who is in a hurry watches nothing.
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

from web.machine import HOST, Server, allow_many_sockets, folder_on_disk, free_port, load_average, serving
from web.measured import Measured, percentile
from web.pages import COOKIE, choice_of
from web.play import SEED, serve_command
from web.wire import Connection, Stream, connect, request

MAIN = re.compile(rb'data-tag="([^"]*)"\s+data-position="(\d+)".*?data-phase="(\w+)"', re.DOTALL)
ASKS = b"data-asks="
HOLD = re.compile(rb'data-hold="(\d+)"')
THINKING = (2.0, 6.0)  # seconds before a choice
COMING = 30.0  # seconds in which the tables fill
WARM_UP = 45.0  # seconds before answers count: bots are being prepared, all play their first turn
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

    port: int
    since: float  # when answers begin to count
    until: float
    hurried: bool  # does nobody watch what is told?
    answers: list[float] = field(default_factory=list)  # seconds from a choice to its answer
    pages: list[float] = field(default_factory=list)  # and from being told of something new to seeing it
    people: int = 0
    refusals: list[str] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """Do answers count by now?"""
        return asyncio.get_running_loop().time() >= self.since


class Person:
    """Somebody at a page."""

    def __init__(self, evening: Evening, code: str, seat: str, token: str, dice: random.Random) -> None:
        self.evening, self.dice = evening, dice
        self.code, self.seat, self.token = code, seat, token
        self.tag, self.latest, self.position = b"", b"", 0
        self.asked = self.over = False
        self.told_until = 0.0
        self.news = asyncio.Event()
        self.line: Connection | None = None

    async def ask(self, data: bytes) -> tuple[int, bytes]:
        """On a connection that is kept open, as long as the server keeps it too."""
        while True:
            if self.line is None or self.line.transport.is_closing():
                (self.line,) = await connect(self.evening.port, 1)
            try:
                return await self.line.ask(data)
            except ConnectionError:  # it was idle for too long, just now
                self.line.transport.close()

    async def play(self) -> None:
        """Until the game or the evening is over."""
        loop = asyncio.get_running_loop()
        stream, _ = await loop.create_connection(lambda: Stream(self.live(), self.hear), HOST, self.evening.port)
        try:
            await self.look()
            chooses = self.next_choice()
            while not self.over and loop.time() < self.evening.until:
                try:
                    async with asyncio.timeout_at(min(chooses, self.evening.until)):
                        await self.news.wait()
                except TimeoutError:
                    if loop.time() < self.evening.until:
                        await self.choose()
                else:
                    self.news.clear()
                    if self.latest == self.tag:
                        continue
                    await self.look()
                chooses = self.next_choice()
        finally:
            stream.close()
            if self.line is not None:
                self.line.transport.close()

    def next_choice(self) -> float:
        """When the next choice will be made, unless something happens before."""
        if not self.asked:
            return self.evening.until
        return max(asyncio.get_running_loop().time(), self.told_until) + self.dice.uniform(*THINKING)

    def live(self) -> bytes:
        """How the script of a page asks for its stream."""
        cookie = f"\r\nCookie: {COOKIE}={self.token}\r\n\r\n".encode()
        return request("GET", f"/t/{self.code}/live").replace(b"\r\n\r\n", cookie)

    def hear(self, data: bytes) -> None:
        """The stream tells which page there is now."""
        self.latest = data.strip()
        self.news.set()

    async def choose(self) -> None:
        """What can be chosen here is asked for as a program does, which is cheaper to read than a page."""
        _, body = await self.ask(request("GET", f"/api/tables/{self.code}", self.token))
        table = json.loads(body)
        owed = table["view"]["pending"].get(self.seat)
        if owed is None:
            self.asked = False
            return
        fields = {"position": str(table["position"]), "seat": self.seat, "choice": choice_of(owed, self.dice)}
        started = time.perf_counter()
        status, answer = await self.ask(self.asking("POST", f"/t/{self.code}/choose", urlencode(fields).encode()))
        if self.evening.counts:
            self.evening.answers.append(time.perf_counter() - started)
        self.shown(status, answer)

    async def look(self) -> None:
        """Ask for what is new, as the script does."""
        started = time.perf_counter()
        answer = await self.ask(self.asking("GET", f"/t/{self.code}"))
        if self.evening.counts:
            self.evening.pages.append(time.perf_counter() - started)
        self.shown(*answer)

    def asking(self, method: str, path: str, body: bytes | None = None) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {HOST}",
            f"Cookie: {COOKIE}={self.token}",
            "Accept-Encoding: gzip",
            f"Origin: http://{HOST}",
        ]
        if self.tag:  # else it is the first look, at a page that tells nothing
            lines += ["X-Fragment: table", f"X-Since: {self.position}"]
        if body is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return "\r\n".join((*lines, "", "")).encode() + (body or b"")

    def shown(self, status: int, answer: bytes) -> None:
        """What the page shows now, and until when it tells of what has led there."""
        page = gzip.decompress(answer) if answer[:2] == b"\x1f\x8b" else answer
        found = MAIN.search(page)
        if status != 200 or found is None:
            self.evening.refusals.append(f"{status} {page[:200]!r}")
            return
        self.tag, position, phase = found.groups()
        self.position, self.over, self.asked = int(position), phase in (b"over", b"ended"), ASKS in page
        telling = 0.0 if self.evening.hurried else sum(map(int, HOLD.findall(page))) / 1000
        self.told_until = max(asyncio.get_running_loop().time(), self.told_until) + telling


async def table(evening: Evening, number: int) -> None:
    """Game after game at one table."""
    dice = random.Random(f"{SEED} {number}")
    loop = asyncio.get_running_loop()
    await asyncio.sleep(dice.uniform(0, min(COMING, evening.since - loop.time())))
    game, rules, people, bots = COMPANIES[number % len(COMPANIES)]
    evening.people += len(people)
    while loop.time() < evening.until:
        seats = {people[0]: "me"} | {seat: dice.choice(LEVELS) for seat in bots}
        (line,) = await connect(evening.port, 1)
        opened = json.loads(await ask(line, "/api/tables", {"game": game, "rules": rules, "seats": seats}))
        code, tokens = opened["code"], {people[0]: opened["token"]}
        for seat in people[1:]:
            tokens[seat] = json.loads(await ask(line, f"/api/tables/{code}/seats", {"seat": seat}))["token"]
        line.transport.close()
        await asyncio.gather(*(Person(evening, code, seat, token, dice).play() for seat, token in tokens.items()))


async def ask(line: Connection, path: str, body: dict[str, Any]) -> bytes:
    status, answer = await line.ask(request("POST", path, None, json.dumps(body).encode()))
    if status >= 400:
        raise RuntimeError(f"{path} was refused with status {status}: {answer.decode()[:200]}")
    return answer


async def _evening(server: Server, tables: int, seconds: float, hurried: bool) -> Measured:
    now = asyncio.get_running_loop().time()
    warm_up = min(WARM_UP, seconds)
    evening = Evening(server.port, now + warm_up, now + warm_up + seconds, hurried)
    sitting = [asyncio.create_task(table(evening, number)) for number in range(tables)]
    await asyncio.sleep(warm_up)
    own, theirs = time.process_time(), server.cpu()
    await asyncio.gather(*sitting)
    own, theirs = time.process_time() - own, server.cpu() - theirs
    if evening.refusals:
        raise RuntimeError(f"{len(evening.refusals)} requests were refused: {evening.refusals[:3]}")
    answers, news = sorted(evening.answers), sorted(evening.pages)
    cost, shown = 1000 * theirs / max(1, len(answers)), 1000 * percentile(news, 0.99)
    note = (
        f"{evening.people} people and streams; {cost:.0f} ms of processor a choice; news p99 {shown:.0f} ms; "
        f"{server.memory():.0f} MB; load average {load_average():.1f}"
    )
    p50, p99 = (1000 * percentile(answers, part) for part in (0.5, 0.99))
    return Measured(len(answers) / seconds, p50, p99, own / seconds, theirs / seconds, note=note)


def measure(seconds: float, tables: int, hurried: bool = False, database: str = "", workers: int = 1) -> Measured:
    """So many tables for a while, on all of the machine: bots think wherever nobody has anything to answer."""
    allow_many_sockets()
    with folder_on_disk() as folder:
        port = free_port()
        command = [*serve_command(database or folder / "tables.db", port), "--workers", str(workers)]
        with serving(command, port, None, folder / "log") as server:
            return uvloop.run(_evening(server, tables, seconds, hurried))


if __name__ == "__main__":
    print(measure(float(sys.argv[2]), int(sys.argv[1]), hurried="hurried" in sys.argv))
