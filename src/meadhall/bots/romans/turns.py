"""Romans, made to be compiled: the rest of a round played by common sense, and what its end is worth.

A round is thought through in the rules' own functions. The turn's number is held back at 0, so that the
last turn ends like any other and nothing is dealt for a next round.
"""

from math import exp
from typing import Any

from meadhall.engine.bits import at, count_bits, only_bit
from meadhall.engine.layout import UNKNOWN
from meadhall.games.romans.rules import (
    charm,
    fight,
    hidden_count,
    is_legion,
    legions,
    shown_now,
    strength,
    take_effect,
    take_steps,
    value_of,
    winners_by_points,
)
from meadhall.games.romans.state import (
    ARRANGE,
    CHARM,
    DISCARD,
    KEEP_AXX,
    KEEP_WEAKEST,
    PAY,
    REORDER,
    TAKE,
    Fort,
    Phase,
    RomansState,
)

# What a legion fort more promises by the number held, in points, for quick choices between forts.
HOPE = (5.0, 8.0, 100.0)
TRIFLE, SUDDEN_END = 5e-5, 60
# Where a standing's weights begin: [rounds to come 2, 1][point, fort, then legions held x legions to come].
POINT, FORT_HELD, LEGIONS, STANDING_SIZE = 0, 1, 2, 2 + 3 * 5


# What things are worth


def legions_to_come(s: RomansState) -> int:
    """How many legion forts have not been seen yet: neither held, nor lost, nor on the Wall."""
    left = 0
    for fort in range(Fort.LEGION_1, Fort.LEGION_3 + 1):
        left += s.fort_deck[fort]
    for k in range(s.lost_count):
        left -= is_legion(s.lost_forts[k])
    for k in range(s.wall_count):
        left -= is_legion(at(int(s.wall), k))
    for clan in range(s.clans):
        left -= legions(s, clan)
    return left


def legions_in_reach(s: RomansState, clan: int) -> int:
    """How many legion forts a clan holds or can still capture."""
    left = legions_to_come(s) + legions(s, clan)
    for k in range(s.wall_count):
        left += is_legion(at(int(s.wall), k))
    return left


def appeal(s: RomansState, clan: int, fort: int, held: int) -> float:
    """What a fort is worth to a clan in points, roughly, beside so many legions."""
    worth = 1.0 * value_of(fort)
    if is_legion(fort) and clan < s.players and legions_in_reach(s, clan) >= 3:
        worth += HOPE[min(held, 2)]
    return worth


def prospect(s: RomansState, clan: int, weights: Any) -> float:
    """The chance to win at the end of a game or a round, and a trifle for the lead: it decides between equals."""
    lead = 0
    if s.phase == Phase.OVER:  # by legions: there is no end by points before a round is over
        lead = SUDDEN_END if (int(s.winners) >> clan) & 1 else -SUDDEN_END
    else:
        for other in range(s.clans):
            lead += s.worth[clan] - s.worth[other]
    return standing(s, clan, weights) + TRIFLE * lead


def standing(s: RomansState, clan: int, weights: Any) -> float:
    """The chance to win, at the end of a game or of a round, by the weights of such standings."""
    if s.phase == Phase.OVER or s.round == 3:
        winners = int(s.winners) if s.phase == Phase.OVER else winners_by_points(s)
        return ((winners >> clan) & 1) / count_bits(winners)
    row = weights[s.round - 1]
    to_come = min(max(legions_to_come(s), 0), 4)
    rivals = s.clans if s.players == 1 else s.players  # R7.2
    own = promise(s, clan, to_come, row)
    others = 0.0
    for other in range(rivals):
        others += exp(promise(s, other, to_come, row) - own)
    return 1.0 / others


def promise(s: RomansState, clan: int, to_come: int, row: Any) -> float:
    """How a clan stands: points, forts, and the legions it may yet win by (R5.4)."""
    sum_of = row[POINT] * s.worth[clan] + row[FORT_HELD] * s.forts_count[clan]
    if clan < s.players:
        sum_of += row[LEGIONS + 5 * min(legions(s, clan), 2) + to_come]
    return float(sum_of)


