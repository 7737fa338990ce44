"""Goths: the chance to win at the start of a turn, looked up in the table that `meadhall solve goths` makes."""

from functools import cache

import numpy as np
import numpy.typing as npt

from meadhall.bots.artefact import TableFault, load
from meadhall.bots.goths_ground import DRAWN, LOST, POSITIONS, WON, position
from meadhall.games.goths.state import CARD_CHARACTER, Fog, GothsState, Phase

Floats = npt.NDArray[np.float32]
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


# What a token that is face up costs its clan until it is discarded: pea-soup, reduced-numbers, boar-shortage, gusts.
# The table was made without fog; these come from games played with it.
HAMPERS = (0.01, 0.05, 0.06, 0.04)


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


def value_at(values: Floats, a: int, b: int, where: int) -> float:
    """One of the values that `faced` gives."""
    if a == 0 or b == 0 or len(values) == 1:
        return float(values[0 if len(values) == 1 else a or (b and CLASSES - 1 + b), where])
    return min(1.0, max(0.0, float(values[a, where]) + float(values[CLASSES - 1 + b, where]) - float(values[0, where])))


@cache
def classes_of(characters: int) -> tuple[int, ...]:
    """The classes that cards of these characters (bits) face up fall into; the best of them counts."""
    if characters == 0:
        return (0,)
    return tuple(c + 1 for c in range(4) if characters >> c & 1)


def chance(after: GothsState, ours: int, theirs: int) -> float:
    """Clan 0's chance to win once a turn is over, with these characters (bits) face up for each clan."""
    if after.phase == Phase.OVER:
        return (1.0, 0.0, 0.5)[after.winner]
    values = table()
    where, first = position(after), int(after.initiative)
    up = (ours, theirs)
    firsts, seconds = (classes_of(up[clan]) for clan in (first, 1 - first))
    value = min(max(value_at(values, a, b, where) for a in firsts) for b in seconds)
    if after.fog[0] != Fog.NONE:
        value = min(1.0, max(0.0, value - hampered(after, first) + hampered(after, 1 - first)))
    ahead = 0.5 + PATIENCE * (value - 0.5)
    return ahead if first == 0 else 1.0 - ahead


def hampered(s: GothsState, clan: int) -> float:
    """What the clan's token costs it (G8)."""
    if s.fog[clan] != Fog.REVEALED:
        return 0.0
    return HAMPERS[s.token[clan]] if s.token[clan] >= 0 else sum(HAMPERS) / 4
