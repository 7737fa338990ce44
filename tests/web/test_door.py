"""The short way of a choice: it answers as the ordinary way does, and leaves to that whatever it does not know."""

import asyncio
import json
import socket
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State
from uvicorn import Config
from uvicorn.server import ServerState

from meadhall.tables.refusals import NoSuchTable
from meadhall.web.door import Door
from meadhall.web.edge.guard import BURST, Guard
from tests.variants import variant_named
from tests.web.server import Player, Server, good, pick, refused, seat_players

TWO = variant_named("romans, two")
ORDINARY = {"X-Anything": "else"}  # no header that the short way knows
CHANGING = ("date", "content-length")


@pytest.fixture
def table(server: Server) -> tuple[str, dict[str, Player]]:
    return seat_players(server, TWO)


def a_choice(code: str, player: Player) -> dict[str, Any]:
    seen = player.table(code)
    return {"position": seen["position"], "choice": pick(seen, Random(1))}


def both_ways(player: Player, code: str, body: Any, **more: Any) -> Iterator[httpx.Response]:
    """A request that the short way may take, and the same one with a header that it leaves alone."""
    for headers in ({}, ORDINARY):
        yield player.ask("POST", f"/tables/{code}/choices", body, headers=headers | more.get("headers", {}))


def test_both_ways_give_the_same_answer(table: tuple[str, dict[str, Player]]) -> None:
    code, players = table
    short, ordinary = both_ways(players["gold"], code, a_choice(code, players["gold"]))
    assert good(short) == good(ordinary)
    names = [[name for name, _ in answer.headers.items() if name not in CHANGING] for answer in (short, ordinary)]
    assert sorted(names[0]) == sorted(names[1])
    assert all(short.headers[name] == ordinary.headers[name] for name in names[0])
    assert "date" in short.headers


@pytest.mark.parametrize(
    ("amiss", "status"),
    [
        ({"position": 99}, 409),
        ({"choice": "nonsense"}, 422),
        ({"choice": "charm:green"}, 422),
        ({"seat": "green"}, 403),
        ({"seat": "nobody"}, 422),
        ({"position": "99"}, 409),
        ({"position": "first"}, 400),
        ({"position": -1}, 400),
        ({"choice": "x" * 501}, 400),
        ({"more": 1}, 400),
        ({"choice": "x" * 30_000}, 400),
        ({"choice": "x" * 70_000}, 413),
    ],
)
def test_both_ways_refuse_alike(table: tuple[str, dict[str, Player]], amiss: dict[str, Any], status: int) -> None:
    code, players = table
    short, ordinary = both_ways(players["gold"], code, a_choice(code, players["gold"]) | amiss)
    assert refused(short, status) == refused(ordinary, status)


def test_both_ways_refuse_strangers_and_unknown_tables_alike(table: tuple[str, dict[str, Player]]) -> None:
    code, players = table
    body = a_choice(code, players["gold"])
    stranger = Player(players["gold"].http, "somebody")
    for answer in both_ways(stranger, code, body):
        refused(answer, 403)
    for answer in both_ways(Player(players["gold"].http), code, body):
        refused(answer, 401)
    for answer in both_ways(players["gold"], "BBBBBB", body):
        refused(answer, 404)


def test_a_page_of_another_site_may_not_choose_the_short_way_either(table: tuple[str, dict[str, Player]]) -> None:
    code, players = table
    body = a_choice(code, players["gold"])
    for answer in both_ways(players["gold"], code, body, headers={"Origin": "https://elsewhere.example"}):
        refused(answer, 403)
    for answer in both_ways(players["gold"], code, body, headers={"Host": "not a host"}):
        refused(answer, 400)


def wire(code: str, player: Player, body: Any) -> bytes:
    data = json.dumps(body).encode()
    head = f"POST /api/tables/{code}/choices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {player.token}\r\n"
    return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data


def connected(server: Server) -> socket.socket:
    host, _, port = server.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), 30)


