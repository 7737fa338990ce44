"""Goths: what people of plain common sense make of a turn, the company a bot must be ready for.

They do not work a turn out. Some go by what an action does at once (the worths of `easy`), some by how both
armies would stand after it, whatever the enemy does; kings mean what appeals to them, and warchiefs ask which
of the two characters on a back their king would rather have meant. It is no model of any bot or person in
particular.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from meadhall.bots.goths.easy import POINTLESS, SENSE, face_up_characters, reading, worth_of_actions, worth_of_card
from meadhall.bots.goths.equilibrium import ACTS, Floats, backs_of
from meadhall.bots.goths.outcomes import KEPT, estimates
from meadhall.bots.goths.public import king_view, view_of_king, worths_to_all
from meadhall.games.goths.state import CARD_BACK, CARD_CHARACTER
from meadhall.match import View

CLEAR = 10  # how clearly such a king prefers what is better
PLAIN = 5  # how clearly those who go by worths prefer what is better
# How much the worth of an action (its logarithm) and the chances after it appeal to the others, as log-odds.
WORTH, GAIN = 0.35, 12.8
FEELING_KINGS, FEELING_WARCHIEFS = 0.3, 0.6  # how many are of the latter kind
WISHING = 0.5  # of the others, how many kings think only of what they want
WANDERING = 0.3  # how often a warchief's mind is elsewhere
MISTAKEN = -6.0  # log-odds that an order gets through which is neither on the back nor face up


def appeals(view: View) -> Floats:
    """How much each action appeals to those who think of how the armies stand after it."""
    s, clan = view.state, view.number >> 1
    worths = worths_to_all(view, estimates)
    mine = worths if clan == s.initiative else 1.0 - worths.T
    found: Floats = WORTH * np.log(np.array(worth_of_actions(s, clan)) + POINTLESS) + GAIN * mine[:9, :9].mean(axis=1)
    return found


def plain_king(view: View) -> Floats:
    """[back, 2]: how often this seat's king plays each card, by people of all kinds together."""
    return _king(bytes(king_view(view).state), view.number >> 1)


@lru_cache(maxsize=KEPT)
def _king(seen: bytes, clan: int) -> Floats:
    view = view_of_king(seen, clan)
    s, backs = view.state, backs_of(int(view.state.deck))
    hand, worths, appealing = int(s.hand[clan]), worth_of_actions(s, clan), appeals(view)
    cards = [card for card in range(12) if hand >> card & 1]
    best_worth, best_appeal = (best_of_each(each) for each in (np.array(worths), appealing))
    alike = {card: [other for other in cards if CARD_BACK[other] == CARD_BACK[card]] for card in cards}
    # Some think of how a back will be read, some only of what they want; some go by worths, some by feeling.
    clear = _shares([(worth_of_card(s, clan, card, worths) + 1e-3) ** CLEAR for card in cards])
    wished = _shares([(best_worth[CARD_CHARACTER[card]] + POINTLESS) ** SENSE for card in cards])
    felt = np.exp(best_appeal - best_appeal.max())
    plainly_read = [felt[CARD_CHARACTER[card]] / sum(felt[CARD_CHARACTER[k]] for k in alike[card]) for card in cards]
    feeling = _shares([felt[CARD_CHARACTER[card]] * read**2 for card, read in zip(cards, plainly_read, strict=True)])
    often = (1.0 - FEELING_KINGS) * ((1.0 - WISHING) * clear + WISHING * wished) + FEELING_KINGS * feeling
    found = np.zeros(backs.cards.shape, np.float32)
    for card, share in zip(cards, often, strict=True):
        found[backs.place(card)] = share
    return found


def best_of_each(acts: Floats) -> Floats:
    """For each character the best of his actions."""
    return np.array([acts[c == ACTS].max() for c in range(4)])


def plain_warchief(view: View) -> Floats:
    """[back, action]: how often this king's warchief does each action at the sight of this back."""
    return _warchief(bytes(king_view(view).state), view.number >> 1)


@lru_cache(maxsize=KEPT)
def _warchief(seen: bytes, clan: int) -> Floats:
    view = view_of_king(seen, clan)
    s, backs = view.state, backs_of(int(view.state.deck))
    worths, hand, sure = worth_of_actions(s, clan), int(s.hand[clan]), face_up_characters(s, clan)
    appealing = appeals(view)
    best = best_of_each(appealing)
    found = np.full((len(backs.bits), 9), 1.0 / 9, np.float32)
    for back, alike in enumerate(backs.cards.tolist()):
        cards = [card for card in alike if card >= 0 and hand >> card & 1]
        if not cards:
            continue
        chances = reading(s, clan, cards, worths)
        by_worth = _shares([((worths[act] + POINTLESS) * chances[ACTS[act]]) ** PLAIN for act in range(9)])
        shown = [CARD_CHARACTER[card] for card in cards]
        total = np.log(sum(np.exp(best[c]) for c in shown))
        through = [0.0 if sure >> c & 1 else best[c] - total if c in shown else MISTAKEN for c in range(4)]
        felt = appealing + np.array(through)[ACTS]
        fitting = [(c in shown or sure >> c & 1) and worths[act] > 0.0 for act, c in enumerate(ACTS)]
        wandering = _shares([float(each) for each in fitting] if any(fitting) else [1.0] * 9)
        thinking = (1.0 - FEELING_WARCHIEFS) * by_worth + FEELING_WARCHIEFS * _shares(np.exp(felt - felt.max()))
        found[back] = (1.0 - WANDERING) * thinking + WANDERING * wandering
    return found


def _shares(weights: Any) -> Floats:
    found: Floats = np.array(weights, np.float32) / np.float32(sum(weights))
    return found
