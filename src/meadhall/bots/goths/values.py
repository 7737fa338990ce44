"""The solved values of Goths: the chance to win at the start of a turn, as `meadhall solve goths` computed it.

A value depends on the public position and, for each clan, on the class of its face-up King cards: none, or one
of a character.
"""

from functools import cache

import numpy as np

from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.outcomes import Cases, Leaves
from meadhall.bots.goths.positions import POSITIONS
from meadhall.bots.solved import load

FACE_UP_CLASSES = 5  # no King card face up, or one of this character
# The pairs of classes that are solved: nothing face up, one of the first clan's cards, one of the second clan's.
FACE_UP_PAIRS = ((0, 0), *((c, 0) for c in range(1, FACE_UP_CLASSES)), *((0, c) for c in range(1, FACE_UP_CLASSES)))
DISCOUNT = 0.95  # of a lead for each turn: whoever is ahead should not delay


def values_with(values: Floats, a: int, b: int) -> Floats:
    """The values with these classes of cards face up; those of both clans at once, which is rare, as a sum."""
    both: Floats
    if len(values) == 1:
        both = values[0]
    elif a == 0 or b == 0:
        both = values[FACE_UP_PAIRS.index((a, b))]
    else:
        gain = values[FACE_UP_PAIRS.index((a, 0))] + values[FACE_UP_PAIRS.index((0, b))] - values[0]
        both = np.clip(gain, 0.0, 1.0)
    return both


@cache
def all_values() -> Floats:
    """The chances of the clan with the initiative, [pair of FACE_UP_PAIRS, position]."""
    values: Floats = load("goths").arrays["values"].astype(np.float32) / np.float32(65535)
    return values


@cache
def _clan_values(ours: int, theirs: int) -> Floats:
    """Clan 0's chances, [has clan 1 the initiative?, position], with these characters (bits) face up for each clan."""
    found = np.zeros((2, POSITIONS + 3), np.float32)  # the last three are games that are over: nobody looks there
    for second, (first_up, second_up) in enumerate(((ours, theirs), (theirs, ours))):
        # Of several characters face up, the best for their clan counts.
        best = [
            np.max([values_with(all_values(), a, b) for a in _classes_of(first_up)], axis=0)
            for b in _classes_of(second_up)
        ]
        ahead = DISCOUNT * (np.min(best, axis=0) - 0.5)
        found[second, :POSITIONS] = 0.5 + (-ahead if second else ahead)
    return found


@cache
def _classes_of(characters: int) -> tuple[int, ...]:
    """The classes of face-up cards of these characters (bits)."""
    if characters == 0:
        return (0,)
    return tuple(c + 1 for c in range(4) if characters >> c & 1)


def solved_values(leaves: Leaves, ours: Cases, theirs: Cases) -> Floats:
    """The value function: clan 0's chances to win, [case of clan 0, case of clan 1, leaf]."""
    second = leaves.second.astype(np.intp)
    going = np.array([[_clan_values(a, b)[second, leaves.position] for b in theirs] for a in ours])
    going = np.clip(going + DISCOUNT * leaves.token_gain, 0.0, 1.0)
    found: Floats = np.where(leaves.over, leaves.result, going)
    return found
