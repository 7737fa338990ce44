"""Goths Save the Queen: random play over and over, made to be compiled."""

import numpy as np

from meadhall.engine.rng import DiceBox, roll, shake
from meadhall.games.goths.rules import clan_of, commit, legal, next_seat, set_up
from meadhall.games.goths.setup import deal
from meadhall.games.goths.state import ACT, BUILD, DISPERSE, DRAW, ENTER, LOOK, Ending, GothsState, Phase

# What a batch counts. Choices are counted by number from CHOSEN on.
GAMES, DECISIONS, TURNS, LONGEST, ORDERS, THROUGH, DRAWS = range(7)
QUEEN, ELIMINATION, CARRIED_OUT, CHOSEN = 7, 9, 11, 20  # by clan, by action, by choice
MAXIMA = (LONGEST,)
TALLY_SIZE = CHOSEN + DISPERSE + 1


# For every set of King cards, its cards in order: compiled code finds the n-th one without a loop.
CARD_OF_HAND = np.array(
    [([card for card in range(12) if hand >> card & 1] + [0] * 8)[:8] for hand in range(1 << 12)], dtype=np.int8
)


def pick(s: GothsState, seat: int, dice: list[int]) -> int:
    """One of the seat's legal choices, each equally likely."""
    options = legal(s, seat)
    if s.phase <= Phase.SECOND_ORDER:
        return int(CARD_OF_HAND[options][roll(dice, 8 - s.face_up_count[clan_of(seat)])])
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
            for clan in range(2):
                tally[THROUGH] += s.through[clan]
                tally[CARRIED_OUT + s.last_act[clan]] += s.through[clan]
    return decisions


def play_games(
    states: list[GothsState], boxes: list[DiceBox], word: int, first: int, games: int, fog: bool, tally: list[int]
) -> None:
    """Play games number `first` to `first + games - 1` of a seed, each from its own dice."""
    s = states[0]
    dice = boxes[0].dice
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


# One compiled game in the hands of a Python loop: arrays cross the border ten times faster than single records.


def next_seat_at(states: list[GothsState], place: int) -> int:
    """The first seat that owes a choice in a state of the array, -1 at the end."""
    return next_seat(states[place])


def pick_at(states: list[GothsState], place: int, seat: int, boxes: list[DiceBox]) -> int:
    """One of the seat's legal choices in a state of the array, each equally likely."""
    return pick(states[place], seat, boxes[0].dice)


def commit_at(states: list[GothsState], place: int, seat: int, choice: int) -> None:
    """Make a choice in a state of the array."""
    commit(states[place], seat, choice)
