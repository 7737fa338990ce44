"""Very many games side by side in NumPy memory: arrays in, arrays out, and no Python for any single game."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import prod
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from meadhall.engine.compiling import compiled_beside
from meadhall.engine.cores import cores_at_hand
from meadhall.engine.rng import RngState, seed_word
from meadhall.envs.slots import Slot
from meadhall.faults import Fault
from meadhall.games.game import Game, game_named
from meadhall.match import View

Array = np.ndarray[Any, Any]
SMALLEST_CHUNK = 256  # games: for fewer a second thread is not worth waking
ALIGNED = 64  # bytes: what JAX wants of memory that it is to read in place; it copies any other


def aligned_zeros(shape: tuple[int, ...], kind: type) -> Array:
    """An array of zeros whose memory starts at a multiple of ALIGNED, where NumPy's own starts anywhere."""
    size = prod(shape) * np.dtype(kind).itemsize
    memory = np.zeros(size + ALIGNED, np.uint8)
    start = -memory.ctypes.data % ALIGNED
    return memory[start : start + size].view(kind).reshape(shape)


def numbers_of(game: str) -> ModuleType:
    """The module that says what a game's observations and actions are."""
    game_named(game)
    name = f"meadhall.envs.{game}"
    if find_spec(name) is None:
        raise Fault(f"there is no environment of {game}; it would be src/meadhall/envs/{game}.py")
    return import_module(name)


@cache
def compiled_loop(game: str) -> SimpleNamespace:
    """The loop over games, compiled with the rules, random play and that module."""
    modules = (f"meadhall.lab.simulate.{game}", numbers_of(game).__name__, "meadhall.envs.loop")
    return compiled_beside(game, modules, inline=True)


