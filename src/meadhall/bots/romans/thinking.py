"""Romans, how the strong levels think: imagine what rivals laid, try everything in those worlds, take the best."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.romans import fallback as romans_fallback
from meadhall.bots.romans.compiled import engine, ready
from meadhall.games.romans.state import ARRANGED_IN_ORDER, PAIR, Phase, RomansState
from meadhall.match import View

Floats = npt.NDArray[np.float64]
STATE = RomansState.dtype()  # making it takes as long as a small choice


@dataclass(frozen=True)
class Mind:
    """What a level believes of its rivals, and how long it thinks."""

    habits: npt.NDArray[np.float32]  # [habit, weight]
    shares: npt.NDArray[np.int64]  # of a thousand rivals, how many follow each habit
    weights: Floats  # of standings, [round 1 or 2, weight]
    stages: tuple[tuple[int, int], ...]  # of plans: worlds to try those left in, how many to keep
    worlds: int  # to try a small choice in
    heat: float  # the loss in win chance at which a plan is laid a third as often


@dataclass(frozen=True)
class Weighed:
    """Choices by number and the chance to win with each, the best first."""

    choices: npt.NDArray[np.int64]
    chances: Floats


def weighed(view: View, mind: Mind, dice: Random) -> Weighed:
    """The chance to win with every choice the seat has, as far as this mind can tell."""
    if view.state.phase == Phase.PLAN:
        return weighed_plans(view, mind, dice)
    choices = np.array(view.choice_ids, np.int64)
    sums = np.zeros(len(choices))
    worlds = imagined(view, mind, mind.worlds, dice)
    engine().weigh_choices(worlds, view.number, choices, worlds[:1].copy(), mind.weights, sums)
    return _best_first(choices, sums / len(worlds))


def weighed_plans(view: View, mind: Mind, dice: Random) -> Weighed:
    """All plans in a few worlds, the better ones in more and more."""
    plans = legal_plans(view.state, view.number)
    sums, tried = np.zeros(len(plans)), 0
    for count, keep in mind.stages:
        add_worlds(view, mind, plans, count, sums, dice)
        tried += count
        best = np.sort(np.argsort(-sums, kind="stable")[:keep])
        plans, sums = plans[best], sums[best]
    return _best_first(plans, sums / tried)


def weighed_again(view: View, mind: Mind, plans: npt.NDArray[np.int64], count: int, dice: Random) -> Weighed:
    """Some plans in so many other worlds."""
    in_order = np.sort(plans)
    sums = np.zeros(len(in_order))
    add_worlds(view, mind, in_order, count, sums, dice)
    return _best_first(in_order, sums / count)


def add_worlds(view: View, mind: Mind, plans: npt.NDArray[np.int64], count: int, sums: Floats, dice: Random) -> None:
    """Add the chances of plans, which come in the order of their numbers, in so many more worlds."""
    hand, ladder = int(view.state.hand[view.number]), np.zeros(7, STATE)
    worlds = imagined(view, mind, count, dice)
    engine().weigh_plans(worlds, view.number, hand, plans, ladder, mind.weights, sums)


def imagined(view: View, mind: Mind, count: int, dice: Random) -> Any:
    """So many worlds the seat cannot rule out, likely ones more often."""
    worlds = np.zeros(count, STATE)
    start = np.frombuffer(bytes(view.state), STATE).copy()
    box = np.array([dice.getrandbits(32), dice.getrandbits(32) | 1], np.int64)
    engine().imagine(start, worlds, view.number, mind.habits, mind.shares, box)
    return worlds


def legal_plans(s: RomansState, seat: int) -> npt.NDArray[np.int64]:
    """The numbers of all plans, those left out that only exchange two charriotts."""
    pair = (int(s.options[seat]) >> PAIR) - 1
    if pair < 0:
        return np.arange(5040)
    return np.flatnonzero(ARRANGED_IN_ORDER >> pair & 1)


def picked(found: Weighed, heat: float, dice: Random) -> int:
    """The best choice, or by whim one nearly as good."""
    return int(dice.choices(found.choices.tolist(), odds(found, heat).tolist())[0])


def odds(found: Weighed, heat: float) -> Floats:
    """How often each choice is made; they add up to 1."""
    weights = np.exp((found.chances - found.chances[0]) / max(heat, 1e-9))
    shares: Floats = weights / weights.sum()
    return shares


def _best_first(choices: npt.NDArray[np.int64], chances: Floats) -> Weighed:
    order = np.argsort(-chances, kind="stable")
    return Weighed(choices[order], chances[order])


def choose(view: View, mind: Mind, dice: Random) -> str:
    """The choice of this mind, whichever decision of the game it is; while the search is compiled, a simpler one."""
    if not ready():
        return romans_fallback.choose(view, dice)
    heat = mind.heat if view.state.phase == Phase.PLAN else 0.0
    return choice_names(view, [picked(weighed(view, mind, dice), heat, dice)])[0]


def choice_names(view: View, numbers: Sequence[int]) -> list[str]:
    """Choices by name."""
    return [view.game.choice_name(view.rules, view.state, view.number, int(number)) for number in numbers]
