"""Faults while games are being played: nothing acknowledged is lost, nothing counts twice, all games end.

As a program it does each fault many times, on both stores, and prints what came of it: `make bench` runs it.
"""

import argparse
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
from rich.console import Console
from rich.table import Table

from meadhall.match import Match
from tests.store.postgres import Restarting
from tests.variants import variant_named
from tests.web.server import PATIENCE, Player, Server, client, good, owes, pick, seat_players, until

PLAYERS_AT_ONCE = 4  # threads, each at a table of its own
CHOICES_BETWEEN = (10, 40)  # from one fault to the next
GOTHS, ROMANS = variant_named("goths, seven turns"), variant_named("romans, three")
BREATH = 0.02  # seconds until somebody who was told to come back does
AWAY = 503
HOUR = 3600


@dataclass
class House:
    """A server to which things happen, and what it has acknowledged so far."""

    server: Server
    acknowledged: int = 0
    longest_wait: float = 0.0  # seconds from sending a choice to its acknowledgement
    refused: list[str] = field(default_factory=list)
    up: threading.Event = field(default_factory=threading.Event)
    enough: threading.Event = field(default_factory=threading.Event)
    counting: threading.Condition = field(default_factory=threading.Condition)

    def count(self, waited: float) -> None:
        with self.counting:
            self.acknowledged += 1
            self.longest_wait = max(self.longest_wait, waited)
            self.counting.notify_all()

    def wait_for(self, choices: int) -> None:
        """Until so many choices were acknowledged in all."""
        with self.counting:
            assert self.counting.wait_for(lambda: self.acknowledged >= choices, PATIENCE), "nothing goes on"


class Game:
    """One table and all its players, played by one program that goes on whatever happens to the server."""

    def __init__(self, house: House, number: int | str) -> None:
        self.house = house
        self.dice = Random(f"game {number}")
        self.variant = self.dice.choice((GOTHS, ROMANS))
        self.seats = self.variant.deal(0).seats
        self.token: str | None = None
        self.code = ""
        self.acknowledged: list[tuple[str, int, str]] = []

    def play(self) -> None:
        """Play to the end. What was not answered is asked again, as it is: that is what makes it safe."""
        body = {"game": self.variant.game, "rules": self.variant.rules, "seats": dict.fromkeys(self.seats, "me")}
        opened = good(self._ask("POST", "/tables", body), 201)
        self.code, self.token = opened["code"], opened["token"]
        while (table := self._table())["phase"] != "over":
            if owes(table):
                self._choose(table["seat"], table["position"], pick(table, self.dice))

    def _table(self) -> dict[str, object]:
        table: dict[str, object] = good(self._ask("GET", f"/tables/{self.code}?seat={self.dice.choice(self.seats)}"))
        return table

    def _choose(self, seat: str, position: int, choice: str) -> None:
        sent = time.monotonic()
        wanted = {"position": position, "choice": choice, "seat": seat}
        answer = self._ask("POST", f"/tables/{self.code}/choices", wanted)
        if answer.status_code != 200:
            self.house.refused.append(answer.text)
        self.acknowledged.append((seat, position, choice))
        self.house.count(time.monotonic() - sent)

    def _ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        while True:
            try:
                with client(self.house.server.url) as http:  # any process may take the connection
                    answer = Player(http, self.token).ask(method, path, body)
            except httpx.TransportError:
                self.house.up.wait(PATIENCE)
            else:
                if answer.status_code != AWAY:
                    return answer
                time.sleep(BREATH)

    def check(self) -> None:
        """The record holds exactly what was acknowledged, once, and in its order seat by seat."""
        record = good(Player(self.house.server.http).ask("GET", f"/tables/{self.code}/record"))
        assert Match.from_record(record).outcome is not None
        choices = [tuple(choice) for choice in record["choices"]]
        for seat in self.seats:
            acknowledged = [(chooser, choice) for chooser, _, choice in self.acknowledged if chooser == seat]
            assert [entry for entry in choices if entry[0] == seat] == acknowledged
        assert len(choices) == len(self.acknowledged)
        assert len({(seat, position) for seat, position, _ in self.acknowledged}) == len(choices)


Fault = Callable[[House, Random], None]


def withstand(server: Server, fault: Fault, times: int) -> House:
    """Play game after game at a server while a fault comes again and again, then look at all records."""
    house, dice = House(server), Random("faults")
    house.up.set()
    played: list[Game] = []
    failures: list[BaseException] = []

    def play(number: int) -> None:
        try:
            while not house.enough.is_set():
                game = Game(house, f"{number} {len(played)}")
                game.play()
                played.append(game)
        except BaseException as failure:
            failures.append(failure)
            raise

    threads = [threading.Thread(target=play, args=(number,), daemon=True) for number in range(PLAYERS_AT_ONCE)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(times):
            house.wait_for(house.acknowledged + dice.randint(*CHOICES_BETWEEN))
            fault(house, dice)
    finally:
        house.up.set()
        house.enough.set()
    for thread in threads:
        thread.join(2 * PATIENCE)
        assert not thread.is_alive()
    assert failures == []
    assert house.refused == []
    assert len(played) >= PLAYERS_AT_ONCE
    for game in played:
        game.check()
    return house


# What can happen


def kill_server(house: House, dice: Random) -> None:
    """Kill it in the middle of its work, and start it again on the same store."""
    house.up.clear()
    house.server.kill()
    house.server.start()
    house.up.set()


def workers_of(server: Server) -> list[int]:
    """The processes that serve, where there are several."""
    assert server.process is not None
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(pid) for pid in children if b"spawn_main" in _command(pid)]


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def kill_worker(house: House, dice: Random) -> None:
    """Kill one of several processes, whichever; its supervisor starts another."""
    os.kill(dice.choice(until(lambda: workers_of(house.server), "a worker")), signal.SIGKILL)


