"""The door of the server: what passes it, in any pieces, is answered as without it; and who has to make room."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from meadhall.web.edge.address import Proxies, read_networks
from meadhall.web.edge.door import Door, Limits
from meadhall.web.edge.keeper import Attended, Doorkeeper
from meadhall.web.edge.reader import LARGEST_BODY, LARGEST_HEAD, LONGEST_URL, MOST_FIELDS, PIECE
from tests.variants import tried

NO_PROXIES, LIMITS = Proxies(()), Limits(head=10.0)


class Wire(asyncio.Transport):
    """The end of a connection that the server writes to, without the network in between."""

    def __init__(self, address: str = "192.0.2.1") -> None:
        super().__init__({"peername": (address, 1), "sockname": ("192.0.2.9", 80)})
        self.sent = b""
        self.closed = self.paused = False

    def write(self, data: Any) -> None:
        self.sent += b"" if self.closed else data

    def write_eof(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False


class Echo:
    """An application that answers with what it was asked, and reads all of it, nothing, or half."""

    def __init__(self, limits: Limits = LIMITS, proxies: Proxies = NO_PROXIES) -> None:
        self.state = SimpleNamespace(door=Door(limits, proxies))
        self.app = Attended(self._answer)  # type: ignore[arg-type]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.app(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", scope["path"] != "/deaf"
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        said = f"{scope['method']} {scope['path']} {len(scope['headers'])} ".encode() + body
        length = [(b"content-length", str(len(said)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": length})
        await send({"type": "http.response.body", "body": said})


def keeper(protocol: Any = Doorkeeper, app: Echo | None = None) -> Any:
    """A new connection's protocol, as uvicorn makes it."""
    plain: dict[str, Any] = {"proxy_headers": False, "ws": "none", "lifespan": "off", "log_config": None}
    config = uvicorn.Config(app or Echo(), log_level="critical", **plain)
    config.load()
    return protocol(config=config, server_state=ServerState(), app_state={}, _loop=asyncio.get_running_loop())


async def settled(wire: Wire) -> None:
    """Wait until nothing more is written: nothing here takes longer than some rounds of the loop."""
    quiet = 0
    while quiet < 8:
        before = len(wire.sent)
        await asyncio.sleep(0)
        quiet = quiet + 1 if len(wire.sent) == before else 0


def answered(protocol: Any, pieces: list[bytes], app: Echo | None = None) -> tuple[bytes, bool]:
    """All that is answered to these pieces, and whether the connection was closed."""

    async def work() -> tuple[bytes, bool]:
        server, wire = keeper(protocol, app), Wire()
        server.connection_made(wire)
        for piece in pieces:
            if wire.closed:
                break
            server.data_received(piece)
            await settled(wire)
        found = wire.sent, wire.closed
        server.connection_lost(None)
        await settled(wire)
        return found

    return asyncio.run(work())


def request(path: str = "/", method: str = "GET", body: bytes = b"", chunked: bool = False, more: str = "") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\n{more}"
    if chunked:
        half = len(body) // 2
        parts = [part for part in (body[:half], body[half:]) if part]
        coded = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
        return f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + coded
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{head}{length}\r\n".encode() + body


REQUESTS = st.builds(
    request,
    st.sampled_from(["/", "/deaf", "/a%20b?c=d", "/" + "x" * 3000]),
    st.sampled_from(["GET", "POST", "HEAD"]),
    st.sampled_from([b"", b"a", b"GET / HTTP/1.1\r\n\r\n", b"z" * 5000]),
    st.booleans(),
    st.sampled_from(["", "X: y\r\n", "X: " + "y" * 2500 + "\r\n", "Connection: close\r\n", "Expect: 100-continue\r\n"]),
)
ODDITIES = st.sampled_from([b"\r\n", b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03", b"GET /half"])


@tried(150)
@given(st.lists(REQUESTS, min_size=1, max_size=4), ODDITIES, st.data())
def test_in_whatever_pieces_requests_come_they_are_answered_as_without_the_door(
    requests: list[bytes], odd: bytes, data: st.DataObject
) -> None:
    whole = b"".join(requests)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=5)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True) if a < b]
    assert answered(Doorkeeper, [*pieces, odd]) == answered(HttpToolsProtocol, [*requests, odd])


