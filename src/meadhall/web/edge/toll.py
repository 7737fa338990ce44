"""What a request costs besides being one: by the route that it takes, however its path is spelled."""

from collections import Counter

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from meadhall.web.edge.address import network_of
from meadhall.web.edge.guard import Buckets, refuse

COST, STREAM = "cost", "stream"  # options of a route
OPENED = {COST: 10}  # a new table, or a record to be checked, counts as so many requests
DRAWN = {COST: 4}  # a picture takes a tenth of a second to draw
FILMED = {COST: 40}
STREAMED = {STREAM: True}  # answered for as long as the client likes


class Streams:
    """The live streams of a process; 0 is no limit."""

    def __init__(self, by_address: int, most: int) -> None:
        self.by_address = by_address
        self.most = most
        self._open: Counter[str] = Counter()
        self._total = 0

    def begin(self, address: str) -> tuple[int, str] | None:
        """Count one more; or why there can be none, as a status and a key of the catalogues."""
        if self.by_address and self._open[address] >= self.by_address:
            return 429, "ui.refused.streams"
        if self.most and self._total >= self.most:
            return 503, "ui.refused.full"
        self._open[address] += 1
        self._total += 1
        return None

    def end(self, address: str) -> None:
        """One is over."""
        self._open[address] -= 1
        self._total -= 1
        if not self._open[address]:
            del self._open[address]


class Toll:
    """Litestar's middleware, which knows the route: takes the rest of its price, and counts live streams."""

    def __init__(self, app: ASGIApp, buckets: Buckets, streams: Streams) -> None:
        self.app = app
        self.buckets = buckets
        self.streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request go on to its handler, or refuse it."""
        options = scope["route_handler"].opt
        if scope["type"] != ScopeType.HTTP or not (COST in options or STREAM in options):
            await self.app(scope, receive, send)
        elif not self.buckets.take(scope["client"], options.get(COST, 1) - 1):
            await _refuse(scope, send, 429, "ui.refused.too-many")
        elif STREAM in options:
            await self._stream(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _stream(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        address = network_of(scope["client"][0]) if scope["client"] else ""
        refusal = self.streams.begin(address)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.streams.end(address)


async def _refuse(scope: HTTPScope, send: Send, status: int, key: str) -> None:
    await refuse(send, status, key, scope["path"], dict(scope["headers"]))
