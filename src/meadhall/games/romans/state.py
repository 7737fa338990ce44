"""Romans Go Home!: everything a game holds, and the names of its pieces."""

from enum import IntEnum
from itertools import permutations
from typing import Annotated, Any

import numpy as np

from meadhall.engine.bits import pack
from meadhall.engine.layout import I1, I4, Flag, Record, record

CLANS = ("gold", "green", "violet", "red")
WARRIORS = ("qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie", "charriott")
STRENGTH = (1, 2, 3, 4, 5, 6, 7, 9)  # R1.1
# A clan's nine warriors: one of each, and a second charriott (R1.1).
NINE = (0, 1, 2, 3, 4, 5, 6, 7, 7)
NINE_ROW = pack(NINE)
SIX_PLACES = pack((0, 1, 2, 3, 4, 5))
FORTS = (
    "unwary-2",
    "signal-4",
    "tax-8",
    "legion-1",
    "legion-2",
    "legion-3",
    "ordinary-1",
    "ordinary-3",
    "ordinary-4",
    "ordinary-5",
    "ordinary-6",
)
FORT_VALUE = (2, 4, 8, -1, -2, -3, 1, 3, 4, 5, 6)  # R1.2
HIGHEST_VALUE, LOWEST_VALUE = 8, -3
LEGIONS = 4  # in every deck (R1.2)
STRENGTHS, FORT_VALUES = pack(STRENGTH), pack(tuple(value - LOWEST_VALUE for value in FORT_VALUE))
ENDINGS = ("points", "legions")

# Choices by number. A plan is an arrangement of the seven places of a hand, the last one put aside; a
# reordering is one of hidden places. REORDERINGS[j] for j < k! permutes the last k of five places, so one
# table serves every k.
ARRANGEMENTS = np.array(list(permutations(range(7))), dtype=np.int8)
REORDERINGS = np.array(list(permutations(range(5))), dtype=np.int8)
FACTORIAL = (1, 1, 2, 6, 24, 120)


def pair_bit(lower: int, higher: int) -> int:
    """The bit that stands for two places in a table of pairs."""
    return higher * (higher - 1) // 2 + lower


def _in_order(arrangements: Any) -> Any:
    """For each arrangement a bit for every two places: does the lower one stand first?"""
    stands_at = np.argsort(arrangements, axis=1)
    pairs = np.zeros(len(arrangements), dtype=np.int32)
    for higher in range(arrangements.shape[1]):
        for lower in range(higher):
            first = stands_at[:, lower] < stands_at[:, higher]
            pairs |= first.astype(np.int32) << pair_bit(lower, higher)
    return pairs


def _backward(arrangements: Any) -> Any:
    """For each arrangement the number of the same one from right to left."""
    places = arrangements.shape[1]
    digits = places ** np.arange(places - 1, -1, -1)
    keys = arrangements.astype(np.int64) @ digits
    return np.searchsorted(keys, arrangements[:, ::-1].astype(np.int64) @ digits).astype(np.int16)


ARRANGED_BACKWARD = _backward(ARRANGEMENTS)
ARRANGED_IN_ORDER, REORDERED_IN_ORDER = _in_order(ARRANGEMENTS), _in_order(REORDERINGS)
PLAN, REORDER, CHARM, TAKE = 0, 5040, 5160, 5164
KEEP_AXX, LEAVE_AXX, KEEP_WEAKEST, LEAVE_WEAKEST = 5170, 5171, 5172, 5173
DISCARD, PAY, CHOICE_COUNT = 5174, 5182, 5193
# Among a clan's options: it is to arrange warriors, as a plan or anew; where two charriotts lie stands above it.
ARRANGE = 1 << 40
PAIR = 41


class Phase(IntEnum):
    """What the table is waiting for, or the step of a turn that comes next."""

    PLAN = 0
    CHARM = 1
    TAKE = 2
    KEEP_AXX = 3
    KEEP_WEAKEST = 4
    AFTER = 5
    SIGNAL = 6
    TAX = 7
    # These ask nothing: they are steps between the others (R6.1).
    REVEAL = 8
    FIGHT = 9
    SEND_AWAY = 10
    END_TURN = 11
    OVER = 12


class Warrior(IntEnum):
    """The eight different warriors, weakest first (R1.1)."""

    QWEEN = 0
    DRUHID = 1
    ZVORD = 2
    AXX = 3
    ARCHR = 4
    FILCHY = 5
    HORSIE = 6
    CHARRIOTT = 7


class Fort(IntEnum):
    """The forts whose kind matters (R1.2); legions are LEGION_1 to LEGION_3."""

    UNWARY = 0
    SIGNAL = 1
    TAX = 2
    LEGION_1 = 3
    LEGION_3 = 5


class Ending(IntEnum):
    """Why a game is over."""

    POINTS = 0
    LEGIONS = 1


class EventCode(IntEnum):
    """Events: what happened, with up to five numbers. `names.py` gives them their names."""

    ROUND = 0
    FORT_DRAWN = 1
    DEALT = 2
    PLANNED = 3
    LAID = 4
    TURN = 5
    SHOWN = 6
    WRECKED = 7
    QWEENS_CANCEL = 8
    CHARMED = 9
    TERM = 10
    TOTAL = 11
    TIE_BROKEN = 12
    TIE = 13
    NOBODY_CAN = 14
    FORT_DISCARDED = 15
    CAPTURED = 16
    SWAPPED = 17
    LEGIONS = 18
    KEPT = 19
    LEFT = 20
    DISCARDED = 21
    REORDERED = 22
    NEW_ORDER = 23
    PAID = 24
    SCORE = 25
    WON = 26
    SEALED = 27
    HIGHEST = 28
    ROUND_OVER = 29


