"""Romans, the level `medium`: a best response to rivals of whom half plan at random and half by the value of forts."""

from functools import cache
from random import Random

import numpy as np
import numpy.typing as npt

from meadhall.bots.romans import monte_carlo
from meadhall.bots.romans.compiled import prepare, ready
from meadhall.bots.romans.monte_carlo import SearchModel
from meadhall.bots.romans.plan_policy import AT_FORT, PLAN_FEATURES
from meadhall.bots.romans.rollout import LEGIONS, POINTS, VALUE_FEATURES
from meadhall.games.romans.state import STRENGTH
from meadhall.match import View

__all__ = ["choose", "prepare", "ready"]

# What a greedy planner sees in a fort, in points, by its kind: unwary, signal, tax, ordinary ones, then legions.
FORT_POINTS = (2.0, 4.0, 7.0, 1.0, 3.0, 4.0, 5.0, 6.0, 2.0, 5.0, 20.0, -2.0, 10.0)
GREED = 0.06  # the weight of a fort's points times a warrior's strength
POINT_WEIGHTS = (0.09, 0.14)  # of a point, after round 1 and after round 2
# Points that 0, 1 or 2 legions are worth while three can be won, and each of those that cannot: it can still be paid.
LEGION_POINTS, USELESS_LEGION_POINTS = (0.0, 5.0, 14.0), 2.0


def uniform_and_greedy() -> npt.NDArray[np.float32]:
    """Two policies of planning, [policy, feature]: uniformly random, and strong warriors at valuable forts."""
    policies = np.zeros((2, PLAN_FEATURES), np.float32)
    for kind, worth in enumerate(FORT_POINTS):
        for warrior, points in enumerate(STRENGTH):
            policies[1, AT_FORT + 8 * kind + warrior] = GREED * worth * points
    return policies


def rough_value_weights() -> npt.NDArray[np.float64]:
    """A value function by hand: points, and legions as long as three can still be won (R5.4)."""
    weights = np.zeros((2, VALUE_FEATURES))
    for played, point in enumerate(POINT_WEIGHTS):
        weights[played, POINTS] = point
        for held in range(3):
            for to_come in range(5):
                worth = LEGION_POINTS[held] if held + to_come >= 3 else USELESS_LEGION_POINTS * held
                weights[played, LEGIONS + 5 * held + to_come] = worth * point
    return weights


@cache
def model() -> SearchModel:
    """Few rollouts, and rivals without skill."""
    return SearchModel(
        policies=uniform_and_greedy(),
        shares=np.array([500, 500]),
        value_weights=rough_value_weights(),
        halving=((4, 200), (16, 30), (40, 10)),
        worlds=48,
        temperature=0.01,
    )


def choose(view: View, rng: Random) -> str:
    """The choice of a medium bot, whichever decision of the game it is."""
    return monte_carlo.choose(view, model(), rng)
