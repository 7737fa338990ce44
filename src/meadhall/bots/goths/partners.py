"""Models of partners in Goths who reason less than an equilibrium: what a bot must be ready for.

Some go by the heuristic worth of an action (as `easy` does), some look ahead at how both armies would stand after it,
whatever the enemy does. Kings order what they prefer, and warchiefs ask which of the two characters on a back their
king would rather have meant. It is a mixture of such people, not a model of any bot or person in particular.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from meadhall.bots.goths.cards import ACTION_CHARACTERS, backs_of, face_up_characters
from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.heuristics import READING_SHARPNESS, SMALL_WORTH, action_worths, card_worth, chances_through
from meadhall.bots.goths.outcomes import CACHE_SIZE, heuristic_values
from meadhall.bots.goths.public import king_view, king_view_of, public_payoffs
from meadhall.games.goths.state import CARD_BACK, CARD_CHARACTER
from meadhall.match import View

# Exponents by which kings and warchiefs who go by heuristic worths prefer what is worth more.
KING_SHARPNESS, WARCHIEF_SHARPNESS = 10, 5
# The weights, in log-odds, of an action's worth (its logarithm) and of the chances after it for those who look ahead.
WORTH_WEIGHT, CHANCE_WEIGHT = 0.35, 12.8
LOOKAHEAD_KINGS, LOOKAHEAD_WARCHIEFS = 0.3, 0.6  # the shares of people who look ahead
LITERAL_KINGS = 0.5  # of the other kings, the share of those who do not think of how a back will be read
DISTRACTED = 0.3  # how often a warchief does anything that fits
MISREAD = -6.0  # log-odds that an order gets through which is neither on the back nor face up


def lookahead_scores(view: View) -> Floats:
    """[action]: the log-odds of each action for those who think of how the armies stand after it."""
    s, clan = view.state, view.number >> 1
    payoff = public_payoffs(view, heuristic_values)
    mine = payoff if clan == s.initiative else 1.0 - payoff.T
    worth = np.log(np.array(action_worths(s, clan)) + SMALL_WORTH)
    found: Floats = WORTH_WEIGHT * worth + CHANCE_WEIGHT * mine[:9, :9].mean(axis=1)
    return found


# The shares of kings (careful, literal, looking ahead) and of warchiefs (by worth, looking ahead, distracted).
KINGS = np.array(
    [(1 - LOOKAHEAD_KINGS) * (1 - LITERAL_KINGS), (1 - LOOKAHEAD_KINGS) * LITERAL_KINGS, LOOKAHEAD_KINGS], np.float32
)
WARCHIEFS = np.array(
    [(1 - DISTRACTED) * (1 - LOOKAHEAD_WARCHIEFS), (1 - DISTRACTED) * LOOKAHEAD_WARCHIEFS, DISTRACTED], np.float32
)


def partner_king(view: View) -> Floats:
    """[back, 2]: the policy of this seat's king, averaged over all kinds of people."""
    found: Floats = np.tensordot(KINGS, kings(view), 1)
    return found


def kings(view: View) -> Floats:
    """[kind, back, 2]: the policy of this seat's king for every kind of people."""
    return _king(bytes(king_view(view).state), view.number >> 1)


@lru_cache(maxsize=CACHE_SIZE)
def _king(state: bytes, clan: int) -> Floats:
    view = king_view_of(state, clan)
    s, backs = view.state, backs_of(int(view.state.deck))
    hand, worths, scores = int(s.hand[clan]), action_worths(s, clan), lookahead_scores(view)
    cards = [card for card in range(12) if hand >> card & 1]
    best_worth, best_score = (best_by_character(each) for each in (np.array(worths), scores))
    alike = {card: [other for other in cards if CARD_BACK[other] == CARD_BACK[card]] for card in cards}
    careful = _normalised([(card_worth(s, clan, card, worths) + 1e-3) ** KING_SHARPNESS for card in cards])
    literal = _normalised([(best_worth[CARD_CHARACTER[card]] + SMALL_WORTH) ** READING_SHARPNESS for card in cards])
    odds = np.exp(best_score - best_score.max())
    read = [odds[CARD_CHARACTER[card]] / sum(odds[CARD_CHARACTER[k]] for k in alike[card]) for card in cards]
    ahead = _normalised([odds[CARD_CHARACTER[card]] * chance**2 for card, chance in zip(cards, read, strict=True)])
    found = np.zeros((len(KINGS), *backs.cards.shape), np.float32)
    for card, probabilities in zip(cards, np.array([careful, literal, ahead]).T, strict=True):
        found[(slice(None), *backs.place(card))] = probabilities
    return found


def best_by_character(acts: Floats) -> Floats:
    """[character]: the highest value of the character's actions."""
    return np.array([acts[c == ACTION_CHARACTERS].max() for c in range(4)])


def partner_warchief(view: View) -> Floats:
    """[back, action]: the policy of this king's warchief at the sight of a back, averaged over all kinds of people."""
    found: Floats = np.tensordot(WARCHIEFS, warchiefs(view), 1)
    return found


def warchiefs(view: View) -> Floats:
    """[kind, back, action]: the policy of this king's warchief at the sight of a back for every kind of people."""
    return _warchief(bytes(king_view(view).state), view.number >> 1)


@lru_cache(maxsize=CACHE_SIZE)
def _warchief(state: bytes, clan: int) -> Floats:
    view = king_view_of(state, clan)
    s, backs = view.state, backs_of(int(view.state.deck))
    worths, hand, face_up = action_worths(s, clan), int(s.hand[clan]), face_up_characters(s, clan)
    scores = lookahead_scores(view)
    best = best_by_character(scores)
    found = np.full((len(WARCHIEFS), len(backs.bits), 9), 1.0 / 9, np.float32)
    for back, alike in enumerate(backs.cards.tolist()):
        cards = [card for card in alike if card >= 0 and hand >> card & 1]
        if not cards:
            continue
        chances = chances_through(s, clan, cards, worths)
        expected = [(worth + SMALL_WORTH) * chances[c] for worth, c in zip(worths, ACTION_CHARACTERS, strict=True)]
        by_worth = _normalised([each**WARCHIEF_SHARPNESS for each in expected])
        shown = [CARD_CHARACTER[card] for card in cards]
        total = np.log(sum(np.exp(best[c]) for c in shown))
        through = [0.0 if face_up >> c & 1 else best[c] - total if c in shown else MISREAD for c in range(4)]
        ahead = scores + np.array(through)[ACTION_CHARACTERS]
        fitting = [(c in shown or face_up >> c & 1) and worths[act] > 0.0 for act, c in enumerate(ACTION_CHARACTERS)]
        anything = _normalised([float(each) for each in fitting] if any(fitting) else [1.0] * 9)
        found[:, back] = by_worth, _normalised(np.exp(ahead - ahead.max())), anything
    return found


def _normalised(weights: Any) -> Floats:
    found: Floats = np.array(weights, np.float32) / np.float32(sum(weights))
    return found
