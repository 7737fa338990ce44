"""The arrays of the environment are memory that others read in place, by DLPack: no library gets a copy.

Here NumPy stands for all of them; `make bench` proves the same with PyTorch and JAX themselves.
"""

from typing import Any

import numpy as np
import pytest

from meadhall.envs import vector
from meadhall.envs.vectorised import ALIGNED

ARRAYS = {"seats": np.int8, "observations": np.int8, "masks": np.bool_, "rewards": np.float32, "dones": np.bool_}
OPTIONS: dict[str, dict[str, Any]] = {
    "goths": {"turn_limit": 3},
    "romans": {"players": ["gold", "green"], "one_by_one": True},
}
CPU = 1  # kDLCPU
both_games = pytest.mark.parametrize("game", OPTIONS)
every_array = pytest.mark.parametrize("name", ARRAYS)


@both_games
@every_array
def test_an_array_is_offered_as_plain_memory_of_the_processor(game: str, name: str) -> None:
    array = getattr(vector(game, 33, 1, **OPTIONS[game]), name)
    assert array.__dlpack_device__() == (CPU, 0)
    assert array.dtype == ARRAYS[name]
    assert array.flags["C_CONTIGUOUS"]
    assert array.flags["WRITEABLE"]
    assert array.ctypes.data % ALIGNED == 0


@both_games
@every_array
def test_who_takes_an_array_by_dlpack_shares_its_memory(game: str, name: str) -> None:
    array = getattr(vector(game, 33, 1, **OPTIONS[game]), name)
    taken = np.from_dlpack(array)
    assert (taken.dtype, taken.shape, taken.strides) == (array.dtype, array.shape, array.strides)
    assert taken.ctypes.data == array.ctypes.data
    array[...] = ~array if array.dtype == np.bool_ else array + 1
    assert np.array_equal(taken, array)


@both_games
def test_what_was_taken_once_shows_every_later_step(game: str) -> None:
    env = vector(game, 300, 1, cores=2, **OPTIONS[game])
    taken = {name: np.from_dlpack(getattr(env, name)) for name in ARRAYS}
    before, ended = {name: array.copy() for name, array in taken.items()}, 0
    for _ in range(120):
        env.step(env.sample())
        ended += int(taken["dones"].sum())
        assert all(np.array_equal(taken[name], getattr(env, name)) for name in ARRAYS)
    assert ended > 0
    assert not np.array_equal(taken["observations"], before["observations"])
    env.reset(2)
    assert all(taken[name].ctypes.data == getattr(env, name).ctypes.data for name in ARRAYS)
