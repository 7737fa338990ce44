"""Goths, the table of the strong bots: each side's chance to win at the start of a turn, whatever all can see.

Sweep after sweep every position's turn is played by a sensible company (`bots/goths_stage.py`) on the values of
the sweep before: first as if no King card ever lay face up, then with one of either clan's.
"""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.equilibrium import FAILED, OUTCOMES, Floats, Manner, Policies, backs_of, side, solve
from meadhall.bots.goths.positions import NOTHING, POSITIONS, exists, fresh, position, results, stage
from meadhall.bots.goths.values import CLASSES, FACES, ends_and_values, faced, hand_of, sure_of
from meadhall.bots.solved import Arrays
from meadhall.games.game import game_named
from meadhall.games.goths.state import GothsState
from meadhall.lab.simulate import cores_at_hand
from meadhall.lab.solve.progress import Step

Memory = dict[tuple[int, int], Policies]  # by face and first position of a batch
Ints = npt.NDArray[np.int32]
BATCH = 400
PART = 300  # positions played out by the rules at a time
# Within a stage every sweep goes on with the policies of the one before; a stage begins with none, so that a run
# that was broken off can go on at the stage it was in.
SWEEPS = 8  # in a stage
FEW, MANY = 4, 1  # stages without and with face-up cards
MANNER = Manner(rounds=6)


@dataclass(frozen=True)
class Turns:
    """What each pair of outcomes leads to from every position: one list of successors, and where each pair's begin."""

    positions: Ints
    successors: Ints
    chances: Floats
    starts: npt.NDArray[np.int64]  # for every position and pair of outcomes, and one more at the end


def _blank() -> GothsState:
    game = game_named("goths")
    s = game.blank(game.check_rules({}))
    assert isinstance(s, GothsState)
    return s


def turns_of(positions: list[int]) -> tuple[list[int], list[float], list[int]]:
    """The successors of some positions, their chances, and how many belong to each pair, played out by the rules."""
    successors: list[int] = []
    chances: list[float] = []
    counts: list[int] = []
    s = _blank()
    for number in positions:
        fresh(s)
        worlds = stage(s, number)
        for a in range(10):
            for b in range(10):
                found: dict[int, float] = {}
                for after, chance in results(s, worlds, (a, b)):
                    where = position(after)
                    found[where] = found.get(where, 0.0) + chance
                successors += found
                chances += found.values()
                counts.append(len(found))
    return successors, chances, counts


def all_turns(cores: int) -> Iterator[tuple[int, int, Turns | None]]:
    """Every position's turns, which takes a minute: so many positions done, of so many, and in the end the turns."""
    positions = [number for number in range(POSITIONS) if exists(number)]
    spans = [positions[first : first + PART] for first in range(0, len(positions), PART)]
    parts = []
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
        for span, part in zip(spans, pool.map(turns_of, spans), strict=True):
            parts.append(part)
            yield len(span) + PART * (len(parts) - 1), len(positions), None
    counts = np.concatenate([np.array(part[2]) for part in parts])
    turns = Turns(
        np.array(positions, np.int32),
        np.concatenate([np.array(part[0], np.int32) for part in parts]),
        np.concatenate([np.array(part[1], np.float32) for part in parts]),
        np.concatenate([[0], np.cumsum(counts)]),
    )
    yield len(positions), len(positions), turns


def _worths(turns: Turns, values: Floats, first: int, last: int) -> Floats:
    """[position, face-up class of a, of b, 10, 10]: the first clan's chance once the cards have come to lie so."""
    begin, end = turns.starts[100 * first], turns.starts[100 * last]
    marks = turns.starts[100 * first : 100 * last] - begin
    successors, chances = turns.successors[begin:end], turns.chances[begin:end]
    classes = 1 if len(values) == 1 else CLASSES
    found = np.empty((last - first, classes, classes, 10, 10), np.float32)
    for a in range(classes):
        for b in range(classes):
            # The initiative passes (G3.1): the second clan is the first of the next turn.
            after = ends_and_values(faced(values, b, a))[successors]
            found[:, a, b] = np.add.reduceat(chances * after, marks).reshape(-1, 10, 10)
    return found


