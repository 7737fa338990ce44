"""Romans, the level `hard`: a best response to rivals who search themselves, by values solved from the rules."""

from functools import cache
from random import Random

import numpy as np

from meadhall.bots.evaluation import Evaluation, Reason, Valued
from meadhall.bots.percent import percent
from meadhall.bots.romans import monte_carlo
from meadhall.bots.romans.caveats import caveat
from meadhall.bots.romans.compiled import compiled_search, prepare, ready
from meadhall.bots.romans.medium import rough_value_weights, uniform_and_greedy
from meadhall.bots.romans.monte_carlo import (
    Evaluated,
    SearchModel,
    choice_names,
    evaluated,
    evaluated_again,
    sampled_worlds,
    softmax,
)
from meadhall.bots.romans.rollout import fort_appeal
from meadhall.bots.romans.search import line_of_plan
from meadhall.bots.romans.solved import solved_values
from meadhall.games.romans.rules import is_legion, legions, shown_now, verdict
from meadhall.games.romans.state import ARRANGEMENTS, CHARM, FORTS, TAKE, WARRIORS, Phase
from meadhall.match import View

__all__ = ["choose", "evaluate", "prepare", "ready"]

# Of a thousand rivals: uniformly random ones, greedy ones, those who respond to these, and deeper ones together.
SHARES = (60, 40, 500, 400)
HALVING = ((12, 400), (48, 60), (160, 20))
WORLDS = 160
TEMPERATURE = 0.004
LISTED = 20
FRESH_WORLDS = 256  # to evaluate the best plans anew: the worlds they were selected in overestimate them
EVEN = 0.005  # differences in the chance to win below this are none
LIKELY = 0.15


@cache
def model(players: int, clans: int) -> SearchModel:
    """The model for so many players and clans; without solved values that fit the rules, what `medium` assumes."""
    simple = uniform_and_greedy()
    found = solved_values()
    if found is None:
        return SearchModel(simple, np.array([500, 500]), rough_value_weights(), HALVING, WORLDS, TEMPERATURE)
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
    return monte_carlo.choose(view, model_for(view), rng)


# For hints and analysis


def evaluate(view: View) -> Evaluation:
    """The chance to win with each choice, of plans the best twenty; compiles the search first if need be."""
    prepare()
    searching, rng = model_for(view), Random(f"judge {bytes(view.state).hex()}")
    found = evaluated(view, searching, rng)
    if view.state.phase == Phase.PLAN:
        found = evaluated_again(view, searching, found.choices[:LISTED], FRESH_WORLDS, rng)
    found = Evaluated(found.choices[:LISTED], found.chances[:LISTED])
    probabilities = softmax(found, searching.temperature)
    names = choice_names(view, found.choices.tolist())
    listed = tuple(
        Valued(name, rounded(chance), float(probability))
        for name, chance, probability in zip(names, found.chances, probabilities, strict=True)
    )
    other_rules = caveat("hard", view.rules)
    return Evaluation(
        str(view.seat),
        rounded(float(found.chances @ probabilities)),
        listed,
        why(view, searching, found, rng),
        caveat=None if other_rules is None else other_rules.key,
    )


def why(view: View, searching: SearchModel, found: Evaluated, rng: Random) -> Reason:
    """The reason for the best choice."""
    s, best = view.state, int(found.choices[0])
    win = in_percent(found.chances[0])
    if s.phase == Phase.PLAN:
        return why_plan(view, searching, best, win, rng)
    if s.phase == Phase.TAKE and legions(s, view.number) == 2 and is_legion(s.wall >> 4 * (best - TAKE) & 15):
        return Reason("romans.why.third-legion", {})
    if found.chances[0] - found.chances[-1] < EVEN:
        return Reason("romans.why.even", {"win": win})
    if s.phase == Phase.CHARM:
        return why_charm(view, found, win)
    return Reason("romans.why.better", {"win": win, "next": in_percent(found.chances[1])})


def why_plan(view: View, searching: SearchModel, plan: int, win: int, rng: Random) -> Reason:
    """The fort that the plan captures, by chance times value, or the third legion."""
    s, seat = view.state, view.number
    worlds = sampled_worlds(view, searching, FRESH_WORLDS, rng)
    counts = np.zeros(12)
    line = line_of_plan(int(s.hand[seat]), ARRANGEMENTS[plan])
    compiled_search().count_captures(worlds, seat, line, worlds[:1].copy(), counts)
    chances = counts / FRESH_WORLDS
    if chances[11] >= LIKELY:
        return Reason("romans.why.plan-legions", {"chance": in_percent(chances[11]), "win": win})
    held = legions(s, seat)
    fort = max(range(11), key=lambda kind: chances[kind] * fort_appeal(s, seat, kind, held))
    return Reason("romans.why.plan", {"fort": FORTS[fort], "chance": in_percent(chances[fort]), "win": win})


def why_charm(view: View, found: Evaluated, win: int) -> Reason:
    """What the charm does to the fight for the fort: it wins it, or keeps it from a rival."""
    s, seat, clans = view.state, view.number, view.game.vocabulary(view.rules, "clan")
    captors = [verdict(s, int(choice) - CHARM)[1] for choice in found.choices]
    target, fort = int(found.choices[0]) - CHARM, FORTS[s.wall & 15]
    if captors[0] == seat:
        warrior = WARRIORS[shown_now(s, target)]
        return Reason("romans.why.charm-takes", {"clan": clans[target], "warrior": warrior, "fort": fort, "win": win})
    kept_from = [captor for captor in captors if captor not in (seat, captors[0], -1)]
    if kept_from:
        return Reason("romans.why.charm-stops", {"clan": clans[kept_from[0]], "fort": fort, "win": win})
    return Reason("romans.why.better", {"win": win, "next": in_percent(found.chances[1])})


def rounded(chance: float) -> float:
    """A chance without the bonus that breaks ties."""
    return min(1.0, max(0.0, round(float(chance), 3)))


def in_percent(chance: float) -> int:
    """The same in per cent."""
    return percent(rounded(chance))
