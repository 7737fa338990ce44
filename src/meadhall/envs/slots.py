"""What an environment keeps of each of its games besides the state."""

from typing import Annotated

from meadhall.engine.layout import I1, Flag, Record, record


@record
class Slot(Record):
    """One of the games that an environment plays side by side."""

    game: Annotated[int, "i8"]  # the number of the game that is played here now, which its chance is dealt by
    row: Annotated[int, "i8"]  # the pieces put in order so far, where that is done one by one (see bits.py)
    count: I1  # how many they are
    one_by_one: Flag  # are pieces put in order one by one, or all in one action?
    mask: I1  # which of some long masks is written already, so that it need not be written again; 0: none
