"""Romans: why a choice is the best, as a sentence."""

from random import Random
from typing import Any

import numpy as np

from meadhall.bots.evaluation import Reason
from meadhall.bots.percent import percent
from meadhall.bots.romans.compiled import compiled_search
from meadhall.bots.romans.monte_carlo import Evaluated, SearchModel, sampled_worlds
from meadhall.bots.romans.rollout import fort_appeal
from meadhall.bots.romans.search import line_of_plan
from meadhall.engine.bits import at, row_of
from meadhall.games.romans.rules import (
    arranged_place,
    hidden_count,
    is_legion,
    legions,
    shown_now,
    verdict,
    weakest,
)
from meadhall.games.romans.state import (
    ARRANGE,
    ARRANGEMENTS,
    CHARM,
    DISCARD,
    FORTS,
    KEEP_AXX,
    KEEP_WEAKEST,
    PAY,
    REORDER,
    TAKE,
    WARRIORS,
    Phase,
    RomansState,
    Warrior,
)
from meadhall.match import View

WORLDS = 256  # in which captures are counted
EVEN = 0.005  # differences in the chance to win below this are none
LIKELY = 0.15


def why(view: View, searching: SearchModel, found: Evaluated, rng: Random, worlds: Any = None) -> Reason:
    """The reason for the best choice; captures are counted in these worlds, or else in some that the model samples."""
    s, best = view.state, int(found.choices[0])
    win = in_percent(found.chances[0])
    if s.phase == Phase.PLAN:
        line = line_of_plan(int(s.hand[view.number]), ARRANGEMENTS[best])
        return why_line(view, sampled_worlds(view, searching, WORLDS, rng) if worlds is None else worlds, line, win)
    if s.phase == Phase.TAKE and legions(s, view.number) == 2 and is_legion(s.wall >> 4 * (best - TAKE) & 15):
        return Reason("romans.why.third-legion", {})
    if found.chances[0] - found.chances[-1] < EVEN:
        return Reason("romans.why.even", {"win": win})
    if s.phase == Phase.CHARM:
        return why_charm(view, found, win)
    if s.options[view.number] >= ARRANGE:
        return why_order(view, searching, best, win, rng)
    return why_small_choice(s, view.number, best, win, in_percent(found.chances[1]))


def why_small_choice(s: RomansState, seat: int, best: int, win: int, following: int) -> Reason:
    """What is gained, kept or missed least with a choice within a turn."""
    if s.phase == Phase.TAKE:
        return Reason("romans.why.take", {"fort": FORTS[s.wall >> 4 * (best - TAKE) & 15], "win": win})
    if best == KEEP_AXX:
        return Reason("romans.why.stays", {"warrior": WARRIORS[Warrior.AXX], "win": win})
    if best == KEEP_WEAKEST:
        return Reason("romans.why.stays", {"warrior": WARRIORS[weakest(s, seat)], "win": win})
    if best >= PAY:
        return Reason("romans.why.pay", {"fort": FORTS[best - PAY], "win": win})
    if best >= DISCARD:
        return Reason("romans.why.discard", {"warrior": WARRIORS[best - DISCARD], "win": win})
    return Reason("romans.why.better", {"win": win, "next": following})


def why_order(view: View, searching: SearchModel, order: int, win: int, rng: Random) -> Reason:
    """The same for a new order of hidden warriors (R4.14)."""
    s, seat = view.state, view.number
    if order == REORDER:
        return Reason("romans.why.order-stays", {"win": win})
    places = [*range(s.shown), *(s.shown + arranged_place(s, order - REORDER, k) for k in range(hidden_count(s)))]
    line = row_of([at(int(s.line[seat]), place) for place in places])
    return why_line(view, sampled_worlds(view, searching, WORLDS, rng), line, win)


def why_line(view: View, worlds: Any, line: int, win: int) -> Reason:
    """What a line captures that matters most: the third legion, or else a fort by its chance times its value."""
    s, seat = view.state, view.number
    counts = np.zeros(12)
    compiled_search().count_captures(worlds, seat, line, worlds[:1].copy(), counts)
    chances = counts / len(worlds)
    if chances[11] >= LIKELY:  # three legions win, so no more often than the game is won
        return Reason("romans.why.plan-legions", {"chance": min(in_percent(chances[11]), win), "win": win})
    held = legions(s, seat)
    fort = max(range(11), key=lambda kind: chances[kind] * fort_appeal(s, seat, kind, held))
    if fort_appeal(s, seat, fort, held) <= 0.0 or chances[fort] < LIKELY:
        return Reason("romans.why.line", {"win": win})
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
