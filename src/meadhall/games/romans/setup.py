"""Romans Go Home!: what chance deals before the first choice (R3)."""

from meadhall.engine.bits import BLANK, at, known_first, without
from meadhall.engine.rng import roll
from meadhall.games.romans.state import ARRANGEMENTS, NINE_ROW, RomansState


def deal(s: RomansState, dice: list[int]) -> None:
    """Shuffle the fort deck and deal every round's warriors (R3.1, R3.2, R3.3)."""
    place = 0
    for fort in range(11):
        for _ in range(s.fort_deck[fort]):
            s.draw_pile[place] = fort
            place += 1
    shuffle_piles(s, dice, 0)
    for later_round in range(3):
        for clan in range(4):
            deal_warriors(s, dice, later_round, clan)
    s.dealt = 3


def shuffle_piles(s: RomansState, dice: list[int], first: int) -> None:
    """Shuffle the fort deck from place `first` on."""
    for k in range(17, first, -2):  # an even number of forts: two swaps for each throw
        left = k + 1 - first
        throw = roll(dice, left * (left - 1))
        swap_forts(s, k, first + throw % left)
        swap_forts(s, k - 1, first + throw // left)


def swap_forts(s: RomansState, one: int, other: int) -> None:
    """Exchange two forts of the deck."""
    fort = s.draw_pile[one]
    s.draw_pile[one] = s.draw_pile[other]
    s.draw_pile[other] = fort


def deal_warriors(s: RomansState, dice: list[int], later_round: int, clan: int) -> None:
    """Seven of nine for a player (R3.2), six in order for a neutral (R3.3), none for a clan not in play."""
    s.deals[later_round][clan] = BLANK
    if clan >= s.clans:
        return
    left_out = roll(dice, 9 * 8)
    pool = without(without(NINE_ROW, left_out % 9), left_out // 9)
    arrangement = roll(dice, 5040)
    row = 0
    for k in range(7):
        row |= at(pool, int(ARRANGEMENTS[arrangement][k])) << (4 * k)
    s.deals[later_round][clan] = row if clan < s.players else known_first(row, 6)