@pytest.mark.parametrize("size", [97, PIECE, 100_000])
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /" + b"x" * (LONGEST_URL + 1), 414),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * (LARGEST_HEAD + 2 * PIECE), 431),
        (b"GET / HTTP/1.1\r\n" + b"a:\r\n" * (MOST_FIELDS + PIECE), 431),
    ],
    ids=["an address", "a line", "lines"],
)
def test_what_never_ends_is_refused_with_its_reason(sent: bytes, status: int, size: int) -> None:
    said, _ = answered(Doorkeeper, [sent[k : k + size] for k in range(0, len(sent), size)])
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"\r\nconnection: close\r\n" in head
    assert b"content-security-policy" in head
    assert len(body.decode().splitlines()) == 4  # languages
    assert said.count(b"HTTP/1.1") == 1


def test_as_much_as_is_allowed_passes() -> None:
    address = b"/" + b"x" * (LONGEST_URL - 1)
    lines = b"".join(b"X%d: %s\r\n" % (k, b"y" * 200) for k in range(MOST_FIELDS - 1))
    said, closed = answered(Doorkeeper, [b"GET " + address + b" HTTP/1.1\r\nHost: x\r\n" + lines + b"\r\n"])
    assert said.startswith(b"HTTP/1.1 200 ")
    assert not closed
    assert len(address + lines) < LARGEST_HEAD


@pytest.mark.parametrize("asked", [b"", request(), request(more="Connection: close\r\n")])
def test_what_belongs_to_no_request_is_not_read_on(asked: bytes) -> None:
    async def work() -> None:
        server, wire = keeper(), Wire()
        server.connection_made(wire)
        server.data_received(asked + b"\r\n" * 100_000)
        await settled(wire)
        assert wire.paused
        assert wire.sent.count(b"HTTP/1.1 200 ") == bool(asked)
        server.look(asyncio.get_running_loop().time() + 11)
        assert wire.closed

    asyncio.run(work())


def test_a_body_without_end_is_not_read_on_after_its_answer() -> None:
    async def work() -> None:
        server, wire = keeper(), Wire()
        server.connection_made(wire)
        server.data_received(b"POST /deaf HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n")
        await settled(wire)
        assert wire.sent.startswith(b"HTTP/1.1 200 ")
        taken = 0
        while not server.refused:
            server.data_received(b"x" * 65536)
            taken += 65536
            await settled(wire)
            assert taken <= LARGEST_BODY + 10 * 65536
        assert wire.sent.count(b"HTTP/1.1") == 1

    asyncio.run(work())


def test_of_many_requests_in_one_packet_few_are_begun_before_the_first_is_answered() -> None:
    begun = 0

    class Slow(Echo):
        async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
            nonlocal begun
            begun += 1
            if not go.is_set():
                await go.wait()
            await super()._answer(scope, receive, send)

    go = asyncio.Event()

    async def work() -> None:
        server, wire = keeper(app=Slow()), Wire()
        server.connection_made(wire)
        server.data_received(request() * 5000)
        await settled(wire)
        assert begun == 1
        assert wire.paused
        go.set()
        while wire.sent.count(b"HTTP/1.1 200") < 5000:
            await settled(wire)
        assert not wire.paused

    asyncio.run(work())


# Time


def late(seconds: float, sent: bytes, app: Echo | None = None) -> tuple[bytes, bool]:
    """What has been said, and whether the connection is over, so long after these bytes."""

    async def work() -> tuple[bytes, bool]:
        server, wire = keeper(app=app or Echo()), Wire()
        server.connection_made(wire)
        if sent:
            server.data_received(sent)
        await settled(wire)
        server.look(asyncio.get_running_loop().time() + seconds)
        await settled(wire)
        return wire.sent, wire.closed or server.refused

    return asyncio.run(work())


HEAD, BODY = b"GET / HTTP/1.1\r\nHo", request("/", "POST", b"abc")[:-1]


