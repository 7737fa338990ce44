"""Romans: chances that mean what they say, by a slope and an intercept in log odds fitted to games among the levels."""

from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.games.romans.state import Phase, RomansState

Floats = npt.NDArray[np.float64]
LEAST = 0.005  # estimates nearer to 0 or 1 than this count as so much: rollouts cannot tell them apart
CERTAIN = 0.0005  # nearer than this, a choice has won or lost in every rollout
SHAPE = (4, 3, 2, 2)  # players - 1, round - 1, within a turn or not, slope and intercept


def as_estimated() -> Floats:
    """The calibration that changes nothing."""
    unchanged: Floats = np.tile(np.array([1.0, 0.0]), (*SHAPE[:3], 1))
    return unchanged


def cell(s: RomansState) -> tuple[int, int, int]:
    """Where the slope and the intercept for a position are."""
    return int(s.players) - 1, int(s.round) - 1, int(s.phase != Phase.PLAN)


def log_odds(chances: Any) -> Floats:
    """The log odds of estimated chances."""
    clipped = np.clip(chances, LEAST, 1.0 - LEAST)
    odds: Floats = np.log(clipped / (1.0 - clipped))
    return odds


def calibrated(chances: Any, slope_and_intercept: Floats) -> Floats:
    """Estimated chances as the share of games that are won at such estimates; certain ones stay as they are."""
    slope, intercept = slope_and_intercept
    fitted = 1.0 / (1.0 + np.exp(-(slope * log_odds(chances) + intercept)))
    chances = np.asarray(chances)
    found: Floats = np.where(chances <= CERTAIN, 0.0, np.where(chances >= 1.0 - CERTAIN, 1.0, fitted))
    return found
