"""The solver for Goths: the value of every public position at the start of a turn, by value iteration.

Each sweep solves every position's turn as a game (`bots/goths/equilibrium.py`) on the values of the sweep before: first
as if no King card ever lay face up, then with one of either clan's.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, nullcontext
from functools import cache

import numpy as np

from meadhall.bots.goths.cards import backs_of
from meadhall.bots.goths.equilibrium import FAILED, OUTCOMES, Floats, Policies, Schedule, make_side, solve
from meadhall.bots.goths.positions import DRAWN, LOST, NO_ACTION, POSITIONS, WON
from meadhall.bots.goths.values import DISCOUNT, FACE_UP_CLASSES, FACE_UP_PAIRS, values_with
from meadhall.bots.solved import Arrays
from meadhall.engine.cores import cores_at_hand
from meadhall.games.goths.state import CARD_CHARACTER
from meadhall.lab.shards import Processes, Threads, Workers, in_flight
from meadhall.lab.solve.goths_transitions import Transitions, all_transitions, blank_state
from meadhall.lab.solve.progress import Step

PolicyCache = dict[int, list[Policies]]  # by first position of a batch: those of each pair of face-up classes
BATCH = 400  # positions solved at a time
# Within a stage every sweep continues fictitious play from the policies of the one before. A stage begins with none, so
# that an interrupted run can be resumed at the stage it was in.
SWEEPS = 8  # in a stage
STAGES_WITHOUT_CARDS, STAGES_WITH_CARDS = 4, 1  # face up
STAGES = STAGES_WITHOUT_CARDS + STAGES_WITH_CARDS
SCHEDULE = Schedule(iterations=6)


# Classes of face-up cards


def face_up_of(face_up_class: int) -> int:
    """The characters that lie face up in a class of face-up cards, as bits."""
    return 0 if face_up_class == 0 else 1 << (face_up_class - 1)


@cache
def hand_of(deck: int, face_up_class: int) -> int:
    """What the king still holds in a class of face-up cards: all but the first card of that character."""
    if face_up_class == 0:
        return deck
    character = face_up_class - 1
    return deck & ~(1 << next(k for k in range(12) if deck >> k & 1 and CARD_CHARACTER[k] == character))


# The payoffs of a turn


def values_after_turn(values: Floats) -> Floats:
    """The first clan's chance after a turn, by the number of the position it leads to.

    A position belongs to the clan that has the initiative then, which is the other one (G3.1).
    """
    found = np.empty(POSITIONS + 3, np.float32)
    found[:POSITIONS] = 0.5 + DISCOUNT * (0.5 - values)
    found[WON], found[LOST], found[DRAWN] = 1.0, 0.0, 0.5
    return found


def _expected_values(transitions: Transitions, values: Floats, first: int, last: int) -> Floats:
    """[position, class of a, class of b, 10, 10]: the first clan's chance after each pair of actions, if the face-up
    cards are of these classes then.
    """
    begin, end = transitions.starts[100 * first], transitions.starts[100 * last]
    marks = transitions.starts[100 * first : 100 * last] - begin
    successors, chances = transitions.successors[begin:end], transitions.chances[begin:end]
    classes = 1 if len(values) == 1 else FACE_UP_CLASSES
    found = np.empty((last - first, classes, classes, 10, 10), np.float32)
    for a in range(classes):
        for b in range(classes):
            # The initiative passes (G3.1): the second clan is the first of the next turn.
            after = values_after_turn(values_with(values, b, a))[successors]
            found[:, a, b] = np.add.reduceat(chances * after, marks).reshape(-1, 10, 10)
    return found


def payoffs(expected: Floats, a: int, b: int) -> Floats:
    """[position, 13, 13]: the payoff of every pair of outcomes for clans with cards of these classes face up."""
    classes = expected.shape[1]
    found = np.empty((len(expected), OUTCOMES, OUTCOMES), np.float32)
    found[:, :FAILED, :FAILED] = expected[:, 0, 0, :FAILED, :FAILED]
    # Of two characters face up the better one counts.
    mine = [sorted({a, min(c + 1, classes - 1)} - {0}) or [0] for c in range(4)]
    theirs = [sorted({b, min(d + 1, classes - 1)} - {0}) or [0] for d in range(4)]
    for c in range(4):
        found[:, FAILED + c, :FAILED] = np.max([expected[:, k, 0, NO_ACTION, :FAILED] for k in mine[c]], axis=0)
        found[:, :FAILED, FAILED + c] = np.min([expected[:, 0, k, :FAILED, NO_ACTION] for k in theirs[c]], axis=0)
        for d in range(4):
            block = [np.max([expected[:, k, m, NO_ACTION, NO_ACTION] for k in mine[c]], axis=0) for m in theirs[d]]
            found[:, FAILED + c, FAILED + d] = np.min(block, axis=0)
    return found


# Value iteration


def _solve_span(
    transitions: Transitions,
    values: Floats,
    span: tuple[int, int],
    deck: int,
    begun: list[Policies] | None,
    done: int,
) -> tuple[Floats, list[Policies]]:
    """New values of some positions, [pair of face-up classes, position], and the policies to go on from."""
    first, last = span
    expected, backs = _expected_values(transitions, values, first, last), backs_of(deck)
    found, policies = np.empty((len(values), last - first), np.float32), []
    for pair, classes in enumerate(FACE_UP_PAIRS[: len(values)]):
        sides = []
        for each in classes:
            hands = np.full(last - first, hand_of(deck, each), np.int64)
            sides.append(make_side(backs, hands, np.full(last - first, face_up_of(each), np.int64)))
        start = None if begun is None else begun[pair]
        solution = solve(payoffs(expected, *classes), sides[0], sides[1], backs, SCHEDULE, start, done)
        policies.append((solution.king_a, solution.king_b, solution.chief_a, solution.chief_b))
        found[pair] = solution.value
    return found, policies


def sweep(
    transitions: Transitions, sent: Transitions, values: Floats, workers: Workers, policies: PolicyCache, done: int
) -> Iterator[tuple[float, Floats]]:
    """Solve every position's turn once on the values so far: how much of it is done, and the values when it is."""
    deck, new, count = int(blank_state().deck), values.copy(), len(transitions.positions)
    spans = [(k, min(k + BATCH, count)) for k in range(0, count, BATCH)]
    now = workers.put(values)

    def submit(span: tuple[int, int]) -> Future[tuple[Floats, list[Policies]]]:
        return workers.submit(_solve_span, sent, now, span, deck, policies.get(span[0]), done)

    with closing(in_flight(submit, spans, workers.ahead)) as solved:
        for number, ((first, last), (part, policies[first])) in enumerate(solved, 1):
            new[:, transitions.positions[first:last]] = part
            yield number / len(spans), new


