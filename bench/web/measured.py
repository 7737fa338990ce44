"""What a measurement under load gives, and how often and how long it is repeated."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Repeats:
    """How many repeats, of how many seconds each, after how many seconds of warming up."""

    count: int = 5
    seconds: float = 2.0
    warm_up: float = 1.0


@dataclass(frozen=True)
class Measured:
    """One repeat under load: its rate, and from the very same repeat the delays and how busy each side was."""

    rate: float
    p50: float = 0.0  # milliseconds
    p99: float = 0.0
    load_busy: float = 0.0  # the share of its core
    server_busy: float = 0.0
    kilobytes: float = 0.0  # of a page with all it loads, or of a change over the wire
    sent: float = 0.0  # the same page over the wire
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """By name, for machines."""
        return asdict(self)


def best(found: Sequence[Measured]) -> Measured:
    """The repeat with the highest rate: nothing else was in its way."""
    return max(found, key=lambda each: each.rate)


def percentile(sorted_values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies; without end if there are none, for nobody knows."""
    if not sorted_values:
        return math.inf
    return sorted_values[min(len(sorted_values) - 1, int(share * len(sorted_values)))]
