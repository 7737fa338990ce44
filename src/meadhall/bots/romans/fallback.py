"""The strong levels of Romans until their search is compiled: `easy` with more plans to choose from."""

from random import Random

from meadhall.bots.romans.easy import choose as choose_easy
from meadhall.bots.romans.easy import plan, rest_of_round
from meadhall.games.romans.state import WARRIORS, Phase
from meadhall.match import View

PLANS = 6


def choose(view: View, rng: Random) -> str:
    """The best of several plans of `easy`; its other choices unchanged."""
    if view.state.phase != Phase.PLAN:
        return choose_easy(view, rng)
    rest = rest_of_round(view.state, view.number)
    plans = [plan(view.state, view.number, rng) for _ in range(PLANS)]
    best = max(plans, key=lambda line: rest.expected_value(line, 0))
    return "plan:" + ",".join(WARRIORS[warrior] for warrior in best)
