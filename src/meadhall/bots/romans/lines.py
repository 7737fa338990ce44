"""Romans: all lines that a clan can lay, and all hands it can hold, numbered."""

from itertools import combinations

import numpy as np
import numpy.typing as npt

from meadhall.engine.bits import BLANK
from meadhall.games.romans.state import NINE, WARRIORS, RomansState

Ints = npt.NDArray[np.int64]
KINDS = len(WARRIORS)
_COPIES = np.bincount(NINE, minlength=KINDS)  # of each warrior in a clan
_PLACES = KINDS ** np.arange(5, -1, -1)  # a line as one number, the first warrior counting most


def _all_lines() -> Ints:
    """Every order of six of the nine warriors, [line, place], those that begin alike next to each other."""
    warriors = np.stack(np.unravel_index(np.arange(KINDS**6), (KINDS,) * 6), axis=1)
    found: Ints = warriors[(_counted(warriors) <= _COPIES).all(axis=1)]
    return found


def _counted(lines: Ints) -> Ints:
    """How many of each warrior stand in each line."""
    return np.stack([(lines == warrior).sum(axis=1) for warrior in range(KINDS)], axis=1)


def _all_hands() -> tuple[Ints, npt.NDArray[np.float64]]:
    """Every hand of seven as a count of each warrior, and how likely it is drawn (R3.2)."""
    left_out = [np.bincount([NINE[one], NINE[other]], minlength=KINDS) for one, other in combinations(range(9), 2)]
    hands, times = np.unique(_COPIES - np.array(left_out), axis=0, return_counts=True)
    return hands, times / times.sum()


LINES = _all_lines()
COUNTS = _counted(LINES)
_NUMBERS = LINES @ _PLACES
# The same as rows of the rules, the place after the sixth unknown.
ROWS: Ints = (LINES << 4 * np.arange(6)).sum(axis=1) | (BLANK & ~0xFFFFFF)
HANDS, HAND_CHANCES = _all_hands()
PLAYABLE: tuple[Ints, ...] = tuple(np.flatnonzero((hand >= COUNTS).all(axis=1)) for hand in HANDS)


def neighbours(lines: Ints) -> Ints:
    """All lines that differ from one of these by an exchange of two warriors, or by one other warrior."""
    laid, found = LINES[lines], []
    for place in range(6):
        for other in range(place):
            exchanged = laid.copy()
            exchanged[:, [place, other]] = laid[:, [other, place]]
            found.append(exchanged)
        for warrior in range(KINDS):
            replaced = laid[COUNTS[lines, warrior] < _COPIES[warrior]]
            replaced[:, place] = warrior
            found.append(replaced)
    return np.searchsorted(_NUMBERS, np.unique(np.concatenate(found) @ _PLACES))


def hand_number(s: RomansState, clan: int) -> int:
    """The number of the hand that a clan holds when it plans."""
    held = [int(s.hand[clan]) >> 4 * k & 15 for k in range(7)]
    return int(np.flatnonzero((np.bincount(held, minlength=KINDS) == HANDS).all(axis=1))[0])


def plan_name(line: int) -> str:
    """The plan that lays a line, by name."""
    return "plan:" + ",".join(WARRIORS[warrior] for warrior in LINES[line])
