"""Stands in for a level that hangs or dies; light enough to be imported by a worker."""

import os
from typing import Any

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