# Small choices by common sense


def common_sense(s: RomansState, clan: int) -> int:
    """A quick answer to whatever the clan is asked; hidden warriors keep their order."""
    options = int(s.options[clan])
    if options >= ARRANGE:
        return REORDER
    if s.phase == Phase.CHARM:
        return CHARM + sensible_charm(s, clan, options)
    if s.phase == Phase.TAKE:
        return TAKE + sensible_fort(s, clan)
    if s.phase == Phase.KEEP_AXX:
        return KEEP_AXX
    if s.phase == Phase.KEEP_WEAKEST:
        return KEEP_WEAKEST
    if s.phase == Phase.TAX:
        return PAY + sensible_tax(s, clan, options >> (PAY - CHARM))
    kinds = options >> (DISCARD - CHARM)
    return DISCARD + only_bit(kinds & -kinds)  # the weakest


def sensible_charm(s: RomansState, clan: int, targets: int) -> int:
    """The target that makes the best of this turn; of equals the strongest."""
    fort = at(int(s.wall), 0)
    best, most = 0, -1000.0
    for target in range(s.clans):
        if (targets >> target) & 1:
            captor = captor_if_charmed(s, target)
            worth = 0.01 * strength(shown_now(s, target))
            if captor == clan:
                worth += appeal(s, clan, fort, legions(s, clan))
            elif captor != UNKNOWN:
                worth -= appeal(s, captor, fort, legions(s, captor)) / (s.clans - 1)
            if worth > most:
                best, most = target, worth
    return best


def captor_if_charmed(s: RomansState, target: int) -> int:
    """Who would capture, by the rules; only what these steps change is put back."""
    wall, count, lost = int(s.wall), int(s.wall_count), int(s.lost_count)
    charm(s, target)
    fight(s)
    captor = int(s.captor)
    s.wall = wall
    s.wall_count = count
    s.lost_count = lost
    s.lost_forts[lost] = UNKNOWN
    s.charmed = UNKNOWN
    s.captor = UNKNOWN
    s.phase = Phase.CHARM
    return captor


def sensible_fort(s: RomansState, clan: int) -> int:
    """The place of the fort that appeals most."""
    held = legions(s, clan)
    best, most = 0, -1000.0
    for place in range(s.wall_count):
        worth = appeal(s, clan, at(int(s.wall), place), held)
        if worth > most:
            best, most = place, worth
    return best


def sensible_tax(s: RomansState, clan: int, kinds: int) -> int:
    """The fort that is missed least."""
    best, least = 0, 1000.0
    for fort in range(11):
        if (kinds >> fort) & 1:
            worth = appeal(s, clan, fort, legions(s, clan) - 1)
            if worth < least:
                best, least = fort, worth
    return best


# A turn, and the rest of a round


def play_turn(s: RomansState) -> None:
    """From the reveal, or from choices all sealed, to the end of the turn."""
    s.turn = 0
    answered = s.phase != Phase.REVEAL
    while True:
        if answered:
            choice = seal_open_choices(s)
            s.asked = 0
            s.owed = 0
            take_effect(s, choice)
            for other in range(4):
                s.sealed[other] = UNKNOWN
                s.options[other] = 0
        if s.phase != Phase.OVER:
            take_steps(s)
        answered = s.asked != 0
        if not answered:
            return


def seal_open_choices(s: RomansState) -> int:
    """Everybody asked who has not chosen chooses by common sense; gives the last choice."""
    choice = 0
    for clan in range(s.clans):
        if (int(s.asked) >> clan) & 1:
            if s.sealed[clan] == UNKNOWN:
                s.sealed[clan] = common_sense(s, clan)
            choice = int(s.sealed[clan])
    return choice


def play_round(s: RomansState) -> None:
    """The rest of the round."""
    if s.phase != Phase.REVEAL and s.phase != Phase.OVER:
        play_turn(s)
    while s.phase != Phase.OVER and hidden_count(s) > 0:
        play_turn(s)