def steps(
    saved: Arrays | None, seed: int = 0, cores: int | None = None, workers: Workers | None = None
) -> Iterator[Step]:
    """Solve the game, from the start or from a saved step; nothing is random, so the seed does not matter."""
    cores = cores or cores_at_hand()
    values = np.full((1, POSITIONS), 0.5, np.float32) if saved is None else saved["values"]
    stages, residual = (0, 1.0) if saved is None else (int(saved["stages"]), float(saved["residual"]))
    transitions: Transitions | None = None
    with nullcontext(workers) if workers is not None else Processes(cores) as found_by:
        for played, positions, found in all_transitions(found_by):
            transitions = found
            yield _step(played / positions, residual, "playing every turn by the rules", values, stages)
    assert transitions is not None
    with nullcontext(workers) if workers is not None else Threads(cores) as found_by:
        sent = found_by.put(transitions)
        while stages < STAGES:
            if stages == STAGES_WITHOUT_CARDS:
                values = np.repeat(values[:1], len(FACE_UP_PAIRS), axis=0)
            policies: PolicyCache = {}
            begun, start = values, work_before(stages)
            for number in range(SWEEPS):
                new = values
                for part, so_far in sweep(transitions, sent, values, found_by, policies, SCHEDULE.iterations * number):
                    new = so_far
                    share = (number + part) * len(values)
                    yield _step(start + share, residual, f"stage {stages + 1} of {STAGES}", begun, stages)
                residual = float(np.abs(new - values)[:, transitions.positions].mean())
                values = new
            stages += 1
            yield _step(work_before(stages), residual, f"stage {stages} of {STAGES}", values, stages)


def work_before(stage: int) -> float:
    """How much there is to do before a stage, in sweeps without face-up cards; playing out the turns is the first."""
    without, with_cards = min(stage, STAGES_WITHOUT_CARDS), max(stage - STAGES_WITHOUT_CARDS, 0)
    return 1.0 + SWEEPS * (without + with_cards * len(FACE_UP_PAIRS))


def _step(done: float, residual: float, what: str, values: Floats, stages: int) -> Step:
    arrays = {"values": values, "stages": np.array(stages), "residual": np.array(residual)}
    return Step(int(100 * done), int(100 * work_before(STAGES)), residual, what, arrays)


def finished(arrays: Arrays) -> Arrays:
    """The solution as it is shipped: chances in steps of one in 65,535."""
    return {"values": np.round(arrays["values"] * 65535).astype(np.uint16)}
