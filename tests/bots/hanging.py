"""Stands in for a level that hangs or dies, or for work that talks; light enough to be imported by a worker."""

import os
import time
from typing import Any

from meadhall.bots.forkserver import report
from meadhall.bots.worker import chosen


def hangs_as_medium(view: Any, level: str, seed: int | str) -> str:
    """`medium` never answers, and hears nothing; others are themselves."""
    if level == "medium":
        sum(range(10**12))
    return chosen(view, level, seed)


def dies_as_medium(view: Any, level: str, seed: int | str) -> str:
    """`medium` ends its process; others are themselves."""
    if level == "medium":
        os._exit(3)
    return chosen(view, level, seed)


def reports(*values: Any) -> str:
    """Says how far it is before it answers."""
    for value in values:
        report(value)
    return "done"


def reports_for_ever() -> None:
    """Always says that it is getting on."""
    while True:
        report("nearly")


def takes_a_while(view: Any, level: str, seed: int | str) -> str:
    """A choice that takes as long as those of strong levels do."""
    time.sleep(0.03)
    return chosen(view, level, seed)