class VectorEnv:
    """`n` games of the same rules, each waiting for one seat's action; a game that ends is dealt anew at once.

    The arrays are made once and written in place by `reset` and `step`: copy what must outlive the next step.

    - `seats` (n): the seat that is to act in each game
    - `observations` (n, size), int8: what that seat knows, index by index as `layout` says
    - `masks` (n, actions), bool: what it may do
    - `rewards` (n, seats), float32: what a game that ended by the last step was worth to each seat, else 0
    - `dones` (n), bool: has the game ended by the last step? The other arrays show the next one already.
    """

    def __init__(
        self,
        game: str,
        n: int,
        seed: int | str = 0,
        *,
        cores: int | None = None,
        one_by_one: bool = False,
        **options: Any,
    ) -> None:
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise ValueError(f"n must be a whole number from 1, not {n!r}")
        self.game: Game = game_named(game)
        self.rules = self.game.check_rules(self.game.usual_rules | self.game.smallest_rules | options)
        numbers = numbers_of(game)
        if one_by_one and not hasattr(numbers, "ONE_BY_ONE"):
            raise ValueError(f"nothing is put in order in {game}, so there is no one_by_one")
        self.layout = numbers.LAYOUT
        self.n = n
        self.seed = seed
        self.one_by_one = one_by_one
        self.agents = self.game.seats(self.rules)
        self.action_count = int(numbers.ONE_BY_ONE if one_by_one else self.game.choice_count)
        self.states: Array = np.repeat(self.game.blank(self.rules).array(), n)
        self.seats: Array = aligned_zeros((n,), np.int8)
        self.observations: Array = aligned_zeros((n, self.layout.size), np.int8)
        self.masks: Array = aligned_zeros((n, self.action_count), np.bool_)
        self.rewards: Array = aligned_zeros((n, len(self.agents)), np.float32)
        self.dones: Array = aligned_zeros((n,), np.bool_)
        self._slots: Array = np.zeros(n, Slot.dtype())
        self._loop = compiled_loop(game)
        chunks = min(cores or cores_at_hand(), max(1, n // SMALLEST_CHUNK))
        self._bounds = [(k, k * n // chunks, (k + 1) * n // chunks) for k in range(chunks)]
        self._views: Array = np.zeros(chunks, self.states.dtype)
        self._rngs: Array = np.zeros(chunks, RngState.dtype())
        self._dice: Array = np.zeros(chunks, RngState.dtype())
        self._pool = ThreadPoolExecutor(chunks - 1) if chunks > 1 else None
        self.reset(seed)

    def reset(self, seed: int | str | None = None) -> None:
        """Deal all games anew: the same seed gives the same games, whatever the number of cores."""
        self.seed = self.seed if seed is None else seed
        self._word = seed_word(self.seed)
        self._slots["game"] = np.arange(self.n)
        self._slots["one_by_one"] = self.one_by_one
        self._dice["words"] = [[self._word & 0xFFFFFFFF, (k << 1) | 1] for k in range(len(self._dice))]
        self.rewards[:] = 0
        self.dones[:] = False
        self._on_all_cores(
            lambda chunk, first, last: self._loop.begin_games(
                *(self.states, self._slots, self._views, self._rngs, self._word),
                *(chunk, first, last, self.seats, self.observations, self.masks),
            )
        )

    def step(self, actions: Any) -> None:
        """Take an action in every game; a ValueError, and nothing is done, if one of them may not be taken."""
        given = self._checked(actions)
        self._on_all_cores(
            lambda chunk, first, last: self._loop.step_games(
                *(self.states, self._slots, self._views, self._rngs, self._word, self.n, chunk, first, last),
                *(given, self.seats, self.observations, self.masks, self.rewards, self.dones),
            )
        )

    def sample(self, out: Array | None = None) -> Array:
        """An action for every game, at random out of those that may be taken; a game that is over must not be there."""
        actions = np.empty(self.n, np.int64) if out is None else out
        self._on_all_cores(
            lambda chunk, first, last: self._loop.random_actions(
                self.states, self._slots, self.seats, self.masks, actions, self._dice, chunk, first, last
            )
        )
        return actions

    def load(self, states: Array) -> None:
        """Go on from other states, full ones of the same rules, such as those that `redeal` makes.

        One that is over has the seat -1 and no action; it must not be stepped.
        """
        self.states[:] = states
        for name in ("row", "count"):
            self._slots[name] = 0
        self._on_all_cores(
            lambda chunk, first, last: self._loop.show_games(
                *(self.states, self._slots, self._views, chunk, first, last),
                *(self.seats, self.observations, self.masks),
            )
        )

    def views(self, seats: Any) -> Array:
        """What a seat of each game may know, as records; -1 is a spectator."""
        wanted = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int64), self.n))
        if wanted.min() < -1 or wanted.max() >= len(self.agents):
            raise ValueError(f"seats are -1 (a spectator) to {len(self.agents) - 1}")
        found = np.zeros(self.n, self.states.dtype)
        self._loop.view_games(self.states, wanted, found)
        return found

    def _checked(self, actions: Any) -> Array:
        """The actions as an array, if all of them may be taken."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.n} whole numbers, one for each game, "
                f"not {given.dtype} of the shape {given.shape}"
            )
        given = given.astype(np.int64, copy=False)
        place = self._loop.first_illegal(self.states, self._slots, self.seats, given, 0, self.n)
        if place >= 0:
            self._refuse(int(place), int(given[place]))
        return given

    def _refuse(self, place: int, action: int) -> None:
        seat = int(self.seats[place])
        if seat < 0:
            raise ValueError(f"game {place} is over: load others, or reset")
        legal = np.flatnonzero(self.masks[place])
        shown = ", ".join(map(str, legal[:12])) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        raise ValueError(f"game {place}: {self.agents[seat]} may not take action {action}; legal are {shown}")

    def _on_all_cores(self, work: Callable[[int, int, int], None]) -> None:
        """Do a part of the work in each thread; compiled code lets them run at the same time."""
        if self._pool is None:
            work(*self._bounds[0])
            return
        others = [self._pool.submit(work, *bounds) for bounds in self._bounds[1:]]
        work(*self._bounds[0])
        for other in others:
            other.result()


def vector(
    game: str, n: int = 4096, seed: int | str = 0, *, cores: int | None = None, one_by_one: bool = False, **options: Any
) -> VectorEnv:
    """`n` games side by side; every option of the rules is a keyword.

    `vector("romans", 1024, players=["gold", "red"])`
    """
    return VectorEnv(game, n, seed, cores=cores, one_by_one=one_by_one, **options)


def redeal(view: View, n: int, seed: int | str = 0, first: int = 0) -> Array:
    """`n` worlds that the seat of a view cannot tell apart, all equally likely, as full states for `VectorEnv.load`.

    World number k of a seed is the same in every call that makes it.
    """
    worlds = np.repeat(view.state.array(), n)
    rngs = np.zeros(1, RngState.dtype())
    compiled_loop(view.game.name).redeal_games(worlds, np.full(n, view.number), rngs, seed_word(seed), first)
    return worlds
