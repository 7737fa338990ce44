"""Romans: the lines of a round beside the best ones, then and in hindsight."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.romans.monte_carlo import STATE, legal_plans
from meadhall.bots.romans.rollout import position_value
from meadhall.bots.romans.search import line_of_plan
from meadhall.engine.bits import at
from meadhall.games.romans.state import (
    ARRANGEMENTS,
    FORTS,
    WARRIORS,
    Phase,
    RomansState,
)
from meadhall.lab.analysis.romans_choices import Judged, plan_chances
from meadhall.lab.analysis.romans_forts import forts_found
from meadhall.lab.analysis.romans_found import Line, Lines, Round
from meadhall.lab.analysis.romans_past import Floats, Past, Played, Wins, compiled


def round_found(past: Past, played: Played, judged: list[Judged], before: Wins) -> Round:
    """A round with its lines and forts; of the plans it takes what was judged of them."""
    wall = tuple(FORTS[at(int(played.start.wall), k)] for k in range(6))
    lines = tuple(_lines(past, played, clan, judged) for clan in range(len(past.clans)))
    return Round(
        played.number,
        played.beat,
        wall,
        forts_found(past, played, wall),
        lines,
        before,
        past.wins(played.over),
    )


def _lines(past: Past, played: Played, clan: int, judged: list[Judged]) -> Lines:
    """A clan's line beside what would have been better."""
    if clan >= played.start.players:
        warriors = _warriors(int(played.start.line[clan]))
        return Lines(past.clans[clan], _laid(past, played, clan, warriors, "", 0.0), None, None, None)
    made = played.plan_of(clan)
    of_plan = judged[made.index]
    what_if = WhatIf(past, played, clan)
    hindsight = what_if.best(made.choice)
    expected = plan_chances(of_plan.worlds, made.view, past.model, (made.choice, of_plan.best, hindsight))
    warriors, aside = what_if.arranged(made.choice)
    laid = _laid(past, played, clan, warriors, aside, expected[0])
    then = laid if of_plan.best == made.choice else what_if.line(of_plan.best, expected[1])
    later = laid if hindsight == made.choice else what_if.line(hindsight, expected[2])
    return Lines(past.clans[clan], laid, then, later, made.index)


def _laid(past: Past, played: Played, clan: int, warriors: tuple[str, ...], aside: str, expected: float) -> Line:
    """The line that was really laid, and what it really captured."""
    name, captures, paid, turn = past.clans[clan], [""] * 6, [], 0
    order = [""] * 6
    for event in played.events:
        args = event.args
        if event.code == "turn":
            turn = int(args["turn"] or 0)
        elif args.get("clan") == name:
            if event.code == "captured":
                captures[turn - 1] = str(args["fort"])
            elif event.code == "paid":
                paid.append(str(args["fort"]))
            elif event.code == "shown":
                order[turn - 1] = str(args["warrior"])
    revealed = tuple(each or warriors[k] for k, each in enumerate(order))
    wins = past.wins(played.over)
    return Line(
        warriors,
        aside,
        tuple(captures),
        tuple(paid),
        int(played.over.worth[clan]) - int(played.start.worth[clan]),
        wins[clan] if clan < len(wins) else 0.0,
        expected,
        () if revealed == warriors else revealed,
    )


def _warriors(row: int) -> tuple[str, ...]:
    return tuple(WARRIORS[at(row, k)] for k in range(6))


class WhatIf:
    """A round played anew with another line of one clan: the others lay and choose as they did.

    Whoever is asked something else than in the real round, and the clan itself after its plan, follows the search's
    default policy.
    """

    def __init__(self, past: Past, played: Played, clan: int) -> None:
        self.past, self.played, self.clan = past, played, clan
        self.hand = int(played.start.hand[clan])
        self.made, self.asked = played.later_choices(without=clan)
        laid = played.start.copy()
        for other in range(played.start.players):
            plan = played.plan_of(other)
            laid.line[other] = line_of_plan(int(laid.hand[other]), ARRANGEMENTS[plan.choice])
            laid.options[other] = 0
        laid.phase, laid.asked, laid.owed = Phase.REVEAL, 0, 0
        self.start = np.frombuffer(bytes(laid), STATE).copy()

    def values(self, plans: npt.NDArray[np.int64], path: Any) -> Floats:
        """The value of plans, in increasing order; the path is filled with the turns of the last one."""
        values, weights, rng = np.zeros(len(plans)), self.past.model.value_weights, np.ones(2, np.int64)
        known = self.past.likely, self.made, self.asked, weights, rng
        compiled().evaluate_lines(self.start, self.clan, self.hand, plans, path, *known, values)
        return values

    def best(self, chosen: int) -> int:
        """The plan with the highest value, of equals the one most like that chosen; that one if it did as well."""
        plans = legal_plans(self.played.start, self.clan)
        values = self.values(plans, np.zeros(7, STATE))
        if values.max() <= position_value(self.played.over, self.clan, self.past.model.value_weights) + 1e-9:
            return chosen
        best = plans[values >= values.max() - 1e-9]
        real, _ = self.arranged(chosen)
        likeness = [sum(a == b for a, b in zip(real, self.arranged(plan)[0], strict=True)) for plan in best]
        return int(best[int(np.argmax(likeness))])

    def arranged(self, plan: int) -> tuple[tuple[str, ...], str]:
        """The warriors that a plan lays, and the one it puts aside."""
        warriors = tuple(WARRIORS[at(self.hand, int(place))] for place in ARRANGEMENTS[plan])
        return warriors[:6], warriors[6]

    def turns(self, plan: int) -> list[RomansState]:
        """The position before the first turn and after each of the six, if this plan is laid."""
        path = np.zeros(7, STATE)
        self.values(np.array([plan], np.int64), path)
        return [RomansState.from_buffer_copy(each.tobytes()) for each in path]

    def wins(self, plan: int) -> Wins:
        """Each side's chance to win after the round, if this plan is laid."""
        return self.past.wins(self.turns(plan)[-1])

    def line(self, plan: int, expected: float) -> Line:
        """What a plan takes."""
        turns = self.turns(plan)
        captures, paid = [""] * 6, []
        for k, (before, after) in enumerate(pairwise(turns)):
            if before.phase != Phase.OVER and after.captor == self.clan:
                captures[k] = FORTS[after.prize]
                if after.lost_count > before.lost_count:
                    paid.append(FORTS[after.lost_forts[after.lost_count - 1]])
        warriors, aside = self.arranged(plan)
        points = int(turns[-1].worth[self.clan]) - int(self.played.start.worth[self.clan])
        win = self.past.wins(turns[-1])[self.clan]
        return Line(warriors, aside, tuple(captures), tuple(paid), points, win, expected)
