"""Romans, while the search is not compiled yet: what `easy` would do, with more plans to choose from."""

from random import Random

from meadhall.bots.romans.easy import choose as choose_easily
from meadhall.bots.romans.easy import look_ahead, plan
from meadhall.games.romans.state import WARRIORS, Phase
from meadhall.match import View

PLANS = 6


def choose(view: View, dice: Random) -> str:
    """The best of some plans that `easy` might lay, and its other choices as they are."""
    if view.state.phase != Phase.PLAN:
        return choose_easily(view, dice)
    prospect = look_ahead(view.state, view.number)
    plans = [plan(view.state, view.number, dice) for _ in range(PLANS)]
    best = max(plans, key=lambda line: prospect.outlook(line, 0))
    return "plan:" + ",".join(WARRIORS[warrior] for warrior in best)
