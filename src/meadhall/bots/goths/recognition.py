"""What each seat's choices so far tell of who sits there: by Bayes' rule, how likely each seat is of each kind.

What all four did on the turns before is public (G10.1), and so is what the bot itself would have believed and done on
any of these seats, by what all know: one like itself is recognised by that.
"""

from functools import lru_cache

import numpy as np

from meadhall.bots.goths.cards import backs_of
from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.minds import KINDS, Beliefs, minds
from meadhall.bots.goths.outcomes import CACHE_SIZE
from meadhall.bots.goths.public import GAME, RULES
from meadhall.bots.goths.response import act_weights, card_weights, think
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.state import SEATS, GothsState
from meadhall.match import View

# How likely a king or a warchief as a partner, or a pair of enemies, is like the bot itself before they have done
# anything; and of which of the other kinds of `minds.py` somebody is who is not.
KING_ALIKE, WARCHIEF_ALIKE, ENEMIES_ALIKE = 0.15, 0.1, 0.4
OTHERS = np.array([0.0, 0.1, 0.15, 0.15, 0.15, 0.15, 0.2, 0.1])
SLIP = 0.04  # how often anybody does something else
# What choices tell of the others' kinds counts for more of enemies, whom it is safe to be wrong about, as one is ready
# for the worst from them as well; and for less of a partner, who may be of none of these kinds.
OF_ENEMIES, OF_PARTNER = 1.5, 0.75
DOUBT = 1.0  # how many times what a kind would do counts as
# Turns. Of a long game the opening, which tells most, and the last chapters are kept, or it would take long to read.
OPENING = CHAPTER = 20


def all_alike() -> Beliefs:
    """The belief that everybody is like the bot itself."""
    kinds = np.repeat(np.eye(1, KINDS, dtype=np.float32), 4, axis=0)
    return Beliefs(kinds, np.zeros(4, np.float32), 0.0, 0.0, 0.0, np.ones((4, 9), np.float32))


def beliefs(view: View) -> Beliefs:
    """Who sits on each seat, by what all four did in the opening, in this chapter of the game and in the one before."""
    begun = max(OPENING, (len(view.past) // CHAPTER - 1) * CHAPTER)
    return _beliefs(view.past[:OPENING] + view.past[begun:], view.number)


@lru_cache(maxsize=CACHE_SIZE)
def _beliefs(past: tuple[bytes, ...], own: int) -> Beliefs:
    logs, tallies = np.zeros((4, KINDS)), np.zeros((2, 4, 9))
    for turn in range(len(past)):
        logs = logs + _evidence(past[: turn + 1])
        tallies = tallies + _tally(past[: turn + 1], own)
    with np.errstate(divide="ignore"):
        prior = np.log(OTHERS)
    alike = logs[:, 0] - _total(logs + prior)  # how much better one like the bot explains a seat's choices
    partner, enemies = own ^ 1, [own ^ 2, own ^ 3]
    counting = np.full((4, 1), OF_ENEMIES)
    counting[partner] = OF_PARTNER
    other = counting * logs + prior
    found = np.exp(other - _total(other)[:, None]).astype(np.float32)
    before = WARCHIEF_ALIKE if partner & 1 else KING_ALIKE
    as_partner = _posterior(before, float(alike[partner]))
    as_enemies = _posterior(ENEMIES_ALIKE, float(alike[enemies].sum()))
    for seat, chance in ((partner, as_partner), *((enemy, as_enemies) for enemy in enemies)):
        found[seat] = chance * np.eye(1, KINDS, dtype=np.float32)[0] + np.float32(1.0 - chance) * found[seat]
    signs = max(0.0, 1.0 - as_partner / before), max(0.0, 1.0 - as_enemies / ENEMIES_ALIKE)
    strange = np.zeros(4, np.float32)
    strange[partner], strange[enemies] = signs[0], signs[1]
    counted = strange.copy()
    counted[partner] = 1.0 - as_partner
    observed, predicted = tallies
    more = ((observed + DOUBT) / (predicted + DOUBT)) ** counted[:, None]
    return Beliefs(found, strange, 1.0 - as_partner, *signs, more.astype(np.float32))


@lru_cache(maxsize=CACHE_SIZE)
def _tally(past: tuple[bytes, ...], own: int) -> Floats:
    """[observed or predicted, seat, 9]: what warchiefs did on the last turn, and which characters kings ordered."""
    s = GothsState.from_buffer_copy(past[-1])
    backs, first = backs_of(int(s.deck)), int(s.initiative)
    found, kinds = minds(View(GAME, RULES, SEATS[0], _before(s))), _beliefs(past[:-1], own).kinds
    (i, c), (j, d) = (backs.place(int(s.order[clan])) for clan in (first, 1 - first))
    tally = np.zeros((2, 4, 9), np.float32)
    a, b = 2 * first, 2 - 2 * first
    kings = np.tensordot(kinds[a], found.king_a, 1), np.tensordot(kinds[b], found.king_b[:, i], 1)
    for seat, king, card in ((a, kings[0], (i, c)), (b, kings[1], (j, d))):
        tally[0, seat, backs.characters[card]] = 1.0
        np.add.at(tally[1, seat], backs.characters.ravel(), king.ravel())
    for seat, chief in ((a + 1, found.chief_a), (b + 1, found.chief_b)):
        tally[0, seat, int(s.act[seat >> 1])] = 1.0
        tally[1, seat] = kinds[seat] @ chief[:, i, j]
    return tally


def _total(logs: Floats) -> Floats:
    """The logarithm of the sum over the last axis of what these are the logarithms of."""
    most = logs.max(axis=1)
    found: Floats = np.log(np.exp(logs - most[:, None]).sum(axis=1)) + most
    return found


def _posterior(prior: float, evidence: float) -> float:
    return 1.0 / (1.0 + (1.0 - prior) / prior * float(np.exp(-np.clip(evidence, -50.0, 50.0))))


@lru_cache(maxsize=CACHE_SIZE)
def _evidence(past: tuple[bytes, ...]) -> Floats:
    """[seat, kind]: the logarithm of how likely each kind would have done what a seat did on the last turn."""
    s = GothsState.from_buffer_copy(past[-1])
    backs, first = backs_of(int(s.deck)), int(s.initiative)
    views = [View(GAME, RULES, seat, _before(s), past=past[:-1]) for seat in SEATS]
    found = minds(views[0])
    (i, c), (j, d) = (backs.place(int(s.order[clan])) for clan in (first, 1 - first))
    chances = np.empty((4, KINDS))
    chances[2 * first], chances[2 - 2 * first] = found.king_a[:, i, c], found.king_b[:, i, j, d]
    chances[2 * first + 1] = found.chief_a[:, i, j, int(s.act[first])]
    chances[3 - 2 * first] = found.chief_b[:, i, j, int(s.act[1 - first])]
    for clan, (back, card) in ((first, (i, c)), (1 - first, (j, d))):
        king, chief = views[2 * clan], views[2 * clan + 1]
        chances[2 * clan, 0] = card_weights(king, think(king, beliefs(king)))[0][back, card]
        chances[2 * clan + 1, 0] = act_weights(chief, think(chief, beliefs(chief)))[0][int(s.act[clan])]
    logs: Floats = np.log((1.0 - SLIP) * chances + SLIP / 9)
    return logs


def _before(s: GothsState) -> GothsState:
    """The position of a turn as all saw it before the cards were turned."""
    before = s.copy()
    for clan in range(2):
        before.order[clan] = before.act[clan] = UNKNOWN
    return before
