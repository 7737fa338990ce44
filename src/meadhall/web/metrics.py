"""What a host wants to know, as Prometheus reads it."""

import os

from prometheus_client import REGISTRY, CollectorRegistry, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from meadhall.tables.hall import Hall

TABLES = Gauge("meadhall_tables", "Tables in the store", ["phase"], multiprocess_mode="mostrecent")
LIVE = Gauge("meadhall_live_connections", "Live connections", multiprocess_mode="livesum")


async def exposition(hall: Hall) -> bytes:
    """All counts and gauges; of all processes, where there are several."""
    for phase, count in (await hall.store.counts()).items():
        TABLES.labels(phase).set(count)
    LIVE.set(hall.watchers)
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest(REGISTRY)
