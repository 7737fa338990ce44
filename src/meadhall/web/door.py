"""The door of the server: uvicorn's HTTP, with a short way for choices, which come far more often than anything else.

The short way does what the guard and the route in `api.py` do and nothing besides. Whatever is out of the ordinary,
be it a cookie instead of a token, a body that makes no sense or a refusal, goes the ordinary way as if it had just
come in, and is answered there: asking for a choice twice does no harm.
"""

import re
import time
from functools import partial
from typing import Any

import msgspec
from litestar import Litestar
from litestar.types import HTTPScope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from meadhall.web.api.handlers import NewChoice, make_choice
from meadhall.web.edge.guard import HEADERS, NOT_STORED, note
from meadhall.web.edge.session import fingerprint
from meadhall.web.live import SAY

PATH = re.compile("/api/tables/([^/]+)/choices")
# A request with any other header is not plain: it may speak of proxies, cookies, other sites, or a body in pieces.
_ABOUT_THE_BODY = (b"content-type", b"content-length")
_ABOUT_THE_SENDER = (b"authorization", b"user-agent", b"accept", b"accept-encoding", b"accept-language")
PLAIN = frozenset((b"host", b"connection", *_ABOUT_THE_BODY, *_ABOUT_THE_SENDER))
LARGEST_BODY = 16 * 1024
START = b"HTTP/1.1 200 OK\r\n"
HEAD = b"".join(b"%b: %b\r\n" % header for header in ((b"content-type", b"application/json"), *HEADERS, NOT_STORED))
_decode = msgspec.json.Decoder(NewChoice).decode
_encode = msgspec.json.Encoder().encode


class Door(HttpToolsProtocol):
    """A connection."""

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        app: Any = self.app
        while not isinstance(app, Litestar):
            app = app.app
        self._state = app.state
        self._guard: Any = app.asgi_handler
        self._asked: tuple[RequestResponseCycle, Any, str, str, dict[bytes, bytes]] | None = None

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Begin to answer a request; where it is for a choice, as soon as its body is there."""
        asked = None
        if cycle is self.cycle and cycle.more_body and cycle.keep_alive:  # nothing is queued behind it
            asked = _asked(cycle.scope)  # type: ignore[arg-type]
        if asked is not None:
            self._asked = (cycle, app, *asked)
            return
        if cycle.scope["path"].endswith("/live"):
            cycle.scope["extensions"] = {SAY: {"say": partial(self._say_more, cycle)}}
        super()._start_asgi_task(cycle, app)

    def _say_more(self, cycle: RequestResponseCycle, chunk: bytes) -> bool:
        """Say some more on a live stream that has begun, if the other side is there and listens fast enough."""
        if cycle.disconnected or not cycle.chunked_encoding or cycle.response_complete or self.flow.write_paused:
            return False
        self.transport.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        return True

    def on_message_complete(self) -> None:
        """The whole request is there."""
        super().on_message_complete()
        if self._asked is not None:
            task = self.loop.create_task(self._choose(*self._asked))
            self._asked = None
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _choose(
        self, cycle: RequestResponseCycle, app: Any, code: str, holder: str, headers: dict[bytes, bytes]
    ) -> None:
        """Make a choice and say so, or go the ordinary way."""
        started = time.perf_counter()
        scope: Any = cycle.scope
        answer = None
        if self._guard.refusal(scope, headers) is None:
            try:
                answer = _encode(await make_choice(self._state.hall, holder, code, _decode(cycle.body)))
            except Exception:  # which will be met again, and told as it should
                self._guard.forget(scope)
        if self.flow.write_paused:
            await self.flow.drain()
        if cycle.disconnected or self.transport.is_closing():
            return
        if answer is None:
            super()._start_asgi_task(cycle, app)
        else:
            note(scope, 200, time.perf_counter() - started)
            self._say(cycle, answer)

    def _say(self, cycle: RequestResponseCycle, answer: bytes) -> None:
        """The whole answer at once."""
        head = [START, *(b"%b: %b\r\n" % header for header in cycle.default_headers), HEAD]
        if not cycle.keep_alive:  # the server has been told to stop
            head.append(b"connection: close\r\n")
        self.transport.write(b"%bcontent-length: %d\r\n\r\n%b" % (b"".join(head), len(answer), answer))
        cycle.response_started = cycle.response_complete = True
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()


def _asked(scope: HTTPScope) -> tuple[str, str, dict[bytes, bytes]] | None:
    """The table's code, the holder who wants to choose there and the headers, if that is what is asked, and plainly."""
    found = PATH.fullmatch(scope["path"]) if scope["method"] == "POST" and not scope["query_string"] else None
    if found is None:
        return None
    headers = dict(scope["headers"])
    if len(headers) < len(list(scope["headers"])) or not PLAIN.issuperset(headers):
        return None
    kind, _, token = headers.get(b"authorization", b"").partition(b" ")
    length = headers.get(b"content-length", b"")
    if kind.lower() != b"bearer" or not token.isascii() or not token.strip() or not length.isdigit():
        return None
    return (found[1], fingerprint(token.decode().strip()), headers) if int(length) <= LARGEST_BODY else None
