"""Around every request: who may change anything, how often, and what a browser may do with our pages."""

import re
import time
from collections import OrderedDict
from functools import cache
from logging import DEBUG

import msgspec
import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from prometheus_client import Counter, Histogram

from meadhall.web.edge.address import network_of
from meadhall.web.edge.session import preferred_language
from meadhall.web.logs import shows
from meadhall.web.summary import Summary
from meadhall.words import words

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
NOT_STORED = (b"cache-control", b"no-store")
HOST = re.compile(rb"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?")
SAFE = ("GET", "HEAD", "OPTIONS")
BURST = 4.0  # seconds' worth of requests that may come at once
REMEMBERED = 20_000  # addresses

REQUESTS = Counter("meadhall_requests", "Requests answered", ["method", "status"])
SECONDS = Histogram("meadhall_request_seconds", "Time to the first byte of an answer", ["method"])
SUMMARY = Summary()
log = structlog.get_logger("meadhall.web")


class Buckets:
    """A bucket of tokens for each address; an empty one means: too many requests."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: tuple[str, int] | None, cost: float) -> bool:
        """Take tokens for one request, if there are so many."""
        if not self.rate:
            return True
        address = network_of(client[0]) if client else ""
        now, most = time.monotonic(), self.rate * BURST
        level, since = self._levels.pop(address, (most, now))
        level = min(most, level + (now - since) * self.rate)
        enough = level >= cost
        self._levels[address] = (level - cost if enough else level, now)
        if len(self._levels) > REMEMBERED:
            self._levels.popitem(last=False)
        return enough


def is_host(host: bytes) -> bool:
    """Can this be the address by which somebody reaches us? It ends up in links."""
    found = HOST.fullmatch(host)
    return found is not None and int(found[1] or 0) < 65536


def is_same_origin(headers: dict[bytes, bytes]) -> bool:
    """Does a change come from a page of ours, or from a program that sends no cookie a page could abuse?"""
    origin = headers.get(b"origin")
    if origin is not None:
        scheme, _, site_of_page = origin.partition(b"://")
        return scheme in (b"http", b"https") and site_of_page == headers.get(b"host")
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site in (b"same-origin", b"none")
    return b"cookie" not in headers


class Guard:
    """ASGI middleware: rate limits, the Origin check, security headers, metrics and a log entry for each request."""

    def __init__(self, app: ASGIApp, buckets: Buckets) -> None:
        self.app = app
        self.buckets = buckets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] == ScopeType.WEBSOCKET:
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        started = time.perf_counter()

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message)
                note(scope, message["status"], time.perf_counter() - started)
            await send(message)

        refusal = self.refusal(scope, headers)
        if refusal is None:
            await self.app(scope, receive, answer)
        else:
            await refuse(answer, *refusal, scope["path"], headers)

    def refusal(self, scope: HTTPScope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        """Why a request is not let in, as a status and a key of the catalogues; None if it is."""
        if not self.buckets.take(scope["client"], 1.0):
            return 429, "ui.refused.too-many"
        if not is_host(headers.get(b"host", b"localhost")):
            return 400, "ui.refused.host"
        if scope["method"] not in SAFE and not is_same_origin(headers):
            return 403, "ui.refused.origin"
        return None


def note(scope: HTTPScope, status: int, seconds: float) -> None:
    """Count an answer, and write a line in the log."""
    method = scope["method"]
    counted, timed = _meters(method, status)
    counted.inc()
    timed.observe(seconds)
    SUMMARY.note(scope["path"], status, seconds, scope["client"][0] if scope["client"] else "")
    if shows(DEBUG):
        # The path holds no secret; a query might hold what somebody typed.
        log.debug("request", method=method, path=scope["path"], status=status, ms=round(seconds * 1000, 1))


@cache
def _meters(method: str, status: int) -> tuple[Counter, Histogram]:
    """The counters of one kind of answer; looking them up takes longer than counting."""
    return REQUESTS.labels(method, status), SECONDS.labels(method)


def _add_headers(message: Message) -> None:
    headers = list(message.get("headers", []))  # type: ignore[call-overload]
    names = {name.lower() for name, _ in headers}
    headers += HEADERS
    if b"cache-control" not in names:
        headers.append(NOT_STORED)
    message["headers"] = headers  # type: ignore[typeddict-unknown-key]


async def refuse(send: Send, status: int, key: str, path: str, headers: dict[bytes, bytes]) -> None:
    """A short answer that costs nothing to make: JSON for programs, text for people."""
    if path.startswith("/api"):
        kind, body = b"application/json", msgspec.json.encode({"status_code": status, "detail": words("en").say(key)})
    else:
        lang = preferred_language(headers.get(b"accept-language", b"").decode("latin-1"))
        kind, body = b"text/plain; charset=utf-8", words(lang).say(key).encode()
    answer = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    if status in (429, 503):
        answer.append((b"retry-after", b"2"))
    await send({"type": "http.response.start", "status": status, "headers": answer})
    await send({"type": "http.response.body", "body": body, "more_body": False})
