"""Romans, thought out at speed: the search functions compiled together with the rules they run on.

Compiling takes half a minute, once; later the machine code is read from disk. Nobody at a table waits for it: until
`prepare` has been called and is done, the strong levels answer by `romans_fallback`.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from meadhall.bots.romans.habits import HABIT_SIZE
from meadhall.bots.romans.turns import STANDING_SIZE
from meadhall.games.romans.state import RomansState

SEARCH = tuple(f"meadhall.bots.romans.{name}" for name in ("turns", "habits", "search"))
_prepared = False


@cache
def engine() -> SimpleNamespace:
    """The compiled functions under their own names; each is compiled when it is first called."""
    from meadhall.engine.compiling import compiled_beside  # Numba takes its time: only who searches waits for it

    return compiled_beside("romans", SEARCH)


def ready() -> bool:
    """Is everything compiled that a choice needs?"""
    return _prepared


def prepare() -> None:
    """Compile what a choice needs, or read it from disk; may be called in a thread, and more than once."""
    global _prepared
    if _prepared:
        return
    fast = engine()
    nothing = np.zeros(0, RomansState.dtype())
    habits, shares = np.zeros((1, HABIT_SIZE), np.float32), np.array([1000], np.int64)
    numbers, sums, weights = np.zeros(0, np.int64), np.zeros(0), np.zeros((2, STANDING_SIZE))
    fast.imagine(nothing, nothing, 0, habits, shares, np.array([1, 1], np.int64))
    fast.weigh_plans(nothing, 0, 0, numbers, nothing, weights, sums)
    fast.weigh_choices(nothing, 0, numbers, nothing, weights, sums)
    fast.count_captures(nothing, 0, 0, nothing, sums)
    _prepared = True
