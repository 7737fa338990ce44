"""What a host wants to know, as Prometheus reads it."""

import os
from hmac import compare_digest
from typing import get_args

from prometheus_client import REGISTRY, CollectorRegistry, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from meadhall.tables.face import Phase
from meadhall.tables.lobby import Lobby
from meadhall.web.edge.session import Asked, bearer

TABLES = Gauge("meadhall_tables", "Tables in the store", ["phase"], multiprocess_mode="mostrecent")

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")


def may_read(request: Asked) -> bool:
    """The host's own tools may: by their token, or, where none is set, from this machine and not through a proxy."""
    token = request.app.state.settings.metrics_token
    if token:
        return compare_digest((bearer(request) or "").encode(), token.encode())
    near = request.client is not None and request.client.host in ("127.0.0.1", "::1")
    return near and not any(header in request.headers for header in FORWARDED)


async def exposition(lobby: Lobby) -> bytes:
    """All counts and gauges; of all processes, where there are several."""
    counts = await lobby.store.counts()
    for phase in get_args(Phase):
        TABLES.labels(phase).set(counts.get(phase, 0))
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest(REGISTRY)
