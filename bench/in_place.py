"""Do PyTorch and JAX read the arrays of the environment in place? Memory is compared, and every step that follows."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from meadhall.envs import vector

ARRAYS = ("seats", "observations", "masks", "rewards", "dones")
OPTIONS: dict[str, dict[str, Any]] = {"goths": {"turn_limit": 5}, "romans": {"one_by_one": True}}
GAMES, STEPS = 1000, 100


def torch_reader() -> tuple[Callable[[Any], Any], Callable[[Any], int], Callable[[Any], Any]]:
    """How PyTorch takes an array, where it finds it, and what it then reads there."""
    torch = import_module("torch")
    return torch.from_dlpack, lambda tensor: tensor.data_ptr(), lambda tensor: (tensor + 0).numpy()


def jax_reader() -> tuple[Callable[[Any], Any], Callable[[Any], int], Callable[[Any], Any]]:
    """The same of JAX, which refuses rather than copies."""
    jax = import_module("jax")
    taken = import_module("jax.dlpack").from_dlpack
    return (
        lambda array: taken(array, copy=False),
        lambda tensor: int(tensor.unsafe_buffer_pointer()),
        lambda tensor: np.asarray(jax.numpy.array(tensor, copy=True)),
    )


READERS = {"PyTorch": torch_reader, "JAX": jax_reader}


def proved(library: str) -> str:
    """Empty if the library reads all arrays of both games in place; else what is wrong."""
    try:
        take, address, read = READERS[library]()
    except ModuleNotFoundError as missing:
        return f"{missing.name} is not installed"
    for game, options in OPTIONS.items():
        env = vector(game, GAMES, 1, **options)
        try:
            taken = {name: take(getattr(env, name)) for name in ARRAYS}
        except (ValueError, RuntimeError) as refused:
            return f"{game}: {refused}"
        for name, tensor in taken.items():
            if address(tensor) != getattr(env, name).ctypes.data:
                return f"{game}: {name} was copied"
        for _ in range(STEPS):
            env.step(env.sample())
            for name, tensor in taken.items():
                if not np.array_equal(read(tensor), getattr(env, name)):
                    return f"{game}: {name} does not show what a step wrote"
    return ""