def restart(database: Restarting) -> Fault:
    """Stop PostgreSQL, whoever is connected, and start it again once somebody has felt it."""

    def fault(house: House, dice: Random) -> None:
        database.stop()
        until(lambda: not is_well(house.server), "a server without a database")
        database.start()
        until(lambda: is_well(house.server), "a server with one")

    return fault


def is_well(server: Server) -> bool:
    try:
        with client(server.url) as fresh:
            return fresh.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def limit_files(server: Server, room: int) -> None:
    """Let the server's files be no longer than this from now on, like a disk that is full."""
    assert server.process is not None
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (room, most))


def fill_disk(house: House, dice: Random) -> None:
    """Let the disk be full until the server says so, and then be free again."""
    limit_files(house.server, 0)
    until(lambda: not is_well(house.server), "a server that is not well")
    limit_files(house.server, resource.RLIM_INFINITY)
    until(lambda: is_well(house.server), "a server that is well")


JUMPING = """\
import os, time
_time = time.time
def jumped():
    with open(os.environ["CLOCK_FILE"]) as clock:
        return _time() + float(clock.read() or 0)
time.time = jumped
"""


@contextmanager
def jumping_clock(folder: Path) -> Iterator[tuple[dict[str, str], Fault]]:
    """An environment in which Python's clock can be set, and a fault that does: an hour on, or back."""
    (folder / "sitecustomize.py").write_text(JUMPING)
    clock = folder / "clock"
    clock.write_text("0")

    def fault(house: House, dice: Random) -> None:
        code, players = seat_players(house.server, ROMANS)
        for player in players.values():
            player.table(code)
        new = folder / "new"
        new.write_text(str(dice.choice((-HOUR, 0, HOUR))))
        new.replace(clock)
        seen = house.server.player().table(code)
        assert seen["phase"] == "playing"
        assert not any(seat["gone"] for seat in seen["seats"]), "somebody counts as gone"

    yield {"PYTHONPATH": str(folder), "CLOCK_FILE": str(clock)}, fault


# The program


def main() -> int:
    """Do each fault so many times; the status is 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50, metavar="N", help="how often each (default: 50)")
    options = parser.parse_args()
    table = Table("Fault", "Store", "Times", "Choices acknowledged", "Lost or doubled", "Longest wait for one")
    good_so_far = True
    for name, store, run in ROWS:
        print(f"{name} ({store}) ...", file=sys.stderr)
        try:
            house = run(options.times)
        except AssertionError as failure:
            good_so_far = False
            table.add_row(name, store, str(options.times), "", f"[red]{str(failure)[:80] or 'some'}", "")
        else:
            print(f"  {house.acknowledged} choices, none lost", file=sys.stderr)
            table.add_row(
                name, store, str(options.times), f"{house.acknowledged:,}", "none", f"{house.longest_wait:.1f} s"
            )
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    return int(not good_so_far)


def _sqlite(fault: Fault, times: int) -> House:
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, Server(Path(folder)) as server:
        return withstand(server, fault, times)


def _postgres(fault: Callable[[Restarting], Fault], times: int) -> House:
    with (
        tempfile.TemporaryDirectory(prefix="faults-") as folder,
        Restarting() as database,
        Server(Path(folder), "--workers", "4", db=database.server.fresh_database()) as server,
    ):
        return withstand(server, fault(database), times)


def _clock(times: int) -> House:
    with (
        tempfile.TemporaryDirectory(prefix="faults-") as folder,
        jumping_clock(Path(folder)) as (environment, fault),
        Server(Path(folder), env=environment) as server,
    ):
        return withstand(server, fault, times)


ROWS: tuple[tuple[str, str, Callable[[int], House]], ...] = (
    ("kill -9 of the server", "SQLite", lambda times: _sqlite(kill_server, times)),
    ("kill -9 of a worker of four", "PostgreSQL", lambda times: _postgres(lambda _: kill_worker, times)),
    ("kill -9 of all of it", "PostgreSQL", lambda times: _postgres(lambda _: kill_server, times)),
    ("database stopped and started", "PostgreSQL", lambda times: _postgres(restart, times)),
    ("disk full, then free", "SQLite", lambda times: _sqlite(fill_disk, times)),
    ("clock set by an hour", "SQLite", _clock),
)

if __name__ == "__main__":
    sys.exit(main())
