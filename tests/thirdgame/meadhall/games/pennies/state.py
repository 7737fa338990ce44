"""Matching pennies with a hidden coin: everything a game holds."""

from enum import IntEnum
from typing import Annotated

from meadhall.engine.layout import I1, Flag, Record, record

SEATS = ("even", "odd")
FACES = ("heads", "tails")
CHOICES = ("show:heads", "show:tails")
NOBODY = -1


class EventCode(IntEnum):
    """What can happen."""

    SEALED = 0
    SHOWN = 1
    COIN = 2
    WON = 3


BEATS = {EventCode.SHOWN: "pennies", EventCode.COIN: "coin", EventCode.WON: "end"}


@record
class PenniesState(Record):
    """One position."""

    beats = BEATS

    coin: I1  # 0 heads, 1 tails, -1 unknown
    shown: Annotated[list[int], "i1", 2]  # what each seat has chosen, or -1
    winner: I1  # -1 nobody yet, or a seat
    swapped: Flag  # rule option swapped
