"""Whether the database answers: said once when it stops, and once when it does again, however many ask meanwhile."""

import logging
import time

from prometheus_client import Counter, Histogram

FAILURES = Counter("meadhall_store_failures", "Reads and writes that the database did not answer")
COMMITS = Histogram("meadhall_store_commit_seconds", "Time to write all that waited together")

_log = logging.getLogger(__name__)


class Availability:
    """What is known of one database."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._failed = 0
        self._to_write = False  # it may be that it can be read, as with a full disk

    def failed(self, error: BaseException, writing: bool = False) -> None:
        """It did not answer."""
        FAILURES.inc()
        self._to_write |= writing
        self._failed += 1
        if self._since is None:
            self._since = time.monotonic()
            why = " ".join(str(getattr(error, "orig", None) or error).split())[:200] or type(error).__name__
            _log.error("the database does not answer: %s", why)

    def answered(self, writing: bool = False) -> None:
        """It did; where it could not be written, only a write counts."""
        if self._since is not None and (writing or not self._to_write):
            away = time.monotonic() - self._since
            _log.warning("the database answers again, after %.1f s and %d failures", away, self._failed)
            self._since, self._failed, self._to_write = None, 0, False
