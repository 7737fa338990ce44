"""How `hard` chooses in Goths: it stands its ground, bent by what it knows of who sits at the table.

The stand of a clan is the best it can do against enemies who act as one mind, by what all know (`balance.py`). A seat
then asks how good each of its choices is with the partner and against the enemies it has, as far as their choices so
far tell (`recognition.py`), and by what it has looked at itself; the more that differs, the more it departs from it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.balance import Stand
from meadhall.bots.goths.belief import has_private_knowledge, legal_actions, sides_of
from meadhall.bots.goths.cards import ACTION_CHARACTERS, Backs, backs_of, face_up_characters
from meadhall.bots.goths.equilibrium import Equilibrium, Floats, evaluated
from meadhall.bots.goths.minds import Beliefs, expected, fair_stand, timeless
from meadhall.bots.goths.objectives import possible_orders
from meadhall.bots.goths.outcomes import heuristic_values, payoffs, price_of_outcomes
from meadhall.bots.goths.public import canonical
from meadhall.bots.goths.repetition import ALONE, BY_VISITS, prices
from meadhall.bots.goths.values import solved_values, values_of_first, values_of_second
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.state import GothsState
from meadhall.match import View

TEMPERATURE = 0.01  # how much better a choice must be for the bot to leave the equilibrium for it
# The least probability that the stand is taken to give a choice; more with a partner who may, or does, not know it.
FLOOR, DOUBTFUL_FLOOR, STRANGE_FLOOR = 0.003, 0.1, 0.3
UNDERSTANDING = 0.8  # what it is worth to be understood by somebody who is not like the bot
NEGLIGIBLE = 0.01
STRANGE = 0.98  # as good as certain
SMALL_COST = 0.02  # of coming back to a position, in a stand against enemies who do not mind
UNINFORMED = 0.05  # what a stand that knows less than the warchief gives every action


@dataclass(frozen=True)
class Thought:
    """One seat's turn, thought through: how to stand one's ground, and what the others are expected to do."""

    backs: Backs
    first: int  # the clan with the initiative
    clan: int
    stand: Stand
    faced: Equilibrium  # the policies that are expected of the others, and what follows for each choice
    believed: Beliefs


def think(view: View, believed: Beliefs, told: bool = False) -> Thought:
    """Think the turn through that is being played, given who the others may be.

    What people are `told` are the chances of clans that have agreed on nothing, and coming back to a position is free.
    """
    s = view.state
    clan, first = view.number >> 1, int(s.initiative)
    start = GothsState.from_buffer_copy(timeless(view))
    backs = backs_of(int(s.deck))
    stand, cost = clan_stand(view, believed, priced=not told)
    a, b = sides_of(start)
    values = solved_values if told else values_of_first if clan == first else values_of_second
    payoff = payoffs(start, values, _known_orders(view), prices={})
    # With a partner who is surely no bot like this the future is not that of two such bots either.
    if odd := believed.odd_partner:
        payoff = (1.0 - odd) * payoff + odd * payoffs(start, heuristic_values, _known_orders(view), prices={})
    payoff = payoff - cost if clan == first else payoff + cost
    faced = evaluated(payoff[None], a, b, backs, expected(view, believed))
    return Thought(backs, first, clan, stand, faced, believed)


def clan_stand(view: View, believed: Beliefs, priced: bool = True) -> tuple[Stand, Floats]:
    """How the clan stands its ground on this turn, and what coming back to where the game has been costs, [13, 13]."""
    start = GothsState.from_buffer_copy(timeless(view))
    alone = believed.strange_enemies >= STRANGE
    cost = price_of_outcomes(start, prices(view, ALONE if alone else BY_VISITS) if priced else {})
    paid = np.minimum(cost, SMALL_COST) if alone else cost
    ours_first = view.number >> 1 == int(view.state.initiative)
    return fair_stand(bytes(start), ours_first, paid.tobytes() if paid.any() else b""), cost


def _known_orders(view: View) -> tuple[int, ...] | None:
    """The orders of the objectives that this seat thinks possible, in canonical places; None if all know them."""
    if not has_private_knowledge(view.state):
        return None
    _, places = canonical(view)
    known = [UNKNOWN] * 3
    for old, new in enumerate(places):
        known[new] = int(view.state.objectives[old])
    return possible_orders(known)


def card_weights(view: View, thought: Thought) -> tuple[Floats, Floats]:
    """How often a king plays each card, and the chance to win after it, both [back, 2]."""
    s, clan, backs, faced = view.state, thought.clan, thought.backs, thought.faced
    if clan == thought.first:
        prior, values = thought.stand.king[0], faced.card_values_a[0]
    else:
        shown = backs.bits.index(int(s.back[thought.first]))
        prior, values = thought.stand.king[0, shown], faced.card_values_b[0, shown]
    chief = expected_warchief(view, thought)
    held = (backs.cards >= 0) & (int(s.hand[clan]) >> np.maximum(backs.cards, 0) & 1 == 1)
    face_up = face_up_characters(s, clan)
    through = (backs.characters[:, :, None] == ACTION_CHARACTERS) | (face_up >> ACTION_CHARACTERS & 1 == 1)
    understood = (chief[:, None, :] * through).sum(axis=2)
    return bent(prior, values, understood, held, thought.believed, thought.believed.strange_partner), values


def expected_warchief(view: View, thought: Thought) -> Floats:
    """[back, action]: what the king's warchief will do at the sight of each back."""
    faced = thought.faced
    if thought.clan == thought.first:
        found: Floats = np.einsum("ija,ij->ia", faced.chief_a[0, :, :, 0], faced.king_b[0].sum(axis=2))
        return found
    shown = thought.backs.bits.index(int(view.state.back[thought.first]))
    second: Floats = faced.chief_b[0, shown, :, 0]
    return second


