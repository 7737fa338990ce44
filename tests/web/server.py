"""A real `meadhall serve` for the tests, and those who come to it: players with a token, readers of live streams."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import pytest

PATIENCE = 60.0  # seconds until a test gives up waiting
COMPILING = 600.0  # the same, where a compiler may have all of its work still to do


def client(url: str, **more: Any) -> httpx.Client:
    """A client with no certificates to load, which takes longer than most tests."""
    return httpx.Client(base_url=url, timeout=PATIENCE, verify=False, trust_env=False, **more)


def until(holds: Callable[[], Any], what: str = "it", patience: float = PATIENCE) -> Any:
    """What a condition gives as soon as it holds."""
    end = time.monotonic() + patience
    while not (found := holds()):
        assert time.monotonic() < end, f"{what} did not happen in {patience} s"
        time.sleep(0.01)
    return found


class Server:
    """A server process on a free port, which can be stopped, killed, and started again on the same store."""

    def __init__(self, folder: Path, *options: str, db: str | None = None, env: Mapping[str, str] = {}) -> None:
        self.folder = folder
        self.db = db or str(folder / "tables.sqlite")
        self.options = options
        self.env = env
        self.url = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> "Server":
        """Start it, and wait until it says where it is."""
        limit = () if "--rate-limit" in self.options else ("--rate-limit", "0")
        process = run_serve("--port", "0", "--db", self.db, *limit, *self.options, log=self.log_file, env=self.env)
        self.process = process
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Meadhall: http://localhost:"), f"{line!r} {self.log}"
        self.url = line.split()[1].replace("localhost", "127.0.0.1")
        # Whoever wants to keep cookies has a client of his own.
        self.http = client(self.url, cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])))
        until(self.is_healthy, "a healthy server")
        return self

    def is_healthy(self) -> bool:
        try:
            return self.http.get("/healthz").status_code == 200
        except httpx.TransportError:
            assert self.process is not None
            assert self.process.poll() is None, self.log
            return False

    @property
    def log_file(self) -> Path:
        return self.folder / "server.log"

    @property
    def log(self) -> str:
        """All it wrote to standard error."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop; its exit status."""
        assert self.process is not None
        self.process.send_signal(how)
        return self._ended()

    def kill(self) -> None:
        """Kill it, without a chance to write anything."""
        assert self.process is not None
        self.process.kill()
        self._ended()

    def _ended(self) -> int:
        assert self.process is not None
        status = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.http.close()
        return status

    def __enter__(self) -> "Server":
        try:
            return self.start()
        except BaseException:
            self.__exit__()  # nobody else would
            raise

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def player(self, token: str | None = None) -> "Player":
        return Player(self.http, token)


def run_serve(*options: str, log: Path, env: Mapping[str, str] = {}) -> subprocess.Popen[str]:
    """Start `meadhall serve`, its standard error in a file that grows with every start."""
    with log.open("a") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", "meadhall", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=_quiet_environment() | {"MEADHALL_BOT_PAUSE": "0", "MEADHALL_WARM_UP": "0"} | env,
            # Tests run in the background inherit that Ctrl-C is ignored, and would hand it on.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )


def _quiet_environment() -> dict[str, str]:
    """Ours, without settings of a server that may lie around in it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MEADHALL_")}


@pytest.fixture(scope="session")
def running_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that need no other: each has tables of its own there."""
    with Server(tmp_path_factory.mktemp("server"), "--log-level", "debug") as running:
        yield running


@pytest.fixture(scope="module")
def server(running_server: Server) -> Iterator[Server]:
    """The server of this run; the tests of a file may not make it log an error."""
    before = len(running_server.log)
    yield running_server
    assert '"level": "error"' not in running_server.log[before:]


