"""How the strong levels of Romans choose: evaluate every choice by rollouts in sampled worlds, and take the best."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.romans import fallback
from meadhall.bots.romans.compiled import compiled_search, ready
from meadhall.games.romans.state import ARRANGED_IN_ORDER, PAIR, Phase, RomansState
from meadhall.match import View

Floats = npt.NDArray[np.float64]
STATE = RomansState.dtype()  # making it takes as long as a choice within a turn


@dataclass(frozen=True, eq=False)
class SearchModel:
    """What a level assumes of its rivals, its value function, and its search budget."""

    policies: npt.NDArray[np.float32]  # [policy, feature]: the prior over rivals' plans is a mixture of these
    shares: npt.NDArray[np.int64]  # of a thousand rivals, how many follow each policy
    value_weights: Floats  # [round 1 or 2, feature]
    halving: tuple[tuple[int, int], ...]  # successive halving of plans: worlds to add, and how many plans to keep
    worlds: int  # in which choices within a turn are evaluated
    temperature: float  # of the softmax by which a plan is drawn, in chances to win


@dataclass(frozen=True)
class Evaluated:
    """Choices by number and the chance to win with each, the best first."""

    choices: npt.NDArray[np.int64]
    chances: Floats


def evaluated(view: View, model: SearchModel, rng: Random) -> Evaluated:
    """The chance to win with every choice the seat has, estimated by rollouts."""
    if view.state.phase == Phase.PLAN:
        return evaluated_plans(view, model, rng)
    choices = np.array(view.choice_ids, np.int64)
    sums = np.zeros(len(choices))
    worlds = sampled_worlds(view, model, model.worlds, rng)
    compiled_search().evaluate_choices(worlds, view.number, choices, worlds[:1].copy(), model.value_weights, sums)
    return _best_first(choices, sums / len(worlds))


def evaluated_plans(view: View, model: SearchModel, rng: Random) -> Evaluated:
    """Successive halving: all plans in a few worlds, then the better ones in more and more."""
    plans = legal_plans(view.state, view.number)
    sums, tried = np.zeros(len(plans)), 0
    for count, keep in model.halving:
        add_rollouts(view, model, plans, count, sums, rng)
        tried += count
        best = np.sort(np.argsort(-sums, kind="stable")[:keep])
        plans, sums = plans[best], sums[best]
    return _best_first(plans, sums / tried)


def evaluated_again(view: View, model: SearchModel, plans: npt.NDArray[np.int64], count: int, rng: Random) -> Evaluated:
    """The chance to win with some plans in so many fresh worlds."""
    in_order = np.sort(plans)
    sums = np.zeros(len(in_order))
    add_rollouts(view, model, in_order, count, sums, rng)
    return _best_first(in_order, sums / count)


def add_rollouts(
    view: View, model: SearchModel, plans: npt.NDArray[np.int64], count: int, sums: Floats, rng: Random
) -> None:
    """Add to the sums of plans, which are in increasing order, their values in so many more worlds."""
    hand, path = int(view.state.hand[view.number]), np.zeros(7, STATE)
    worlds = sampled_worlds(view, model, count, rng)
    compiled_search().evaluate_plans(worlds, view.number, hand, plans, path, model.value_weights, sums)


def sampled_worlds(view: View, model: SearchModel, count: int, rng: Random) -> Any:
    """So many states consistent with the view, drawn from the model's belief about the rivals' lines."""
    worlds = np.zeros(count, STATE)
    start = np.frombuffer(bytes(view.state), STATE).copy()
    generator = np.array([rng.getrandbits(32), rng.getrandbits(32) | 1], np.int64)
    compiled_search().sample_worlds(start, worlds, view.number, model.policies, model.shares, generator)
    return worlds


def legal_plans(s: RomansState, seat: int) -> npt.NDArray[np.int64]:
    """The numbers of all plans, those left out that only exchange two charriotts."""
    pair = (int(s.options[seat]) >> PAIR) - 1
    if pair < 0:
        return np.arange(5040)
    return np.flatnonzero(ARRANGED_IN_ORDER >> pair & 1)


def softmax(found: Evaluated, temperature: float) -> Floats:
    """The probability of each choice; at temperature 0 only the best have any."""
    weights = np.exp((found.chances - found.chances[0]) / max(temperature, 1e-9))
    probabilities: Floats = weights / weights.sum()
    return probabilities


def _best_first(choices: npt.NDArray[np.int64], chances: Floats) -> Evaluated:
    order = np.argsort(-chances, kind="stable")
    return Evaluated(choices[order], chances[order])


def choose(view: View, model: SearchModel, rng: Random) -> str:
    """A choice by search, whichever decision of the game it is; by the fallback until the search is compiled."""
    if not ready():
        return fallback.choose(view, rng)
    temperature = model.temperature if view.state.phase == Phase.PLAN else 0.0
    found = evaluated(view, model, rng)
    chosen = rng.choices(found.choices.tolist(), softmax(found, temperature).tolist())[0]
    return choice_names(view, [chosen])[0]


def choice_names(view: View, numbers: Sequence[int]) -> list[str]:
    """Choices by name."""
    return [view.game.choice_name(view.rules, view.state, view.number, int(number)) for number in numbers]
