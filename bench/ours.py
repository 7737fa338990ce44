"""What Meadhall does in a second: compiled, interpreted, and from the command line."""

import itertools
import json
import random
import subprocess
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from timing import best_rate, best_time

from meadhall.engine.rng import RngState, seed_word, seeded
from meadhall.envs import vector
from meadhall.games.game import game_named
from meadhall.games.goths import rules, setup
from meadhall.games.goths.state import GothsState
from meadhall.lab.simulate import batch_module, compiled_batch
from meadhall.match import Match

RULES: dict[str, dict[str, Any]] = {"goths": {}, "romans": {"players": ["gold", "green", "violet", "red"]}}
SEED = 1
GAMES_IN_A_ROW = 1000
GAMES_AT_ONCE, STEPS = 4096, 20  # of the vectorised environment, and in one call
STATES = 64  # few enough to stay in the nearest cache, as a search's states do
COPIES = 100_000
REPLAY_LIMIT = 60  # seconds


def _blank(game: str) -> Any:
    chosen = game_named(game)
    return chosen.blank(chosen.check_rules(RULES[game]))


def batch(seconds: float, game: str) -> float:
    """Decisions per second of random play from deal to end, all of it compiled."""
    counted, play_games = batch_module(game), compiled_batch(game).play_games
    states = _blank(game).array().copy()
    rngs = np.zeros(1, RngState.dtype())
    tally = np.zeros(counted.TALLY_SIZE, np.int64)
    first = itertools.count(0, GAMES_IN_A_ROW)

    def work() -> int:
        tally[:] = 0
        play_games(states, rngs, seed_word(SEED), next(first), GAMES_IN_A_ROW, tally)
        return int(tally[counted.DECISIONS])

    return best_rate(work, seconds)


def vectorised(seconds: float, game: str, how: str = "") -> float:
    """Decisions per second of games side by side, each with its observation and its mask written; one core."""
    env = vector(game, GAMES_AT_ONCE, SEED, cores=1, one_by_one=bool(how), **RULES[game])
    actions = env.sample()

    def work() -> int:
        for _ in range(STEPS):
            env.step(env.sample(actions))
        return GAMES_AT_ONCE * STEPS

    return best_rate(work, seconds)


def python_loop(seconds: float) -> float:
    """Decisions per second of one game of Goths, in which Python calls compiled code for every decision."""
    twins = compiled_batch("goths")
    next_seat, pick, commit = twins.next_seat_at, twins.pick_at, twins.commit_at
    state = _blank("goths")
    states = state.array()
    dealer = seeded(SEED)
    rngs = np.zeros(1, RngState.dtype())
    rngs["words"] = dealer

    def work() -> int:
        setup.deal(state, dealer)
        rules.set_up(state)
        decisions = 0
        while (seat := next_seat(states, 0)) >= 0:
            commit(states, 0, seat, pick(states, 0, seat, rngs))
            decisions += 1
        return decisions

    return best_rate(work, seconds)


@cache
def _choices(bits: int) -> tuple[int, ...]:
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def interpreted(seconds: float) -> float:
    """Decisions per second of random Goths by the rules as they stand in the source."""
    state: GothsState = _blank("goths")
    dealer = seeded(SEED)
    rng = random.Random(SEED)

    def work() -> int:
        setup.deal(state, dealer)
        rules.set_up(state)
        decisions = 0
        while (seat := rules.next_seat(state)) >= 0:
            rules.commit(state, seat, rng.choice(_choices(rules.legal(state, seat))))
            decisions += 1
        return decisions

    return best_rate(work, seconds)


@numba.njit
def _copy_states(to: Any, of: Any, copies: int) -> None:
    for k in range(copies):
        to[k % STATES] = of[(5 * k) % STATES]


def by_names(seconds: float, game: str) -> float:
    """Decisions per second of random play through Match, every choice drawn from the names a seat may choose."""
    rng = random.Random(SEED)
    seeds = itertools.count()

    def work() -> int:
        match = Match.new(game, RULES[game] | {"turn_limit": 50} if game == "goths" else RULES[game], next(seeds))
        decisions = 0
        while waiting := match.waiting:
            match.commit(waiting[0], rng.choice(match.choices(waiting[0])))
            decisions += 1
        return decisions

    return best_rate(work, seconds)


def copying(seconds: float, game: str) -> float:
    """Nanoseconds to copy one state to another place in compiled code."""
    of = np.repeat(_blank(game).array(), STATES)
    of.view(np.uint8).reshape(STATES, -1)[:] = np.arange(STATES)[:, None]
    to = np.zeros_like(of)

    def work() -> int:
        _copy_states(to, of, COPIES)
        return COPIES

    rate = best_rate(work, seconds)
    if not np.array_equal(to, of[5 * np.arange(STATES) % STATES]):
        raise RuntimeError("the copies differ from their originals")
    return 1e9 / rate


def replay(seconds: float) -> float:
    """Seconds from starting the interpreter to the end of `meadhall replay FILE --json`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.json"
        file.write_text(json.dumps(_random_record()), "utf-8")
        return best_time(partial(_run_replay, file))


def _run_replay(file: Path) -> None:
    command = [sys.executable, "-m", "meadhall", "replay", file.name, "--json"]
    done = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, timeout=REPLAY_LIMIT)
    if done.returncode != 0:
        complaint = done.stderr.strip().splitlines() or ["no message"]
        raise RuntimeError(f"status {done.returncode}, {complaint[-1].replace(sys.executable, 'python')}")
    json.loads(done.stdout)


def _random_record() -> dict[str, Any]:
    """A whole random game of Goths, as a record."""
    match = Match.new("goths", RULES["goths"], SEED)
    rng = random.Random(SEED)
    while match.waiting:
        seat = match.waiting[0]
        match.commit(seat, rng.choice(match.choices(seat)))
    return match.record()
