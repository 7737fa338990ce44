"""Romans, the level `medium`: the best answer to rivals half thoughtless, half greedy for the dear forts."""

from functools import cache
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.evaluation import Why
from meadhall.bots.romans import thinking as romans_thinking
from meadhall.bots.romans.compiled import prepare, ready
from meadhall.bots.romans.habits import FORT, HABIT_SIZE
from meadhall.bots.romans.thinking import Mind
from meadhall.bots.romans.turns import LEGIONS, POINT, STANDING_SIZE
from meadhall.games.romans.state import STRENGTH
from meadhall.match import View

__all__ = ["caveat", "choose", "prepare", "ready"]

# What a planner who counts points sees in a fort: unwary, signal, tax, ordinary ones, then legions by kind.
GREED = (2.0, 4.0, 7.0, 1.0, 3.0, 4.0, 5.0, 6.0, 2.0, 5.0, 20.0, -2.0, 10.0)
ZEAL = 0.06
POINTS_COUNT = (0.09, 0.14)  # after round 1, after round 2
HOPE, NO_HOPE = (0.0, 5.0, 14.0), 2.0  # of legions, in points; those in vain are still paid as tax or traded for a fort


def greedy() -> npt.NDArray[np.float32]:
    """The habit to lay strong warriors before dear forts."""
    habit = np.zeros(HABIT_SIZE, np.float32)
    for kind, worth in enumerate(GREED):
        for warrior, points in enumerate(STRENGTH):
            habit[FORT + 8 * kind + warrior] = ZEAL * worth * points
    return habit


def rough_standings() -> npt.NDArray[np.float64]:
    """A point is a point, a legion a promise as long as three can be had (R5.4)."""
    weights = np.zeros((2, STANDING_SIZE))
    for played, point in enumerate(POINTS_COUNT):
        weights[played, POINT] = point
        for held in range(3):
            for to_come in range(5):
                hope = HOPE[held] if held + to_come >= 3 else NO_HOPE * held
                weights[played, LEGIONS + 5 * held + to_come] = hope * point
    return weights


@cache
def mind() -> Mind:
    """Few worlds and plain beliefs."""
    return Mind(
        habits=np.stack([np.zeros(HABIT_SIZE, np.float32), greedy()]),
        shares=np.array([500, 500]),
        weights=rough_standings(),
        stages=((4, 200), (16, 30), (40, 10)),
        worlds=48,
        heat=0.01,
    )


def choose(view: View, dice: Random) -> str:
    """The choice of a medium bot, whichever decision of the game it is."""
    return romans_thinking.choose(view, mind(), dice)


def caveat(rules: dict[str, Any]) -> Why | None:
    """None: it plays all rules by the same estimates, and says nothing else."""
    return None
