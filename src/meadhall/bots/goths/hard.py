"""Goths, the level `hard`: plays the mixed equilibrium of a turn by values solved from the rules, and learns who plays.

How it chooses is in `response.py`, what it says of a position in `hints.py`.
"""

from random import Random

from meadhall.bots.evaluation import Evaluation
from meadhall.bots.goths import balance, hints
from meadhall.bots.goths.policy import policy_at, strategy
from meadhall.match import View

__all__ = ["choose", "evaluate", "prepare", "ready", "strategy"]

ready, prepare = balance.ready, balance.prepare


def choose(view: View, rng: Random) -> str:
    """The choice of a hard bot, whichever decision of the game it is."""
    policy = policy_at(view)
    names = sorted(policy)
    return rng.choices(names, [policy[name][0] for name in names])[0]


def evaluate(view: View) -> Evaluation:
    """The numbers behind the choice, for hints."""
    return hints.evaluated(view)
