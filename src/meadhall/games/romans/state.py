"""Romans Go Home!: everything a game holds, and the names of its pieces."""

from enum import IntEnum
from itertools import permutations
from typing import Annotated

import numpy as np

from meadhall.bits import pack
from meadhall.fields import I1, Flag, Record, record

CLANS = ("gold", "green", "violet", "red")
WARRIORS = ("qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie", "charriott")
STRENGTH = (1, 2, 3, 4, 5, 6, 7, 9)  # R1.1
# A clan's nine warriors: one of each, and a second charriott (R1.1).
NINE = (0, 1, 2, 3, 4, 5, 6, 7, 7)
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
STRENGTHS, FORT_VALUES = pack(STRENGTH), pack(tuple(value - LOWEST_VALUE for value in FORT_VALUE))
ENDINGS = ("points", "legions")

# Choices by number. A plan is an arrangement of hand positions, a reordering one of hidden positions;
# REORDERINGS[j] for j < k! permutes the last k of five places, so one table serves every k.
ARRANGEMENTS = np.array(list(permutations(range(7), 6)), dtype=np.int8)
REORDERINGS = np.array(list(permutations(range(5))), dtype=np.int8)
FACTORIAL = (1, 1, 2, 6, 24, 120)
PLAN, REORDER, CHARM, TAKE = 0, 5040, 5160, 5164
KEEP_AXX, LEAVE_AXX, KEEP_WEAKEST, LEAVE_WEAKEST = 5170, 5171, 5172, 5173
DISCARD, PAY, CHOICE_COUNT = 5174, 5182, 5193


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


class Told(IntEnum):
    """Events: what happened, with up to three numbers. `events.py` gives them their names."""

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


class Why(IntEnum):
    """What a warrior left or stayed for."""

    VICTORY = 0
    HORSIE = 1
    SIGNAL = 2
    AXX = 3
    UNWARY = 4


NOBODY = -1

PerClan = Annotated[list[int], "i1", 4]
Six = Annotated[list[list[int]], "i1", 4, 6]
Eighteen = Annotated[list[list[int]], "i1", 4, 18]


@record
class RomansState(Record):
    """One position. Lists of four are indexed by clan, players first; -1 is none or unknown."""

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
    wall: Annotated[list[int], "i1", 6]  # FORTS, leftmost first
    wall_count: I1
    line: Six  # WARRIORS laid along the Wall; the first `shown` are public
    hand: Annotated[list[list[int]], "i1", 4, 7]  # WARRIORS drawn, until the plan is laid
    aside: PerClan  # the seventh warrior
    face_up: Six  # in the order revealed
    face_up_count: PerClan
    strength_up: PerClan  # the printed strength of its face-up warriors together
    discarded: Six  # this round's, in order
    discarded_count: PerClan
    forts: Eighteen  # in the order captured
    forts_count: PerClan
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
    deals: Annotated[list[list[list[int]]], "i1", 3, 4, 7]  # warriors of rounds to come; -1 once drawn
    dealt: I1  # how many rounds' hands the set-up holds, 0..3