def answers(line: socket.socket, count: int) -> list[int]:
    """The statuses of so many answers on a line."""
    heard = b""
    while heard.count(b"HTTP/1.1 ") < count or not heard.endswith(b"}"):
        part = line.recv(65536)
        assert part, heard
        heard += part
    return [int(part[:3]) for part in heard.split(b"HTTP/1.1 ")[1:]]


def test_choices_sent_in_a_row_are_answered_in_a_row(server: Server, table: tuple[str, dict[str, Player]]) -> None:
    code, players = table
    right, wrong = a_choice(code, players["gold"]), {"position": 99, "choice": "charm:gold"}
    look = f"GET /api/tables/{code} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    requests = [wire(code, players["gold"], right), wire(code, players["gold"], wrong), look]
    with connected(server) as line:
        line.sendall(b"".join([*requests, *requests, requests[0]]))
        assert answers(line, 7) == [200, 409, 200, 200, 409, 200, 200]


def test_a_choice_in_pieces_is_made_when_the_last_has_come(
    server: Server, table: tuple[str, dict[str, Player]]
) -> None:
    code, players = table
    request = wire(code, players["gold"], a_choice(code, players["gold"]))
    with connected(server) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for k in range(0, len(request), 7):
            line.sendall(request[k : k + 7])
        assert answers(line, 1) == [200]


def test_a_client_who_leaves_before_his_body_is_there_changes_nothing(
    server: Server, table: tuple[str, dict[str, Player]]
) -> None:
    code, players = table
    before = players["gold"].table(code)
    with connected(server) as line:
        line.sendall(wire(code, players["gold"], a_choice(code, players["gold"]))[:-1])
    assert players["gold"].table(code) == before


class Wire(asyncio.Transport):
    """A connection without a network: keeps what is said."""

    said = b""

    def write(self, data: Any) -> None:
        self.said += data

    def is_closing(self) -> bool:
        return False

    def resume_reading(self) -> None:
        pass

    def close(self) -> None:
        pass


class OneTable:
    """A hall that takes any choice for gold, or refuses all."""

    position = 4

    def __init__(self, refuses: bool = False) -> None:
        self.refuses = refuses

    async def change(self, code: str, decide: Any) -> "OneTable":
        if self.refuses:
            raise NoSuchTable("ui.refused.no-table", code=code)
        return self

    def seats_of(self, holder: str) -> tuple[str, ...]:
        return ("gold",)


async def knock(hall: OneTable, guard: Guard, *requests: bytes) -> bytes:
    """What is said to these requests, one after the other, at a door behind which there are no routes."""
    app = Litestar([], state=State({"hall": hall}), openapi_config=None)
    guard.app, app.asgi_handler = app.asgi_handler, guard
    said = b""
    for request in requests:
        line = Wire()
        door = Door(Config(app, lifespan="off", log_config=None), ServerState(), {})
        door.connection_made(line)
        door.data_received(request)
        while door.tasks:
            await asyncio.gather(*door.tasks)
        door.connection_lost(None)
        said += line.said
    return said


CHOICE = wire("BBBBBB", Player(httpx.Client(), "token"), {"position": 3, "choice": "charm:gold"})


def test_a_plain_choice_does_not_need_the_routes() -> None:
    said = asyncio.run(knock(OneTable(), Guard(None, 0.0), CHOICE))  # type: ignore[arg-type]
    assert said.startswith(b"HTTP/1.1 200 OK\r\n")
    assert said.endswith(b'\r\n\r\n{"seat":"gold","choice":"charm:gold","position":4}')


@pytest.mark.parametrize(("refuses", "status"), [(False, 200), (True, 404)])
def test_the_rate_limit_counts_a_choice_once_even_if_it_goes_both_ways(refuses: bool, status: int) -> None:
    limit = Guard(None, 3 / BURST)  # type: ignore[arg-type]
    said = asyncio.run(knock(OneTable(refuses), limit, *[CHOICE] * 4))
    assert [int(part[:3]) for part in said.split(b"HTTP/1.1 ")[1:]] == [status, status, status, 429]
