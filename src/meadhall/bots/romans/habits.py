"""Romans, made to be compiled: how likely a player is to lay one line rather than another.

A habit gives every line a score: a sum over its six places of small weights for a warrior at that place, before that
fort and the one after it, and after that other warrior. A line is as likely as the exponential of its score.
"""

from math import exp
from typing import Any

import numpy as np

from meadhall.bots.romans.turns import legions_in_reach
from meadhall.engine.bits import at, count_bits, without
from meadhall.engine.rng import roll
from meadhall.games.romans.rules import is_legion, legions
from meadhall.games.romans.state import NINE_ROW, RomansState

# Kinds of forts as a planner sees them: no legions first, in the order of FORTS.
KIND = (0, 1, 2, 8, 8, 8, 3, 4, 5, 6, 7)
LEGION, LEGION_IN_VAIN, LEGION_TO_STOP, NO_FORT = 8, 11, 12, 13
# Where the weights for a warrior begin: by place, by fort, by the fort after it, by the warrior before it, put aside.
PLACE, FORT, NEXT, AFTER, ASIDE, HABIT_SIZE = 0, 48, 152, 264, 336, 344
FIRST = 8  # no warrior before it


def kind_of_fort(s: RomansState, clan: int, fort: int) -> int:
    """What a fort is to this clan's planner."""
    if not is_legion(fort):
        return KIND[fort]
    held = legions(s, clan)
    reach = legions_in_reach(s, clan)
    if held == 2 and reach >= 3:
        return LEGION + 2
    for other in range(s.players):
        if other != clan and legions(s, other) == 2 and legions_in_reach(s, other) >= 3:
            return LEGION_TO_STOP
    return LEGION + min(held, 1) if reach >= 3 else LEGION_IN_VAIN


def kinds_along_the_wall(s: RomansState, clan: int, kinds: Any) -> None:
    """The kind of fort at each of the six places of a line, and after them none."""
    gone = 6 - int(s.wall_count)
    for k in range(7):
        there = k < 6 and k >= gone
        kinds[k] = kind_of_fort(s, clan, at(int(s.wall), k - gone)) if there else NO_FORT


def weights_by_place(kinds: Any, habit: Any, here: Any) -> None:
    """What a warrior adds to a line's score at each place, whatever stands before it; the last is aside."""
    for k in range(6):
        for warrior in range(8):
            fort = habit[FORT + 8 * kinds[k] + warrior] if kinds[k] != NO_FORT else 0.0
            here[k, warrior] = habit[PLACE + 8 * k + warrior] + fort + habit[NEXT + 8 * kinds[k + 1] + warrior]
    for warrior in range(8):
        here[6, warrior] = habit[ASIDE + warrior]


def drawn_seven(shown_row: int, shown: int, dice: Any) -> int:
    """Seven of the nine: those shown, and others as they come."""
    pool = NINE_ROW
    for k in range(shown):
        place = 0
        while at(pool, place) != at(shown_row, k):
            place += 1
        pool = without(pool, place)
    row = shown_row & ((1 << (4 * shown)) - 1)
    for k in range(shown, 7):
        place = roll(dice, 9 - k)
        row |= at(pool, place) << (4 * k)
        pool = without(pool, place)
    return row


def weights_onward(row: int, fixed: int, here: Any, habit: Any, steps: Any, onward: Any) -> None:
    """How much weight all ways to go on have, `onward[laid, last]`, by the warriors laid (bits) and the last of them.

    `steps[k, last, next]` is the weight of one step: of a warrior at place k, after that last one. There are far fewer
    sets of warriors laid than lines, so nobody has to look at 5,040 of these.
    """
    for k in range(7):
        for following in range(7):
            warrior = at(row, following)
            alone = exp(here[k, warrior])
            for last in range(8):
                before = at(row, last) if last < 7 else FIRST
                steps[k, last, following] = alone * exp(habit[AFTER + 8 * before + warrior]) if k < 6 else alone
    onward[127, :] = 1.0
    start = (1 << fixed) - 1
    for laid in range(126, start - 1, -1):
        if laid & start == start:
            k = count_bits(laid)
            for last in range(8):
                if last == 7 or (laid >> last) & 1:
                    onward[laid, last] = sum_onward(laid, steps[k, last], onward)


def sum_onward(laid: int, step: Any, onward: Any) -> float:
    """The weight of all ways to lay the next warrior and go on."""
    total = 0.0
    for following in range(7):
        if not (laid >> following) & 1:
            total += step[following] * onward[laid | (1 << following), following]
    return total


def laid_by_habit(row: int, fixed: int, here: Any, habit: Any, dice: Any) -> int:
    """Seven warriors in the order in which this habit lays them, the first ones fixed; the last is put aside."""
    steps = np.zeros((7, 8, 7))
    onward = np.zeros((128, 8))
    weights_onward(row, fixed, here, habit, steps, onward)
    laid = (1 << fixed) - 1
    last = fixed - 1 if fixed > 0 else 7
    line = row & ((1 << (4 * fixed)) - 1)
    for k in range(fixed, 7):
        left = onward[laid, last] * roll(dice, 1 << 24) / (1 << 24)
        chosen = 7
        for following in range(7):
            if left >= 0.0 and not (laid >> following) & 1:
                left -= steps[k, last, following] * onward[laid | (1 << following), following]
                chosen = following
        line |= at(row, chosen) << (4 * k)
        laid |= 1 << chosen
        last = chosen
    return line


def imagine_line(s: RomansState, clan: int, habit: Any, dice: Any) -> int:
    """A line that a rival may have laid, as far as it has been shown; a neutral's is any (R3.3)."""
    shown = int(s.shown)
    row = drawn_seven(int(s.line[clan]), shown, dice)
    if clan >= s.players or shown == 6:
        return row
    kinds = np.zeros(7, np.int64)
    here = np.zeros((7, 8), np.float32)
    kinds_along_the_wall(s, clan, kinds)
    weights_by_place(kinds, habit, here)
    return laid_by_habit(row, shown, here, habit, dice)
