"""The Romans search compiled together with the rules it runs on.

Compiling takes half a minute, once; later the machine code is read from disk. Nobody at a table waits for it: until
`prepare` has been called and is done, the strong levels choose by `fallback`.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from meadhall.bots.patience import patient
from meadhall.bots.romans.plan_policy import PLAN_FEATURES
from meadhall.bots.romans.rollout import VALUE_FEATURES
from meadhall.games.romans.state import RomansState

SEARCH_MODULES = tuple(f"meadhall.bots.romans.{name}" for name in ("rollout", "plan_policy", "search"))
_prepared = False


@cache
def compiled_search() -> SimpleNamespace:
    """The compiled functions under their own names; each is compiled when it is first called."""
    from meadhall.engine.compiling import compiled_beside  # importing Numba takes long: only who searches waits for it

    return compiled_beside("romans", SEARCH_MODULES)


def ready() -> bool:
    """Is everything compiled that a choice needs? Where nobody waits for one, it is now."""
    if patient():
        prepare()
    return _prepared


def prepare() -> None:
    """Compile what a choice needs, or read it from disk; may be called in a thread, and more than once."""
    global _prepared
    if _prepared:
        return
    search = compiled_search()
    no_states = np.zeros(0, RomansState.dtype())
    policies, shares = np.zeros((1, PLAN_FEATURES), np.float32), np.array([1000], np.int64)
    no_choices, no_sums, value_weights = np.zeros(0, np.int64), np.zeros(0), np.zeros((2, VALUE_FEATURES))
    search.sample_worlds(no_states, no_states, 0, policies, shares, np.array([1, 1], np.int64))
    search.evaluate_plans(no_states, 0, 0, no_choices, no_states, value_weights, no_sums)
    search.evaluate_lines(no_states, 0, no_choices, no_states, value_weights, np.zeros((0, 0)))
    search.evaluate_choices(no_states, 0, no_choices, no_states, value_weights, no_sums)
    search.count_captures(no_states, 0, 0, no_states, no_sums)
    _prepared = True
