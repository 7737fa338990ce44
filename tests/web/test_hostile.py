"""Hostile and broken clients: whatever they send, nobody's game suffers and the server neither fails nor tells."""

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.variants import variant_named
from tests.web.server import PATIENCE, Player, Server, good, pick, play_on, refused, seat_players, until

TWO = variant_named("romans, two")
SHORT = variant_named("goths, seven turns")
JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(autouse=True)
def _well_afterwards(server: Server) -> Iterator[None]:
    """After each attack the server is as well as before."""
    failed = server.log.count('"status": 5')
    yield
    assert server.is_healthy()
    assert server.log.count('"status": 5') == failed


def raw(server: Server, request: bytes, close: bool = False, end: bool = False) -> bytes:
    """What the server answers to these very bytes before it closes the connection; or close it ourselves at once."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), PATIENCE) as line:
        line.sendall(request)
        if close:
            return b""
        if end:
            line.shutdown(socket.SHUT_WR)
        heard = b""
        while part := line.recv(65536):
            heard += part
        return heard


def request_line(path: str, method: str = "GET", headers: str = "", host: str = "x") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n".encode("latin-1")


def status_of(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 "), answer[:200]
    return int(answer[9:12])


# Other people's seats


def test_no_token_opens_another_seat_in_any_way(server: Server) -> None:
    code, players = seat_players(server, SHORT)
    play_on(code, players, Random(1), 5)
    before = {seat: player.table(code) for seat, player in players.items()}
    for seat, player in players.items():
        for other in players:
            if other == seat:
                continue
            choice = (before[other]["choices"] or ["act:axe"])[0]
            for position in (0, before[seat]["position"], 10**9):
                refused(player.choose(code, position, choice, other), 403, other)
            for path in (f"/tables/{code}?seat={other}", f"/tables/{code}/events?seat={other}"):
                refused(player.ask("GET", path), 403, other)
            refused(player.ask("DELETE", f"/tables/{code}/seats/{other}"), 403, other)
            refused(player.ask("POST", f"/tables/{code}/seats", {"seat": other}), 409, other)
    assert {seat: player.table(code) for seat, player in players.items()} == before


def test_stale_and_future_positions_never_count(server: Server) -> None:
    code, players = seat_players(server, TWO)
    dice = Random(2)
    play_on(code, players, dice, 4)
    for seat, player in players.items():
        table = player.table(code, seat)
        if not table["view"]["pending"]:
            continue
        for position in {0, 1, 2, *range(table["position"] + 1, table["position"] + 5)} - {table["position"]}:
            body = refused(player.choose(code, position, pick(table, dice)), 409)
            assert body["position"] == table["position"]
        assert player.table(code, seat) == table


# Too much, too deep, not text


@pytest.mark.parametrize("path", ["/api/tables", "/play", "/settings", "/join"])
def test_a_huge_body_is_refused_whole_or_in_pieces(path: str, server: Server) -> None:
    kind = JSON if path.startswith("/api") else FORM
    huge = b'{"game":"' + b"x" * 200_000 + b'"}'
    assert server.http.post(path, content=huge, headers=kind).status_code == 413
    pieces = (huge[k : k + 999] for k in range(0, len(huge), 999))
    assert server.http.post(path, content=pieces, headers=kind).status_code == 413
    # A length that is only claimed is enough.
    claimed = "".join(f"{name}: {value}\r\n" for name, value in {**kind, "content-length": str(10**12)}.items())
    assert status_of(raw(server, request_line(path, "POST", claimed))) == 413


@pytest.mark.parametrize("brackets", ["[]", "{}"])
@pytest.mark.parametrize("depth", [900, 10_000])
def test_a_body_that_is_nested_too_deeply_is_refused(brackets: str, depth: int, server: Server) -> None:
    open_one, close_one = ("[", "]") if brackets == "[]" else ('{"a":', "}")
    levels = depth // len(open_one)
    inside = open_one * levels + "1" + close_one * levels
    for body in (inside, f'{{"game":"goths","rules":{{"king_deck":{inside}}}}}'):
        refused(server.http.post("/api/tables", content=body, headers=JSON), 400 if levels > 500 else body_status(body))


def body_status(body: str) -> int:
    """A body that can be read may still make no sense."""
    return 422 if body.startswith('{"game"') else 400


@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe\x00",
        b'{"game":"\xff"}',
        b'{"game":"goths","name":"\xed\xa0\x80"}',
        b'{"game":"goths","name":"\\ud800"}',
        b'{"game":"goths","name":"\x00"}',
        b"\xef\xbb\xbf{}",
        '{"game":"goths"}'.encode("utf-16"),
        b"\x00" * 100,
        b'{"game":"goths","rules":{"turn_limit":1e999}}',
        b'{"game":"goths","rules":{"turn_limit":NaN}}',
        b'{"game":"goths","rules":{"turn_limit":' + b"9" * 5000 + b"}}",
    ],
)
def test_a_body_in_a_bad_encoding_is_refused(body: bytes, server: Server) -> None:
    refused(server.http.post("/api/tables", content=body, headers=JSON), 400)


@pytest.mark.parametrize(
    "text",
    [
        "%ff%fe",
        "%ed%a0%80",
        "%00",
        "%F0%9F%90%97" * 50,
        "%0d%0a",
        "%",
        "%zz",
        "=&&=;;",
        "&" * 500,
        "a=1&" * 500,
        "%2B" * 99,
    ],
)
def test_a_form_in_a_bad_encoding_is_refused_or_taken_as_text(text: str, server: Server) -> None:
    code, players = seat_players(server, TWO)
    before = players["gold"].table(code)
    cookie = {"cookie": f"meadhall={players['gold'].token}", "origin": server.url}
    for path, field in (
        ("/join", "code"),
        ("/play", "game"),
        ("/host", "name"),
        ("/settings", "back"),
        (f"/t/{code}/choose", "choice"),
        (f"/t/{code}/choose", "position"),
        (f"/t/{code}/sit", "name"),
        (f"/t/{code}/sit", "seat"),
        (f"/t/{code}/bot", "level"),
        (f"/t/{code}/leave", "seat"),
        (f"/t/{code}/pace", "ms"),
        (f"/t/{code}/here", "seat"),
    ):
        answer = server.http.post(path, content=f"{field}={text}", headers=FORM | cookie)
        assert answer.status_code in (303, 400, 403, 404, 409, 422), (path, field, answer.status_code)
        assert "\n" not in answer.headers.get("location", "")
    assert players["gold"].table(code)["view"] == before["view"]


def test_a_name_in_any_letters_is_shown_as_text(server: Server) -> None:
    host = server.player()
    code = host.open_table("goths", {"ostrogoth-king": "me"}, name='<b>Þór & "Ælla"</b>')
    page = server.http.get(f"/t/{code}").text
    assert "<b>Þór" not in page
    assert "&lt;b&gt;Þór &amp;" in page


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/x-msgpack", "x/y", ""])
def test_a_body_of_another_kind_is_refused_or_read_as_what_it_should_be(kind: str, server: Server) -> None:
    for path in ("/api/tables", "/play", "/host"):
        answer = server.http.post(path, content=b"\x81\xa4game\xa5goths", headers={"content-type": kind})
        assert 400 <= answer.status_code < 500


# Odd paths and headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/x/../../settings.py",
        "/static/x/%2e%2e%2f%2e%2e%2fsettings.py",
        "/static/../app.py",
        "/static/x/..%5c..%5capp.py",
        "/static/x/%00",
        "/t/../../etc/passwd",
        "/t/%2e%2e/live",
        "/rules/../../pyproject.toml",
        "/rules/goths%00",
        "/rules/..%2fgoths",
        "//evil.example/t",
        "/t/" + "B" * 20_000,
        "/t/%ff%fe%80",
        "/t/%F0%9F%90%97%F0%9F%90%97",
        "/t/BBBBBB?" + "a=1&" * 3000,
        "/api/tables/BBBBBB?seat=%00%ff",
        "/api/tables/BBBBBB/events?after=%00&after=2",
        "/api/tables/BBBBBB/live?seat=" + "x" * 5000,
        "/t/BBBBBB/live?tag=%ff%00",
        "/host?game=%00",
        "/api/../../x",
        "/.git/config",
        "*",
        "/t//live",
    ],
)
def test_an_odd_path_finds_nothing(path: str, server: Server) -> None:
    answer = raw(server, request_line(path))
    assert 400 <= status_of(answer) < 500
    assert b"dataclass" not in answer
    assert b"root:" not in answer


@pytest.mark.parametrize(
    "headers",
    [
        "Cookie: meadhall=\r\n",
        "Cookie: ;;;===;; \xff\xfe=\xff\r\n",
        "Cookie: " + "a=b; " * 3000 + "\r\n",
        "Cookie: tables=" + "BBBBBB." * 500 + "; lang=%00; theme=\xff\r\n",
        "Cookie: tables=../../x.%00.\xff\r\n",
        "Authorization: Bearer\r\n",
        "Authorization: Bearer \xff\xff\r\n",
        "Authorization: Basic eDp5\r\n",
        "Accept-Language: " + "fr;q=0.1," * 1000 + "\r\n",
        "X-Fragment: \xff\r\n",
        "X-Forwarded-Proto: gopher\r\nX-Forwarded-For: not, an, address\r\n",
        "X-Forwarded-For: " + "1.2.3.4, " * 500 + "\r\n",
        "Content-Type: \xff/\xff; charset=\xff\r\n",
        "Range: bytes=5-1\r\nIf-None-Match: *\r\n",
        "Expect: 100-continue\r\n",
        "Upgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n",
    ],
)
def test_odd_headers_do_no_harm(headers: str, server: Server) -> None:
    for path in ("/", "/t/BBBBBB", "/api/tables", "/api/tables/BBBBBB"):
        assert status_of(raw(server, request_line(path, headers=headers))) in (200, 400, 404)


@pytest.mark.parametrize("host", ["", "[", "\xff", "a b", "x" * 5000, "evil.example:99999999", "<script>", "a/../b"])
def test_an_odd_host_is_never_followed(host: str, server: Server) -> None:
    code = server.player().open_table("goths")
    for path in ("/", f"/t/{code}", f"/t/{code.lower()}", f"/api/tables/{code}"):
        answer = raw(server, request_line(path, host=host))
        assert status_of(answer) in (200, 303, 400)
        assert b"<script>" not in answer
        if status_of(answer) == 303:
            assert f"location: /t/{code}\r\n".encode() in answer


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\r\n\r\n\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n",
        b"POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /play HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 5000 + b"Connection: close\r\n\r\n",
        b"\x00" * 10_000,
    ],
)
def test_what_is_no_request_at_all_gets_no_more_than_a_refusal(request_bytes: bytes, server: Server) -> None:
    answer = raw(server, request_bytes, end=True)
    assert answer == b"" or status_of(answer) in (200, 400, 403, 404, 413, 431)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "HEAD", "OPTIONS", "DELETE", "PROPFIND", "CONNECT"])
def test_other_methods_change_nothing(method: str, server: Server) -> None:
    host = server.player()
    code = host.open_table("romans", {"gold": "me", "green": "me"}, rules=TWO.rules)
    before = host.table(code)
    token = f"Authorization: Bearer {host.token}\r\n"
    for path in (f"/t/{code}", f"/t/{code}/end", f"/api/tables/{code}", f"/api/tables/{code}/choices", "/play"):
        assert status_of(raw(server, request_line(path, method, token))) in (200, 204, 400, 404, 405)
    assert host.table(code) == before


# Many, slow and gone


def test_of_a_thousand_who_join_at_once_four_get_in(server: Server) -> None:
    code = server.player().open_table("goths")

    host, _, port = server.url.removeprefix("http://").partition(":")
    body = '{"name":"one of a thousand"}'
    request = request_line(f"/api/tables/{code}/seats", "POST", f"Content-Length: {len(body)}\r\n") + body.encode()

    async def join(crowd: asyncio.Semaphore) -> bytes:
        async with crowd:
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(request)
            answer = await reader.read()
            writer.close()
            return answer

    async def all_join() -> list[bytes]:
        crowd = asyncio.Semaphore(100)
        return await asyncio.gather(*(join(crowd) for _ in range(1000)))

    answers = asyncio.run(all_join())
    inside = [json.loads(answer.partition(b"\r\n\r\n")[2]) for answer in answers if status_of(answer) == 201]
    assert len(inside) == 4
    assert len({taken["seat"] for taken in inside}) == 4
    assert len({taken["token"] for taken in inside}) == 4
    assert {status_of(answer) for answer in answers} == {201, 409}
    for taken in inside:
        assert server.player(taken["token"]).table(code)["mine"] == [taken["seat"]]


def test_requests_that_break_off_do_no_harm(server: Server) -> None:
    code, players = seat_players(server, TWO)
    gold = players["gold"]
    table = gold.table(code)
    body = json.dumps({"position": table["position"], "choice": pick(table, Random(5))}).encode()
    whole = (
        f"POST /api/tables/{code}/choices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {gold.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body
    for length in range(0, len(whole), 23):
        raw(server, whole[:length], close=True)
    assert gold.table(code) == table
    raw(server, whole, close=True)  # nobody waits for this answer, but it counts
    until(lambda: gold.table(code)["view"]["own"], "a choice whose answer nobody heard")
    made = play_on(code, players, Random(6))
    record = good(gold.ask("GET", f"/tables/{code}/record"))
    assert len(record["choices"]) == len(made) + 1


def test_live_streams_that_break_off_are_forgotten(server: Server) -> None:
    code, players = seat_players(server, TWO)
    for _ in range(30):
        raw(server, request_line(f"/t/{code}/live"), close=True)
        raw(server, request_line(f"/api/tables/{code}/live"), close=True)
    play_on(code, players, Random(7))
    until(lambda: "\nmeadhall_live_connections 0.0\n" in server.http.get("/metrics").text, "no live connection")


def test_a_slow_request_keeps_nobody_waiting(server: Server) -> None:
    host, _, port = server.url.removeprefix("http://").partition(":")
    slow = [socket.create_connection((host, int(port)), PATIENCE) for _ in range(100)]
    for line in slow:
        line.sendall(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
    code, players = seat_players(server, TWO)
    play_on(code, players, Random(8))
    for line in slow:
        line.close()


# The limits


def test_whoever_asks_too_often_is_told_when_to_come_back_and_let_in_again(tmp_path: Path) -> None:
    with Server(tmp_path, "--rate-limit", "5") as limited:
        answers = [limited.http.get("/healthz") for _ in range(60)]
        assert {answer.status_code for answer in answers} == {200, 429}
        assert 18 <= [answer.status_code for answer in answers].count(200) < 60
        often = next(answer for answer in answers if answer.status_code == 429)
        assert int(often.headers["retry-after"]) >= 1
        assert often.headers["content-security-policy"]
        refused(limited.http.get("/api/games"), 429, "Too many")
        german = limited.http.get("/", headers={"accept-language": "de"})
        assert (german.status_code, german.headers["content-type"]) == (429, "text/plain; charset=utf-8")
        # Somebody else is not held up, and opening tables costs more than looking at them.
        other = {"x-forwarded-for": "198.51.100.7"}
        paths = ("/api/tables", "/api/tables/") * 3
        opened = [limited.http.post(path, json={"game": "goths"}, headers=other) for path in paths]
        assert [answer.status_code for answer in opened][:2] == [201, 201]
        assert opened[-1].status_code == 429
        until(lambda: limited.http.get("/healthz").status_code == 200, "being let in again")


@pytest.mark.parametrize("between", ["", "-", "%20", "%0D%0A", "%E2%80%83"])
def test_a_code_typed_in_any_way_leads_to_the_table_and_puts_nothing_into_the_headers(
    between: str, server: Server
) -> None:
    code, players = "", []
    while code[:3] == code[:3].lower():  # digits are small already
        code, players = seat_players(server, TWO)
    play_on(code, players, Random(9))
    typed = f"{code[:3].lower()}{between}{code[3:]}"
    page = raw(server, request_line(f"/t/{typed}"))
    assert status_of(page) == 303
    assert f"location: /t/{code}\r\n".encode() in page
    record = raw(server, request_line(f"/t/{typed}/record"))
    assert status_of(record) == 200
    assert f'filename="meadhall-{code}.json"'.encode() in record.partition(b"\r\n\r\n")[0]


def test_a_table_of_odd_rules_is_refused_by_the_rules(server: Server) -> None:
    odd: list[Any] = [None, True, -1, 0, 1.5, "x", [], {}, [[]], ["x"] * 500, "x" * 5000, 10**18, {"a": {"b": []}}]
    for game, names in (
        ("goths", ("fog_of_war", "fog_discard", "lone_rulers", "turn_limit", "king_deck", "x", "")),
        ("romans", ("players", "neutrals", "original_rules", "qween", "fort_deck", "\x00")),
    ):
        for name in names:
            for value in odd:
                answer = Player(server.http).ask("POST", "/tables", {"game": game, "rules": {name: value}})
                assert answer.status_code in (201, 422), (game, name, value, answer.text)
