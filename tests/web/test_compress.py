"""Answers made smaller: to those who can read them so, and to nobody else; live streams not at all."""

import asyncio
import gzip
import json
from typing import Any

import httpx
import pytest

from meadhall.match import Match
from meadhall.web import assets
from meadhall.web.edge.compress import SMALLEST, Compress, accepts_gzip
from meadhall.web.edge.session import SECRET
from tests.web.positions import LIVELY, asks, lay, reach
from tests.web.server import Server, client

PLAIN = {"Accept-Encoding": "identity"}
PACKED = {"Accept-Encoding": "gzip, deflate, br, zstd"}


def bare(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[httpx.Response, bytes]:
    """An answer with its body as it came over the wire."""
    with (
        client(server.url) as visitor,
        visitor.stream(method, path, headers={"Accept-Encoding": "", **headers}) as answer,
    ):
        return answer, b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("x-gzip", True),
        ("deflate, gzip;q=1.0, *;q=0.5", True),
        ("*", True),
        ("br;q=1, gzip;q=0.2", True),
        ("gzip;q=0.5, identity;q=0.5", True),
        ("", False),
        ("identity", False),
        ("br, deflate", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("gzip;q=0, *", False),
        ("*;q=0", False),
        ("gzip;q=0.3, identity;q=0.9", False),
        ("gzip;q=much", False),
        ("gzipped", False),
        ("," * 600 + "gzip", False),
    ],
)
def test_who_asks_for_gzip(header: str, accepted: bool) -> None:
    assert accepts_gzip(header) == accepted


def paths(server: Server) -> list[str]:
    """A page, a table, a list of JSON, and each kind of file."""
    laid = lay(server, reach("romans", LIVELY, asks("charm")), public=True)
    files = [assets.asset(name) for name in ("table.css", "table.js", "romans/plan.js")]
    return ["/", "/rules/goths", laid.path, f"/api/tables/{laid.code}", "/api/openapi.json", "/nowhere", *files]


def test_what_is_sent_small_is_the_same_and_says_so(server: Server) -> None:
    for path in paths(server):
        plain, body = bare(server, path, **PLAIN)
        packed, sent = bare(server, path, **PACKED)
        assert packed.headers["content-encoding"] == "gzip", path
        assert "content-encoding" not in plain.headers
        assert gzip.decompress(sent) == body
        assert int(packed.headers["content-length"]) == len(sent) < len(body) / 2
        assert int(plain.headers["content-length"]) == len(body)
        own = ("content-encoding", "content-length", "date")
        told, said = ({k: v for k, v in each.headers.items() if k not in own} for each in (plain, packed))
        assert told == said
        assert told["vary"] == "Accept-Encoding"
        assert plain.status_code == packed.status_code


def test_nothing_is_sent_small_to_those_who_do_not_ask(server: Server) -> None:
    for header in ("", "identity", "br", "gzip;q=0", "*;q=0"):
        answer, body = bare(server, "/", **{"Accept-Encoding": header})
        assert "content-encoding" not in answer.headers
        assert answer.headers["vary"] == "Accept-Encoding"
        assert body.startswith(b"<!DOCTYPE html>")


def test_a_small_answer_goes_as_it_is(server: Server) -> None:
    answer, body = bare(server, "/healthz", **PACKED)
    assert not {"content-encoding", "vary"} & set(answer.headers)
    assert json.loads(body) == {"status": "ok"}


def test_what_answers_a_choice_is_small_too_and_sets_its_cookie(server: Server) -> None:
    match = Match.new("goths", {}, 3)
    laid = lay(server, match, together=[match.seats])
    with client(server.url, cookies={SECRET: laid.secrets[match.seats[0]]}) as visitor:
        sent = {"seat": match.waiting[0]}
        answer = visitor.post(f"{laid.path}/here", data=sent, headers={"X-Fragment": "table", "Origin": server.url})
    assert answer.headers["content-encoding"] == "gzip"
    assert "shown_" in answer.headers["set-cookie"]
    assert answer.text.startswith("<main")


