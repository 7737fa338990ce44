"""Romans Go Home!: what chance deals, and how a round begins (R3)."""

from meadhall.bits import BLANK, at, inserted, known_first, without
from meadhall.dice import roll
from meadhall.fields import UNKNOWN, tell
from meadhall.games.romans.choices import to_arrange
from meadhall.games.romans.pieces import players_bits, value_of
from meadhall.games.romans.state import ARRANGEMENTS, HIGHEST_VALUE, NINE_ROW, NOBODY, Phase, RomansState, Told


def set_up(s: RomansState) -> None:
    """The position at the start of round 1; deck, hands and options are in place already."""
    s.lost_count = 0
    s.winners = 0
    s.by = UNKNOWN
    for k in range(18):
        s.lost_forts[k] = UNKNOWN
    for clan in range(4):
        s.forts_count[clan] = 0
        s.worth[clan] = 0
        for k in range(18):
            s.forts[clan][k] = UNKNOWN
    s.round = 1
    begin_round(s)


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


def begin_round(s: RomansState) -> None:
    """Draw the Wall (R3.1) and the hands (R3.2, R3.3); every player owes a plan."""
    s.turn = 1
    s.shown = 0
    s.phase = Phase.PLAN
    s.asked = players_bits(s)
    s.owed = s.asked
    tell(s, Told.ROUND, s.round)
    draw_wall(s)
    forget_turn(s)
    for clan in range(4):
        s.sealed[clan] = UNKNOWN
        s.aside[clan] = UNKNOWN
        s.up[clan] = 0
        s.strength_up[clan] = 0
        s.discarded[clan] = 0
        s.discarded_count[clan] = 0
        draw_warriors(s, clan, clan < s.players)
        s.options[clan] = to_arrange(s, clan) if clan < s.players else 0


def draw_warriors(s: RomansState, clan: int, player: bool) -> None:
    """A player takes his seven into his hand (R3.2), a neutral lays its six (R3.3)."""
    row = s.deals[s.round - 1][clan]
    s.deals[s.round - 1][clan] = BLANK
    s.hand[clan] = row if player else BLANK
    s.line[clan] = BLANK if player else row
    if player:
        for k in range(7):
            tell(s, Told.DEALT, clan, at(row, k), 0, 1 << clan)


def forget_turn(s: RomansState) -> None:
    """Clear what belongs to one turn only."""
    s.shows = 0
    s.wrecked = 0
    s.charmer = NOBODY
    s.charmed = NOBODY
    s.captor = NOBODY
    s.prize = UNKNOWN
    s.kept_axx = False
    s.kept_weakest = False


def draw_wall(s: RomansState) -> None:
    """Six forts; the highest positive one goes to the right end, then the lowest to the left end (R3.1)."""
    start = 6 * (s.round - 1)
    wall = BLANK & ~0xFFFFFF
    highest = 0
    for k in range(6):
        fort = int(s.draw_pile[start + k])
        s.draw_pile[start + k] = UNKNOWN
        wall |= fort << (4 * k)
        highest = max(highest, 8 * value_of(fort) + k)  # of equals the rightmost
    wall = inserted(without(wall, highest & 7), 5, at(wall, highest & 7))
    lowest = 8 * HIGHEST_VALUE + 7
    for k in range(6):
        value = value_of(at(wall, k))
        lowest = min(lowest, 8 * value + k if value > 0 else lowest)  # of equals the leftmost
    s.wall = inserted(without(wall, lowest & 7), 0, at(wall, lowest & 7))
    s.wall_count = 6
    for k in range(6):
        tell(s, Told.FORT_DRAWN, at(s.wall, k), k + 1)
