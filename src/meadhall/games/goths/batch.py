"""Goths Save the Queen: random play over and over, made to be compiled."""

from meadhall.bits import nth_bit
from meadhall.dice import roll, shake
from meadhall.games.goths.rules import commit, deal, legal, next_seat, set_up
from meadhall.games.goths.state import ACT, BUILD, DISPERSE, DRAW, ENTER, LOOK, Ending, GothsState, Phase

# What a batch counts. Choices are counted by number from CHOSEN on.
GAMES, DECISIONS, TURNS, LONGEST, ORDERS, THROUGH, DRAWS = range(7)
QUEEN, ELIMINATION, CHOSEN = 7, 9, 11  # the first two by clan
TALLY_SIZE = CHOSEN + DISPERSE + 1


def pick(s: GothsState, seat: int, dice: list[int]) -> int:
    """One of the seat's legal choices, each equally likely."""
    options = legal(s, seat)
    if s.phase <= Phase.SECOND_ORDER:
        return nth_bit(options, roll(dice, 8 - s.face_up_count[seat >> 1]), 12)
    first = ACT
    count = 9
    if s.phase == Phase.LOOK:
        first = LOOK
        count = 4
    elif s.phase == Phase.ENTER:
        first = ENTER
        count = 3
    elif s.phase == Phase.TOKEN:
        first = BUILD
        count = 2
    # Throwing again until it is a legal one is fair, and faster than counting the legal ones.
    choice = first + roll(dice, count)
    while (options >> choice) & 1 == 0:
        choice = first + roll(dice, count)
    return choice


def play_out(s: GothsState, dice: list[int], tally: list[int]) -> int:
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


def play_games(
    states: list[GothsState], dice: list[int], word: int, first: int, games: int, fog: bool, tally: list[int]
) -> None:
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
        if s.winner == DRAW:
            tally[DRAWS] += 1
        else:
            tally[(QUEEN if s.by == Ending.QUEEN else ELIMINATION) + s.winner] += 1
