"""Goths Save the Queen: random play over and over, made to be compiled."""

from meadhall.bits import count_bits, nth_bit
from meadhall.dice import roll, shake
from meadhall.games.goths.rules import commit, deal, legal, next_seat, set_up
from meadhall.games.goths.state import DISPERSE, Phase

# What a batch counts. Choices are counted by number from CHOSEN on.
GAMES, DECISIONS, TURNS, LONGEST, ORDERS, THROUGH, QUEEN, ELIMINATION, DRAWS, WON, CHOSEN = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    10,
    11,
    13,
)
TALLY_SIZE = CHOSEN + DISPERSE + 1


def pick(s, seat: int, dice: list[int]) -> int:
    """One of the seat's legal choices, each equally likely."""
    options = legal(s, seat)
    return nth_bit(options, roll(dice, count_bits(options)))


def play_out(s, dice: list[int], tally) -> int:
    """Play from here to the end at random; gives the number of choices made."""
    decisions = 0
    while s.phase != Phase.OVER:
        seat = next_seat(s)
        choice = pick(s, seat, dice)
        acts = s.phase == Phase.ACTS
        commit(s, seat, choice)
        decisions += 1
        tally[CHOSEN + choice] += 1
        if acts and s.phase != Phase.ACTS:
            tally[ORDERS] += 2
            tally[THROUGH] += int(s.through[0]) + int(s.through[1])
    return decisions


def play_games(states, dice, word: int, first: int, games: int, fog: bool, tally) -> None:
    """Play games number `first` to `first + games - 1` of a seed, each from its own dice."""
    s = states[0]
    for game in range(first, first + games):
        shake(dice, word, game)
        deal(s, dice, fog)
        set_up(s)
        decisions = play_out(s, dice, tally)
        tally[GAMES] += 1
        tally[DECISIONS] += decisions
        tally[TURNS] += s.turn
        tally[LONGEST] = max(tally[LONGEST], s.turn)
        if s.winner == 2:
            tally[DRAWS] += 1
        else:
            tally[WON + s.winner] += 1
            tally[(QUEEN if s.by == 0 else ELIMINATION) + s.winner] += 1
