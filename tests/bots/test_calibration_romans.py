"""Chances in Romans that mean what they say: the fit and the check."""

import numpy as np
import pytest

from meadhall.bots.romans.calibration import as_estimated, calibrated
from meadhall.lab.solve.romans_calibration import BINS, COLUMNS, ESTIMATE, WON, check, fit


def games(slope: float, intercept: float, count: int = 6000) -> np.ndarray:
    """Positions whose estimates are off by a slope and an intercept in log odds."""
    rng = np.random.default_rng(1)
    seen = np.zeros((count, COLUMNS))
    odds = rng.normal(0.0, 1.5, count)
    seen[:, ESTIMATE] = 1.0 / (1.0 + np.exp(-odds))
    seen[:, WON] = rng.random(count) < 1.0 / (1.0 + np.exp(-(slope * odds + intercept)))
    return seen


def test_a_calibration_finds_by_how_much_estimates_are_off() -> None:
    fitted = fit(games(0.6, -0.3))
    assert fitted[0, 0] == pytest.approx([0.6, -0.3], abs=0.1)
    assert fitted[2, 1].tolist() == [1.0, 0.0]  # of which nothing was seen


def test_after_it_seven_of_ten_positions_called_seventy_per_cent_are_won() -> None:
    seen = games(0.5, 0.4)
    counts = check(seen, fit(seen))
    assert counts[:, 2].sum() == len(seen)
    called, won = counts[7, :2] / counts[7, 2]
    assert called == pytest.approx(won, abs=0.05)
    assert len(counts) == BINS


def test_better_stays_better_and_certain_stays_certain() -> None:
    chances = calibrated(np.array([0.0, 0.2, 0.5, 0.9, 1.0]), np.array([0.5, -0.2]))
    assert chances[0] == 0.0
    assert chances[-1] == 1.0
    assert (np.diff(chances) > 0.0).all()
    unchanged = calibrated(np.array([0.3]), as_estimated()[0, 0, 0])
    assert unchanged == pytest.approx([0.3])
