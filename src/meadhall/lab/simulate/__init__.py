"""Random play of very many games, on all cores; the same numbers for the same seed on any number of them.

The compiler is imported only by what compiles: who wants no more than a game's numbers need not wait for it.
"""

import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np

from meadhall.engine.cores import cores_at_hand
from meadhall.engine.rng import RngState, seed_word
from meadhall.faults import Fault
from meadhall.games.game import game_named
from meadhall.lab.shards import Threads, Workers, in_order
from meadhall.lab.simulate.recording import Recorded, Recorder

CHUNK = 5_000
LARGE_CHUNK = 100_000  # for workers elsewhere: half a second, beside which it costs nothing to ask for it
Tally = np.ndarray[Any, np.dtype[np.int64]]


class Keeper(Protocol):
    """Who wants to have the games themselves."""

    @property
    def made_of(self) -> Callable[[Recorded], Any]:
        """What is to be kept of some games: a function that can travel, asked on many threads at once."""

    def keep(self, made: Any) -> None:
        """Take that in: by one thread, in the order of the games."""


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
    from meadhall.engine.compiling import compiled_beside

    return compiled_beside(game, (batch_module(game).__name__,), inline=True)


def compiled_recording(game: str) -> SimpleNamespace:
    """The same, with what writes games down."""
    from meadhall.engine.compiling import compiled_beside

    return compiled_beside(game, (batch_module(game).__name__, Recorder.__module__), inline=True)


class _Played(NamedTuple):
    """What came of a chunk of games, and whatever a keeper has made of it."""

    games: int
    tally: Tally
    made: Any = None


_Player = Callable[[int, int], _Played]
_MadeOf = Callable[[Recorded], Any]


def _player(game: str, rules: dict[str, Any], seed: int | str, made_of: _MadeOf | None) -> _Player:
    """A function that plays games number `first` and on, so many of them."""
    chosen = game_named(game)
    start = chosen.blank(chosen.check_rules(rules)).array()
    batch = batch_module(game)
    word = seed_word(seed)
    if made_of is not None:
        record_games = compiled_recording(game).record_games
        return _kept(Recorder(record_games, start, word, batch.TALLY_SIZE), made_of, list(batch.MAXIMA))
    play_games = compiled_batch(game).play_games

    def play(first: int, games: int) -> _Played:
        tally = np.zeros(batch.TALLY_SIZE, np.int64)
        play_games(start.copy(), np.zeros(1, RngState.dtype()), word, first, games, tally)
        return _Played(games, tally)

    return play


def _kept(recorder: Recorder, made_of: _MadeOf, maxima: list[int]) -> _Player:
    """The same, with the games recorded for a keeper."""

    def play(first: int, games: int) -> _Played:
        recorded = recorder.record(first, games)
        tally = recorded.tallies.sum(axis=0)
        tally[maxima] = recorded.tallies[:, maxima].max(axis=0, initial=0)
        return _Played(games, tally, made_of(recorded))

    return play


def _play_there(packed: bytes, first: int, games: int) -> _Played:
    """In a worker elsewhere: the same."""
    return _unpacked(packed)(first, games)


@lru_cache(maxsize=4)
def _unpacked(packed: bytes) -> _Player:
    return _player(*pickle.loads(packed))


def _add(simulation: Simulation, tally: Tally) -> None:
    """Sums and maxima come out the same in any order, so the result does not depend on the cores."""
    maxima = list(batch_module(simulation.game).MAXIMA)
    greatest = np.maximum(simulation.tally[maxima], tally[maxima])
    simulation.tally += tally
    simulation.tally[maxima] = greatest


def _chunks(games: int, size: int) -> Iterator[tuple[int, int]]:
    for first in range(0, games, size):
        yield first, min(size, games - first)


def prepare(
    game: str,
    rules: dict[str, Any],
    games: int,
    seed: int | str = 0,
    cores: int | None = None,
    keeper: Keeper | None = None,
) -> Simulation:
    """A simulation ready to run: the rules are compiled, with a note on the terminal if that takes a while."""
    from meadhall.engine.compiling import warmed_up

    empty = np.zeros(batch_module(game).TALLY_SIZE, np.int64)
    simulation = Simulation(game, rules, games, seed, cores or cores_at_hand(), empty)
    play = _player(game, rules, seed, _made_of(keeper))
    simulation.compile_seconds = warmed_up(game, lambda: play(0, 0))
    return simulation


def run(
    simulation: Simulation,
    progress: Callable[[int], None] = lambda done: None,
    keeper: Keeper | None = None,
    workers: Workers | None = None,
) -> Simulation:
    """Play the games, here or by others; Ctrl-C stops early, and what was done is in the simulation and kept."""
    start = time.perf_counter()
    asked = (simulation.game, simulation.rules, simulation.seed, _made_of(keeper))
    try:
        with ThreadPoolExecutor(1) as desk, suppress(KeyboardInterrupt):
            if workers is None:
                with Threads(simulation.cores) as threads:
                    _run_by(threads, _player(*asked), CHUNK, desk, simulation, progress, keeper)
            else:
                play, size = partial(_play_there, pickle.dumps(asked)), CHUNK if keeper is not None else LARGE_CHUNK
                _run_by(workers, play, size, desk, simulation, progress, keeper)
    except KeyboardInterrupt:
        pass  # impatient: a second one while the last chunks end
    simulation.seconds = time.perf_counter() - start
    return simulation


def _made_of(keeper: Keeper | None) -> _MadeOf | None:
    return None if keeper is None else keeper.made_of


def _run_by(
    workers: Workers,
    play: _Player,
    size: int,
    desk: ThreadPoolExecutor,
    simulation: Simulation,
    progress: Callable[[int], None],
    keeper: Keeper | None,
) -> None:
    """Take in chunk after chunk in the order of the games."""
    chunks = _chunks(simulation.games, size)
    with closing(in_order(lambda chunk: workers.submit(play, *chunk), chunks, workers.ahead)) as done:
        for _, played in done:
            # At the desk, where Ctrl-C does not reach: a chunk is counted and kept, or neither.
            desk.submit(_take_in, simulation, played, keeper).result()
            progress(simulation.done)


def _take_in(simulation: Simulation, played: _Played, keeper: Keeper | None) -> None:
    if keeper is not None:
        keeper.keep(played.made)
    _add(simulation, played.tally)
    simulation.done += played.games


def simulate(game: str, rules: dict[str, Any], games: int, seed: int | str = 0, cores: int | None = None) -> Simulation:
    """Play so many random games on all cores, and count what came of them; the rules name options of the game."""
    return run(prepare(game, rules, games, seed, cores))