@pytest.mark.parametrize("path", ["{at}/live", "/api{tables}/live"])
def test_a_live_stream_is_not_touched_and_its_messages_come_at_once(path: str, server: Server) -> None:
    laid = lay(server, Match.new("goths", {}, 3))
    where = path.format(at=laid.path, tables=f"/tables/{laid.code}")
    with client(server.url) as visitor, visitor.stream("GET", where, headers=PACKED) as answer:
        assert not {"content-encoding", "vary", "content-length"} & set(answer.headers)
        parts = answer.iter_raw()
        came = b""
        while b"event: table" not in came:  # it never ends: held back, it would not come at all
            came += next(parts)
        assert came.startswith(b"retry: 1000")


# Around an application of our own


def through(
    headers: list[tuple[bytes, bytes]], *bodies: bytes, status: int = 200, asked: bytes = b"gzip", method: str = "GET"
) -> tuple[dict[str, str], list[bytes]]:
    """What comes of an answer; each part must have been passed on before the next one is made."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for k, body in enumerate(bodies):
            await send({"type": "http.response.body", "body": body, "more_body": k + 1 < len(bodies)})
            assert len(sent) == k + 2

    async def keep(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "headers": [(b"accept-encoding", asked)]}
    asyncio.run(Compress(app)(scope, None, keep))  # type: ignore[arg-type]
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return told, [message["body"] for message in sent[1:]]


LONG = b"Romans go home! " * 200
HTML = (b"content-type", b"text/html; charset=utf-8")


def test_a_long_page_shrinks_and_keeps_what_else_it_varies_with() -> None:
    told, [body] = through([HTML, (b"vary", b"Cookie"), (b"content-length", str(len(LONG)).encode())], LONG)
    assert gzip.decompress(body) == LONG
    assert told["vary"] == "Cookie, Accept-Encoding"
    assert told["content-length"] == str(len(body))


@pytest.mark.parametrize(
    ("headers", "status", "body"),
    [
        ([(b"content-type", b"image/png")], 200, LONG),
        ([(b"content-type", b"application/octet-stream")], 200, LONG),
        ([(b"content-type", b"text/event-stream")], 200, LONG),
        ([], 200, LONG),
        ([HTML, (b"content-encoding", b"br")], 200, LONG),
        ([HTML], 206, LONG),
        ([HTML], 304, b""),
        ([HTML], 200, LONG[: SMALLEST - 1]),
    ],
    ids=["picture", "bytes", "stream", "no type", "packed already", "part", "not modified", "small"],
)
def test_what_must_not_shrink_does_not(headers: list[tuple[bytes, bytes]], status: int, body: bytes) -> None:
    told, sent = through(headers, body, status=status)
    assert sent == [body]
    assert told == {name.decode(): value.decode() for name, value in headers}


def test_what_comes_in_parts_is_passed_on_part_by_part() -> None:
    told, sent = through([HTML], LONG, LONG, b"")
    assert sent == [LONG, LONG, b""]
    assert "content-encoding" not in told


def test_a_head_request_is_told_the_headers_and_no_length_that_is_not_known() -> None:
    long = [HTML, (b"content-length", str(len(LONG)).encode())]
    told, sent = through(long, b"", method="HEAD")
    assert sent == [b""]
    assert (told["content-encoding"], told["vary"]) == ("gzip", "Accept-Encoding")
    assert "content-length" not in told
    told, _ = through(long, b"", method="HEAD", asked=b"identity")
    assert told["content-length"] == str(len(LONG))
    assert told["vary"] == "Accept-Encoding"


def test_a_file_that_never_changes_is_packed_once() -> None:
    kept = [(b"content-type", b"text/css"), (b"cache-control", b"public, max-age=31536000, immutable")]
    _, [first] = through(kept, LONG)
    _, [second] = through(kept, LONG)
    assert first is second
    _, [changing] = through([HTML], LONG)
    assert changing is not first


def test_other_connections_are_left_alone() -> None:
    seen = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope["type"], send))

    async def send(message: Any) -> None: ...

    asyncio.run(Compress(app)({"type": "lifespan"}, None, send))  # type: ignore[arg-type]
    assert seen == [("lifespan", send)]
