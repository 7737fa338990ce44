"""The solver for Goths: the value of every public position at the start of a turn, by value iteration.

They are the chances of a clan whose backs have only the meaning that public reasoning gives them ("ours"), against
enemies who act as one mind. Each sweep learns a little more of every position's turn as a game
(`bots/goths/turn_game.py`) on the values of the sweep before. In the end the values follow what is learnt more and more
slowly, because regret matching goes round an equilibrium rather than straight to it. Our orders never fail, so that a
King card of ours is face up only after somebody else's mistake: what that is worth follows in one more sweep.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, nullcontext
from functools import cache
from typing import NamedTuple

import numpy as np

from meadhall.bots.goths.balance import clan_of, compiled_turn, sizes
from meadhall.bots.goths.cards import backs_of
from meadhall.bots.goths.equilibrium import FAILED, OUTCOMES, Doubles, Floats, make_side
from meadhall.bots.goths.meanings import meant_cards
from meadhall.bots.goths.positions import DRAWN, LOST, NO_ACTION, POSITIONS, WON
from meadhall.bots.goths.values import DISCOUNT, FACE_UP_CLASSES
from meadhall.bots.solved import Arrays
from meadhall.engine.cores import cores_at_hand
from meadhall.games.goths.state import CARD_CHARACTER
from meadhall.lab.shards import Processes, Threads, Workers, in_flight
from meadhall.lab.solve.goths_company import company_values
from meadhall.lab.solve.goths_transitions import Transitions, all_transitions, blank_state
from meadhall.lab.solve.progress import Step

Regrets = dict[int, list[Doubles]]  # by first position of a batch: those of each initiative and face-up class
BATCH = 400  # positions solved at a time


class Stage(NamedTuple):
    """A part of value iteration.

    Within a stage every sweep goes on from the regrets of the one before. A stage begins with none, so that an
    interrupted run can be resumed at the stage it was in.
    """

    sweeps: int
    rounds: int  # of learning in a sweep
    step: float  # how far the values follow what was learnt
    slowing: float = 0.0  # how fast steps become smaller
    face_up: bool = False  # the last one: what face-up cards are worth


STAGES = (
    Stage(80, 12, 1.0),
    Stage(30, 15, 0.7),
    Stage(20, 25, 0.5, 0.15),
    Stage(1, 120, 1.0, face_up=True),
)
FIRST_ROUNDS = 100  # at least, in the first sweep of a stage


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


def values_after_turn(values: Floats, ours_first: bool) -> Floats:
    """Our chance after a turn, by the number of the position it leads to; `values` are those of the next turn.

    Endings are numbered from the side of the clan that had the initiative.
    """
    found = np.empty(POSITIONS + 3, np.float32)
    found[:POSITIONS] = 0.5 + DISCOUNT * (values - 0.5)
    found[WON], found[LOST], found[DRAWN] = (1.0, 0.0, 0.5) if ours_first else (0.0, 1.0, 0.5)
    return found


def _expected_values(transitions: Transitions, values: Floats, ours_first: bool, first: int, last: int) -> Floats:
    """[position, 10, 10]: our chance after each pair of actions, ours first in it, nothing of ours being face up."""
    begin, end = transitions.starts[100 * first], transitions.starts[100 * last]
    marks = transitions.starts[100 * first : 100 * last] - begin
    successors, chances = transitions.successors[begin:end], transitions.chances[begin:end]
    # The initiative passes (G3.1).
    after = values_after_turn(values[int(ours_first), 0], ours_first)[successors]
    pairs: Floats = np.add.reduceat(chances * after, marks).reshape(-1, 10, 10)
    return pairs if ours_first else pairs.swapaxes(1, 2)


def payoffs(expected: Floats) -> Floats:
    """[position, 13, 13]: our chance after every pair of outcomes, ours first; our orders are not to fail."""
    found = np.zeros((len(expected), OUTCOMES, OUTCOMES), np.float32)
    found[:, :FAILED, :FAILED] = expected[:, :9, :9]
    found[:, :FAILED, FAILED:] = expected[:, :9, NO_ACTION:]
    return found


# Value iteration


def _solve_span(
    transitions: Transitions,
    values: Floats,
    span: tuple[int, int],
    deck: int,
    rounds: int,
    begun: list[Doubles] | None,
) -> tuple[Floats, list[Doubles]]:
    """New values of some positions, [have the enemies the initiative?, class, position], and regrets to go on from."""
    first, last = span
    found = np.empty((*values.shape[:2], last - first), np.float32)
    regrets: list[Doubles] = []
    for enemies_first in range(2):
        pays = payoffs(_expected_values(transitions, values, not enemies_first, first, last))
        for face_up in range(values.shape[1]):
            known: Doubles = (
                np.zeros((last - first, sum(sizes(len(backs_of(deck).bits)))))
                if begun is None
                else begun[len(regrets)].copy()
            )
            found[enemies_first, face_up] = learnt(
                pays, not enemies_first, face_up, deck, rounds if begun else max(rounds, FIRST_ROUNDS), known
            )[0]
            regrets.append(known)
    return found, regrets


def learnt(
    pays: Floats, ours_first: bool, face_up: int, deck: int, rounds: int, regrets: Doubles
) -> tuple[Floats, Doubles]:
    """Our values of some turns after so many rounds, with what was played; `regrets` are changed."""
    backs = backs_of(deck)
    ours, theirs = (
        make_side(backs, np.array([hand_of(deck, each)]), np.array([face_up_of(each)])) for each in (face_up, 0)
    )
    ours.held[0] = meant_cards(backs, ours.held[0], face_up_of(face_up))
    sides = (ours, theirs) if ours_first else (theirs, ours)
    values, sums = np.empty(len(pays), np.float64), np.zeros_like(regrets)
    compiled_turn().learn_turns(
        pays if ours_first else np.ascontiguousarray(1.0 - pays.swapaxes(1, 2)),
        clan_of(sides[0], backs, lone=not ours_first),
        clan_of(sides[1], backs, lone=ours_first),
        rounds,
        0,
        regrets,
        sums,
        values,
    )
    return (values if ours_first else 1.0 - values).astype(np.float32), sums


def sweep(
    transitions: Transitions, sent: Transitions, values: Floats, rounds: int, workers: Workers, regrets: Regrets
) -> Iterator[tuple[float, Floats]]:
    """Solve every position's turn once on the values so far: how much of it is done, and the values when it is."""
    deck, new, count = int(blank_state().deck), values.copy(), len(transitions.positions)
    spans = [(k, min(k + BATCH, count)) for k in range(0, count, BATCH)]
    now = workers.put(values)

    def submit(span: tuple[int, int]) -> Future[tuple[Floats, list[Doubles]]]:
        return workers.submit(_solve_span, sent, now, span, deck, rounds, regrets.get(span[0]))

    with closing(in_flight(submit, spans, workers.ahead)) as solved:
        for number, ((first, last), (part, regrets[first])) in enumerate(solved, 1):
            new[:, :, transitions.positions[first:last]] = part
            yield number / len(spans), new


