"""A stochastic policy for Romans plans, written to be compiled: a softmax over arrangements, linear in features.

The score of an arrangement is a sum, over its six places, of weights for the warrior at that place, at the fort there,
at the fort after it, and after the warrior before it, and of one for the warrior left out. An arrangement is
chosen with a probability proportional to the exponential of its score.
"""

from math import exp
from typing import Any

import numpy as np

from meadhall.bots.romans.rollout import legions_in_reach
from meadhall.engine.bits import at, count_bits, without
from meadhall.engine.rng import roll
from meadhall.games.romans.rules import is_legion, legions
from meadhall.games.romans.state import NINE_ROW, RomansState

# Forts as a planning clan tells them apart, by their number in FORTS; legions by how many the clan holds (0, 1, 2).
FORT_KIND = (0, 1, 2, 8, 8, 8, 3, 4, 5, 6, 7)
LEGION, USELESS_LEGION, LEGION_TO_BLOCK, NO_FORT = 8, 11, 12, 13
# Offsets of the features: eight for each place, kind of fort, kind of the next fort, warrior before it; eight left out.
AT_PLACE, AT_FORT, NEXT_FORT, AFTER_WARRIOR, LEFT_OUT, PLAN_FEATURES = 0, 48, 152, 264, 336, 344
NO_WARRIOR = 8  # the "warrior before" the first one


def kind_of_fort(s: RomansState, clan: int, fort: int) -> int:
    """The kind of a fort, as a feature of this clan's plans."""
    if not is_legion(fort):
        return FORT_KIND[fort]
    held = legions(s, clan)
    reach = legions_in_reach(s, clan)
    if held == 2 and reach >= 3:
        return LEGION + 2
    for other in range(s.players):
        if other != clan and legions(s, other) == 2 and legions_in_reach(s, other) >= 3:
            return LEGION_TO_BLOCK
    return LEGION + min(held, 1) if reach >= 3 else USELESS_LEGION


def fort_kinds_by_place(s: RomansState, clan: int, kinds: Any) -> None:
    """Fill in the kind of fort that each of the six places of a line meets, and none after them."""
    gone = 6 - int(s.wall_count)
    for k in range(7):
        there = k < 6 and k >= gone
        kinds[k] = kind_of_fort(s, clan, at(int(s.wall), k - gone)) if there else NO_FORT


def place_scores(kinds: Any, policy: Any, scores: Any) -> None:
    """Fill in what a warrior adds to the score at each place, whatever stands before it; the last row is left out."""
    for k in range(6):
        for warrior in range(8):
            fort = policy[AT_FORT + 8 * kinds[k] + warrior] if kinds[k] != NO_FORT else 0.0
            following = policy[NEXT_FORT + 8 * kinds[k + 1] + warrior]
            scores[k, warrior] = policy[AT_PLACE + 8 * k + warrior] + fort + following
    for warrior in range(8):
        scores[6, warrior] = policy[LEFT_OUT + warrior]


def draw_hand(shown_row: int, shown: int, rng: Any) -> int:
    """Seven of a clan's nine warriors: those shown, and others at random."""
    pool = NINE_ROW
    for k in range(shown):
        place = 0
        while at(pool, place) != at(shown_row, k):
            place += 1
        pool = without(pool, place)
    row = shown_row & ((1 << (4 * shown)) - 1)
    for k in range(shown, 7):
        place = roll(rng, 9 - k)
        row |= at(pool, place) << (4 * k)
        pool = without(pool, place)
    return row


def sum_completions(row: int, fixed: int, scores: Any, policy: Any, steps: Any, completions: Any) -> None:
    """Sum the weights of all ways to complete an arrangement, by the set of warriors placed (bits) and the last one.

    `steps[k, last, next]` is the weight of placing a warrior at place k after that last one, and
    `completions[placed, last]` the sum. This dynamic program visits 128 sets instead of 5,040 arrangements.
    """
    for k in range(7):
        for following in range(7):
            warrior = at(row, following)
            alone = exp(scores[k, warrior])
            for last in range(8):
                before = at(row, last) if last < 7 else NO_WARRIOR
                joined = policy[AFTER_WARRIOR + 8 * before + warrior]
                steps[k, last, following] = alone * exp(joined) if k < 6 else alone
    completions[127, :] = 1.0
    start = (1 << fixed) - 1
    for placed in range(126, start - 1, -1):
        if placed & start == start:
            k = count_bits(placed)
            for last in range(8):
                if last == 7 or (placed >> last) & 1:
                    completions[placed, last] = sum_next(placed, steps[k, last], completions)


def sum_next(placed: int, step: Any, completions: Any) -> float:
    """The sum over the next warrior of the weights of placing it and of all completions after it."""
    total = 0.0
    for following in range(7):
        if not (placed >> following) & 1:
            total += step[following] * completions[placed | (1 << following), following]
    return total


def sample_arrangement(row: int, fixed: int, scores: Any, policy: Any, rng: Any) -> int:
    """Seven warriors in an order drawn from the policy, the first ones fixed; the seventh is left out."""
    steps = np.zeros((7, 8, 7))
    completions = np.zeros((128, 8))
    sum_completions(row, fixed, scores, policy, steps, completions)
    placed = (1 << fixed) - 1
    last = fixed - 1 if fixed > 0 else 7
    line = row & ((1 << (4 * fixed)) - 1)
    for k in range(fixed, 7):
        left = completions[placed, last] * roll(rng, 1 << 24) / (1 << 24)
        chosen = 7
        for following in range(7):
            if left >= 0.0 and not (placed >> following) & 1:
                left -= steps[k, last, following] * completions[placed | (1 << following), following]
                chosen = following
        line |= at(row, chosen) << (4 * k)
        placed |= 1 << chosen
        last = chosen
    return line


def sample_line(s: RomansState, clan: int, policy: Any, rng: Any) -> int:
    """A rival's line drawn from its policy given what it has shown; a neutral's is uniform (R3.3)."""
    shown = int(s.shown)
    row = draw_hand(int(s.line[clan]), shown, rng)
    if clan >= s.players or shown == 6:
        return row
    kinds = np.zeros(7, np.int64)
    scores = np.zeros((7, 8), np.float32)
    fort_kinds_by_place(s, clan, kinds)
    place_scores(kinds, policy, scores)
    return sample_arrangement(row, shown, scores, policy, rng)
