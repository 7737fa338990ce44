"""What one core of a cluster does in a second: shards of every kind on a local Ray, by the processor's time.

    .venv/bin/python -m bench.cluster

Needs the extra `cluster`. Other programs on the machine hardly matter: only time of the processor is counted.
"""

import argparse
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from meadhall.bots import PLAIN
from meadhall.bots.goths.cards import backs_of
from meadhall.bots.goths.values import FACE_UP_PAIRS
from meadhall.lab import simulate
from meadhall.lab.arena.arena import DEALS_A_JOB, MANY_DEALS, prepare
from meadhall.lab.arena.entrants import read_entrants
from meadhall.lab.arena.play import Fixture
from meadhall.lab.arena.shipping import play_packed
from meadhall.lab.cluster import RayExecutor, connected
from meadhall.lab.exploit import goths as exploit_goths
from meadhall.lab.exploit import romans as exploit_romans
from meadhall.lab.solve import goths as solve_goths
from meadhall.lab.solve import goths_transitions
from meadhall.lab.solve import romans as solve_romans

PLAYERS = {"players": ["gold", "green"]}


@dataclass(frozen=True)
class Kind:
    """Shards of one kind: what they are made of, how many of that a shard has, and some of them."""

    command: str
    unit: str
    size: int
    function: Callable[..., Any]
    shards: list[tuple[Any, ...]]


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, int]:
    """In a worker: the processor's time for a shard, and how many bytes its result has."""
    start = time.process_time()
    found = function(*arguments)
    return time.process_time() - start, len(pickle.dumps(found))


def random_games(game: str, rules: dict[str, Any]) -> Kind:
    asked = pickle.dumps((game, rules, 0, None))
    size = simulate.LARGE_CHUNK
    shards = [(asked, size * k, size) for k in range(6)]
    return Kind(f"sim {game}", "games", size, simulate._play_there, shards)


def deals(game: str, rules: dict[str, Any], first: str, second: str, count: int) -> Kind:
    setting = prepare(game, rules, read_entrants(game, [first, second]), 2).setting
    fixture = Fixture((first,) * setting.roles, (second,) * setting.roles)
    size = MANY_DEALS if {first, second} <= set(PLAIN) else DEALS_A_JOB
    shards = [({}, setting, fixture, range(size * k, size * (k + 1))) for k in range(count)]
    return Kind(f"arena {game}, {first} and {second}", "games", 2 * size, play_packed, shards)


def turns_played() -> Kind:
    spans = [(list(range(first, first + 300)),) for first in (0, 4000, 8000, 12000, 16000)]
    positions = [([number for number in span if goths_transitions.exists(number)],) for (span,) in spans]
    size = sum(len(span) for (span,) in positions[1:]) // len(positions[1:])
    return Kind("solve goths, turns", "positions", size, goths_transitions.transitions_of, positions)


def turns_solved(workers: RayExecutor) -> Kind:
    numbers = [number for number in range(4800) if goths_transitions.exists(number)][: solve_goths.BATCH * 3]
    found = goths_transitions.joined(numbers, [goths_transitions.transitions_of(numbers)])
    values = np.full((len(FACE_UP_PAIRS), goths_transitions.POSITIONS), 0.5, np.float32)
    sent, deck, size = workers.put(found), int(goths_transitions.blank_state().deck), solve_goths.BATCH
    shards = [(sent, workers.put(values), (first, first + size), deck, None, 0) for first in (0, size, 2 * size)]
    return Kind("solve goths, last stage", "positions", size, solve_goths._solve_span, shards)


def responses() -> Kind:
    policies, shares = solve_romans.uniform_and_greedy(), solve_romans.opponent_mixture(0)
    starts, _ = solve_romans._games_played(2, 2, 1, 0, 100, policies, shares)
    flat = starts.reshape(-1)
    flat = flat[flat["round"] > 0]
    size, weights = solve_romans.CHUNK, solve_romans.rough_value_weights()
    seats = np.arange(len(flat)) // 3 % 2
    asked = [(flat[k : k + size], seats[k : k + size], 1, k) for k in (0, size, 2 * size, 3 * size)]
    shards = [(*each, solve_romans.WORLDS, policies, shares, weights) for each in asked]
    return Kind("solve romans", "positions", size, solve_romans._responses, shards)


def nodes(level: str, first: int) -> Kind:
    """Positions that nobody has met before, as a process keeps what it found in them."""
    backs, size = backs_of(int(goths_transitions.blank_state().deck)), exploit_goths.PART
    near = [number for number in range(first, goths_transitions.POSITIONS) if goths_transitions.exists(number)]
    shards = [(level, backs, [(number, 0, True) for number in near[k * size : (k + 1) * size]]) for k in range(4)]
    return Kind(f"exploit goths, {level}", "nodes", size, exploit_goths._explore_part, shards)


def adversaries(level: str) -> Kind:
    return Kind(f"exploit romans, {level}", "games", 2, exploit_romans._deal, [(level, f"0 {k}") for k in range(4)])


def measured(workers: RayExecutor, kind: Kind) -> str:
    """A row of the table; the first shard is done before by all workers, so that everything is loaded and compiled."""
    warm = [workers.submit(timed, kind.function, *kind.shards[0]) for _ in range(4)]
    for each in warm:
        each.result()
    found = [workers.submit(timed, kind.function, *shard) for shard in kind.shards[1:]]
    seconds, sizes = zip(*(each.result() for each in found), strict=True)
    rate = kind.size * len(seconds) / sum(seconds)
    rate_shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
    shard = sum(seconds) / len(seconds)
    result = f"{sum(sizes) / len(sizes) / 1000:,.1f} kB"
    return f"| `{kind.command}` | {rate_shown} {kind.unit} | {shard:.2f} s | {result} |"


def overhead(workers: RayExecutor) -> float:
    """The processor's time that a shard costs whoever asks for it."""
    start = time.process_time()
    for each in [workers.submit(abs, -1) for _ in range(2000)]:
        each.result()
    return (time.process_time() - start) / 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name begins so")
    only = parser.parse_args().only
    with connected("ray") as workers:
        kinds = [
            *(random_games("goths", {}), random_games("romans", PLAYERS)),
            *(deals("goths", {}, "easy", "random", 20), deals("goths", {}, "hard", "medium", 6)),
            *(deals("romans", PLAYERS, "easy", "random", 20), deals("romans", PLAYERS, "hard", "medium", 4)),
            *(turns_played(), turns_solved(workers), responses()),
            *(nodes("medium", 2000), nodes("hard", 9000), adversaries("easy"), adversaries("hard")),
        ]
        print("| what | a second of a core | a shard takes | its result |\n| --- | --- | --- | --- |")
        for kind in (kind for kind in kinds if kind.command.startswith(only)):
            print(measured(workers, kind), flush=True)
        print(f"A shard costs whoever asks for it {1000 * overhead(workers):.2f} ms.")


if __name__ == "__main__":
    main()
