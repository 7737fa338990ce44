"""Structured logs: a line of JSON for each thing that happened, readable ones at a terminal."""

import logging
import sys
from contextlib import suppress
from typing import Any, TextIO, cast

import structlog

_lowest = logging.INFO


class _StandardError:
    """The standard error stream as it is when something is written, not as it was when logs were set up.

    What cannot be written there, as on a full disk, is lost, and nobody's request fails for it.
    """

    def write(self, text: str) -> int:
        with suppress(OSError):
            return sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            sys.stderr.flush()


def shows(level: int) -> bool:
    """Are lines of this level written? For those who ask before they gather what to write."""
    return level >= _lowest


def set_up_logs(level: str) -> None:
    """Write lines of this level and above to the standard error stream."""
    global _lowest
    _lowest = logging.getLevelNamesMapping()[level.upper()]
    terminal = sys.stderr.isatty()
    last = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if terminal
        else structlog.processors.JSONRenderer()
    )
    # Where it failed, but not with which values: those may be secrets.
    where = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    failures = [] if terminal else [structlog.processors.ExceptionRenderer(where)]
    steps: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        *failures,
        last,
    ]
    # What libraries have to say that matters comes in the same shape.
    theirs = logging.StreamHandler(_StandardError())
    without = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    theirs.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[without, *steps]))
    logging.basicConfig(handlers=[theirs], level=logging.WARNING)
    logging.getLogger("meadhall").setLevel(_lowest)  # the rooms below this one have no other
    structlog.configure(
        processors=steps,
        wrapper_class=structlog.make_filtering_bound_logger(_lowest),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _StandardError())),
        cache_logger_on_first_use=True,
    )
