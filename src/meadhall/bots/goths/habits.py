"""What the others did when the game of Goths was here before: nobody's kind tells as much as he does himself."""

from functools import lru_cache

import numpy as np

from meadhall.bots.goths.cards import ACTION_CHARACTERS, Backs, backs_of
from meadhall.bots.goths.equilibrium import Floats, Policies
from meadhall.bots.goths.outcomes import CACHE_SIZE
from meadhall.bots.goths.positions import position_number
from meadhall.games.goths.state import GothsState, Phase
from meadhall.match import View

DOUBT = 1.5  # how many visits what was expected before counts as
ELSEWHERE = 0.5  # what a visit counts at which another back was shown, or answered


def as_before(view: View, expected: Policies, trust: Floats) -> Policies:
    """What is expected of all seats, given what they did on earlier visits to this position.

    `trust[seat]`, from 0 to 1, says how much a seat's own past counts: nothing for one known to mix on purpose.
    """
    s = view.state
    here, first, backs = _place(_at_start(s)), int(s.initiative), backs_of(int(s.deck))
    seen = [GothsState.from_buffer_copy(each) for each in view.past if _place_of(each) == here]
    if not seen:
        return expected
    found = []
    for kings, chiefs, clan, is_first in zip(
        expected[:2], expected[2:], (first, 1 - first), (True, False), strict=True
    ):
        counts = [_counted(each, clan, first, backs, is_first) for each in seen]
        king: Floats = np.array([cards for cards, _ in counts]).sum(axis=0)
        chief: Floats = np.array([acts for _, acts in counts]).sum(axis=0)
        found.append(
            (
                _blended(kings, king[None], trust[2 * clan], (1, 2) if is_first else (2, 3)),
                _blended(chiefs, chief[None, :, :, None], trust[2 * clan + 1], (4,)),
            )
        )
    return found[0][0], found[1][0], found[0][1], found[1][1]


def _counted(s: GothsState, clan: int, first: int, backs: Backs, is_first: bool) -> tuple[Floats, Floats]:
    """One visit as counts of a clan's cards, [i, c] or [i, j, d], and of its actions, [i, j, action]."""
    n = len(backs.bits)
    (own, which), (other, _) = (backs.place(int(s.order[each])) for each in (clan, 1 - clan))
    act = int(s.act[clan])
    on_back = (backs.characters == ACTION_CHARACTERS[act]).any(axis=1)
    shown = np.where(np.arange(n) == own, 1.0, np.where(on_back, ELSEWHERE, 0.0)).astype(np.float32)
    chief = np.zeros((n, n, 9), np.float32)
    if is_first:
        king = np.zeros((n, 2), np.float32)
        king[own, which] = 1.0
        chief[:, :, act] = shown[:, None]
    else:
        king = np.zeros((n, n, 2), np.float32)
        king[:, own, which] = np.where(np.arange(n) == other, 1.0, ELSEWHERE)
        chief[:, :, act] = shown
    return king, chief


def _blended(policy: Floats, counts: Floats, trust: float, axes: tuple[int, ...]) -> Floats:
    counted = np.float32(trust) * counts
    found: Floats = (np.float32(DOUBT) * policy + counted) / (DOUBT + counted.sum(axis=axes, keepdims=True))
    return found


Place = tuple[int, int]  # the number of a position, and who has the initiative there


def _place(s: GothsState) -> Place:
    return position_number(s), int(s.initiative)


@lru_cache(maxsize=CACHE_SIZE)
def _place_of(past: bytes) -> Place:
    return _place(_at_start(GothsState.from_buffer_copy(past)))


def _at_start(s: GothsState) -> GothsState:
    """The position at the start of its turn."""
    before = s.copy()
    before.phase = Phase.FIRST_ORDER
    return before