def card_acts(view: View, thought: Thought) -> Floats:
    """[back, 2, action]: a king's chance to win with each card if his warchief answers it with this action."""
    faced = thought.faced
    if thought.clan == thought.first:
        found: Floats = np.einsum("ijca,ij->ica", faced.act_values_a[0], faced.king_b[0].sum(axis=2))
        return found
    shown = thought.backs.bits.index(int(view.state.back[thought.first]))
    second: Floats = faced.act_values_b[0, shown]
    return second


def meanings(view: View, thought: Thought, clan: int) -> list[tuple[int, float]]:
    """The cards that a clan's back can be, each with its chance."""
    s, backs, first = view.state, thought.backs, thought.first
    i, j = (backs.bits.index(int(s.back[each])) for each in (first, 1 - first))
    back, king = (i, thought.faced.king_a[0, i]) if clan == first else (j, thought.faced.king_b[0, i, j])
    held = [card >= 0 and int(s.hand[clan]) >> int(card) & 1 == 1 for card in backs.cards[back]]
    odds = (king + 1e-6) * held
    return [(int(card), float(each / odds.sum())) for card, each in zip(backs.cards[back], odds, strict=True)]


def act_weights(view: View, thought: Thought) -> tuple[Floats, Floats, Floats]:
    """How often a warchief chooses each action, the chance to win after it, and that of its getting through."""
    s = view.state
    clan, backs, faced, first = thought.clan, thought.backs, thought.faced, thought.first
    i, j = (backs.bits.index(int(s.back[each])) for each in (first, 1 - first))
    if clan == first:
        own, acts = i, faced.act_values_a[0, i, j]
    else:
        own, acts = j, faced.act_values_b[0, i, j]
    meant = np.array([chance for _, chance in meanings(view, thought, clan)], np.float32)
    values = (acts * meant[:, None]).sum(axis=0)
    face_up = face_up_characters(s, clan)
    fits = (backs.characters[own][:, None] == ACTION_CHARACTERS) | (face_up >> ACTION_CHARACTERS & 1 == 1)
    through = (fits * meant[:, None]).sum(axis=0)
    allowed = np.zeros(9, bool)
    allowed[legal_actions(view)] = True
    believed = thought.believed
    prior = thought.stand.chief[0, i, j, 0]
    if has_private_knowledge(s):  # the stand knows nothing of what he has looked at
        prior, believed = prior + np.float32(UNINFORMED), replace(believed, strange_enemies=1.0)
    weights = bent(prior, values, through, allowed, believed, believed.strange_partner)
    return weights, values, through


def bent(
    stand: Floats,
    values: Floats,
    understood: Floats,
    allowed: npt.NDArray[np.bool_],
    believed: Beliefs,
    strange: float,
) -> Floats:
    """The stand's policy, bent towards what is worth more and better understood in the company that this seat has.

    While nothing speaks against it, the seat keeps to its stand: whatever it left it for could be a trap.
    """
    wanted = values + UNDERSTANDING * strange * understood
    better = np.where(allowed, np.exp((wanted - wanted[allowed].max()) / TEMPERATURE), 0.0)
    fair = np.where(allowed, stand, 0.0) / stand[allowed].sum()
    bending = better * (fair + FLOOR + STRANGE_FLOOR * believed.odd_partner + DOUBTFUL_FLOOR * strange)
    leave = max(strange, believed.strange_enemies)
    return settled((1.0 - leave) * fair + leave * bending / bending.sum())


def settled(weights: npt.NDArray[Any], axes: tuple[int, ...] | None = None) -> Floats:
    """A policy over some axes without what is negligible."""
    kept = np.where(weights < NEGLIGIBLE, 0.0, weights)
    total = kept.sum(axis=axes, keepdims=True)
    found: Floats = np.divide(kept, total, out=np.zeros_like(kept), where=total > 0.0).astype(np.float32)
    return found
