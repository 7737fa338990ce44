"""Romans: where a game turned, and by whose doing."""

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from meadhall.bots.evaluation import Reason
from meadhall.engine.bits import at
from meadhall.games.romans.state import CHARM, FORTS, TAKE, Phase
from meadhall.lab.analysis.report import Decision, TurningPoint
from meadhall.lab.analysis.romans_choices import Judged
from meadhall.lab.analysis.romans_lines import WhatIf
from meadhall.lab.analysis.romans_past import Made, Past, Wins, chance

BLAME = 0.05  # what a choice must have cost to be blamed for a turn of the game
UNEXPECTED = 0.5  # by how much a line must do better than its clan could expect to be a surprise
SWING, TURNS = 0.06, 6  # the smallest swing that is a turning point, and how many there are at most


Named = dict[str, str | int | float]
# What is said of a choice within a turn: of one that did well, rightly or by luck, and of one that helped a rival.
GOOD = {
    "take": "romans.analysis.turn.good-take",
    "reorder": "romans.analysis.turn.good-order",
    "choice": "romans.analysis.turn.good",
}
LUCKY = {
    "take": "romans.analysis.turn.lucky-take",
    "reorder": "romans.analysis.turn.lucky-order",
    "choice": "romans.analysis.turn.lucky",
}
MISTAKE = {
    "take": "romans.analysis.turn.mistake-take",
    "reorder": "romans.analysis.turn.mistake-order",
    "choice": "romans.analysis.turn.mistake",
}
GIFT = {
    "take": "romans.analysis.turn.gift-take",
    "reorder": "romans.analysis.turn.gift-order",
    "choice": "romans.analysis.turn.gift",
}


@dataclass(frozen=True)
class Stage:
    """What came together: a deal, or the answers to one question, with each side's chances before and after."""

    beat: int
    before: Wins
    after: Wins
    round: int
    made: tuple[Made, ...] = ()

    @property
    def changes(self) -> Wins:
        """By how much each side's chance changed."""
        return tuple(after - before for before, after in zip(self.before, self.after, strict=True))

    @property
    def riser(self) -> int:
        """Whose chance rose most."""
        return int(np.argmax(self.changes))

    @property
    def swing(self) -> float:
        """The largest rise."""
        return max(self.changes)


def _stages(past: Past, settled: list[Wins], dealt: dict[int, Wins]) -> list[Stage]:
    """The whole game as such steps; the first deal is where it begins."""
    found = []
    for played in past.rounds:
        if played.number > 1:
            before = settled[played.made[0].index]
            found.append(Stage(played.beat, before, dealt[played.number], played.number))
        wins = dealt[played.number]
        for _, answers in groupby(played.made, key=lambda each: each.moment):
            made = tuple(answers)
            after = settled[made[-1].index + 1]
            found.append(Stage(past.first[made[-1].index + 1], wins, after, played.number, made))
            wins = after
    return found


def turning_points(
    past: Past, judged: list[Judged], settled: list[Wins], dealt: dict[int, Wins]
) -> tuple[TurningPoint, ...]:
    """The largest swings, in the order of the game."""
    stages = [stage for stage in _stages(past, settled, dealt) if stage.swing >= SWING]
    largest = sorted(stages, key=lambda stage: -stage.swing)[:TURNS]
    return tuple(_turning_point(past, stage, judged) for stage in sorted(largest, key=lambda each: each.beat))


def _turning_point(past: Past, stage: Stage, judged: list[Judged]) -> TurningPoint:
    """Whose chances rose, and why: by a deal, a mistake that let it happen, or a choice that did well."""
    riser = stage.riser
    side = past.sides[riser]
    if not stage.made:
        return TurningPoint(stage.beat, side, stage.swing, Reason("romans.analysis.turn.deal", {"clan": side}))
    by_seat = {made.number: judged[made.index].decision for made in stage.made}
    blamed = [
        by_seat[made.number]
        for made in stage.made
        if by_seat[made.number].lost >= BLAME
        and stage.changes[made.number] < 0
        and _let_happen(past, stage, made, judged[made.index].best, riser)
    ]
    decision = max(blamed, key=lambda each: each.lost, default=by_seat.get(riser))
    if decision is None and len(by_seat) == 1 and stage.made[0].before.phase != Phase.PLAN:
        decision = next(iter(by_seat.values()))
    why = _why_turned(stage, side, decision, mistake=bool(blamed))
    return TurningPoint(stage.beat, side, stage.swing, why, None if decision is None else decision.choice)


def _let_happen(past: Past, stage: Stage, made: Made, best: int, riser: int) -> bool:
    """Would the better choice have kept a good part of the rise from whoever rose, all others choosing as they did?"""
    state = stage.made[0].before.copy()
    for each in stage.made:
        state.sealed[each.number] = best if each is made else each.choice
    kept = stage.after[riser] - chance(past, state)[riser]
    return kept >= stage.swing / 3 and (made.before.phase != Phase.PLAN or _held_back(past, stage, made, best, riser))


def _held_back(past: Past, stage: Stage, made: Made, best: int, riser: int) -> bool:
    """Would the better plan have done so with all later choices as they were, too? Unless the rise did not last."""
    played = past.rounds[stage.round - 1]
    real = past.wins(played.over)[riser]
    return real < stage.before[riser] or WhatIf(past, played, made.number).wins(best)[riser] < real


def _why_turned(stage: Stage, side: str, decision: Decision | None, mistake: bool) -> Reason:
    """One sentence about a turn of the game."""
    named: Named = {"clan": side, "round": stage.round}
    if decision is None:
        return Reason("romans.analysis.turn.all", named)
    made = next(each for each in stage.made if each.index == decision.choice)
    lucky = decision.lost >= BLAME
    if decision.seat != side:
        named["clan_other"] = decision.seat
    if made.before.phase == Phase.PLAN:
        if decision.seat != side:
            return Reason("romans.analysis.turn.plan-weak", named)
        if stage.after[stage.riser] - decision.win >= UNEXPECTED:
            return Reason("romans.analysis.turn.plan-unexpected", named)
        return Reason("romans.analysis.turn.plan-lucky" if lucky else "romans.analysis.turn.plan-good", named)
    named |= {"choice": decision.chosen, "other": decision.better}
    kind = "reorder" if made.before.phase == Phase.AFTER and made.choice < CHARM else "choice"
    if made.before.phase == Phase.TAKE:
        kind = "take"
        better = int(decision.better.partition(":")[2]) - 1
        wall = int(made.before.wall)
        named |= {"fort": FORTS[at(wall, made.choice - TAKE)], "fort_better": FORTS[at(wall, better)]}
    if decision.seat == side:
        return Reason((LUCKY if lucky else GOOD)[kind], named)
    return Reason((MISTAKE if mistake else GIFT)[kind], named)
