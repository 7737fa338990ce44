"""Shares with 95 % confidence intervals that take the games of one deal as a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

Z = 1.959964


@dataclass(frozen=True)
class Share:
    """A share from 0 to 1 and its 95 % confidence interval; with no observations, None and the whole range."""

    share: float | None
    low: float
    high: float

    def json(self) -> dict[str, float | list[float] | None]:
        """As plain data, rounded so that it prints the same everywhere."""
        share = None if self.share is None else round(self.share, 6)
        return {"share": share, "interval": [round(self.low, 6), round(self.high, 6)]}

    def __str__(self) -> str:
        if self.share is None:
            return "-"
        return f"{self.share:.1%} ({100 * self.low:.1f}–{100 * self.high:.1f})"


def mean_of_deals(scores: Sequence[float]) -> Share:
    """The mean of one score from 0 to 1 for each deal, with the interval of Agresti and Coull.

    It adds about two deals won and two lost: so neither a clean sweep of few deals nor a row of deals that all came out
    even passes for certainty.
    """
    n = len(scores)
    if n == 0:
        return Share(None, 0.0, 1.0)
    added = Z * Z / 2
    total, size = fsum(scores), n + 2 * added
    centre = (total + added) / size
    spread = fsum((score - centre) ** 2 for score in scores) + added * ((1.0 - centre) ** 2 + centre**2)
    half = Z * sqrt(spread / size / size)
    mean = total / n
    # The interval is centred nearer to the middle than the mean; it always contains the mean.
    return Share(mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))


def share_of_counts(parts: Sequence[int], wholes: Sequence[int]) -> Share:
    """A share of things counted by deal, such as orders that got through.

    Wilson's interval for the effective sample size: the things of one deal are correlated.
    """
    part, whole = sum(parts), sum(wholes)
    if whole == 0:
        return Share(None, 0.0, 1.0)
    share = part / whole
    effective = whole / _design_effect(parts, wholes, share)
    z2 = Z * Z / effective
    centre = (share + z2 / 2) / (1 + z2)
    half = Z * sqrt(share * (1 - share) / effective + z2 / (4 * effective)) / (1 + z2)
    return Share(share, max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


def _design_effect(parts: Sequence[int], wholes: Sequence[int], share: float) -> float:
    """The design effect: the variance of the share over what it would be if all things counted were independent."""
    n, whole = len(wholes), sum(wholes)
    independent = share * (1 - share) / whole
    if n < 2 or independent == 0.0:
        return 1.0
    squares = fsum((part - share * counted) ** 2 for part, counted in zip(parts, wholes, strict=True))
    clustered = squares * n / (n - 1) / whole**2
    return max(1.0, clustered / independent)
