"""The keeper of one connection, at the door of a server process: bounds what comes in, and how long each part may take.

uvicorn bounds neither the head of a request nor the time for it. It takes any protocol of asyncio, so ours stands
before its own and hands on what passes: it knows the public interfaces of both, and nothing else of them.
"""

import asyncio
from functools import cache
from http import HTTPStatus
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import Counter
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from meadhall.web.edge.door import Door
from meadhall.web.edge.guard import HEADERS, NOT_STORED
from meadhall.web.edge.reader import BAD, HEAD_TOO_LARGE, PIECE, TOO_LARGE, URL_TOO_LONG, Place, Reader
from meadhall.words import words
from meadhall.words.languages import LANGUAGES

TOO_SLOW, FULL = 408, 503
REASONS = {  # keys of the catalogues
    TOO_SLOW: "ui.refused.slow",
    TOO_LARGE: "ui.refused.large",
    URL_TOO_LONG: "ui.refused.long",
    HEAD_TOO_LARGE: "ui.refused.head",
    FULL: "ui.refused.full",
}
GOODBYE = 2.0  # seconds to read why one was refused
UNREAD = 256 * 1024  # bytes that are still taken from somebody who was refused: else he would not read the reason
LAST_REQUEST = 0.5  # seconds in which a server that stops still takes the first request of a connection
KEEPER = "doorkeeper"  # by this name requests know their connection

REFUSED = Counter("meadhall_refused_connections", "Connections refused or ended for taking too much", ["status"])


class Gate(asyncio.Transport):
    """The transport as the server's protocol sees it: what it does not take now is kept for it."""

    def __init__(self, keeper: "Doorkeeper", transport: asyncio.Transport) -> None:
        super().__init__()
        self._keeper = keeper
        self._transport = transport
        self.paused = False
        self.write = transport.write  # type: ignore[method-assign]
        self.writelines = transport.writelines  # type: ignore[method-assign]
        self.get_extra_info = transport.get_extra_info  # type: ignore[method-assign]
        self.get_write_buffer_size = transport.get_write_buffer_size  # type: ignore[method-assign]
        self.abort = transport.abort  # type: ignore[method-assign]

    def is_closing(self) -> bool:
        """Is there nobody left to write to?"""
        return self._keeper.refused or self._transport.is_closing()

    def close(self) -> None:
        """Close once everything was sent, for which there is some time."""
        self._keeper.finish()

    def is_reading(self) -> bool:
        """Does the server want more?"""
        return not self.paused and self._transport.is_reading()

    def pause_reading(self) -> None:
        """The server wants no more for the moment."""
        self.paused = True
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """The server wants more: first what is here already."""
        self.paused = False
        self._keeper.go_on()


