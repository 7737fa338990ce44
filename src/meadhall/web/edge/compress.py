"""Answers made small for those who can read them so: pages, JSON, sheets, scripts and drawings, never live streams.

Litestar's own would hold back the messages of a stream and take `gzip;q=0` for a yes. The length of an answer tells
nobody how to take a seat: the secret that holds it is a cookie, and stands in no page.
"""

import zlib
from functools import lru_cache

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

SMALLEST = 700  # bytes: a smaller answer fits into one packet as it is
LEVEL = 6  # for pages, each made once: half a millisecond; frames in a row are a sixth smaller than by 5
BEST = 9  # for files, which are made once and kept
KEPT = 512  # files
TYPES = ("text/", "application/json", "application/problem+json", "image/svg+xml", "application/vnd.oai.openapi+json")
STREAM = "text/event-stream"
GZIP = 31  # zlib's number for the largest window and gzip's header
WITHOUT_BODY = (204, 205, 206, 304)


def accepts_gzip(header: str) -> bool:
    """Does an Accept-Encoding header ask for gzip, and like it no less than plain answers?"""
    weights: dict[str, float] = {}
    for part in header[:500].lower().split(","):
        name, *parameters = (text.strip() for text in part.split(";"))
        try:
            weights[name] = float(next((text[2:] for text in parameters if text.startswith("q=")), "1"))
        except ValueError:
            weights[name] = 0.0
    wanted = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return wanted > 0 and wanted >= weights.get("identity", 0.0)


def gzipped(body: bytes, level: int = LEVEL) -> bytes:
    """The same, smaller; always the same bytes, as no time is written into them."""
    packer = zlib.compressobj(level, zlib.DEFLATED, GZIP)
    return packer.compress(body) + packer.flush()


@lru_cache(maxsize=KEPT)
def _kept(body: bytes) -> bytes:
    """A file that never changes: as small as can be, and made only once."""
    return gzipped(body, BEST)


def _may_shrink(headers: dict[bytes, bytes], status: int) -> bool:
    kind = headers.get(b"content-type", b"").decode("latin-1").lower()
    packed = b"content-encoding" in headers
    return status not in WITHOUT_BODY and not packed and kind.startswith(TYPES) and not kind.startswith(STREAM)


class Compress:
    """ASGI middleware: whole answers are sent as gzip to those who accept it; what comes in parts goes as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request through this."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        asked = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
        accepted = accepts_gzip(asked.decode("latin-1"))
        head = scope["method"] == "HEAD"
        start: HTTPResponseStartEvent | None = None

        async def answer(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start is not None and message["type"] == "http.response.body":
                begun, start = start, None
                if not message.get("more_body"):
                    message["body"] = _shrink(begun, message.get("body", b""), accepted, head)
                await send(begun)
            await send(message)

        await self.app(scope, receive, answer)


def _shrink(start: HTTPResponseStartEvent, body: bytes, accepted: bool, head: bool) -> bytes:
    """The body as it is sent, and headers that say so."""
    headers = {name.lower(): value for name, value in start["headers"]}
    length = int(headers.get(b"content-length", b"0")) if head else len(body)
    if length < SMALLEST or not _may_shrink(headers, start["status"]):
        return body
    kept = [(name, value) for name, value in start["headers"] if name.lower() != b"vary"]
    vary = headers.get(b"vary")
    kept.append((b"vary", vary + b", Accept-Encoding" if vary else b"Accept-Encoding"))
    if accepted:
        # What is asked for by HEAD is not made: how long it would be is not said.
        kept = [(name, value) for name, value in kept if name.lower() != b"content-length"]
        kept.append((b"content-encoding", b"gzip"))
        if not head:
            body = _kept(body) if b"immutable" in headers.get(b"cache-control", b"") else gzipped(body)
            kept.append((b"content-length", str(len(body)).encode()))
    start["headers"] = kept
    return body
