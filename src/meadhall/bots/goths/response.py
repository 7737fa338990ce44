"""How `hard` chooses in Goths: it stands its ground, bent by what it knows of who sits at the table.

The stand of a clan is the best it can do against enemies who act as one mind, by what all know (`balance.py`). How far
the others are like the bot, their choices so far tell (`recognition.py`). Strange enemies are partly taken to do what
is expected of them; beside a partner who may be a stranger the seat stands its ground with what he will do as given;
and with one who surely is, it does what is worth most and best understood.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.balance import Stand
from meadhall.bots.goths.belief import has_private_knowledge, legal_actions, sides_of
from meadhall.bots.goths.cards import Backs, backs_of
from meadhall.bots.goths.equilibrium import OUTCOMES, Equilibrium, Floats, evaluated
from meadhall.bots.goths.minds import (
    PEOPLE,
    STRONG,
    Beliefs,
    Circumstances,
    company_payoffs,
    expected,
    fair_stand,
    lose_by_failing,
    timeless,
)
from meadhall.bots.goths.objectives import possible_orders
from meadhall.bots.goths.outcomes import payoffs, price_of_outcomes
from meadhall.bots.goths.public import canonical
from meadhall.bots.goths.repetition import ALONE, BY_VISITS, prices
from meadhall.bots.goths.values import solved_values, values_of_first, values_of_second
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.state import GothsState
from meadhall.match import View

TEMPERATURE = 0.01  # how much better a choice must be for the bot to leave the equilibrium for it
FLOOR = 0.3  # the least probability that the stand is taken to give a choice beside a strange partner
UNDERSTANDING = 0.8  # what it is worth to be understood by somebody who is not like the bot
NEGLIGIBLE = 0.01
COMPANY = (1.0, 0.6)  # how much a strange king makes the future another, among people and among bots
SURE = 4.0  # the power of how likely the partner is like the bot, by which the clan's stand counts
SMALL_COST = 0.02  # of coming back to a position, in a stand against enemies who do not mind
TRUST = 0.8  # how much strange enemies are met by what is expected of them, instead of by the worst they could do


@dataclass(frozen=True)
class Thought:
    """One seat's turn, thought through: how to stand one's ground, and what the others are expected to do."""

    backs: Backs
    first: int  # the clan with the initiative
    clan: int
    stand: Stand
    own: Stand  # of this seat alone, beside the partner it has
    through: Floats  # [back, 2, action]: does the clan's order get through if this card was played? (G4.1)
    faced: Equilibrium  # the policies that are expected of the others, and what follows for each choice
    believed: Beliefs


def think(view: View, believed: Beliefs, told: bool = False) -> Thought:
    """Think the turn through that is being played, given who the others may be.

    What people are `told` are the chances of clans that have agreed on nothing, and coming back to a position is free.
    """
    s = view.state
    clan, first = view.number >> 1, int(s.initiative)
    start = GothsState.from_buffer_copy(timeless(view))
    backs, (a, b) = backs_of(int(s.deck)), sides_of(start)
    cost = price_of_going_round(view, believed) if not told else np.zeros((OUTCOMES, OUTCOMES), np.float32)
    values = solved_values if told else values_of_first if clan == first else values_of_second
    payoff = payoffs(start, values, known_orders(view), prices={})
    if company := 0.0 if told else believed.strange_partner * company_of(view, believed):
        payoff = (1.0 - company) * payoff + company * company_payoffs(start, clan == first, known_orders(view))
    payoff = payoff - cost if clan == first else payoff + cost
    if not told:
        lose_by_failing(payoff, clan == first)
    faced = evaluated(payoff[None], a, b, backs, expected(view, believed))
    stands = clan_stand(view, believed, cost, faced), seat_stand(view, believed, cost, faced)
    return Thought(backs, first, clan, *stands, (a if clan == first else b).through[0], faced, believed)


def company_of(view: View, believed: Beliefs) -> float:
    """How much a strange king makes the future of his warchief another: less against enemies who reason."""
    if not view.number & 1:
        return 0.0
    reasoning = float(believed.kinds[[view.number ^ 2, view.number ^ 3], :PEOPLE].sum()) / 2
    among_people, among_bots = COMPANY
    return round(among_people + (among_bots - among_people) * reasoning, 1)


def price_of_going_round(view: View, believed: Beliefs) -> Floats:
    """What coming back to where the game has been costs, [13, 13]; nobody hurries a strange partner.

    To strangers who do not mind one only gives way by it, so it costs little, and nothing if a limit ends the game.
    """
    if believed.among_strangers and view.state.turn_limit:
        return np.zeros((OUTCOMES, OUTCOMES), np.float32)
    by_visits = ALONE if believed.among_strangers else BY_VISITS
    price = price_of_outcomes(GothsState.from_buffer_copy(timeless(view)), prices(view, by_visits))
    found: Floats = np.float32(1.0 - believed.odd_partner) * price
    return found


def clan_stand(view: View, believed: Beliefs, cost: Floats, faced: Equilibrium | None = None) -> Stand:
    """How the clan stands its ground on this turn; of strange enemies it counts what is expected, too."""
    return fair_stand(timeless(view), _ours_first(view), _known(view, believed, cost, faced))


def seat_stand(view: View, believed: Beliefs, cost: Floats, faced: Equilibrium) -> Stand:
    """How the seat stands its ground beside the partner it has."""
    first, partner = _ours_first(view), 1 - (view.number & 1)
    kings, chiefs = (faced.king_a, faced.chief_a) if first else (faced.king_b, faced.chief_b)
    policy = chiefs[0, :, :, 0] if partner else kings[0]
    known = replace(
        _known(view, believed, cost, faced),
        partner=partner,
        policy=policy.astype(np.float32).tobytes(),
        company=company_of(view, believed),
    )
    return fair_stand(timeless(view), first, known)


def _ours_first(view: View) -> bool:
    return view.number >> 1 == int(view.state.initiative)


def _known(view: View, believed: Beliefs, cost: Floats, faced: Equilibrium | None) -> Circumstances:
    """What a stand of this seat, or of its clan, depends on."""
    paid = np.minimum(cost, SMALL_COST) if believed.among_strangers else cost
    known = Circumstances(paid.tobytes() if paid.any() else b"", known_orders(view))
    strong = float(believed.kinds[[view.number ^ 2, view.number ^ 3], STRONG].mean())
    share = round(TRUST * believed.strange_enemies * (1.0 - strong), 2)
    if faced is None or not share:
        return known
    first = _ours_first(view)
    met = faced.king_b[0].sum(axis=2) if first else faced.king_a[0].sum(axis=1)[:, None]
    worth = faced.act_values_a[0] if first else faced.act_values_b[0]
    return replace(known, share=share, acts=(met[:, :, None, None] * worth).astype(np.float32).tobytes())


def known_orders(view: View) -> tuple[int, ...] | None:
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
    shown = () if clan == thought.first else (backs.bits.index(int(s.back[thought.first])),)
    values = (faced.card_values_a if clan == thought.first else faced.card_values_b)[(0, *shown)]
    held = (backs.cards >= 0) & (int(s.hand[clan]) >> np.maximum(backs.cards, 0) & 1 == 1)
    stands = thought.stand.king[(0, *shown)], thought.own.king[(0, *shown)]
    return bent(*stands, values + UNDERSTANDING * understood(view, thought), held, thought.believed), values


def understood(view: View, thought: Thought) -> Floats:
    """[back, 2]: how likely each card of a king gets through."""
    found: Floats = (expected_warchief(view, thought)[:, None, :] * thought.through).sum(axis=2)
    return found


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
    through = (thought.through[own] * meant[:, None]).sum(axis=0)
    allowed = np.zeros(9, bool)
    allowed[legal_actions(view)] = True
    stands = thought.stand.chief[0, i, j, 0], thought.own.chief[0, i, j, 0]
    return bent(*stands, values + UNDERSTANDING * through, allowed, thought.believed), values, through


def bent(clan: Floats, own: Floats, wanted: Floats, allowed: npt.NDArray[np.bool_], believed: Beliefs) -> Floats:
    """The clan's stand while the partner may be like the bot, the seat's own while he may not be.

    With one who surely is not, the seat does what is worth most and best understood: nobody else will care for him.
    """
    fair, alone = (np.where(allowed, each, 0.0) / each[allowed].sum() for each in (clan, own))
    better = np.where(allowed, np.exp((wanted - wanted[allowed].max()) / TEMPERATURE), 0.0) * (alone + FLOOR)
    alike = (1.0 - believed.strange_partner) ** SURE
    odd = min(believed.odd_partner, 1.0 - alike)
    return settled(alike * fair + (1.0 - alike - odd) * alone + odd * better / better.sum())


def settled(weights: npt.NDArray[Any], axes: tuple[int, ...] | None = None) -> Floats:
    """A policy over some axes without what is negligible."""
    kept = np.where(weights < NEGLIGIBLE, 0.0, weights)
    total = kept.sum(axis=axes, keepdims=True)
    found: Floats = np.divide(kept, total, out=np.zeros_like(kept), where=total > 0.0).astype(np.float32)
    return found