class Doorkeeper(asyncio.Protocol):
    """One connection: bounds what comes in and how long it takes, and hands it on to uvicorn's own protocol."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.door: Door = config.loaded_app.state.door
        self.refused = False
        self._loop = _loop or asyncio.get_running_loop()
        self._inner: HttpToolsProtocol | None = HttpToolsProtocol(
            config, server_state, app_state | {KEEPER: self}, self._loop
        )
        self._reader = Reader()
        self._held = b""  # what has come while the server wanted no more
        self._answering = 0  # requests that the application is at work on
        self._started = False  # has anything of an answer been sent?
        self._heard = False  # has anything come?
        self._last = False  # is the server about to stop?
        self._since = 0.0  # when the reader came to its place
        self._until: float | None = None  # when a connection that is closing is cut
        self._stalled: float | None = None  # when one is cut that does not read what it is sent
        self._dropped = 0
        self._deaf = False  # has more come than belongs to any request?

    # What asyncio says

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is at the door."""
        self._transport = transport
        self._gate = Gate(self, transport)
        self._since = self._loop.time()
        peer = transport.get_extra_info("peername")
        if self.door.admit(self, str(peer[0]) if peer else ""):
            assert self._inner is not None
            self._inner.connection_made(self._gate)
            return
        # No time for goodbyes: there may be many of these.
        self._inner = None
        self.refused = True
        REFUSED.labels(FULL).inc()
        transport.write(refusal(FULL))
        transport.close()

    def data_received(self, data: bytes) -> None:
        """Some bytes have come."""
        self._heard = True
        if self.refused:
            self._dropped += len(data)
            if self._dropped > UNREAD:
                self._transport.abort()
        elif self._held or self._gate.paused:
            self._held += data
        elif not self._deaf:
            self._hand_on(data)

    def eof_received(self) -> None:
        """The client will send no more."""
        if self._inner is not None:
            self._inner.eof_received()

    def pause_writing(self) -> None:
        """The client does not read what it is sent."""
        self._stalled = self._loop.time() + self.door.limits.stalled
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        """The client has read some of it."""
        self._stalled = None
        if self._inner is not None:
            self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self.door.leave(self)
        self._let_go(exc)

    # What the server's protocol does

    def go_on(self) -> None:
        """The server wants more."""
        if self._held:
            self._loop.call_soon(self._hand_on_held)
        elif not self._deaf and not self._gate.is_closing():
            self._transport.resume_reading()

    def finish(self) -> None:
        """The server has said all it has to say."""
        if self._heard:
            self._close()
        else:  # the server stops, and somebody has just come in: his request is on its way to this process
            self._last = True
            self._loop.call_later(LAST_REQUEST, self._close_unless_asked)

    def _close_unless_asked(self) -> None:
        if not self._heard:
            self._close()

    def _close(self) -> None:
        if not self.refused and self._until is None:
            self._until = self._loop.time() + self.door.limits.stalled
            self._transport.close()

    def _hand_on_held(self) -> None:
        held, self._held = self._held, b""
        if self.refused or self._gate.paused:
            self._held = held
            return
        self._hand_on(held)
        if not self._gate.paused:
            self.go_on()

    def _hand_on(self, data: bytes) -> None:
        """In pieces: a packet may hold thousands of small requests, and the server wants no second before the first."""
        reader = self._reader
        for start in range(0, len(data), PIECE):
            if self._gate.paused:
                self._held = data[start:]
                return
            if self._inner is None or self._transport.is_closing():
                return
            piece = data[start : start + PIECE] if len(data) > PIECE else data
            before = reader.place, reader.heads
            fault = reader.feed(piece)
            if fault == BAD:
                # Nothing more is wanted here; what was asked before may still be answered.
                self._deaf = True
                self._transport.pause_reading()
                return
            if fault is not None:
                self._refuse(fault, say=not self._answering and before[0] is not Place.BODY)
                return
            if before != (reader.place, reader.heads):
                self._since = self._loop.time()
            self._inner.data_received(piece)

    # What the application does

    def begin(self) -> None:
        """A request has come as far as the application."""
        self._answering += 1
        self._started = False
        self.door.mark(self, idle=False)

    def start(self) -> None:
        """An answer is on its way."""
        self._started = True

    def end(self) -> None:
        """A request was answered."""
        self._answering -= 1
        if not self._answering:
            if self._reader.place is Place.BETWEEN:
                self._since = self._loop.time()
            self.door.mark(self, idle=True)
            if self._last:
                self._close()

    # Limits

    def look(self, now: float) -> None:
        """End the connection if its time is up."""
        limits, place, waited = self.door.limits, self._reader.place, now - self._since
        if self._until is not None:
            if now > self._until:
                self._transport.abort()
        elif self._stalled is not None:
            if now > self._stalled:
                REFUSED.labels(TOO_SLOW).inc()
                self._transport.abort()
        elif self._gate.paused:
            pass  # it is we who are slow
        elif place is Place.HEAD:
            if waited > limits.head:
                self._refuse(TOO_SLOW, say=not self._answering)
        elif place is Place.BODY:
            if waited > limits.body:
                self._refuse(TOO_SLOW, say=self._answering == 1 and not self._started)
        elif not self._answering and waited > (limits.idle if self._reader.heads else limits.head):
            self._close()

    def dismiss(self) -> None:
        """Somebody else needs the place."""
        REFUSED.labels(FULL).inc()
        self.door.leave(self)
        self._transport.abort()

    def _refuse(self, status: int, *, say: bool) -> None:
        """Take no more from this connection; say why, where that is in turn, and leave some time to read it."""
        self.refused = True
        self._held = b""
        REFUSED.labels(status).inc()
        self._let_go(None)
        self._until = self._loop.time() + GOODBYE
        if say:
            self._transport.write(refusal(status))
        self._transport.write_eof()
        self._transport.resume_reading()

    def _let_go(self, exc: Exception | None) -> None:
        """For the server's protocol the connection is over."""
        inner, self._inner = self._inner, None
        self._reader.close()
        if inner is not None:
            inner.connection_lost(exc)


class Attended:
    """ASGI middleware: tells each connection when the application is at work for it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        keeper: Doorkeeper | None = scope.get("state", {}).pop(KEEPER, None)
        if keeper is None:
            await self.app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            keeper.start()
            await send(message)

        keeper.begin()
        try:
            await self.app(scope, receive, answer)
        finally:
            keeper.end()


@cache
def refusal(status: int) -> bytes:
    """A whole answer. Which language is wanted is not known so early, so it has all of them."""
    body = "".join(f"{words(lang).say(REASONS[status])}\n" for lang in LANGUAGES).encode()
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    head += [(b"connection", b"close"), (b"retry-after", b"5"), *HEADERS, NOT_STORED]
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode(), *(b": ".join(each) for each in head), b"", body]
    return b"\r\n".join(lines)
