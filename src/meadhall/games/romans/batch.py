"""Romans Go Home!: random play over and over, made to be compiled."""

from meadhall.engine.bits import count_bits, only_bit
from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import DiceBox, roll, shake
from meadhall.games.romans.rules import arrangement_count, arranging, clan_of_bit, commit, keeps_order, set_up
from meadhall.games.romans.setup import deal
from meadhall.games.romans.state import (
    ARRANGED_BACKWARD,
    CHARM,
    REORDER,
    Ending,
    Phase,
    RomansState,
)

# What a batch counts; the last ones by clan, by warrior and by phase.
GAMES, DECISIONS, TURNS, SHARED, UNCAPTURED = range(5)
WON_BY_POINTS, WON_BY_LEGIONS, POINTS, FORTS_HELD, ASKED = 5, 9, 13, 17, 21
MAXIMA = ()
TALLY_SIZE = ASKED + Phase.OVER


def pick(s: RomansState, clan: int, dice: list[int]) -> int:
    """One of the clan's legal choices, each equally likely."""
    if arranging(s, clan):
        arrangement = roll(dice, arrangement_count(s))
        # Turned round, an arrangement has its charriotts in the other order.
        if s.phase == Phase.PLAN:
            return arrangement if keeps_order(s, clan, arrangement) else int(ARRANGED_BACKWARD[arrangement])
        while not keeps_order(s, clan, arrangement):
            arrangement = roll(dice, arrangement_count(s))
        return REORDER + arrangement
    options = int(s.options[clan])
    for _ in range(roll(dice, count_bits(options))):
        options &= options - 1
    return CHARM + only_bit(options & -options)


def next_seat(s: RomansState) -> int:
    """The first clan that owes a choice, -1 at the end."""
    return clan_of_bit(int(s.owed) & -int(s.owed)) if s.owed != 0 else UNKNOWN


def play_out(s: RomansState, dice: list[int], tally: list[int]) -> int:
    """Play from here to the end at random; gives the number of choices made."""
    decisions = 0
    while s.phase != Phase.OVER:
        clan = next_seat(s)
        tally[ASKED + s.phase] += 1
        commit(s, clan, pick(s, clan, dice))
        decisions += 1
    return decisions


def play_games(
    states: list[RomansState], boxes: list[DiceBox], word: int, first: int, games: int, tally: list[int]
) -> None:
    """Play games number `first` to `first + games - 1` of a seed, each from its own dice."""
    s = states[0]
    dice = boxes[0].dice
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
            tally[POINTS + clan] += s.worth[clan]
            tally[FORTS_HELD + clan] += s.forts_count[clan]
        tally[SHARED] += count > 1


# One compiled game in the hands of a Python loop: arrays cross the border ten times faster than single records.


def next_seat_at(states: list[RomansState], place: int) -> int:
    """The first clan that owes a choice in a state of the array, -1 at the end."""
    return next_seat(states[place])


def pick_at(states: list[RomansState], place: int, clan: int, boxes: list[DiceBox]) -> int:
    """One of the clan's legal choices in a state of the array, each equally likely."""
    return pick(states[place], clan, boxes[0].dice)


def commit_at(states: list[RomansState], place: int, clan: int, choice: int) -> None:
    """Make a choice in a state of the array."""
    commit(states[place], clan, choice)
