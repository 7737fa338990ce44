"""Public positions of Goths set up from their numbers, the inverse of `bots/goths/positions.py`."""

from functools import cache

from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, Order
from meadhall.bots.goths.positions import ARMIES, KNOWLEDGE_STATES, LOOKED_AT, ON_OBJECTIVE, QUEEN_KNOWN_TO_ALL
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.state import Fog, GothsState, Objective, Phase


def _parts(number: int) -> tuple[int, int, int]:
    """The first army, the second and the knowledge state that a position's number stands for."""
    armies, knowledge = divmod(number, KNOWLEDGE_STATES)
    first, second = divmod(armies, ARMIES)
    return first, second, knowledge


def place_army(s: GothsState, clan: int, number: int, objective: int) -> None:
    """Set up an army by its number; if it is on an objective, on this one."""
    location, units, catapult = number // 6, number // 2 % 3 + 1, number % 2
    s.units[clan], s.catapult[clan] = units, bool(catapult)
    s.place[clan] = 3 + objective if location == ON_OBJECTIVE else location // 2
    s.barricades[clan] = 1 << (location // 2) if location < ON_OBJECTIVE and location % 2 else 0


@cache
def exists(number: int) -> bool:
    """Does this number stand for a position? Which knowledge is possible depends on who is on an objective."""
    first, second, knowledge = _parts(number)
    on_objective = (first // 6 == ON_OBJECTIVE) + (second // 6 == ON_OBJECTIVE)
    if on_objective == 0:
        return True
    return knowledge <= QUEEN_KNOWN_TO_ALL if on_objective == 1 else knowledge == QUEEN_KNOWN_TO_ALL


def set_up_position(s: GothsState, number: int) -> list[Order]:
    """Set up a position with clan 0 first; gives the orders in which its objectives may lie, all equally likely."""
    first, second, knowledge = _parts(number)
    on_objective = [first // 6 == ON_OBJECTIVE, second // 6 == ON_OBJECTIVE]
    s.revealed = 0
    s.seen[0], s.seen[1] = 0, 0
    place_army(s, 0, first, 0)
    place_army(s, 1, second, 1 if on_objective[0] else 0)
    if not any(on_objective):
        s.seen[0], s.seen[1] = LOOKED_AT[knowledge]
        return list(OBJECTIVE_ORDERS)
    if knowledge == QUEEN_KNOWN_TO_ALL:
        s.revealed = 3
        return [order for order in OBJECTIVE_ORDERS if order[2] == Objective.QUEEN]
    s.revealed = 1
    s.seen[0], s.seen[1] = 2 * (knowledge >> 1 & 1), 2 * (knowledge & 1)
    card = Objective.PLAINS if knowledge >= 4 else Objective.TRAP
    return [order for order in OBJECTIVE_ORDERS if order[0] == card]


def start_turn(s: GothsState) -> None:
    """Make a state of the base game ready for `set_up_position`: the start of a turn, clan 0 with the initiative."""
    s.turn, s.initiative = 1, 0
    s.phase = Phase.ACTS
    for clan in range(2):
        s.fog[clan] = Fog.NONE
        s.token[clan] = UNKNOWN
        s.last_act[clan] = UNKNOWN
