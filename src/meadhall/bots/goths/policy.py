"""The policy of `hard` in Goths at any decision: by `response.py`, or by `choosing.py` where that does not reach."""

from meadhall.bots.goths import medium
from meadhall.bots.goths.balance import ready
from meadhall.bots.goths.belief import Strategy, legal_actions
from meadhall.bots.goths.cards import backs_of
from meadhall.bots.goths.choosing import Policy, policy_of
from meadhall.bots.goths.equilibrium import Schedule
from meadhall.bots.goths.minds import Beliefs
from meadhall.bots.goths.outcomes import heuristic_values
from meadhall.bots.goths.recognition import beliefs
from meadhall.bots.goths.response import act_weights, card_weights, think
from meadhall.bots.goths.values import solved_values
from meadhall.bots.solved import fault
from meadhall.games.goths.state import ACT, CHOICES, Phase
from meadhall.match import View

# How it plays where a turn is not solved by regret matching: within a turn, alone in a clan, before all is compiled.
SCHEDULE = Schedule(iterations=48)
PARTNER_WARCHIEF, PARTNER_KING, UNDERSTANDING = 0.6, 0.5, 0.5
BY_SOLVED_VALUES = Strategy(
    solved_values, SCHEDULE, PARTNER_WARCHIEF, PARTNER_KING, UNDERSTANDING, other_king=medium.STRATEGY
)
BY_HEURISTIC = Strategy(heuristic_values, SCHEDULE, PARTNER_WARCHIEF, PARTNER_KING, UNDERSTANDING)


def strategy() -> Strategy:
    """How it plays without regret matching; without solved values that fit the rules, by the heuristic."""
    return BY_SOLVED_VALUES if fault("goths") is None else BY_HEURISTIC


def thinks(view: View) -> bool:
    """Is this decision thought through by `response.py`?"""
    s = view.state
    return fault("goths") is None and ready() and not (s.lone[0] or s.lone[1]) and s.phase <= Phase.ACTS


def policy_at(view: View, told: bool = False, believed: Beliefs | None = None) -> Policy:
    """How often it makes each choice, and the chance to win after it.

    `believed` is what it believes of the others; `told`, if it is for people (see `think`).
    """
    s = view.state
    if not thinks(view):
        return policy_of(view, strategy())
    thought = think(view, beliefs(view) if believed is None else believed, told)
    if s.phase == Phase.ACTS:
        weights, values, _ = act_weights(view, thought)
        return {CHOICES[ACT + act]: (float(weights[act]), float(values[act])) for act in legal_actions(view)}
    weights, values = card_weights(view, thought)
    backs = backs_of(int(s.deck))
    cards = [card for card in range(12) if int(s.hand[view.number >> 1]) >> card & 1]
    return {CHOICES[card]: (float(weights[backs.place(card)]), float(values[backs.place(card)])) for card in cards}
