"""Matching pennies with a hidden coin, which only even has seen.

- P1 Even and odd each show a penny, at the same time and in secret.
- P2 Even wins if the pennies match and the coin shows heads, or if neither is so; otherwise odd wins.
- P3 With the option `swapped` odd wins where even would, and the other way round.
"""

from meadhall.games.pennies.state import NOBODY, EventCode, PenniesState

from meadhall.engine.layout import UNKNOWN, emit


def set_up(s: PenniesState) -> None:
    """The position before anybody has chosen; the coin and the option are in place already."""
    s.winner = NOBODY
    s.shown[0] = UNKNOWN
    s.shown[1] = UNKNOWN


def owes(s: PenniesState, seat: int) -> bool:
    """Must the seat choose before play goes on? (P1)"""
    return s.winner == NOBODY and s.shown[seat] == UNKNOWN


def next_seat(s: PenniesState) -> int:
    """The first seat that owes a choice, -1 at the end."""
    if owes(s, 0):
        return 0
    return 1 if owes(s, 1) else UNKNOWN


def allowed(s: PenniesState, choice: int) -> bool:
    """May a seat choose this now? A sealed choice may still be changed."""
    return s.winner == NOBODY and choice >= 0 and choice < 2


def commit(s: PenniesState, seat: int, choice: int) -> None:
    """Seal a choice; when both are in, the pennies are shown."""
    if not allowed(s, choice):
        raise ValueError("that choice is not legal here")
    s.shown[seat] = choice
    emit(s, EventCode.SEALED, seat, choice, to=1 << seat)
    if s.shown[0] != UNKNOWN and s.shown[1] != UNKNOWN:
        finish(s)


def finish(s: PenniesState) -> None:
    """Find the winner (P2, P3)."""
    s.winner = (int(s.shown[0]) ^ int(s.shown[1]) ^ int(s.coin) ^ int(s.swapped)) & 1
    for seat in range(2):
        emit(s, EventCode.SHOWN, seat, s.shown[seat])
    emit(s, EventCode.COIN, s.coin)
    emit(s, EventCode.WON, s.winner)