class Player:
    """A program at the JSON interface, with a token of its own once it holds a seat."""

    def __init__(self, http: httpx.Client, token: str | None = None) -> None:
        self.http = http
        self.token = token

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """Any request under /api."""
        headers = self.headers | more.pop("headers", {})
        sent = {} if body is None else {"json": body}
        return self.http.request(method, f"/api{path}", headers=headers, **sent, **more)

    def open_table(self, game: str, seats: Mapping[str, str] = {}, **more: Any) -> str:
        """Open a table; its code."""
        opened = good(self.ask("POST", "/tables", {"game": game, "seats": dict(seats), **more}), 201)
        self.token = self.token or opened["token"]
        return str(opened["code"])

    def sit(self, code: str, seat: str | None = None, name: str | None = None) -> str:
        """Take a seat; which it was."""
        taken = good(self.ask("POST", f"/tables/{code}/seats", {"seat": seat, "name": name}), 201)
        self.token = self.token or taken["token"]
        return str(taken["seat"])

    def table(self, code: str, seat: str | None = None) -> dict[str, Any]:
        return good(self.ask("GET", f"/tables/{code}", params={"seat": seat} if seat else {}))

    def events(self, code: str, seat: str | None = None, after: int = 0) -> dict[str, Any]:
        params = {"after": after} | ({"seat": seat} if seat else {})
        return good(self.ask("GET", f"/tables/{code}/events", params=params))

    def choose(self, code: str, position: int, choice: str, seat: str | None = None) -> httpx.Response:
        return self.ask("POST", f"/tables/{code}/choices", {"position": position, "choice": choice, "seat": seat})

    @contextmanager
    def live(self, code: str, seat: str | None = None) -> Iterator[Iterator[dict[str, Any]]]:
        """The messages of a live stream, each the table as this player may see it."""
        params = {"seat": seat} if seat else {}
        with self.http.stream("GET", f"/api/tables/{code}/live", params=params, headers=self.headers) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
            yield (json.loads(line[5:]) for line in answer.iter_lines() if line.startswith("data:"))


def good(answer: httpx.Response, status: int = 200) -> Any:
    """The body of an answer that must be a good one."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text[:500]}"
    return answer.json()


def refused(answer: httpx.Response, status: int, *parts: str) -> dict[str, Any]:
    """The body of a refusal that must mention these parts."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text[:500]}"
    body: dict[str, Any] = answer.json()
    assert body["status_code"] == status
    for part in parts:
        assert part in body["detail"], body
    return body


def pick(table: Mapping[str, Any], dice: random.Random) -> str:
    """One of the choices that a seat owes, made from what the JSON interface says of the table."""
    pending = table["view"]["pending"][table["seat"]]
    if isinstance(pending, list):
        return str(dice.choice(pending))
    line = dice.sample(pending["arrange"], pending["take"])
    return ("plan:" if pending["take"] < len(pending["arrange"]) else "reorder:") + ",".join(line)


def seat_players(server: Server, variant: Any, **more: Any) -> tuple[str, dict[str, Player]]:
    """A table on which a player of his own sits on every seat, or on both of a lone ruler's."""
    host = server.player()
    code = host.open_table(variant.game, rules=variant.rules, **more)
    players: dict[str, Player] = {}
    while free := [seat["seat"] for seat in host.table(code)["seats"] if seat["who"] == "open"]:
        player = server.player()
        player.sit(code, free[0])
        players |= dict.fromkeys(player.table(code)["mine"], player)
    return code, players


def play_on(
    code: str, players: Mapping[str, Player], dice: random.Random, most: int | None = None
) -> list[tuple[str, str]]:
    """Play to the end, or so many choices: whoever owes one, in any order. What was chosen, in order."""
    made: list[tuple[str, str]] = []
    while most is None or len(made) < most:
        owing = [(seat, table) for seat, player in players.items() if owes(table := player.table(code, seat))]
        if not owing:
            break
        seat, table = dice.choice(owing)
        choice = pick(table, dice)
        good(players[seat].choose(code, table["position"], choice, seat))
        made.append((seat, choice))
    return made


def owes(table: Mapping[str, Any]) -> bool:
    return table["phase"] == "playing" and bool(table["view"]["pending"])
