"""Goths: what every pair of outcomes of a turn leads to, side by side, so that a whole turn is valued at a stroke."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.easy import face_up_characters
from meadhall.bots.goths.equilibrium import FAILED, OUTCOMES, Floats
from meadhall.bots.goths.positions import NOTHING, ORDERS, position, results, worlds_with
from meadhall.engine.bits import count_bits
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import behind_barricade
from meadhall.games.goths.state import MAX_FACE_UP, Fog, GothsState, Phase

# What an army is worth by its units, its place, its shelter, its catapult and what its warchief has seen.
UNITS = (0.0, 0.0, 0.9, 1.6)
PLACES = (0.0, 0.3, 0.7, 1.1)
SHELTER = 0.5
CATAPULT, CATAPULT_AT_SHELTER = 0.9, 0.3
SIGHTS = ((0.0, 0.1, 0.2), (0.0, 0.2, 0.4), (0.0, 0.5, 1.2), (0.0, 1.0, 1.4))  # by place, by cards known
HAMPERED = 0.3
FACE_UP = 0.15  # for a character that is sure to get through
# What a token that is face up costs its clan in chances until it is discarded: pea-soup, reduced-numbers,
# boar-shortage, gusts. The table was made without fog; these come from games played with it.
HAMPERS = (0.01, 0.05, 0.06, 0.04)
# Nobody waits for ever: from some turn on, being nearer to the queen counts for itself, more and more.
CALM, LONG = 8, 160
IMPATIENCE = 0.15
KEPT = 16_000  # turns remembered, at about 5 kB each


@dataclass(frozen=True)
class Ends:
    """Positions between turns: what the evaluations need to know of each."""

    position: npt.NDArray[np.int32]  # by goths_ground; belongs to the clan that has the initiative then
    second: npt.NDArray[np.bool_]  # has clan 1 the initiative?
    over: npt.NDArray[np.bool_]
    result: Floats  # clan 0's share if it is over
    hampers: Floats  # what clan 1's token costs it, less what clan 0's costs
    lead: Floats  # how much better clan 0's army stands, by a look at both
    progress: Floats  # how much further clan 0 is on its way to the queen


# Clan 0's chances to win at these ends, [case of clan 0, case of clan 1, end]; a case is a set of characters (bits)
# that lie face up.
Cases = tuple[int, ...]
Evaluation = Callable[[Ends, Cases, Cases], Floats]


def ends_of(states: list[GothsState]) -> Ends:
    """What there is to know of some positions between turns."""
    going = [s.phase != Phase.OVER for s in states]
    return Ends(
        np.array([position(s) for s in states], np.int32),
        np.array([s.initiative == 1 for s in states], bool),
        ~np.array(going, bool),
        np.array([0.5 if on else (1.0, 0.0, 0.5)[s.winner] for s, on in zip(states, going, strict=True)], np.float32),
        np.array([hampered(s, 1) - hampered(s, 0) for s in states], np.float32),
        np.array([strength(s, 0) - strength(s, 1) for s in states], np.float32),
        np.array([progress(s, 0) - progress(s, 1) for s in states], np.float32),
    )


def hampered(s: GothsState, clan: int) -> float:
    """What the clan's token costs it (G8)."""
    if s.fog[clan] != Fog.REVEALED:
        return 0.0
    return HAMPERS[s.token[clan]] if s.token[clan] >= 0 else sum(HAMPERS) / 4


def strength(s: GothsState, clan: int) -> float:
    """How well an army stands."""
    place = min(int(s.place[clan]), 3)
    sheltered = behind_barricade(s, 1 - clan)
    return (
        UNITS[s.units[clan]]
        + PLACES[place]
        + SHELTER * behind_barricade(s, clan)
        + (CATAPULT_AT_SHELTER if sheltered else CATAPULT) * s.catapult[clan]
        + SIGHTS[place][known(s, clan)]
        - HAMPERED * (s.fog[clan] == Fog.REVEALED)
    )


def known(s: GothsState, clan: int) -> int:
    """How many objectives the clan's warchief can tell apart; two known tell the third."""
    return min(count_bits((int(s.seen[clan]) | int(s.revealed)) & 7), 2)


