"""Choices of programs, which come more often than any other request: their answers, refusals and connections."""

import json
import socket
from random import Random
from typing import Any

import pytest

from meadhall.web.edge.guard import BURST, Buckets, Guard
from tests.variants import variant_named
from tests.web.server import Player, Server, good, pick, refused, seat_players

TWO = variant_named("romans, two")


@pytest.fixture
def table(server: Server) -> tuple[str, dict[str, Player]]:
    return seat_players(server, TWO)


def a_choice(code: str, player: Player) -> dict[str, Any]:
    seen = player.table(code)
    return {"position": seen["position"], "choice": pick(seen, Random(1))}


def test_a_choice_sent_twice_gets_the_same_answer_twice(table: tuple[str, dict[str, Player]]) -> None:
    code, players = table
    body = a_choice(code, players["gold"])
    first, second = (players["gold"].ask("POST", f"/tables/{code}/choices", body) for _ in range(2))
    assert good(first) == good(second) == {"seat": "gold", **body}
    kept = {name: value for name, value in first.headers.items() if name != "date"}
    assert kept == {name: value for name, value in second.headers.items() if name != "date"}
    assert kept["content-type"] == "application/json"
    assert kept["cache-control"] == "no-store"
    assert kept["x-content-type-options"] == "nosniff"
    assert "date" in first.headers


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
def test_a_choice_amiss_is_refused_twice_alike_and_changes_nothing(
    table: tuple[str, dict[str, Player]], amiss: dict[str, Any], status: int
) -> None:
    code, players = table
    before = players["gold"].table(code)
    body = a_choice(code, players["gold"]) | amiss
    first, second = (players["gold"].ask("POST", f"/tables/{code}/choices", body) for _ in range(2))
    assert refused(first, status) == refused(second, status)
    assert players["gold"].table(code) == before


def test_strangers_and_unknown_tables_are_refused(table: tuple[str, dict[str, Player]]) -> None:
    code, players = table
    body = a_choice(code, players["gold"])
    stranger = Player(players["gold"].http, "somebody")
    refused(stranger.ask("POST", f"/tables/{code}/choices", body), 403)
    refused(Player(players["gold"].http).ask("POST", f"/tables/{code}/choices", body), 401)
    refused(players["gold"].ask("POST", "/tables/BBBBBB/choices", body), 404)


@pytest.mark.parametrize(
    ("headers", "status"), [({"Origin": "https://elsewhere.example"}, 403), ({"Host": "not a host"}, 400)]
)
def test_a_page_of_another_site_may_not_choose(
    table: tuple[str, dict[str, Player]], headers: dict[str, str], status: int
) -> None:
    code, players = table
    body = a_choice(code, players["gold"])
    refused(players["gold"].ask("POST", f"/tables/{code}/choices", body, headers=headers), status)


def test_the_rate_limit_counts_each_choice_once_whether_it_is_taken_or_refused() -> None:
    guard = Guard(None, Buckets(3 / BURST))  # type: ignore[arg-type]
    scope: Any = {"method": "POST", "path": "/api/tables/BBBBBB/choices", "client": ("192.0.2.1", 1)}
    refusals = [guard.refusal(scope, {b"host": b"x"}) for _ in range(4)]
    assert refusals == [None, None, None, (429, "ui.refused.too-many")]


# Connections


def wire(code: str, player: Player, body: Any) -> bytes:
    data = json.dumps(body).encode()
    head = f"POST /api/tables/{code}/choices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {player.token}\r\n"
    return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data


def connected(server: Server) -> socket.socket:
    host, _, port = server.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), 30)


def statuses(connection: socket.socket, count: int) -> list[int]:
    """The statuses of so many answers on a connection."""
    heard = b""
    while heard.count(b"HTTP/1.1 ") < count or not heard.endswith(b"}"):
        part = connection.recv(65536)
        assert part, heard
        heard += part
    return [int(part[:3]) for part in heard.split(b"HTTP/1.1 ")[1:]]


def test_choices_sent_in_a_row_are_answered_in_a_row(server: Server, table: tuple[str, dict[str, Player]]) -> None:
    code, players = table
    right, wrong = a_choice(code, players["gold"]), {"position": 99, "choice": "charm:gold"}
    look = f"GET /api/tables/{code} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    requests = [wire(code, players["gold"], right), wire(code, players["gold"], wrong), look]
    with connected(server) as connection:
        connection.sendall(b"".join([*requests, *requests, requests[0]]))
        assert statuses(connection, 7) == [200, 409, 200, 200, 409, 200, 200]


def test_a_choice_in_pieces_is_made_when_the_last_has_come(
    server: Server, table: tuple[str, dict[str, Player]]
) -> None:
    code, players = table
    request = wire(code, players["gold"], a_choice(code, players["gold"]))
    with connected(server) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for k in range(0, len(request), 7):
            connection.sendall(request[k : k + 7])
        assert statuses(connection, 1) == [200]


def test_a_client_who_leaves_before_his_body_is_there_changes_nothing(
    server: Server, table: tuple[str, dict[str, Player]]
) -> None:
    code, players = table
    before = players["gold"].table(code)
    with connected(server) as connection:
        connection.sendall(wire(code, players["gold"], a_choice(code, players["gold"]))[:-1])
    assert players["gold"].table(code) == before
