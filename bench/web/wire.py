"""HTTP for a load that must cost little: requests as bytes, answers and events by callback."""

import asyncio
from collections.abc import Callable
from typing import Any

import httptools

from web.machine import HOST


def request(method: str, path: str, token: str | None = None, body: bytes | None = None) -> bytes:
    """A request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join((*lines, "", "")).encode() + (body or b"")


class Connection(asyncio.Protocol):
    """A connection that is kept open and carries one request at a time."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._body: list[bytes] = []
        self._answered: Callable[[int, bytes], None] | None = None
        self._lost: Callable[[], None] | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        body = b"".join(self._body)
        self._body.clear()
        answered, self._answered, self._lost = self._answered, None, None
        if answered:
            answered(self._parser.get_status_code(), body)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._lost:
            self._lost()

    def send(self, data: bytes, answered: Callable[[int, bytes], None]) -> None:
        """Send a request; `answered` gets the status and the body."""
        self._answered = answered
        self.transport.write(data)

    async def ask(self, data: bytes) -> tuple[int, bytes]:
        """Send a request and wait for the status and the body."""
        answer: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self._lost = lambda: answer.done() or answer.set_exception(ConnectionError("the server hung up"))
        self.send(data, lambda status, body: answer.done() or answer.set_result((status, body)))
        return await answer


async def connect(port: int, count: int) -> list[Connection]:
    """So many connections to the server."""
    loop = asyncio.get_running_loop()
    return [(await loop.create_connection(Connection, HOST, port))[1] for _ in range(count)]


class Stream(asyncio.Protocol):
    """A connection over which the server sends events; `heard` gets the data of each."""

    transport: asyncio.Transport

    def __init__(self, data: bytes, heard: Callable[[bytes], None]) -> None:
        self._request = data
        self._heard = heard
        self._parser = httptools.HttpResponseParser(self)
        self._rest = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        rest = self._rest + body
        while (end := rest.find(b"\n")) >= 0:
            if rest.startswith(b"data:"):
                self._heard(rest[5:end])
            rest = rest[end + 1 :]
        self._rest = rest

    def on_message_complete(self) -> None:
        if (status := self._parser.get_status_code()) != 200:
            raise RuntimeError(f"a live stream was refused with status {status}")
