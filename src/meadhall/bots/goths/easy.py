"""Goths, the level `easy`: a king who orders what is worth most now, a warchief who guesses what his king meant."""

from random import Random

from meadhall.bots.goths.heuristics import (
    SMALL_WORTH,
    action_worths,
    build_worth,
    card_worth,
    chances_through,
    disperse_worth,
    objective_worths,
)
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, possible_orders
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import character_of, legal, sights
from meadhall.games.goths.state import ACT, BUILD, CARD_CHARACTER, CHOICES, DISPERSE, ENTER, LOOK, GothsState, Phase
from meadhall.games.goths.view import cards_with_back
from meadhall.match import View

NOISE = 0.2


def choose(view: View, rng: Random) -> str:
    """The choice of an easy bot, whichever decision of the game it is."""
    s, clan = view.state, view.number >> 1
    if s.phase <= Phase.SECOND_ORDER:
        return CHOICES[king_card(s, clan, rng)]
    if s.phase == Phase.ACTS:
        return CHOICES[ACT + action(s, clan, rng)]
    if s.phase == Phase.LOOK:
        return CHOICES[LOOK + sight(s, clan, rng)]
    if s.phase == Phase.ENTER:
        return CHOICES[ENTER + objective(s, clan, rng)]
    return CHOICES[DISPERSE if disperse_worth(s, clan) > build_worth(s, clan) else BUILD]


# Orders


def king_card(s: GothsState, clan: int, rng: Random) -> int:
    """The card of the highest worth, given how its back will be read."""
    hand = [card for card in range(12) if int(s.hand[clan]) >> card & 1]
    worths = action_worths(s, clan)
    # Noise for a character, hardly any for a card: of a character's two backs the one better understood is played.
    factors = [noise(rng) for _ in range(4)]
    cards = {
        card: card_worth(s, clan, card, worths) * factors[CARD_CHARACTER[card]] + 0.1 * rng.random() for card in hand
    }
    return max(hand, key=lambda card: cards[card])


def action(s: GothsState, clan: int, rng: Random) -> int:
    """The action of the highest expected worth, given the chance that the order gets through (G4.1)."""
    worths, options = action_worths(s, clan), legal(s, 2 * clan + 1)
    if s.order[clan] != UNKNOWN:  # a lone ruler knows his own card (G10.4)
        cards = [int(s.order[clan])]
    else:
        bits = cards_with_back(s, clan)
        cards = [card for card in range(12) if bits >> card & 1]
    chances = chances_through(s, clan, cards, worths)
    scores = {
        act: (worths[act] + SMALL_WORTH) * chances[character_of(act)] * noise(rng)
        for act in range(9)
        if options >> (ACT + act) & 1
    }
    return max(scores, key=lambda act: scores[act])


def noise(rng: Random) -> float:
    """A random factor near 1: what is worth nothing stays so."""
    return 1.0 + NOISE * (2.0 * rng.random() - 1.0)


# In the centre


def objective(s: GothsState, clan: int, rng: Random) -> int:
    """The objective to enter: one of the highest expected worth."""
    worths = objective_worths(s, clan, list(s.objectives))
    return rng.choice([place for place, worth in worths.items() if worth == max(worths.values())])


def sight(s: GothsState, clan: int, rng: Random) -> int:
    """What to look at: an objective that is still unknown, else the own token, else anything."""
    things = sights(s, clan)
    new = [k for k in range(4) if things >> k & 1 and not int(s.seen[clan]) >> k & 1]
    orders = [OBJECTIVE_ORDERS[number] for number in possible_orders(s.objectives)]
    unknown = [k for k in new if k < 3 and len({order[k] for order in orders}) > 1]
    return rng.choice(unknown or [k for k in new if k == 3] or [k for k in range(4) if things >> k & 1])
