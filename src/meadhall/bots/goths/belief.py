"""From a turn's equilibrium in Goths to one seat's policy: its belief about the partner, and what it alone knows.

Public knowledge gives everybody the same equilibrium. A seat then allows for partners who reason less (`partners.py`)
and adds its private knowledge: its own King card, what its warchief has looked at.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.cards import ACTION_CHARACTERS, Backs, backs_of, face_up_characters
from meadhall.bots.goths.equilibrium import (
    FAILED,
    OUTCOMES,
    Equilibrium,
    Floats,
    Schedule,
    Side,
    make_side,
    sharpened,
    solve,
)
from meadhall.bots.goths.outcomes import CACHE_SIZE, ValueFunction, payoffs
from meadhall.bots.goths.partners import partner_king, partner_warchief
from meadhall.bots.goths.public import canonical, king_view, king_view_of, private_payoffs
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import legal
from meadhall.games.goths.state import ACT, GothsState
from meadhall.match import View

# The temperature of a seat's own softmax, and what is added to the equilibrium's probabilities as its prior.
TEMPERATURE = 0.02
PRIOR_FLOOR = 0.05


@dataclass(frozen=True)
class Strategy:
    """How a level plays: its value function, how it solves a turn, and what it assumes of its partner."""

    value_function: ValueFunction
    schedule: Schedule
    partner_warchief: float  # as king: the probability that its warchief is one of `partners`, not of the equilibrium
    partner_king: float  # as warchief: the same of its king
    understanding: float  # what it is worth to be understood, in chances to win, beside what the turn gains
    other_king: "Strategy | None" = None  # another strategy that its king may have


@dataclass(frozen=True)
class Turn:
    """A solved turn; the first clan of the equilibrium is the one with the initiative."""

    backs: Backs
    first: int
    equilibrium: Equilibrium


def solved_turn(view: View, strategy: Strategy) -> Turn:
    """The equilibrium of the turn that is being played, by what all know."""
    s, _ = canonical(view)
    return Turn(backs_of(int(s.deck)), int(view.state.initiative), _equilibrium(bytes(s), strategy))


@lru_cache(maxsize=CACHE_SIZE)
def _equilibrium(state: bytes, strategy: Strategy) -> Equilibrium:
    s = GothsState.from_buffer_copy(state)
    a, b = sides_of(s)
    return solve(payoffs(s, strategy.value_function)[None], a, b, backs_of(int(s.deck)), strategy.schedule)


def sides_of(s: GothsState) -> tuple[Side, Side]:
    """What both clans may do this turn."""
    backs = backs_of(int(s.deck))
    sides = []
    for clan in range(2):
        face_up = np.array([face_up_characters(s, clan)])
        side = make_side(backs, np.array([int(s.hand[clan])]), face_up, bool(s.lone[clan]))
        if s.lone[clan] and s.last_act[clan] != UNKNOWN:  # G9.1
            side.allowed[0, int(s.last_act[clan])] = False
        sides.append(side)
    return sides[0], sides[1]


# A king


def king_policy(turn: Turn, view: View, strategy: Strategy) -> tuple[Floats, Floats]:
    """How often a king plays each card, as weights, and the chance to win after it, both [back, 2]."""
    s, clan, solution = view.state, view.number >> 1, turn.equilibrium
    if clan == turn.first:
        weights, chances = solution.king_a[0], solution.card_values_a[0]
        likely = solution.king_b[0].sum(axis=2)  # [i, j]
        acts = np.einsum("ijca,ij->ica", solution.act_values_a[0], likely)
    else:
        shown = turn.backs.bits.index(int(s.back[turn.first]))
        weights, chances = solution.king_b[0, shown], solution.card_values_b[0, shown]
        acts = solution.act_values_b[0, shown]
    if s.lone[clan] or strategy.partner_warchief == 0.0:
        return weights, chances
    partner = partner_warchief(view)
    with_partner = np.einsum("ia,ica->ic", partner, acts)
    mixed: Floats = (1.0 - strategy.partner_warchief) * chances + strategy.partner_warchief * with_partner
    held = weights > 0
    face_up = face_up_characters(s, clan)
    through = (turn.backs.characters[:, :, None] == ACTION_CHARACTERS) | (face_up >> ACTION_CHARACTERS & 1 == 1)
    understood = (partner[:, None, :] * through).sum(axis=2)
    return softmax_with_prior(mixed + strategy.understanding * understood, weights, held), mixed


def softmax_with_prior(values: Floats, prior: Floats, allowed: npt.NDArray[np.bool_]) -> Floats:
    """A softmax of a seat's own values times the equilibrium's policy as a prior, not normalised."""
    scaled = np.where(allowed, values - values[allowed].max(), -1.0)
    found: Floats = np.where(allowed, np.exp(scaled / TEMPERATURE) * (prior + PRIOR_FLOOR), 0.0).astype(np.float32)
    return found


# A warchief


@dataclass(frozen=True)
class Belief:
    """A warchief's belief about both King cards, and what follows from it for each action."""

    cards: tuple[int, ...]
    chances: tuple[float, ...]  # the posterior probability of each of them
    prior: Floats  # [action]: the equilibrium's policy
    values: Floats  # [action]: the chance to win, by what he knows himself
    through: Floats  # [action]: the chance that the order gets through
    enemy: tuple[tuple[int, float], ...]  # the enemy's card: which, how likely


