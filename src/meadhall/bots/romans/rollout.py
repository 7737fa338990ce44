"""Romans rollouts, written to be compiled: the rest of a round by a default policy, and the value of where it ends.

A rollout runs the rules' own functions. It keeps the turn's number at 0, so that the last turn ends like any
other and no next round is dealt. The value is the chance to win: certain at the end of a game, and after round 1 or 2
a multinomial logit over the clans, linear in their points, forts and legions.
"""

from math import exp
from typing import Any

from meadhall.engine.bits import at, count_bits, only_bit
from meadhall.engine.layout import UNKNOWN
from meadhall.games.romans.rules import (
    hidden_count,
    is_legion,
    legions,
    shown_now,
    strength,
    take_effect,
    take_steps,
    value_of,
    verdict,
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

# Points that one more legion fort adds to a fort's appeal, by the number already held.
LEGION_BONUS = (5.0, 8.0, 100.0)
# Between choices with equal chances the lead in points decides, at this weight; a victory by legions counts as so many.
TIE_BREAK, LEGION_VICTORY = 5e-5, 60
# Offsets of the value function's features: points, forts held, then one for each legions held x legions to come.
POINTS, FORTS_HELD, LEGIONS, VALUE_FEATURES = 0, 1, 2, 2 + 3 * 5


# The value of positions and forts


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


def fort_appeal(s: RomansState, clan: int, fort: int, held: int) -> float:
    """A heuristic value of a fort to a clan that holds so many legions, in points."""
    worth = 1.0 * value_of(fort)
    if is_legion(fort) and clan < s.players and legions_in_reach(s, clan) >= 3:
        worth += LEGION_BONUS[min(held, 2)]
    return worth


def position_value(s: RomansState, clan: int, weights: Any) -> float:
    """The chance to win at the end of a game or a round, plus a small bonus for the lead that breaks ties."""
    lead = 0
    if s.phase == Phase.OVER:  # by legions: there is no end by points before a round is over
        lead = LEGION_VICTORY if (int(s.winners) >> clan) & 1 else -LEGION_VICTORY
    else:
        for other in range(s.clans):
            lead += s.worth[clan] - s.worth[other]
    return win_chance(s, clan, weights) + TIE_BREAK * lead


def win_chance(s: RomansState, clan: int, weights: Any) -> float:
    """The chance to win at the end of a game or of a round, by weights [round - 1, feature] of the value function."""
    if s.phase == Phase.OVER or s.round == 3:
        winners = int(s.winners) if s.phase == Phase.OVER else winners_by_points(s)
        return ((winners >> clan) & 1) / count_bits(winners)
    row = weights[s.round - 1]
    to_come = min(max(legions_to_come(s), 0), 4)
    rivals = s.clans if s.players == 1 else s.players  # R7.2
    own = logit(s, clan, to_come, row)
    others = 0.0
    for other in range(rivals):
        others += exp(logit(s, other, to_come, row) - own)
    return 1.0 / others


def logit(s: RomansState, clan: int, to_come: int, row: Any) -> float:
    """A clan's logit: its features, of which only a player's legions count (R5.4), times their weights."""
    total = row[POINTS] * s.worth[clan] + row[FORTS_HELD] * s.forts_count[clan]
    if clan < s.players:
        total += row[LEGIONS + 5 * min(legions(s, clan), 2) + to_come]
    return float(total)


# The default policy


def default_choice(s: RomansState, clan: int) -> int:
    """The default policy's choice for whatever the clan is asked; hidden warriors keep their order."""
    options = int(s.options[clan])
    if options >= ARRANGE:
        return REORDER
    if s.phase == Phase.CHARM:
        return CHARM + default_charm(s, clan, options)
    if s.phase == Phase.TAKE:
        return TAKE + default_fort(s, clan)
    if s.phase == Phase.KEEP_AXX:
        return KEEP_AXX
    if s.phase == Phase.KEEP_WEAKEST:
        return KEEP_WEAKEST
    if s.phase == Phase.TAX:
        return PAY + default_tax(s, clan, options >> (PAY - CHARM))
    kinds = options >> (DISCARD - CHARM)
    return DISCARD + only_bit(kinds & -kinds)  # the weakest


def default_charm(s: RomansState, clan: int, targets: int) -> int:
    """The charm with the best result of this turn's fight; among equals that of the strongest warrior."""
    fort = at(int(s.wall), 0)
    best, most = 0, -1000.0
    for target in range(s.clans):
        if (targets >> target) & 1:
            captor = verdict(s, target)[1]
            worth = 0.01 * strength(shown_now(s, target))
            if captor == clan:
                worth += fort_appeal(s, clan, fort, legions(s, clan))
            elif captor != UNKNOWN:
                worth -= fort_appeal(s, captor, fort, legions(s, captor)) / (s.clans - 1)
            if worth > most:
                best, most = target, worth
    return best


def default_fort(s: RomansState, clan: int) -> int:
    """The place of the fort with the highest appeal."""
    held = legions(s, clan)
    best, most = 0, -1000.0
    for place in range(s.wall_count):
        worth = fort_appeal(s, clan, at(int(s.wall), place), held)
        if worth > most:
            best, most = place, worth
    return best


def default_tax(s: RomansState, clan: int, kinds: int) -> int:
    """The kind of fort to pay as tax: the one with the lowest appeal."""
    best, least = 0, 1000.0
    for fort in range(11):
        if (kinds >> fort) & 1:
            worth = fort_appeal(s, clan, fort, legions(s, clan) - 1)
            if worth < least:
                best, least = fort, worth
    return best


# A turn, and the rest of a round


def play_turn(s: RomansState) -> None:
    """Play from the reveal, or from choices that are owed, to the end of the turn by the default policy."""
    s.turn = 0
    answered = s.phase != Phase.REVEAL
    while True:
        if answered:
            choice = seal_open_choices(s)
            s.asked = 0
            s.owed = 0
            take_effect(s, choice)
        if s.phase != Phase.OVER:
            take_steps(s)
        answered = s.asked != 0
        if not answered:
            return


def seal_open_choices(s: RomansState) -> int:
    """Seal the default choice of every clan that was asked and has not chosen; gives the last choice."""
    choice = 0
    for clan in range(s.clans):
        if (int(s.asked) >> clan) & 1:
            if s.sealed[clan] == UNKNOWN:
                s.sealed[clan] = default_choice(s, clan)
            choice = int(s.sealed[clan])
    return choice


def play_round(s: RomansState) -> None:
    """Play the rest of the round by the default policy."""
    if s.phase != Phase.REVEAL and s.phase != Phase.OVER:
        play_turn(s)
    while s.phase != Phase.OVER and hidden_count(s) > 0:
        play_turn(s)
