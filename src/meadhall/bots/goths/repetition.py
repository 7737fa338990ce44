"""What it costs in Goths to come back to where the game has been: a pair that wants an end pays for going round."""

from collections import Counter

from meadhall.bots.goths.outcomes import Prices
from meadhall.bots.goths.positions import position_number
from meadhall.games.goths.state import GothsState, Phase
from meadhall.match import View

# The price of coming to a position once more, in chances to win, by how often it has been there.
BY_VISITS = (0.0, 0.0, 0.05, 0.3, 1.5, 3.0)
# The same where the enemies do not mind: whoever goes round with them only gives way.
ALONE = (0.0, 0.0, 0.005, 0.02, 0.05, 0.08, 0.1, 0.1, 0.1, 0.15, 0.2, 0.3, 0.4)


def prices(view: View, by_visits: tuple[float, ...] = BY_VISITS) -> Prices:
    """What each position costs that the game may come to after this turn, by its number."""
    s: GothsState = view.game.reveal(view.state, -1)
    s.phase = Phase.ACTS
    follower = 1 - int(s.initiative)
    visits = Counter(_number(GothsState.from_buffer_copy(each), follower) for each in view.past)
    if not view.past or GothsState.from_buffer_copy(view.past[-1]).turn != s.turn:
        visits[_number(s, follower)] += 1
    return {number: by_visits[min(count, len(by_visits) - 1)] for number, count in visits.items()}


def _number(s: GothsState, first: int) -> int:
    """The number of a position as if this clan had the initiative."""
    s.initiative = first
    return position_number(s)