def warchief_belief(turn: Turn, view: View, strategy: Strategy) -> Belief:
    """What a warchief infers from both backs."""
    s, clan, solution = view.state, view.number >> 1, turn.equilibrium
    is_first = clan == turn.first
    i, j = (turn.backs.bits.index(int(s.back[each])) for each in (turn.first, 1 - turn.first))
    kings = solution.king_a[0, i], solution.king_b[0, i, j]
    own_king, enemy_king = kings if is_first else kings[::-1]
    own_back, enemy_back = (i, j) if is_first else (j, i)
    own = _posterior(turn.backs, own_back, own_king, int(s.hand[clan]) | _card_bit(s, clan))
    enemy = _posterior(turn.backs, enemy_back, enemy_king, int(s.hand[1 - clan]))
    known = int(s.order[clan])
    if known != UNKNOWN:  # G10.4: a lone ruler knows his card
        own = [1.0 if card == known else 0.0 for card in turn.backs.cards[own_back]]
    acts = (solution.act_values_a if is_first else solution.act_values_b)[0, i, j]  # [c, a]
    policy = (solution.chief_a if is_first else solution.chief_b)[0, i, j]
    prior = (policy * np.array(own, np.float32)[:, None]).sum(axis=0)
    if known == UNKNOWN and strategy.partner_king > 0.0:
        cards = _card_probabilities(bytes(king_view(view).state), clan, strategy)
        own = _posterior(turn.backs, own_back, cards[own_back], int(s.hand[clan]))
    if has_private_knowledge(s):
        values = _private_values(turn, view, strategy, (i, j), own, enemy)
    else:
        values = (acts * np.array(own, np.float32)[:, None]).sum(axis=0)
    face_up = face_up_characters(s, clan)
    through = [_chance_through(turn.backs, own_back, own, face_up, act) for act in range(9)]
    own_cards, enemy_cards = turn.backs.cards[own_back], turn.backs.cards[enemy_back]
    return Belief(
        tuple(int(card) for card in own_cards if card >= 0),
        tuple(float(chance) for card, chance in zip(own_cards, own, strict=True) if card >= 0),
        prior,
        values,
        np.array(through, np.float32),
        tuple((int(card), float(chance)) for card, chance in zip(enemy_cards, enemy, strict=True) if card >= 0),
    )


@lru_cache(maxsize=CACHE_SIZE)
def _card_probabilities(state: bytes, clan: int, strategy: Strategy) -> Floats:
    """[back, 2]: how often each card is played by a king drawn from all that a warchief may have."""
    view = king_view_of(state, clan)
    strategies = [strategy] if strategy.other_king is None else [strategy, strategy.other_king]
    found: Floats = strategy.partner_king * partner_king(view)
    for each in strategies:
        weights, _ = king_policy(solved_turn(view, each), view, each)
        policy = sharpened(weights, each.schedule.sharpness, (0, 1))
        found += (1.0 - strategy.partner_king) / len(strategies) * policy
    return found


def _card_bit(s: GothsState, clan: int) -> int:
    return 0 if s.order[clan] == UNKNOWN else 1 << int(s.order[clan])


def _posterior(backs: Backs, back: int, weights: Floats, hand: int) -> list[float]:
    """The probability of each of the two cards behind a back, by Bayes' rule."""
    held = [card >= 0 and hand >> int(card) & 1 == 1 for card in backs.cards[back]]
    odds = [(float(w) + 1e-6) * h for w, h in zip(weights, held, strict=True)]
    return [each / (sum(odds) or 1.0) for each in odds]


def _chance_through(backs: Backs, back: int, chances: list[float], face_up: int, act: int) -> float:
    character = int(ACTION_CHARACTERS[act])
    if face_up >> character & 1:
        return 1.0
    return sum(chance for chance, c in zip(chances, backs.characters[back], strict=True) if c == character)


def has_private_knowledge(s: GothsState) -> bool:
    """Does this view know something of the objectives that not everybody does?"""
    return any(s.objectives[k] != UNKNOWN and not int(s.revealed) >> k & 1 for k in range(3))


def _private_values(
    turn: Turn, view: View, strategy: Strategy, backs: tuple[int, int], own: list[float], enemy: list[float]
) -> Floats:
    """[action]: the chance to win for a warchief who has looked at objectives himself."""
    s, clan, (i, j) = view.state, view.number >> 1, backs
    payoff = private_payoffs(view, strategy.value_function)
    is_first = clan == turn.first
    if not is_first:
        payoff = 1.0 - payoff.T
    chief = (turn.equilibrium.chief_b if is_first else turn.equilibrium.chief_a)[0, i, j]  # the enemy's
    chief = np.broadcast_to(chief, (2, 9))
    own_back, enemy_back = (i, j) if is_first else (j, i)
    face_up = face_up_characters(s, 1 - clan)
    facing = np.zeros(OUTCOMES, np.float32)
    for card, chance in enumerate(enemy):
        for act in range(9):
            outcome = _outcome(int(turn.backs.characters[enemy_back, card]), face_up, act)
            facing += chance * chief[card, act] * payoff[:, outcome]
    face_up = face_up_characters(s, clan)
    values = np.zeros(9, np.float32)
    for card, chance in enumerate(own):
        for act in range(9):
            values[act] += chance * facing[_outcome(int(turn.backs.characters[own_back, card]), face_up, act)]
    return values


def _outcome(character: int, face_up: int, act: int) -> int:
    """The outcome of an order: the action, or the failure of a card of this character (G4.1)."""
    through = ACTION_CHARACTERS[act] == character or face_up >> ACTION_CHARACTERS[act] & 1
    return act if through else FAILED + character


def legal_actions(view: View) -> list[int]:
    """The actions a warchief may choose."""
    options = legal(view.state, view.number)
    return [act for act in range(9) if options >> (ACT + act) & 1]
