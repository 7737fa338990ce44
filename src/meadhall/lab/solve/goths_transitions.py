"""The transitions between public positions of Goths: what every pair of actions leads to, played out by the rules."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.positions import POSITIONS, position_number, successors
from meadhall.games.game import game_named
from meadhall.games.goths.state import GothsState
from meadhall.lab.shards import Workers, in_order
from meadhall.lab.solve.goths_positions import exists, set_up_position, start_turn

Ints = npt.NDArray[np.int32]
PART = 300  # positions played out at a time
# Of some positions: all successors, their probabilities, and how many belong to each of the 100 pairs of actions.
Part = tuple[list[int], list[float], list[int]]


@dataclass(frozen=True)
class Transitions:
    """What each pair of actions (NO_ACTION among them) leads to from every position, as a sparse matrix."""

    positions: Ints
    successors: Ints
    chances: Floats
    starts: npt.NDArray[np.int64]  # where the successors of each position and pair begin, and one more at the end


def blank_state() -> GothsState:
    """A state of the base game."""
    game = game_named("goths")
    s = game.blank(game.check_rules({}))
    assert isinstance(s, GothsState)
    return s


def transitions_of(positions: Sequence[int]) -> Part:
    """The transitions of some positions."""
    numbers: list[int] = []
    chances: list[float] = []
    counts: list[int] = []
    s = blank_state()
    for number in positions:
        start_turn(s)
        orders = set_up_position(s, number)
        for a in range(10):
            for b in range(10):
                found: dict[int, float] = {}
                for after, chance in successors(s, orders, (a, b)):
                    where = position_number(after)
                    found[where] = found.get(where, 0.0) + chance
                numbers += found
                chances += found.values()
                counts.append(len(found))
    return numbers, chances, counts


def joined(positions: Sequence[int], parts: Sequence[Part]) -> Transitions:
    """The parts for consecutive positions as one."""
    counts = np.concatenate([np.array(part[2]) for part in parts])
    return Transitions(
        np.array(positions, np.int32),
        np.concatenate([np.array(part[0], np.int32) for part in parts]),
        np.concatenate([np.array(part[1], np.float32) for part in parts]),
        np.concatenate([[0], np.cumsum(counts)]),
    )


def all_transitions(workers: Workers) -> Iterator[tuple[int, int, Transitions | None]]:
    """The transitions of every position, which takes a minute: so many done, of so many, and in the end all."""
    positions = [number for number in range(POSITIONS) if exists(number)]
    spans = [positions[first : first + PART] for first in range(0, len(positions), PART)]
    parts = []
    with closing(in_order(lambda span: workers.submit(transitions_of, span), spans, workers.ahead)) as done:
        for span, part in done:
            parts.append(part)
            yield len(span) + PART * (len(parts) - 1), len(positions), None
    yield len(positions), len(positions), joined(positions, parts)
