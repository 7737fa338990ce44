"""The payoffs of one turn of Goths: the chance to win after every pair of outcomes of the two clans' orders.

A turn is played out by the rules for every pair, and the positions it leads to (the leaves of this lookahead) are
described by arrays, so that a value function evaluates all of them in one call.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.cards import face_up_characters
from meadhall.bots.goths.equilibrium import FAILED, OUTCOMES, Floats
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, objectives_seen, possible_orders
from meadhall.bots.goths.positions import NO_ACTION, position_number, successors
from meadhall.engine.bits import count_bits
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import behind_barricade
from meadhall.games.goths.state import MAX_FACE_UP, Fog, GothsState, Phase

# The heuristic score of an army, as log-odds: its units, place, shelter, catapult, and what its warchief has seen.
UNITS = (0.0, 0.0, 0.9, 1.6)
PLACES = (0.0, 0.3, 0.7, 1.1)
SHELTER = 0.5
CATAPULT, CATAPULT_AT_SHELTER = 0.9, 0.3
SIGHTS = ((0.0, 0.1, 0.2), (0.0, 0.2, 0.4), (0.0, 0.5, 1.2), (0.0, 1.0, 1.4))  # by place, by objectives known
TOKEN = 0.3  # the cost of a token that is face up
FACE_UP = 0.15  # for a character that is sure to get through
# What a face-up token costs its clan in chances to win until it is discarded: pea-soup, reduced-numbers,
# boar-shortage, gusts. The solved values were made without fog; these come from games played with it.
TOKEN_COSTS = (0.01, 0.05, 0.06, 0.04)
# From turn PATIENT on, being nearer to the queen is worth something in itself, more and more until turn LATEST.
PATIENT, LATEST = 8, 160
IMPATIENCE = 0.15
CACHE_SIZE = 16_000  # turns, at about 5 kB each


@dataclass(frozen=True)
class Leaves:
    """Positions between turns: what value functions need to know of each, as arrays."""

    position: npt.NDArray[np.int32]  # its number; belongs to the clan that has the initiative then
    second: npt.NDArray[np.bool_]  # has clan 1 the initiative?
    over: npt.NDArray[np.bool_]
    result: Floats  # clan 0's share of the victory if it is over
    token_gain: Floats  # what clan 1's token costs it, less what clan 0's costs
    lead: Floats  # clan 0's heuristic score, less clan 1's
    progress: Floats  # how much further clan 0 is on its way to the queen


# A value function gives clan 0's chance to win, [case of clan 0, case of clan 1, leaf]; a case is a set of characters
# (bits) that lie face up.
Cases = tuple[int, ...]
ValueFunction = Callable[[Leaves, Cases, Cases], Floats]


def leaves_of(states: list[GothsState]) -> Leaves:
    """The arrays for some positions between turns."""
    going = [s.phase != Phase.OVER for s in states]
    return Leaves(
        np.array([position_number(s) for s in states], np.int32),
        np.array([s.initiative == 1 for s in states], bool),
        ~np.array(going, bool),
        np.array([0.5 if on else (1.0, 0.0, 0.5)[s.winner] for s, on in zip(states, going, strict=True)], np.float32),
        np.array([token_cost(s, 1) - token_cost(s, 0) for s in states], np.float32),
        np.array([army_score(s, 0) - army_score(s, 1) for s in states], np.float32),
        np.array([progress(s, 0) - progress(s, 1) for s in states], np.float32),
    )


def token_cost(s: GothsState, clan: int) -> float:
    """What the clan's token costs it in chances to win (G8)."""
    if s.fog[clan] != Fog.REVEALED:
        return 0.0
    return TOKEN_COSTS[s.token[clan]] if s.token[clan] >= 0 else sum(TOKEN_COSTS) / 4


def army_score(s: GothsState, clan: int) -> float:
    """How well an army stands, as log-odds."""
    place = min(int(s.place[clan]), 3)
    sheltered = behind_barricade(s, 1 - clan)
    return (
        UNITS[s.units[clan]]
        + PLACES[place]
        + SHELTER * behind_barricade(s, clan)
        + (CATAPULT_AT_SHELTER if sheltered else CATAPULT) * s.catapult[clan]
        + SIGHTS[place][min(objectives_seen(s, clan), 2)]
        - TOKEN * (s.fog[clan] == Fog.REVEALED)
    )


def progress(s: GothsState, clan: int) -> float:
    """How far an army is on its way to the queen, from 0 to 1."""
    return 0.0 if s.phase == Phase.OVER else (min(int(s.place[clan]), 3) + min(objectives_seen(s, clan), 2)) / 5