def steps(
    saved: Arrays | None, seed: int = 0, cores: int | None = None, workers: Workers | None = None
) -> Iterator[Step]:
    """Solve the game, from the start or from a saved step; nothing is random, so the seed does not matter."""
    cores = cores or cores_at_hand()
    values = np.full((2, 1, POSITIONS), 0.5, np.float32) if saved is None else saved["values"]
    stages, residual = (0, 1.0) if saved is None else (int(saved["stages"]), float(saved["residual"]))
    transitions: Transitions | None = None
    company = None if saved is None else saved.get("company")
    with nullcontext(workers) if workers is not None else Processes(cores) as found_by:
        for played, positions, found in all_transitions(found_by):
            transitions = found
            yield _step(played / positions, residual, "playing every turn by the rules", values, company, stages)
        assert transitions is not None
        if company is None:
            company = company_values(transitions, found_by)
    with nullcontext(workers) if workers is not None else Threads(cores) as found_by:
        sent = found_by.put(transitions)
        while stages < len(STAGES):
            stage, regrets = STAGES[stages], Regrets()
            if stage.face_up:
                values = np.repeat(values[:, :1], FACE_UP_CLASSES, axis=1)
            begun = values
            for number in range(stage.sweeps):
                new = values
                for part, so_far in sweep(transitions, sent, values, stage.rounds, found_by, regrets):
                    new = so_far
                    done = work_before(stages) + (number + part) * work_of(stage) / stage.sweeps
                    yield _step(done, residual, f"stage {stages + 1} of {len(STAGES)}", begun, company, stages)
                if stage.face_up:
                    values[:, 1:] = new[:, 1:]
                else:
                    residual = float(np.abs(new - values)[:, :, transitions.positions].mean())
                    values = values + stage.step / (1.0 + stage.slowing * number) * (new - values)
            stages += 1
            yield _step(work_before(stages), residual, f"stage {stages} of {len(STAGES)}", values, company, stages)


def work_of(stage: Stage) -> float:
    """How much there is to do in a stage, in rounds."""
    return stage.sweeps * stage.rounds * (FACE_UP_CLASSES if stage.face_up else 1)


def work_before(stage: int) -> float:
    """How much there is to do before a stage; playing out the turns counts as much as some rounds."""
    return FIRST_ROUNDS + sum(work_of(each) for each in STAGES[:stage])


def _step(done: float, residual: float, what: str, values: Floats, company: Floats | None, stages: int) -> Step:
    arrays = {"values": values, "stages": np.array(stages), "residual": np.array(residual)}
    if company is not None:
        arrays["company"] = company
    return Step(int(done), int(work_before(len(STAGES))), residual, what, arrays)


def finished(arrays: Arrays) -> Arrays:
    """The solution as it is shipped: chances in steps of one in 65,535."""
    return {name: np.round(arrays[name] * 65535).astype(np.uint16) for name in ("values", "company")}
