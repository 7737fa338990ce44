"""Romans: how a finished game went, by the search of the strong bots.

The curve knows all that lies on the table, face up or down, and all that has been chosen, sealed or not; it does not
know what is chosen later, nor forts and hands still to be dealt. So it moves when somebody chooses and when a round is
dealt, and at no other time. A choice is judged by what its seat knew then.
"""

from collections.abc import Callable

import numpy as np

from meadhall.bots.romans import hard
from meadhall.bots.romans.monte_carlo import STATE
from meadhall.bots.romans.plan_policy import PLAN_FEATURES
from meadhall.bots.romans.rollout import VALUE_FEATURES
from meadhall.lab.analysis.report import Found, Point
from meadhall.lab.analysis.romans_choices import Judged, judged
from meadhall.lab.analysis.romans_found import Detail
from meadhall.lab.analysis.romans_lines import round_found
from meadhall.lab.analysis.romans_past import SEED, Past, Wins, chance, compiled, no_choices
from meadhall.lab.analysis.romans_turns import turning_points
from meadhall.match import Match


def prepare() -> None:
    """Compile what an analysis needs, or read it from disk."""
    hard.prepare()
    nothing, rng, states, weights = np.zeros(0), np.ones(2, np.int64), np.zeros(7, STATE), np.zeros((2, VALUE_FEATURES))
    likely = np.zeros((1, PLAN_FEATURES), np.float32), np.array([1000], np.int64), SEED
    lines, known = np.zeros(0, np.int64), (likely, *no_choices(), weights, rng, nothing)
    compiled().add_chances(states, states, 0, *known)
    compiled().evaluate_lines(states, 0, 0, lines, states, *known)


def found(match: Match, progress: Callable[[float], None]) -> Found:
    """What a finished game's analysis finds; the same for the same game."""
    prepare()
    past = Past(match)
    done = Steps(progress, 2 * len(past.made) + 3 * len(past.rounds))
    settled, dealt = _chances(past, done)
    choices: list[Judged] = []
    for made in past.made:
        choices.append(judged(past, made))
        done.step()
    rounds = []
    for played in past.rounds:
        rounds.append(round_found(past, played, choices, dealt[played.number]))
        done.step(2)
    return Found(
        curve=_curve(past, settled, dealt),
        decisions=tuple(each.decision for each in choices),
        turning_points=turning_points(past, choices, settled, dealt),
        detail=Detail(tuple(rounds)),
        sides=past.sides,
    )


class Steps:
    """Tells how much is done."""

    def __init__(self, progress: Callable[[float], None], steps: int) -> None:
        self.progress, self.steps, self.done = progress, steps, 0

    def step(self, by: int = 1) -> None:
        """So much more is done."""
        self.done += by
        self.progress(min(1.0, self.done / self.steps))


def _chances(past: Past, done: Steps) -> tuple[list[Wins], dict[int, Wins]]:
    """Each side's chance to win after each list of beats, less a deal at its end, and by round after its deal."""
    dealt = {}
    for played in past.rounds:
        dealt[played.number] = chance(past, played.start)
        done.step()
    settled = [dealt[1]]
    ends = {int(played.made[-1].index): played for played in past.rounds}
    for made in past.made:
        over = ends.get(made.index)
        settled.append(chance(past, made.after) if over is None else past.wins(over.over))
        done.step()
    return settled, dealt


def _curve(past: Past, settled: list[Wins], dealt: dict[int, Wins]) -> tuple[Point, ...]:
    """A point for every beat."""
    points: list[Point] = []
    number = 0
    for place, beats in enumerate(past.beats):
        wins = settled[place]
        for beat in beats:
            if beat.kind == "round":
                number += 1
                wins = dealt[number]
            points.append(Point(len(points), wins))
    return tuple(points)
