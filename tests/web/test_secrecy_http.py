"""Two real servers with the same tables in worlds that a seat cannot tell apart: neither can what they answer."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
import pytest

from meadhall.match import SPECTATOR
from meadhall.store import open_store
from meadhall.tables.entries import write
from meadhall.web.edge.session import SECRET, fingerprint
from tests.secrets.worlds import another_world, without_sealed_choices
from tests.variants import random_game, variant_named
from tests.web.server import Server
from tests.web.sight import Record, log_of, table_of

SECRET_OF_ALL = "the same secret on both servers"
CASES = [
    ("goths, fog", "ostrogoth-king", 23),
    ("goths, fog", "visigoth-warchief", 30),
    ("goths, base", SPECTATOR, 17),
    ("goths, lone ostrogoth", "visigoth-king", 40),
    ("romans, four", "violet", 3),
    ("romans, four", "gold", 22),
    ("romans, two and two", SPECTATOR, 9),
    ("romans, three", "green", 500),
]


class Pair(NamedTuple):
    """A seat, a code, and the table of that code on two servers."""

    seat: str
    code: str
    here: Record
    there: Record


def pairs() -> list[Pair]:
    """For each case a world that is dealt anew, and one in which fewer have sealed, if any have."""
    made: list[Pair] = []
    for k, (name, seat, length) in enumerate(CASES):
        record = random_game(variant_named(name), k, length).record()
        for world in (another_world, without_sealed_choices):
            code = "BBBB" + "BCDFGHJKLM"[len(made) // 10] + "BCDFGHJKLM"[len(made) % 10]
            made.append(Pair(seat, code, record, world(record, seat, Random(k))))
    return made


async def put(file: Path, tables: Sequence[tuple[str, str, Record]]) -> None:
    """Write tables to a store, in which the seat is held by the secret that the tests know."""
    store = await open_store(file)
    for seat, code, record in tables:
        header, entries = log_of(record)
        if seat != SPECTATOR:
            played = table_of(record).played_together(seat)
            entries = [
                type(e)(e.seat, fingerprint(SECRET_OF_ALL), e.name) if hasattr(e, "holder") and e.seat in played else e
                for e in entries
            ]
        phase = table_of(record).phase
        await store.create(
            code, record["game"], write(header).decode(), phase, True, [write(e).decode() for e in entries]
        )
    await store.close()


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[tuple[Pair, httpx.Client, httpx.Client]]]:
    """All pairs, and a client for each of the two servers."""
    folders = [tmp_path_factory.mktemp(name) for name in ("here", "there")]
    made = pairs()
    asyncio.run(put(folders[0] / "tables.sqlite", [(p.seat, p.code, p.here) for p in made]))
    asyncio.run(put(folders[1] / "tables.sqlite", [(p.seat, p.code, p.there) for p in made]))
    with ExitStack() as stack:
        one, other = (stack.enter_context(Server(folder)).http for folder in folders)
        yield [(pair, one, other) for pair in made]


@pytest.mark.parametrize(
    "path",
    [
        "/t/{code}",
        "/t/{code} fragment",
        "/t/{code}/replay",
        "/t/{code}/replay?beat=0",
        "/t/{code}/preview.png?lang=en",
        "/api/tables/{code}",
        "/api/tables/{code}/events",
        "/t/{code}/record",
    ],
)
def test_two_servers_answer_alike_where_a_seat_cannot_tell_the_worlds_apart(
    path: str, worlds: list[tuple[Pair, httpx.Client, httpx.Client]]
) -> None:
    for pair, *clients in worlds:
        if path.startswith("/t/") and table_of(pair.here).phase == "over":
            continue  # the record and the page are for everybody then, and show everything
        answers = [ask(client, pair, path) for client in clients]
        assert answers[0] == answers[1], f"{pair.seat} sees a difference at {path}"
        assert answers[0][0] == (409 if path.endswith("record") else 200)


def ask(client: httpx.Client, pair: Pair, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
    """Everything in an answer but the time of day and the server's own address."""
    where, _, fragment = path.format(code=pair.code).partition(" ")
    headers = {"host": "meadhall.example"} | ({"x-fragment": "table"} if fragment else {})
    if where.startswith("/api"):
        headers["authorization"] = f"Bearer {SECRET_OF_ALL}"
        where += "" if pair.seat == SPECTATOR else f"?seat={pair.seat}"
    else:
        headers["cookie"] = f'{SECRET}="{SECRET_OF_ALL}"'
    answer = client.get(where, headers=headers)
    return answer.status_code, [item for item in answer.headers.multi_items() if item[0] != "date"], answer.content


def test_live_streams_begin_alike(worlds: list[tuple[Pair, httpx.Client, httpx.Client]]) -> None:
    for pair, *clients in worlds:
        for path in (f"/t/{pair.code}/live", f"/api/tables/{pair.code}/live"):
            first = [first_message(client, path, pair.seat) for client in clients]
            assert first[0] == first[1]
            assert first[0].startswith("data: ")


def first_message(client: httpx.Client, path: str, seat: str) -> str:
    params = {"seat": seat} if path.startswith("/api") and seat != SPECTATOR else {}
    headers = {"authorization": f"Bearer {SECRET_OF_ALL}"}
    with client.stream("GET", path, params=params, headers=headers) as answer:
        return next(line for line in answer.iter_lines() if line.startswith("data:"))


def test_the_pages_are_those_of_the_seats_and_the_worlds_do_differ(
    worlds: list[tuple[Pair, httpx.Client, httpx.Client]],
) -> None:
    """Else the tests above would compare nothing."""
    for pair, client, _ in worlds:
        body = ask(client, pair, "/t/{code}")[2].decode()
        nobody = re.search(r"""data-seat=(?:''|"")""", body) is not None
        assert nobody == (pair.seat == SPECTATOR)
    different = sum(
        table_of(pair.here).match.position() != table_of(pair.there).match.position() for pair, *_ in worlds
    )
    assert different > len(worlds) / 2
