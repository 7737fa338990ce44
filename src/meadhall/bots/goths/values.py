"""Goths: the chance to win at the start of a turn, looked up in the table that `meadhall solve goths` makes."""

from functools import cache

import numpy as np

from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.outcomes import Cases, Ends
from meadhall.bots.goths.positions import DRAWN, LOST, POSITIONS, WON
from meadhall.bots.solved import TableFault, load
from meadhall.games.goths.state import CARD_CHARACTER

CLASSES = 5  # no King card face up, or one of this character
# The pairs of classes in the table: nothing face up, one of the first clan's cards, one of the second clan's.
FACES = ((0, 0), *((c, 0) for c in range(1, CLASSES)), *((0, c) for c in range(1, CLASSES)))
PATIENCE = 0.95  # what a won position is worth a turn later: whoever is ahead should get on with it


def faced(values: Floats, a: int, b: int) -> Floats:
    """The values with these classes of cards face up; both at once is rare, and taken for the sum of the two."""
    both: Floats
    if len(values) == 1:
        both = values[0]
    elif a == 0 or b == 0:
        both = values[FACES.index((a, b))]
    else:
        both = np.clip(values[FACES.index((a, 0))] + values[FACES.index((0, b))] - values[0], 0.0, 1.0)
    return both


def ends_and_values(values: Floats) -> Floats:
    """The first clan's chance after a turn, by the number of the position it leads to.

    A position belongs to the clan that has the initiative then, which is the other one (G3.1).
    """
    found = np.empty(POSITIONS + 3, np.float32)
    found[:POSITIONS] = 0.5 + PATIENCE * (0.5 - values)
    found[WON], found[LOST], found[DRAWN] = 1.0, 0.0, 0.5
    return found


def sure_of(face_up: int) -> int:
    """The characters that lie face up in a class of face-up cards, as bits."""
    return 0 if face_up == 0 else 1 << (face_up - 1)


@cache
def hand_of(deck: int, face_up: int) -> int:
    """What the king still holds in a class of face-up cards: all but the first card of that character."""
    if face_up == 0:
        return deck
    return deck & ~(1 << next(k for k in range(12) if deck >> k & 1 and CARD_CHARACTER[k] == face_up - 1))


@cache
def table_fault() -> str | None:
    """Why there is no table to play by, if there is none."""
    try:
        load("goths")
    except TableFault as fault:
        return str(fault)
    return None


@cache
def table() -> Floats:
    """The chances of the clan with the initiative, [pair of FACES, position]."""
    values: Floats = load("goths").arrays["values"].astype(np.float32) / np.float32(65535)
    return values


@cache
def chances_with(ours: int, theirs: int) -> Floats:
    """Clan 0's chances, [has clan 1 the initiative?, position], with these characters (bits) face up for each clan."""
    found = np.empty((2, POSITIONS + 3), np.float32)
    for second, (first_up, second_up) in enumerate(((ours, theirs), (theirs, ours))):
        # Of several characters face up, the best for their clan counts.
        best = [np.max([faced(table(), a, b) for a in classes_of(first_up)], axis=0) for b in classes_of(second_up)]
        ahead = PATIENCE * (np.min(best, axis=0) - 0.5)
        found[second, :POSITIONS] = 0.5 + (-ahead if second else ahead)
    return found


@cache
def classes_of(characters: int) -> tuple[int, ...]:
    """The classes that cards of these characters (bits) face up fall into."""
    if characters == 0:
        return (0,)
    return tuple(c + 1 for c in range(4) if characters >> c & 1)


def chances(ends: Ends, ours: Cases, theirs: Cases) -> Floats:
    """Clan 0's chances to win at these ends, [case of clan 0, case of clan 1, end]."""
    second = ends.second.astype(np.intp)
    going = np.array([[chances_with(a, b)[second, ends.position] for b in theirs] for a in ours])
    going = np.clip(going + PATIENCE * ends.hampers, 0.0, 1.0)
    found: Floats = np.where(ends.over, ends.result, going)
    return found
