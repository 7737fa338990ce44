"""Random play of very many games, on all cores; the same numbers for the same seed on any number of them."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from meadhall.engine.compiling import compiled_beside, warmed_up
from meadhall.engine.cores import cores_at_hand
from meadhall.engine.rng import RngState, seed_word
from meadhall.faults import Fault
from meadhall.games.game import game_named

CHUNK = 5_000
Tally = np.ndarray[Any, np.dtype[np.int64]]


@dataclass
class Simulation:
    """What was asked for, and what has come of it so far."""

    game: str
    rules: dict[str, Any]
    games: int
    seed: int | str
    cores: int
    tally: Tally = field(repr=False)
    done: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0


def batch_module(game: str) -> ModuleType:
    """The module that plays a game at random, and says what a batch of it counts."""
    name = f"meadhall.lab.simulate.{game}"
    if find_spec(name) is None:
        raise Fault(f"there is no simulation of {game}; it would be src/meadhall/lab/simulate/{game}.py")
    return import_module(name)


def compiled_batch(game: str) -> SimpleNamespace:
    """The functions of that module, compiled with the rules."""
    return compiled_beside(game, (batch_module(game).__name__,), inline=True)


def _player(simulation: Simulation) -> Callable[[int, int], Tally]:
    """A function that plays games number `first` and on, so many of them, and gives their tally."""
    chosen = game_named(simulation.game)
    rules = chosen.check_rules(simulation.rules)
    start = chosen.blank(rules).array()
    batch = batch_module(simulation.game)
    play_games = compiled_batch(simulation.game).play_games
    word = seed_word(simulation.seed)

    def play(first: int, games: int) -> Tally:
        tally = np.zeros(batch.TALLY_SIZE, np.int64)
        play_games(start.copy(), np.zeros(1, RngState.dtype()), word, first, games, tally)
        return tally

    return play


def _add(simulation: Simulation, tally: Tally) -> None:
    """Sums and maxima come out the same in any order, so the result does not depend on the cores."""
    maxima = list(batch_module(simulation.game).MAXIMA)
    greatest = np.maximum(simulation.tally[maxima], tally[maxima])
    simulation.tally += tally
    simulation.tally[maxima] = greatest


def _chunks(games: int) -> Iterator[tuple[int, int]]:
    for first in range(0, games, CHUNK):
        yield first, min(CHUNK, games - first)


def prepare(game: str, rules: dict[str, Any], games: int, seed: int | str = 0, cores: int | None = None) -> Simulation:
    """A simulation ready to run: the rules are compiled, with a note on the terminal if that takes a while."""
    empty = np.zeros(batch_module(game).TALLY_SIZE, np.int64)
    simulation = Simulation(game, rules, games, seed, cores or cores_at_hand(), empty)
    play = _player(simulation)
    simulation.compile_seconds = warmed_up(game, lambda: play(0, 0))
    return simulation


def run(simulation: Simulation, progress: Callable[[int], None] = lambda done: None) -> Simulation:
    """Play the games; Ctrl-C stops early, and what was done is in the simulation."""
    start = time.perf_counter()
    try:
        with ThreadPoolExecutor(simulation.cores) as pool:
            try:
                _run_in(pool, simulation, progress)
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
    except KeyboardInterrupt:
        pass  # impatient: a second one while the last chunks end
    simulation.seconds = time.perf_counter() - start
    return simulation


def _run_in(pool: ThreadPoolExecutor, simulation: Simulation, progress: Callable[[int], None]) -> None:
    play = _player(simulation)
    chunks = _chunks(simulation.games)
    sizes: dict[Future[Tally], int] = {}
    while True:
        # Two chunks a core: none is idle, and Ctrl-C never waits long.
        for first, size in _take(chunks, 2 * simulation.cores - len(sizes)):
            sizes[pool.submit(play, first, size)] = size
        if not sizes:
            return
        for future in wait(sizes, return_when=FIRST_COMPLETED).done:
            _add(simulation, future.result())
            simulation.done += sizes.pop(future)
        progress(simulation.done)


def simulate(game: str, rules: dict[str, Any], games: int, seed: int | str = 0, cores: int | None = None) -> Simulation:
    """Play so many random games and count."""
    return run(prepare(game, rules, games, seed, cores))


def _take(chunks: Iterator[tuple[int, int]], count: int) -> Sequence[tuple[int, int]]:
    return [chunk for _, chunk in zip(range(count), chunks, strict=False)]
