"""Romans, the level `hard`, by values solved from the rules.

With two players it solves each round as a game and draws its plan from the mixture; with more, or alone, it plays a
best response to rivals who search themselves, as it does in the choices within a turn.
"""

from functools import cache
from random import Random

import numpy as np

from meadhall.bots.evaluation import Evaluation, Valued
from meadhall.bots.romans import monte_carlo
from meadhall.bots.romans.calibration import as_estimated, calibrated, cell
from meadhall.bots.romans.caveats import caveat
from meadhall.bots.romans.compiled import prepare, ready
from meadhall.bots.romans.equilibrium import Round, Side, solved_round
from meadhall.bots.romans.lines import LINES, PLAYABLE, hand_number, neighbours, plan_name
from meadhall.bots.romans.medium import rough_value_weights, uniform_and_greedy
from meadhall.bots.romans.monte_carlo import (
    Evaluated,
    Floats,
    SearchModel,
    choice_names,
    evaluated,
    evaluated_again,
    softmax,
)
from meadhall.bots.romans.reasons import rounded, why
from meadhall.bots.romans.solved import solved_values
from meadhall.bots.solved import Arrays
from meadhall.engine.layout import UNKNOWN
from meadhall.games.romans.state import Phase
from meadhall.match import View

__all__ = ["choose", "evaluate", "prepare", "ready"]

# Of a thousand rivals: uniformly random ones, greedy ones, those who respond to these, and deeper ones together.
SHARES = (60, 40, 500, 400)
HALVING = ((12, 400), (48, 60), (160, 20))
WORLDS = 160
TEMPERATURE = 0.004
LISTED = 20
FRESH_WORLDS = 256  # to evaluate the best plans anew: the worlds they were selected in overestimate them


@cache
def model(players: int, clans: int) -> SearchModel:
    """The model for so many players and clans; without solved values that fit the rules, what `medium` assumes."""
    found = solved_values()
    if found is None:
        simple = uniform_and_greedy()
        return SearchModel(simple, np.array([500, 500]), rough_value_weights(), HALVING, WORLDS, TEMPERATURE)
    return model_by(found, players, clans)


def model_by(found: Arrays, players: int, clans: int) -> SearchModel:
    """The model by these solved values."""
    simple = uniform_and_greedy()
    deep = found["policies"][clans - 2].astype(np.float32)
    shares = np.zeros(2 + len(deep), np.int64)
    shares[:3] = SHARES[:3]
    shares[3:] = SHARES[3] // (len(deep) - 1)
    shares[0] += 1000 - shares.sum()
    weights = found["values"][players - 1, clans - 2].astype(np.float64)
    return SearchModel(np.concatenate([simple, deep]), shares, weights, HALVING, WORLDS, TEMPERATURE)


def model_for(view: View) -> SearchModel:
    """The model for the clans at this table."""
    return model(int(view.state.players), int(view.state.clans))


def choose(view: View, rng: Random) -> str:
    """The choice of a hard bot, whichever decision of the game it is."""
    return chosen(view, model_for(view), rng)


def chosen(view: View, searching: SearchModel, rng: Random) -> str:
    """The choice by this model."""
    if not planned_by_two(view) or not ready():
        return monte_carlo.choose(view, searching, rng)
    _, sides = solved(view, searching)
    side, hand = sides[view.number], hand_number(view.state, view.number)
    return plan_name(int(rng.choices(side.candidates[hand].tolist(), side.mixture[hand].tolist())[0]))


def planned_by_two(view: View) -> bool:
    """Is this a plan in a game of two players, who solve the round as a game?"""
    return bool(view.state.phase == Phase.PLAN and view.state.players == 2)


def solved(view: View, searching: SearchModel) -> tuple[Round, tuple[Side, Side]]:
    """The round as a game, solved from what all know."""
    return solved_round(bytes(view.game.reveal(view.state, UNKNOWN)), searching)


# For hints and analysis


def evaluate(view: View) -> Evaluation:
    """The chance to win with each choice, of plans the best twenty; compiles the search first if need be."""
    prepare()
    searching, rng = model_for(view), Random(f"judge {bytes(view.state).hex()}")
    estimated, probabilities = estimates(view, searching, rng)
    found = Evaluated(estimated.choices, calibrated(estimated.chances, calibration()[cell(view.state)]))
    listed = tuple(
        Valued(name, rounded(chance), float(probability))
        for name, chance, probability in zip(
            choice_names(view, found.choices.tolist()), found.chances, probabilities, strict=True
        )
    )
    other_rules, worlds = caveat("hard", view.rules), None
    if planned_by_two(view):
        played, sides = solved(view, searching)
        worlds = played.worlds_against(view.number, sides[1 - view.number], FRESH_WORLDS)
    return Evaluation(
        str(view.seat),
        rounded(float(found.chances @ probabilities)),
        listed,
        why(view, searching, found, rng, worlds),
        caveat=None if other_rules is None else other_rules.key,
    )


def estimates(view: View, searching: SearchModel, rng: Random) -> tuple[Evaluated, Floats]:
    """The chances of the best choices as the search has them, and how often each would be made."""
    if planned_by_two(view):
        return mixed_plans(view, searching)
    found = evaluated(view, searching, rng)
    if view.state.phase == Phase.PLAN:
        found = evaluated_again(view, searching, found.choices[:LISTED], FRESH_WORLDS, rng)
    found = Evaluated(found.choices[:LISTED], found.chances[:LISTED])
    return found, softmax(found, searching.temperature)


def mixed_plans(view: View, searching: SearchModel) -> tuple[Evaluated, Floats]:
    """The best plans against the rival's mixture, and how often each is laid by one's own."""
    played, sides = solved(view, searching)
    s, seat = view.state, view.number
    side, hand = sides[seat], hand_number(s, seat)
    laid = np.zeros(len(LINES))
    laid[side.candidates[hand]] = side.mixture[hand]
    near = np.union1d(neighbours(side.candidates[hand]), side.candidates[hand])
    tried = np.intersect1d(near, PLAYABLE[hand])
    chances = played.against(seat, tried, sides[1 - seat])
    best = np.argsort(-chances, kind="stable")[:LISTED]
    numbers = [view.game.choice_id(view.rules, s, seat, plan_name(int(line))) for line in tried[best]]
    weights = laid[tried[best]] + 1e-9
    return Evaluated(np.array(numbers, np.int64), chances[best]), weights / weights.sum()


@cache
def calibration() -> Floats:
    """What makes estimates of chances to win the share of games that are won."""
    found = solved_values() or {}
    return found.get("calibration", as_estimated()).astype(np.float64)
