"""The solved values of Goths: the chance to win at the start of a turn, as `meadhall solve goths` computed it.

They are those of a clan whose orders have no meaning but what public reasoning gives them, against enemies who act as
one mind: whatever real enemies agree on, it is worth no more to them. A value depends on the public position, on who
has the initiative, and on the class of the clan's own face-up King cards: none, or one of a character. Under a king who
is a stranger a warchief's chances are others (`lab/solve/goths_company.py`).
"""

from functools import cache

import numpy as np

from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.outcomes import Cases, Leaves
from meadhall.bots.goths.positions import POSITIONS
from meadhall.bots.solved import load

FACE_UP_CLASSES = 5  # no King card face up, or one of this character
DISCOUNT = 0.999  # of a lead for each turn: whoever is ahead should not delay for ever

COMPANY_DISCOUNT = 0.99  # the same under a king who is a stranger: that takes longer, and may take too long


@cache
def all_values() -> Floats:
    """A clan's chances, [have the enemies the initiative?, class of its face-up cards, position]."""
    values: Floats = load("goths").arrays["values"].astype(np.float32) / np.float32(65535)
    return values


@cache
def _clan_values(up: int) -> Floats:
    """A clan's chances with these characters (bits) face up, [have the enemies the initiative?, position]."""
    found = np.zeros((2, POSITIONS + 3), np.float32)  # the last three are games that are over: nobody looks there
    # Of several characters face up, the best for the clan counts.
    best = all_values()[:, _classes_of(up)].max(axis=1)
    found[:, :POSITIONS] = 0.5 + DISCOUNT * (best - 0.5)
    return found


def _classes_of(characters: int) -> list[int]:
    """The classes of face-up cards of these characters (bits)."""
    return [c + 1 for c in range(4) if characters >> c & 1] or [0]


def values_of_first(leaves: Leaves, ours: Cases, theirs: Cases) -> Floats:
    """A value function: clan 0's chances against enemies who act as one mind, [case of clan 0, of clan 1, leaf]."""
    enemies_first = leaves.second.astype(np.intp)
    going = np.array([[_clan_values(a)[enemies_first, leaves.position]] * len(theirs) for a in ours])
    return _with_endings(leaves, going)


def values_of_second(leaves: Leaves, ours: Cases, theirs: Cases) -> Floats:
    """A value function: clan 0's chances if it is clan 1 that has enemies who act as one mind."""
    enemies_first = 1 - leaves.second.astype(np.intp)
    going = np.array([[1.0 - _clan_values(b)[enemies_first, leaves.position] for b in theirs]] * len(ours))
    return _with_endings(leaves, going.astype(np.float32))


def solved_values(leaves: Leaves, ours: Cases, theirs: Cases) -> Floats:
    """A value function: clan 0's chances when nobody has agreed on anything, halfway between the other two."""
    either = values_of_first(leaves, ours, theirs) + values_of_second(leaves, ours, theirs)
    found: Floats = np.float32(0.5) * either
    return found


@cache
def _values_under_stranger() -> Floats:
    """A warchief's chances under a king who is a stranger, [have the enemies the initiative?, position]."""
    found = np.zeros((2, POSITIONS + 3), np.float32)
    chances = load("goths").arrays["company"].astype(np.float32) / np.float32(65535)
    found[:, :POSITIONS] = 0.5 + COMPANY_DISCOUNT * (chances - 0.5)
    return found


def company_of_first(leaves: Leaves, ours: Cases, theirs: Cases) -> Floats:
    """A value function: clan 0's chances if its warchief is the bot, under a stranger, among people."""
    going = _values_under_stranger()[leaves.second.astype(np.intp), leaves.position]
    return _with_endings(leaves, np.broadcast_to(going, (len(ours), len(theirs), len(going))))


def company_of_second(leaves: Leaves, ours: Cases, theirs: Cases) -> Floats:
    """A value function: clan 0's chances if it is clan 1 that has the bot, under a stranger."""
    going = 1.0 - _values_under_stranger()[1 - leaves.second.astype(np.intp), leaves.position]
    return _with_endings(leaves, np.broadcast_to(going, (len(ours), len(theirs), len(going))))


def _with_endings(leaves: Leaves, going: Floats) -> Floats:
    with_tokens = np.clip(going + DISCOUNT * leaves.token_gain, 0.0, 1.0)
    found: Floats = np.where(leaves.over, leaves.result, with_tokens)
    return found