@pytest.mark.parametrize(
    ("sent", "within", "after", "said"),
    [
        (b"", 9, 11, b""),
        (HEAD, 9, 11, b"HTTP/1.1 408 "),
        (BODY, 19, 21, b"HTTP/1.1 408 "),
        (request(), 4, 6, b"HTTP/1.1 200 "),
        (request() + b"\r\n", 4, 6, b"HTTP/1.1 200 "),
        (request() + HEAD, 9, 11, b"HTTP/1.1 200 "),
        (BODY[:-2].replace(b" / ", b" /deaf "), 19, 21, b"HTTP/1.1 200 "),
    ],
    ids=["nothing", "a head", "a body", "between requests", "blank lines", "a second head", "a body nobody wants"],
)
def test_whoever_takes_too_long_is_cut_off_and_nobody_before(
    sent: bytes, within: float, after: float, said: bytes
) -> None:
    assert late(within, sent)[1] is False
    told, over = late(after, sent)
    assert over
    assert told.startswith(said)
    assert bool(told) == bool(said)


def test_an_answer_may_take_as_long_as_it_likes_but_must_be_read() -> None:
    class Endless(Echo):
        async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await receive()
            await receive()

    assert late(10_000, request(), Endless())[1] is False

    async def work() -> None:
        server, wire = keeper(app=Endless()), Wire()
        server.connection_made(wire)
        server.data_received(request())
        await settled(wire)
        now = asyncio.get_running_loop().time()
        server.pause_writing()
        server.look(now + 29)
        assert not wire.closed
        server.resume_writing()
        server.look(now + 1000)
        assert not wire.closed
        server.pause_writing()
        server.look(now + 31)
        assert wire.closed

    asyncio.run(work())


def test_a_server_that_stops_still_answers_whoever_has_just_come_in() -> None:
    async def work() -> None:
        app = Echo()
        (first, asks), (second, silent), (third, answered) = (arrive(app, "192.0.2.1") for _ in range(3))
        third.data_received(request())
        await settled(answered)
        for each in (first, second, third):
            each._gate.close()  # as uvicorn does with every connection when it stops
        assert [wire.closed for wire in (asks, silent, answered)] == [False, False, True]
        first.data_received(request())
        while not (asks.closed and silent.closed):
            await asyncio.sleep(0)
        assert asks.sent.startswith(b"HTTP/1.1 200 ")
        assert silent.sent == b""

    asyncio.run(work())


# How many


def arrive(app: Echo, address: str) -> tuple[Any, Wire]:
    server, wire = keeper(app=app), Wire(address)
    server.connection_made(wire)
    return server, wire


def test_the_oldest_idle_connection_of_an_address_makes_room_for_a_new_one_of_the_same() -> None:
    async def work() -> None:
        app = Echo(Limits(connections=10, by_address=3))
        other = arrive(app, "192.0.2.7")[1]
        (first, one), (_, two), (_, three) = (arrive(app, "192.0.2.1") for _ in range(3))
        first.data_received(request())
        await settled(one)  # answered just now, and so it is the youngest
        four = arrive(app, "192.0.2.1")[1]
        assert [wire.closed for wire in (other, one, two, three, four)] == [False, False, True, False, False]
        assert len(app.state.door.all) == 4

    asyncio.run(work())


def test_where_all_connections_are_busy_a_new_one_is_refused() -> None:
    class Endless(Echo):
        async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
            await receive()
            await receive()

    async def work() -> None:
        app = Endless(Limits(connections=4, by_address=3))
        for _ in range(3):
            server, wire = arrive(app, "192.0.2.1")
            server.data_received(request())
            await settled(wire)
        refused = arrive(app, "192.0.2.1")[1]
        assert refused.sent.startswith(b"HTTP/1.1 503 ")
        assert refused.closed
        server, other = arrive(app, "192.0.2.2")
        assert not other.sent
        server.data_received(request())
        await settled(other)
        assert arrive(app, "192.0.2.3")[1].sent.startswith(b"HTTP/1.1 503 ")
        server.connection_lost(None)
        assert not arrive(app, "192.0.2.3")[1].sent

    asyncio.run(work())


def test_an_address_of_IPv6_is_its_network_and_a_proxy_is_not_one_visitor() -> None:
    async def work() -> None:
        app = Echo(Limits(by_address=2), Proxies(read_networks("10.0.0.0/8")))
        neighbours = [arrive(app, f"2001:db8::{k:x}")[1] for k in range(5)]
        assert [wire.closed for wire in neighbours] == [True, True, True, False, False]
        others = [arrive(app, f"2001:db8:0:{k:x}::1")[1] for k in range(1, 6)]
        proxied = [arrive(app, "10.1.2.3")[1] for _ in range(5)]
        assert not any(wire.closed for wire in (*others, *proxied))

    asyncio.run(work())
