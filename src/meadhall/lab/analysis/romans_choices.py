"""Romans: every choice of a game beside the best one, by what its seat knew then."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.evaluation import Reason
from meadhall.bots.percent import percent
from meadhall.bots.romans.compiled import compiled_search
from meadhall.bots.romans.monte_carlo import STATE, SearchModel, evaluated_plans, sampled_worlds
from meadhall.bots.romans.reasons import rounded
from meadhall.bots.romans.rollout import fort_appeal
from meadhall.bots.romans.search import line_of_plan
from meadhall.engine.bits import at
from meadhall.engine.layout import UNKNOWN
from meadhall.games.romans import rules
from meadhall.games.romans.state import (
    ARRANGEMENTS,
    CHARM,
    FORTS,
    TAKE,
    WARRIORS,
    Phase,
    RomansState,
)
from meadhall.lab.analysis.report import Decision
from meadhall.lab.analysis.romans_past import Floats, Made, Past
from meadhall.match import View

TRIED = 12  # plans that are compared closely
SELECTING, JUDGING = 1024, 4096  # worlds to find the best plan in, and others to judge it by
CHOICE_ROLLOUTS = 60_000  # at most for a choice within a turn, over all that may be chosen
CLEAR = 0.015  # a smaller difference in the chance to win is none


@dataclass(frozen=True)
class Judged:
    """A decision; of a plan also what is needed to judge other lines by the same worlds."""

    decision: Decision
    best: int  # the better choice by its number
    worlds: Any = None


def judged(past: Past, made: Made) -> Judged:
    """A choice beside the best by what the seat knew."""
    rng = Random(f"analysis {made.index} {bytes(made.view.state).hex()}")
    if made.before.phase == Phase.PLAN:
        return _judged_plan(past, made, rng)
    return _judged_choice(past, made, rng)


def _judged_plan(past: Past, made: Made, rng: Random) -> Judged:
    """Select the best plan in some worlds, and judge it beside the one chosen in others."""
    view, model = made.view, past.model
    tried = np.union1d(evaluated_plans(view, model, rng).choices[:TRIED], [made.choice])
    values = plan_values(sampled_worlds(view, model, SELECTING, rng), view, model, tried)
    best = int(tried[np.argmax(values)])
    worlds = sampled_worlds(view, model, JUDGING, rng)
    win, most = plan_chances(worlds, view, model, (made.choice, best))
    if most - win < CLEAR:
        best, most = made.choice, win
    why = _why_plan(past, made, best, worlds, win, most)
    return Judged(_decision(past, made, best, win, most, why), best, worlds)


def plan_values(worlds: Any, view: View, model: SearchModel, plans: npt.NDArray[np.int64]) -> Floats:
    """The mean value of some plans, in increasing order, in these worlds."""
    sums, path = np.zeros(len(plans)), np.zeros(7, STATE)
    hand = int(view.state.hand[view.number])
    compiled_search().evaluate_plans(worlds, view.number, hand, plans, path, model.value_weights, sums)
    return sums / len(worlds)


def plan_chances(worlds: Any, view: View, model: SearchModel, plans: Sequence[int]) -> list[float]:
    """The chance to win with each of some plans in these worlds."""
    in_order = np.unique(np.array(plans, np.int64))
    chances = plan_values(worlds, view, model, in_order)
    return [rounded(chances[np.searchsorted(in_order, plan)]) for plan in plans]


def _judged_choice(past: Past, made: Made, rng: Random) -> Judged:
    """The same for a choice within a turn."""
    view, model = made.view, past.model
    choices = np.array(view.choice_ids, np.int64)
    count = min(JUDGING, max(256, CHOICE_ROLLOUTS // len(choices)))
    best = int(choices[np.argmax(_choice_values(view, model, choices, count, rng))])
    pair = np.array([made.choice, best], np.int64)
    win, most = (rounded(value) for value in _choice_values(view, model, pair, JUDGING, rng))
    if most - win < CLEAR:
        best, most = made.choice, win
    return Judged(_decision(past, made, best, win, most, _why_choice(past, made, best, win, most)), best)


def _choice_values(view: View, model: SearchModel, choices: npt.NDArray[np.int64], count: int, rng: Random) -> Floats:
    sums, worlds = np.zeros(len(choices)), sampled_worlds(view, model, count, rng)
    scratch = worlds[:1].copy()
    compiled_search().evaluate_choices(worlds, view.number, choices, scratch, model.value_weights, sums)
    return sums / count


def _decision(past: Past, made: Made, best: int, win: float, most: float, why: Reason) -> Decision:
    game, given = past.match.game, past.match.rules
    return Decision(
        choice=made.index,
        beat=past.first[made.index + 1],
        chapter=f"{made.before.round}.{made.before.turn}",
        seat=made.seat,
        chosen=made.name,
        better=made.name if best == made.choice else game.choice_name(given, made.before, made.number, best),
        win=win,
        best=most,
        why=why,
    )


def _why_plan(past: Past, made: Made, best: int, worlds: Any, win: float, most: float) -> Reason:
    """What the better plan captures more often than the one chosen."""
    if best == made.choice:
        return Reason("romans.analysis.plan.fine", {})
    state, clan = made.before, made.number
    less, more = (_captures(worlds, state, clan, plan) for plan in (made.choice, best))
    if more[11] - less[11] > most - win - CLEAR:
        return Reason("romans.analysis.plan.legions", {"more": percent(more[11]), "less": percent(less[11])})
    held = rules.legions(state, clan)
    gains = [(more[fort] - less[fort]) * max(0.0, fort_appeal(state, clan, fort, held)) for fort in range(11)]
    fort = int(np.argmax(gains))
    if gains[fort] <= 0 or more[fort] - less[fort] < CLEAR:
        return Reason("romans.analysis.better", {"more": percent(most), "less": percent(win)})
    numbers = percent(more[fort]), percent(less[fort])
    return Reason("romans.analysis.plan.fort", {"fort": FORTS[fort], "more": numbers[0], "less": numbers[1]})


def _captures(worlds: Any, state: RomansState, clan: int, plan: int) -> Floats:
    """How often a plan captures each kind of fort, and in the last cell wins by legions."""
    counts = np.zeros(12)
    line = line_of_plan(int(state.hand[clan]), ARRANGEMENTS[plan])
    compiled_search().count_captures(worlds, clan, line, worlds[:1].copy(), counts)
    return counts / len(worlds)


def _why_choice(past: Past, made: Made, best: int, win: float, most: float) -> Reason:
    """What the better choice does that the one chosen does not."""
    state, clan = made.before, made.number
    numbers: dict[str, str | int | float] = {"more": percent(most), "less": percent(win)}
    if best == made.choice:
        return Reason("romans.analysis.choice.fine", {})
    if state.phase == Phase.TAKE:
        taken, left = (at(int(state.wall), choice - TAKE) for choice in (best, made.choice))
        if rules.wins_by_legions(state, clan, taken):
            return Reason("romans.analysis.choice.third-legion", {})
        return Reason("romans.analysis.choice.fort", {"fort": FORTS[taken], "fort_left": FORTS[left], **numbers})
    if state.phase == Phase.CHARM:
        captor, real = (rules.verdict(state, choice - CHARM)[1] for choice in (best, made.choice))
        fort, target = FORTS[at(int(state.wall), 0)], best - CHARM
        warrior = WARRIORS[rules.shown_now(state, target)]
        numbers |= {"clan": past.clans[target], "warrior": warrior, "fort": fort}
        if captor == clan and real != clan:
            return Reason("romans.analysis.choice.charm-takes", {**numbers, "clan_own": made.seat})
        if real not in (clan, captor, UNKNOWN):
            return Reason("romans.analysis.choice.charm-stops", {**numbers, "clan_other": past.clans[real]})
    return Reason("romans.analysis.better", {"more": percent(most), "less": percent(win)})
