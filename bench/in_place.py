"""PyTorch and JAX read the arrays of the environment in place: proved of all arrays, then measured."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from timing import best_rate

from meadhall.envs import VectorEnv, vector

ARRAYS = ("seats", "observations", "masks", "rewards", "dones")
OPTIONS: dict[str, dict[str, Any]] = {"goths": {"turn_limit": 5}, "romans": {"one_by_one": True}}
GAMES_PROVED, STEPS_PROVED = 1000, 100
GAMES_AT_ONCE, STEPS = 4096, 20


@dataclass(frozen=True)
class Library:
    """How one takes an array, where it then lies, what is read there, and a sum of it by the library's own code."""

    take: Callable[[Any], Any]
    address: Callable[[Any], int]
    read: Callable[[Any], Any]
    total: Callable[[Any], float]


def pytorch() -> Library:
    torch = import_module("torch")
    torch.set_num_threads(1)
    return Library(torch.from_dlpack, lambda it: int(it.data_ptr()), lambda it: (it + 0).numpy(), lambda it: it.sum())


def jax() -> Library:
    """JAX takes its arrays for constant, so that each step has to be taken anew; it refuses rather than copies."""
    found, taken = import_module("jax"), import_module("jax.dlpack").from_dlpack
    return Library(
        lambda array: taken(array, copy=False),
        lambda it: int(it.unsafe_buffer_pointer()),
        lambda it: np.asarray(found.numpy.array(it, copy=True)),
        lambda it: found.numpy.sum(it).block_until_ready(),
    )


LIBRARIES = {"PyTorch": pytorch, "JAX": jax}


def prove(library: Library, env: VectorEnv) -> None:
    """An error unless all arrays are read where the environment writes them."""
    kept = {name: library.take(getattr(env, name)) for name in ARRAYS}
    for _ in range(STEPS_PROVED):
        env.step(env.sample())
        for name, early in kept.items():
            array = getattr(env, name)
            now = library.take(array)
            if not library.address(early) == library.address(now) == array.ctypes.data:
                raise RuntimeError(f"{env.game.name}: {name} was copied")
            if not np.array_equal(library.read(now), array):
                raise RuntimeError(f"{env.game.name}: {name} reads otherwise than it is written")


def stepping(seconds: float, name: str) -> float:
    """Decisions per second of games side by side whose observations the library takes and sums up at every step."""
    library = LIBRARIES[name]()
    for game, options in OPTIONS.items():
        prove(library, vector(game, GAMES_PROVED, 1, **options))
    env = vector("goths", GAMES_AT_ONCE, 1, cores=1)
    actions = env.sample()

    def work() -> int:
        for _ in range(STEPS):
            library.total(library.take(env.observations))
            env.step(env.sample(actions))
        return STEPS * GAMES_AT_ONCE

    return best_rate(work, seconds)
