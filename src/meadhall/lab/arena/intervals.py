"""Shares of what was counted, each with the interval that holds the true one 95 times in a hundred."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

Z = 1.959964


@dataclass(frozen=True)
class Share:
    """A share from 0 to 1 and its 95 % interval; of nothing counted, all is possible."""

    share: float | None
    low: float
    high: float

    def json(self) -> dict[str, float | list[float] | None]:
        """As plain data, rounded so that it reads well and prints the same everywhere."""
        share = None if self.share is None else round(self.share, 6)
        return {"share": share, "interval": [round(self.low, 6), round(self.high, 6)]}

    def __str__(self) -> str:
        if self.share is None:
            return "-"
        return f"{self.share:.1%} ({100 * self.low:.1f}–{100 * self.high:.1f})"


def mean_of_deals(scores: Sequence[float]) -> Share:
    """The mean of one score from 0 to 1 for each deal, whose games belong together and count as one observation.

    As if about two more deals were won and two more lost (Agresti and Coull): so a clean sweep of few
    deals does not pass for certainty, nor does a row of deals that all came out even.
    """
    n = len(scores)
    if n == 0:
        return Share(None, 0.0, 1.0)
    more = Z * Z / 2
    total, wider = fsum(scores), n + 2 * more
    centre = (total + more) / wider
    spread = fsum((score - centre) ** 2 for score in scores) + more * ((1.0 - centre) ** 2 + centre**2)
    half = Z * sqrt(spread / wider / wider)
    mean = total / n
    # A small sample leans toward the middle; the share itself is never left out.
    return Share(mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))


def share_of_counts(parts: Sequence[int], wholes: Sequence[int]) -> Share:
    """A share of things counted by deal, such as orders that got through.

    Wilson's interval, for as many things as those of a deal are worth that have something in common.
    """
    part, whole = sum(parts), sum(wholes)
    if whole == 0:
        return Share(None, 0.0, 1.0)
    share = part / whole
    effective = whole / _clustering(parts, wholes, share)
    z2 = Z * Z / effective
    centre = (share + z2 / 2) / (1 + z2)
    half = Z * sqrt(share * (1 - share) / effective + z2 / (4 * effective)) / (1 + z2)
    return Share(share, max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


def _clustering(parts: Sequence[int], wholes: Sequence[int], share: float) -> float:
    """How much more the share sways than if all the things counted had nothing to do with each other."""
    n, whole = len(wholes), sum(wholes)
    alone = share * (1 - share) / whole
    if n < 2 or alone == 0.0:
        return 1.0
    squares = fsum((part - share * counted) ** 2 for part, counted in zip(parts, wholes, strict=True))
    together = squares * n / (n - 1) / whole**2
    return max(1.0, together / alone)
