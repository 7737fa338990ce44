"""Structured logs: a line of JSON for each thing that happened, readable ones at a terminal."""

import logging
import sys
from typing import Any

import structlog

_lowest = logging.INFO


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
    theirs = logging.StreamHandler(sys.stderr)
    without = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    theirs.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[without, *steps]))
    logging.basicConfig(handlers=[theirs], level=logging.WARNING)
    structlog.configure(
        processors=steps,
        wrapper_class=structlog.make_filtering_bound_logger(_lowest),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