def progress(s: GothsState, clan: int) -> float:
    """How far an army is on its way to the queen, from 0 to 1."""
    return 0.0 if s.phase == Phase.OVER else (min(int(s.place[clan]), 3) + known(s, clan)) / 5


def estimates(ends: Ends, ours: Cases, theirs: Cases) -> Floats:
    """Clan 0's chances to win, by a look at both armies; the characters face up (bits) count a little."""
    up = np.array([[FACE_UP * (count_bits(a) - count_bits(b)) for b in theirs] for a in ours], np.float32)
    lead = ends.lead + up[:, :, None]
    found: Floats = np.where(ends.over, ends.result, 1.0 / (1.0 + np.exp(-lead)))
    return found


# A whole turn


@dataclass(frozen=True)
class Aftermath:
    """What every pair of outcomes (two actions, or NOTHING) leads to."""

    starts: npt.NDArray[np.intp]  # where the ends of each pair begin: ten times clan 0's outcome, and clan 1's
    world: npt.NDArray[np.int8]  # which of ORDERS it comes of, or ANY
    ends: Ends


ANY = -1
# The outcome of 13 as one of a pair's ten, and as a case: nothing face up, or one more of a character.
_OUTCOME = np.array([*range(FAILED), *[NOTHING] * (OUTCOMES - FAILED)])
_CASE = np.array([*[0] * FAILED, *range(1, OUTCOMES - FAILED + 1)])


def worths(s: GothsState, evaluation: Evaluation, known_worlds: Cases | None = None) -> Floats:
    """[13, 13]: clan 0's chance to win after every pair of outcomes of clan 0's and clan 1's orders.

    `known_worlds` (of ORDERS) are the ways the objectives may lie, if somebody knows better than all.
    """
    after = _aftermath(bytes(_bare(s)))
    possible = worlds_with(s.objectives) if known_worlds is None else known_worlds
    chance = np.isin(after.world, possible).astype(np.float32) / len(possible)
    chance[after.world == ANY] = 1.0
    cases = [_cases(face_up_characters(s, clan)) for clan in range(2)]
    values = evaluation(after.ends, cases[0], cases[1]) * chance
    by_pair = np.add.reduceat(values, after.starts, axis=2).reshape(len(_cases(0)), len(_cases(0)), 10, 10)
    found: Floats = by_pair[_CASE[:, None], _CASE, _OUTCOME[:, None], _OUTCOME].astype(np.float32)
    impatience = IMPATIENCE * max(0, int(s.turn) - CALM) / CALM
    if impatience:
        lead = np.add.reduceat(after.ends.progress * chance, after.starts).reshape(10, 10)
        found += np.float32(impatience) * lead[_OUTCOME[:, None], _OUTCOME]
    return found


def _cases(up: int) -> Cases:
    """What lies face up for a clan after its turn: nothing (G4.2), or a character more (G4.3)."""
    return (0, *(up | 1 << c for c in range(4)))


def _bare(s: GothsState) -> GothsState:
    """The position without what actions do not depend on: the King cards, and how long the game has lasted."""
    start = s.copy()
    start.phase = Phase.ACTS
    start.turn = 1
    for clan in range(2):
        start.hand[clan] = 0
        start.face_up_count[clan] = 0
        for k in range(MAX_FACE_UP):
            start.face_up[clan][k] = UNKNOWN
    return start


@lru_cache(maxsize=KEPT)
def _aftermath(start: bytes) -> Aftermath:
    s = GothsState.from_buffer_copy(start)
    worlds = worlds_with(s.objectives)
    starts: list[int] = []
    of_world: list[int] = []
    states: list[GothsState] = []
    for a in range(10):
        for b in range(10):
            ends = [after for after, _ in results(s, [ORDERS[n] for n in worlds], (a, b))]
            starts.append(len(states))
            of_world += worlds if len(ends) == len(worlds) else [ANY]
            states += ends
    return Aftermath(np.array(starts, np.intp), np.array(of_world, np.int8), ends_of(states))