def outcomes(worths: Floats, a: int, b: int) -> Floats:
    """[position, 13, 13]: the worth of every pair of outcomes for clans with these cards face up."""
    classes = worths.shape[1]
    found = np.empty((len(worths), OUTCOMES, OUTCOMES), np.float32)
    found[:, :FAILED, :FAILED] = worths[:, 0, 0, :FAILED, :FAILED]
    # Of two characters face up the better one counts.
    mine = [sorted({a, min(c + 1, classes - 1)} - {0}) or [0] for c in range(4)]
    theirs = [sorted({b, min(d + 1, classes - 1)} - {0}) or [0] for d in range(4)]
    for c in range(4):
        found[:, FAILED + c, :FAILED] = np.max([worths[:, k, 0, NOTHING, :FAILED] for k in mine[c]], axis=0)
        found[:, :FAILED, FAILED + c] = np.min([worths[:, 0, k, :FAILED, NOTHING] for k in theirs[c]], axis=0)
        for d in range(4):
            block = [np.max([worths[:, k, m, NOTHING, NOTHING] for k in mine[c]], axis=0) for m in theirs[d]]
            found[:, FAILED + c, FAILED + d] = np.min(block, axis=0)
    return found


def _sweep_part(turns: Turns, values: Floats, span: tuple[int, int], deck: int, memory: Memory, done: int) -> Floats:
    """New values of some positions, [face, position]."""
    first, last = span
    worths, backs = _worths(turns, values, first, last), backs_of(deck)
    found = np.empty((len(values), last - first), np.float32)
    for face, classes in enumerate(FACES[: len(values)]):
        sides = []
        for each in classes:
            hands = np.full(last - first, hand_of(deck, each), np.int64)
            sides.append(side(backs, hands, np.full(last - first, sure_of(each), np.int64)))
        before = memory.get((face, first))
        answer = solve(outcomes(worths, *classes), sides[0], sides[1], backs, MANNER, before, done)
        memory[face, first] = (answer.king_a, answer.king_b, answer.chief_a, answer.chief_b)
        found[face] = answer.value
    return found


def sweep(
    turns: Turns, values: Floats, pool: ThreadPoolExecutor, memory: Memory, done: int
) -> Iterator[tuple[float, Floats]]:
    """Every position's turn played once on the values so far: how much of it is done, and the values when it is."""
    deck, new = int(_blank().deck), values.copy()
    spans = [(k, min(k + BATCH, len(turns.positions))) for k in range(0, len(turns.positions), BATCH)]
    work: list[Future[Floats]] = [pool.submit(_sweep_part, turns, values, span, deck, memory, done) for span in spans]
    try:
        for number, (part, (first, last)) in enumerate(zip(work, spans, strict=True), 1):
            new[:, turns.positions[first:last]] = part.result()
            yield number / len(work), new
    finally:
        for part in work:
            part.cancel()


def steps(saved: Arrays | None, seed: int = 0, cores: int | None = None) -> Iterator[Step]:
    """Make the table, from the start or from where it was broken off; nothing in it is left to chance."""
    cores = cores or cores_at_hand()
    values = np.full((1, POSITIONS), 0.5, np.float32) if saved is None else saved["values"]
    stages, figure = (0, 1.0) if saved is None else (int(saved["stages"]), float(saved["figure"]))
    turns: Turns | None = None
    for played, positions, found in all_turns(cores):
        turns = found
        yield _step(played / positions, figure, "playing every turn by the rules", values, stages)
    assert turns is not None
    with ThreadPoolExecutor(cores) as pool:
        while stages < FEW + MANY:
            if stages == FEW:
                values = np.repeat(values[:1], len(FACES), axis=0)
            memory: Memory = {}
            begun, start = values, work_before(stages)
            for number in range(SWEEPS):
                new = values
                for part, so_far in sweep(turns, values, pool, memory, MANNER.rounds * number):
                    new = so_far
                    share = (number + part) * len(values)
                    yield _step(start + share, figure, f"stage {stages + 1} of {FEW + MANY}", begun, stages)
                figure = float(np.abs(new - values)[:, turns.positions].mean())
                values = new
            stages += 1
            yield _step(work_before(stages), figure, f"stage {stages} of {FEW + MANY}", values, stages)


def work_before(stage: int) -> float:
    """How much there is to do before a stage, in sweeps without face-up cards; playing out the turns is the first."""
    few, many = min(stage, FEW), max(stage - FEW, 0)
    return 1.0 + SWEEPS * (few + many * len(FACES))


def _step(done: float, figure: float, what: str, values: Floats, stages: int) -> Step:
    arrays = {"values": values, "stages": np.array(stages), "figure": np.array(figure)}
    return Step(int(100 * done), int(100 * work_before(FEW + MANY)), figure, what, arrays)


def finished(arrays: Arrays) -> Arrays:
    """The table as it is shipped: chances in steps of one in 65,535."""
    return {"values": np.round(arrays["values"] * 65535).astype(np.uint16)}
