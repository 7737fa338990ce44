"""Somebody who floods a server, as a process of its own: `python -m tests.web.flood` and a line of JSON: with what.

It says "under way" once every connection was opened, replaces those that were ended, at a bounded pace, until its
standard input is closed, and then says how they ended, counted.
"""

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import count

CHUNK = 64 * 1024


@dataclass(frozen=True)
class Flood:
    """What is sent over each of so many connections."""

    port: int
    connections: int
    first: tuple[str, ...] = ("",)  # one of these by turns; `{n}` is a number of its own
    then: str = ""  # and this without end
    pace: float = 60.0  # connections a second that take the place of others
    most: int = 5_000  # connections in all
    address: str = "127.0.0.2"


class Attacker(asyncio.Protocol):
    """One connection."""

    def __init__(self, flood: Flood, number: int) -> None:
        self.flood = flood
        self.number = number
        self.heard = b""
        self.lost = False
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def end(self) -> str:
        """The status that was answered, if any; else that it was closed, or is still open."""
        return self.heard[9:].decode() or ("closed" if self.lost else "open")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        first = self.flood.first[self.number % len(self.flood.first)]
        transport.write(first.replace("{n}", str(self.number)).encode())
        self.resume_writing()

    def pause_writing(self) -> None:
        self.full = True

    def resume_writing(self) -> None:
        self.full = not self.flood.then
        while not self.full and not self.transport.is_closing():
            self.transport.write((self.flood.then * (CHUNK // len(self.flood.then))).encode())

    def data_received(self, data: bytes) -> None:
        self.heard = (self.heard + data)[:12]

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        if not self.over.done():
            self.over.set_result(None)


class Flooding:
    """All attackers together."""

    def __init__(self, flood: Flood) -> None:
        self.flood = flood
        self.ends: Counter[str] = Counter()
        self.numbers = count()
        self.opened = 0

    async def run(self) -> None:
        """Flood until told to stop."""
        started = time.monotonic()
        tasks = [asyncio.create_task(self._attack()) for _ in range(self.flood.connections)]
        await asyncio.to_thread(sys.stdin.readline)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        print(json.dumps({"seconds": time.monotonic() - started, "ends": self.ends}), flush=True)

    async def _attack(self) -> None:
        loop = asyncio.get_running_loop()
        while (number := next(self.numbers)) < self.flood.most:
            attacker = Attacker(self.flood, number)
            try:
                await loop.create_connection(
                    lambda attacker=attacker: attacker,
                    *("127.0.0.1", self.flood.port),
                    local_addr=(self.flood.address, 0),
                )
                self.opened += 1
                if self.opened == self.flood.connections:
                    print("under way", flush=True)
                await attacker.over
            finally:
                self.ends[attacker.end] += 1
            await asyncio.sleep(self.flood.connections / self.flood.pace)


@dataclass
class Running:
    """A flood that goes on; what came of it is there when it is over."""

    ends: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


@contextmanager
def flooding(flood: Flood) -> Iterator[Running]:
    """A flood from another process, while the block runs."""
    command = (sys.executable, "-m", "tests.web.flood", json.dumps(asdict(flood)))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    running = Running()
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "under way\n"
        yield running
        found = json.loads(process.communicate(timeout=60)[0])
        running.ends, running.seconds = found["ends"], found["seconds"]
    finally:
        process.kill()
        process.communicate()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    asyncio.run(Flooding(Flood(**json.loads(sys.argv[1]))).run())