class Why(IntEnum):
    """What a warrior left or stayed for."""

    VICTORY = 0
    HORSIE = 1
    SIGNAL = 2
    AXX = 3
    UNWARY = 4


class Counts(IntEnum):
    """How a warrior counts in a sum (R4.3, R4.5)."""

    COUNTS = 0
    AWAY = 1  # charmed: it counts for the qween's clan
    GOT = 2  # a rival's, charmed: it counts here
    SILENT = 3  # the qween herself, by rule option qween = "replaces"
    NOTHING = 4  # there is no such term


class Verdict(IntEnum):
    """How a fight ends."""

    HIGHEST = 0  # R4.7
    TIE_BROKEN = 1  # R4.8
    TIE = 2  # R4.9
    NOBODY_CAN = 3  # R4.6, R4.9


# What is worth watching by itself, in the order of a turn: events of one kind in a row are one beat.
BEATS: dict[int, str] = {
    EventCode.ROUND: "round",
    EventCode.LAID: "plans",
    EventCode.PLANNED: "plans",
    EventCode.TURN: "turn",
    EventCode.SHOWN: "reveal",
    EventCode.WRECKED: "wrecks",
    EventCode.QWEENS_CANCEL: "charm",
    EventCode.CHARMED: "charm",
    EventCode.TERM: "sums",
    EventCode.TOTAL: "sums",
    EventCode.HIGHEST: "verdict",
    EventCode.TIE_BROKEN: "verdict",
    EventCode.TIE: "verdict",
    EventCode.NOBODY_CAN: "verdict",
    EventCode.FORT_DISCARDED: "fort",
    EventCode.SWAPPED: "fort",
    EventCode.CAPTURED: "fort",
    EventCode.LEGIONS: "legions",
    EventCode.KEPT: "parting",
    EventCode.LEFT: "parting",
    EventCode.DISCARDED: "discards",
    EventCode.REORDERED: "reorder",
    EventCode.NEW_ORDER: "reorder",
    EventCode.PAID: "tax",
    EventCode.ROUND_OVER: "summary",
    EventCode.SCORE: "score",
    EventCode.WON: "score",
}

NOBODY = -1

PerClan = Annotated[list[int], "i1", 4]
Rows = Annotated[list[int], "i4", 4]
Eighteen = Annotated[list[list[int]], "i1", 4, 18]


@record
class RomansState(Record):
    """One position. Lists of four are indexed by clan, players first; -1 is none or unknown.

    A row (see bits.py) is up to seven warriors or forts in one number, the leftmost lowest, 15 for unknown.
    """

    beats = BEATS

    options: Annotated[list[int], "i8", 4]  # what each clan may choose: bits from CHARM on, or ARRANGE
    shows: I4  # who revealed whom this turn: bit 4 * warrior + clan
    deals: Annotated[list[list[int]], "i4", 3, 4]  # rows of warriors of rounds to come; BLANK once drawn
    hand: Rows  # WARRIORS drawn, BLANK once the plan is laid
    line: Rows  # WARRIORS laid along the Wall; the first `shown` are public
    discarded: Rows  # this round's WARRIORS, in order, as many as discarded_count
    wall: I4  # a row of FORTS, as many as wall_count
    wall_laid: I4  # a row: at which place, 0..5, each of them was laid when the round began
    sealed: Annotated[list[int], "i2", 4]  # the choice each clan has made and not yet shown, or -1
    players: I1  # 1..4
    clans: I1  # players and neutrals, 2..4
    original: Flag  # rule option original_rules (R9)
    replaces: Flag  # rule option qween = "replaces" (R4.3)
    round: I1  # 1..3
    turn: I1  # 1..6
    shown: I1  # how many warriors each clan has revealed this round, 0..6
    phase: I1  # Phase
    asked: I1  # a bit for each clan whose choice the question needs
    owed: I1  # a bit for each of them that has not chosen yet
    wall_count: I1
    aside: PerClan  # the seventh warrior
    up: PerClan  # bits over the line: the revealed warriors that still lie face up
    strength_up: PerClan  # their printed strengths together
    discarded_count: PerClan
    forts: Eighteen  # in the order captured
    forts_laid: Eighteen  # when and where each of them was laid on the Wall: 6 * (round - 1) + place
    forts_count: PerClan
    worth: PerClan  # the values of its forts together
    lost_forts: Annotated[list[int], "i1", 18]  # discarded and paid ones, in order
    lost_count: I1
    wrecked: I1  # bits: clans whose charriott was wrecked this turn (R4.2)
    charmer: I1  # the clan whose qween has power this turn, or -1 (R4.3)
    charmed: I1  # the clan whose warrior she charmed, or -1
    captor: I1  # the clan that captured this turn, or -1
    prize: I1  # the fort it captured, or -1
    kept_axx: Flag  # the captor keeps axx (R4.12)
    kept_weakest: Flag  # the captor keeps his weakest (R5.1)
    winners: I1  # bits
    by: I1  # -1, or Ending
    fort_deck: Annotated[list[int], "i1", 11]  # how many of each of FORTS the deck holds (R1.2)
    draw_pile: Annotated[list[int], "i1", 18]  # forts still to come, by place; -1 once drawn
    dealt: I1  # how many rounds' hands the set-up holds, 0..3
