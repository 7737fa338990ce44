"""What a sample says, each with its 95 % confidence interval."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from meadhall.lab.arena.intervals import Z, mean_of_deals, share_of_counts


@dataclass(frozen=True)
class Estimate:
    """A number, the interval it lies in, and how many games it comes from."""

    value: float
    low: float
    high: float
    games: int

    def __sub__(self, other: "Estimate") -> "Estimate":
        """The difference of two samples' estimates; intervals of independent ones add up by their squares."""
        value = self.value - other.value
        below = sqrt((self.value - self.low) ** 2 + (other.high - other.value) ** 2)
        above = sqrt((self.high - self.value) ** 2 + (other.value - other.low) ** 2)
        return Estimate(value, value - below, value + above, min(self.games, other.games))

    @property
    def sign(self) -> int:
        """1 or -1 if the whole interval is above or below 0, else 0."""
        return (self.low > 0) - (self.high < 0)

    def beside(self, value: float) -> int:
        """The same against another value."""
        return (self.low > value) - (self.high < value)


def share(scores: Any) -> Estimate:
    """The mean of one score from 0 to 1 for each game."""
    found = mean_of_deals(np.asarray(scores, np.float64).tolist())
    assert found.share is not None
    return Estimate(found.share, found.low, found.high, len(scores))


def mean(values: Any) -> Estimate:
    """The mean of one number for each game, by the normal approximation."""
    values = np.asarray(values, np.float64)
    middle, spread = float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Estimate(middle, middle - Z * spread, middle + Z * spread, len(values))


def ratio(parts: Any, wholes: Any) -> Estimate | None:
    """A share of things counted in games, such as orders that got through; None if there were none.

    Things of one game are correlated, so games are clusters.
    """
    counted = np.asarray(wholes) > 0
    found = share_of_counts(np.asarray(parts)[counted].tolist(), np.asarray(wholes)[counted].tolist())
    return None if found.share is None else Estimate(found.share, found.low, found.high, int(counted.sum()))


def per_unit(sums: Any, counts: Any) -> Estimate | None:
    """How much of something comes to each of the things counted, such as points a round; games are clusters."""
    sums, counts = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    whole, n = counts.sum(), int((counts > 0).sum())
    if n < 2:
        return None
    value = float(sums.sum() / whole)
    spread = sqrt(float(((sums - value * counts) ** 2).sum()) * n / (n - 1)) / float(whole)
    return Estimate(value, value - Z * spread, value + Z * spread, n)


def coefficients(outcomes: Any, features: Any, games: Any) -> list[Estimate]:
    """What one more of each feature adds to an outcome: least squares, rows of one game being a cluster."""
    outcomes, features = np.asarray(outcomes, np.float64), np.asarray(features, np.float64)
    inverse = np.linalg.pinv(features.T @ features)
    found = inverse @ features.T @ outcomes
    scores = features * (outcomes - features @ found)[:, None]
    clusters = np.unique(games, return_inverse=True)[1]
    sums = np.zeros((int(clusters.max()) + 1, features.shape[1]))
    np.add.at(sums, clusters, scores)
    # Where nothing varies the variance is zero, and rounding may leave it a little below.
    spread = Z * np.sqrt(np.maximum(np.diag(inverse @ (sums.T @ sums) @ inverse), 0))
    return [
        Estimate(float(value), float(value - half), float(value + half), len(sums))
        for value, half in zip(found, spread, strict=True)
    ]
