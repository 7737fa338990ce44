"""Romans Go Home!: random play over and over, made to be compiled."""

from meadhall.dice import roll, shake
from meadhall.games.romans.rules import (
    arrangement_count,
    arranging,
    commit,
    deal,
    keeps_equals_in_order,
    menu,
    owes,
    points,
    set_up,
)
from meadhall.games.romans.state import (
    CHARM,
    DISCARD,
    KEEP_AXX,
    KEEP_WEAKEST,
    PAY,
    REORDER,
    TAKE,
    Ending,
    Phase,
    RomansState,
)

# What a batch counts; the last ones by clan, by warrior and by phase.
GAMES, DECISIONS, TURNS, SHARED, UNCAPTURED = range(5)
WON_BY_POINTS, WON_BY_LEGIONS, POINTS, FORTS_HELD, ASKED = 5, 9, 13, 17, 21
TALLY_SIZE = ASKED + Phase.OVER


def pick(s: RomansState, clan: int, dice: list[int]) -> int:
    """One of the clan's legal choices, each equally likely."""
    if arranging(s, clan):
        count = arrangement_count(s)
        arrangement = roll(dice, count)
        while not keeps_equals_in_order(s, clan, arrangement):
            arrangement = roll(dice, count)
        return arrangement if s.phase == Phase.PLAN else REORDER + arrangement
    options = menu(s, clan)
    first = DISCARD
    count = 8
    if s.phase == Phase.CHARM:
        first = CHARM
        count = 4
    elif s.phase == Phase.TAKE:
        first = TAKE
        count = int(s.wall_count)
    elif s.phase == Phase.KEEP_AXX:
        first = KEEP_AXX
        count = 2
    elif s.phase == Phase.KEEP_WEAKEST:
        first = KEEP_WEAKEST
        count = 2
    elif s.phase == Phase.TAX:
        first = PAY
        count = 11
    # Throwing again until it is a legal one is fair, and faster than counting the legal ones.
    choice = first + roll(dice, count)
    while (options >> (choice - CHARM)) & 1 == 0:
        choice = first + roll(dice, count)
    return choice


def play_out(s: RomansState, dice: list[int], tally: list[int]) -> int:
    """Play from here to the end at random; gives the number of choices made."""
    decisions = 0
    while s.phase != Phase.OVER:
        for clan in range(s.players):
            if owes(s, clan):
                tally[ASKED + s.phase] += 1
                commit(s, clan, pick(s, clan, dice))
                decisions += 1
    return decisions


def play_games(
    states: list[RomansState], dice: list[int], word: int, first: int, games: int, tally: list[int]
) -> None:
    """Play games number `first` to `first + games - 1` of a seed, each from its own dice."""
    s = states[0]
    for game in range(first, first + games):
        shake(dice, word, game)
        deal(s, dice)
        set_up(s)
        tally[DECISIONS] += play_out(s, dice, tally)
        tally[GAMES] += 1
        tally[TURNS] += 6 * (s.round - 1) + s.turn
        tally[UNCAPTURED] += s.lost_count
        count = 0
        for clan in range(s.clans):
            won = (int(s.winners) >> clan) & 1
            count += won
            tally[(WON_BY_POINTS if s.by == Ending.POINTS else WON_BY_LEGIONS) + clan] += won
            tally[POINTS + clan] += points(s, clan)
            tally[FORTS_HELD + clan] += s.forts_count[clan]
        tally[SHARED] += count > 1
