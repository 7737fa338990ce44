"""A Goths strategy's policy at any decision: the probability of each choice, and the chance to win after it."""

from random import Random

import numpy as np

from meadhall.bots.goths.belief import (
    Strategy,
    Turn,
    king_policy,
    legal_actions,
    softmax_with_prior,
    solved_turn,
    warchief_belief,
)
from meadhall.bots.goths.cards import face_up_characters
from meadhall.bots.goths.equilibrium import sharpened
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, possible_orders
from meadhall.bots.goths.outcomes import leaves_of
from meadhall.bots.goths.positions import finish_turn
from meadhall.games.goths.rules import commit
from meadhall.games.goths.state import ACT, CHOICES, Phase
from meadhall.match import View

Policy = dict[str, tuple[float, float]]  # by choice: its probability, and the chance to win after it


def policy_of(view: View, strategy: Strategy) -> Policy:
    """The strategy's policy at this decision."""
    s = view.state
    if s.phase <= Phase.SECOND_ORDER:
        return _card_policy(view, strategy, solved_turn(view, strategy))
    if s.phase == Phase.ACTS:
        return _action_policy(view, strategy, solved_turn(view, strategy))
    return _policy_within_turn(view, strategy)


def choose(view: View, strategy: Strategy, rng: Random) -> str:
    """A choice drawn from the policy."""
    policy = policy_of(view, strategy)
    names = sorted(policy)
    return rng.choices(names, [policy[name][0] for name in names])[0]


def _card_policy(view: View, strategy: Strategy, turn: Turn) -> Policy:
    weights, chances = king_policy(turn, view, strategy)
    policy = sharpened(weights, strategy.schedule.sharpness, (0, 1))
    hand = int(view.state.hand[view.number >> 1])
    found = {}
    for (back, which), card in np.ndenumerate(turn.backs.cards):
        if card >= 0 and hand >> int(card) & 1:
            found[CHOICES[card]] = (float(policy[back, which]), float(chances[back, which]))
    return found


def _action_policy(view: View, strategy: Strategy, turn: Turn) -> Policy:
    belief = warchief_belief(turn, view, strategy)
    acts = legal_actions(view)
    allowed = np.zeros(9, bool)
    allowed[acts] = True
    values = belief.values + strategy.understanding * belief.through
    policy = sharpened(softmax_with_prior(values, belief.prior, allowed), strategy.schedule.sharpness, (0,))
    return {CHOICES[ACT + act]: (float(policy[act]), float(belief.values[act])) for act in acts}


def _policy_within_turn(view: View, strategy: Strategy) -> Policy:
    """Where to look, where to go, whether to disperse the fog: the best expected value, by what this seat knows."""
    s, seat = view.state, view.number
    orders = [OBJECTIVE_ORDERS[n] for n in possible_orders(s.objectives)]
    chances = {}
    for choice in view.choice_ids:
        mean = 0.0
        for order in orders:
            after = s.copy()
            for k in range(3):
                after.objectives[k] = order[k]
            commit(after, seat, choice)
            finish_turn(after, order)
            cases = [(face_up_characters(after, clan),) for clan in range(2)]
            mean += float(strategy.value_function(leaves_of([after]), cases[0], cases[1])[0, 0, 0]) / len(orders)
        chances[CHOICES[choice]] = mean if seat >> 1 == 0 else 1.0 - mean
    best = max(chances.values())
    ties = [name for name, chance in chances.items() if chance > best - 1e-6]
    return {name: (1.0 / len(ties) if name in ties else 0.0, chance) for name, chance in chances.items()}