def heuristic_values(leaves: Leaves, ours: Cases, theirs: Cases) -> Floats:
    """A value function without solved values: a logistic function of the armies' scores and the characters face up."""
    up = np.array([[FACE_UP * (count_bits(a) - count_bits(b)) for b in theirs] for a in ours], np.float32)
    lead = leaves.lead + up[:, :, None]
    found: Floats = np.where(leaves.over, leaves.result, 1.0 / (1.0 + np.exp(-lead)))
    return found


# A whole turn


@dataclass(frozen=True)
class TurnLeaves:
    """The leaves that every pair of outcomes (two actions, or NO_ACTION) leads to."""

    starts: npt.NDArray[np.intp]  # where the leaves of each pair begin: ten times clan 0's outcome, plus clan 1's
    order: npt.NDArray[np.int8]  # which of OBJECTIVE_ORDERS a leaf belongs to, or ANY
    leaves: Leaves


ANY = -1
# Each of the 13 outcomes as one of a pair's ten, and as a case: nothing face up, or one more character.
_OUTCOME = np.array([*range(FAILED), *[NO_ACTION] * (OUTCOMES - FAILED)])
_CASE = np.array([*[0] * FAILED, *range(1, OUTCOMES - FAILED + 1)])


def payoffs(
    s: GothsState,
    value_function: ValueFunction,
    known_orders: tuple[int, ...] | None = None,
    prices: "Prices | None" = None,
) -> Floats:
    """[13, 13]: clan 0's chance to win after every pair of outcomes of clan 0's and clan 1's orders.

    `known_orders` (of OBJECTIVE_ORDERS) are the orders of the objectives that a seat with private knowledge
    thinks possible; by default those that all do. With `prices` nobody grows impatient: see `price_of_outcomes`.
    """
    after = _turn_leaves(bytes(_without_cards(s)))
    possible = possible_orders(s.objectives) if known_orders is None else known_orders
    chance = np.isin(after.order, possible).astype(np.float32) / len(possible)
    chance[after.order == ANY] = 1.0
    cases = [_cases(face_up_characters(s, clan)) for clan in range(2)]
    values = value_function(after.leaves, cases[0], cases[1]) * chance
    by_pair = np.add.reduceat(values, after.starts, axis=2).reshape(len(_cases(0)), len(_cases(0)), 10, 10)
    found: Floats = by_pair[_CASE[:, None], _CASE, _OUTCOME[:, None], _OUTCOME].astype(np.float32)
    impatience = IMPATIENCE * max(0, int(s.turn) - PATIENT) / PATIENT
    if impatience and prices is None:
        lead = np.add.reduceat(after.leaves.progress * chance, after.starts).reshape(10, 10)
        found += np.float32(impatience) * lead[_OUTCOME[:, None], _OUTCOME]
    return found


# What it costs to bring about a position once more, by its number.
Prices = Mapping[int, float]


def price_of_outcomes(s: GothsState, prices: Prices) -> Floats:
    """[13, 13]: what every pair of outcomes costs each of the clans because it leads where they have been before."""
    after = _turn_leaves(bytes(_without_cards(s)))
    possible = possible_orders(s.objectives)
    chance = np.where(after.order == ANY, 1.0, np.float32(1.0 / len(possible)))
    cost = np.array(
        [
            0.0 if over else prices.get(int(k), 0.0)
            for k, over in zip(after.leaves.position, after.leaves.over, strict=True)
        ]
    )
    by_pair = np.add.reduceat(cost * chance, after.starts).reshape(10, 10)
    found: Floats = by_pair[_OUTCOME[:, None], _OUTCOME].astype(np.float32)
    return found


def _cases(up: int) -> Cases:
    """What lies face up for a clan after its turn: nothing (G4.2), or a character more (G4.3)."""
    return (0, *(up | 1 << c for c in range(4)))


def _without_cards(s: GothsState) -> GothsState:
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


@lru_cache(maxsize=CACHE_SIZE)
def _turn_leaves(start: bytes) -> TurnLeaves:
    s = GothsState.from_buffer_copy(start)
    orders = possible_orders(s.objectives)
    starts: list[int] = []
    order_of: list[int] = []
    states: list[GothsState] = []
    for a in range(10):
        for b in range(10):
            found = [after for after, _ in successors(s, [OBJECTIVE_ORDERS[n] for n in orders], (a, b))]
            starts.append(len(states))
            order_of += orders if len(found) == len(orders) else [ANY]
            states += found
    return TurnLeaves(np.array(starts, np.intp), np.array(order_of, np.int8), leaves_of(states))
