"""What can be known of the three Objective cards of Goths, and the orders in which they may lie."""

from collections.abc import Iterable
from functools import cache
from itertools import permutations

from meadhall.engine.bits import count_bits
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.state import GothsState

Order = tuple[int, ...]
OBJECTIVE_ORDERS: tuple[Order, ...] = tuple(permutations(range(3)))


def possible_orders(known: Iterable[int]) -> tuple[int, ...]:
    """The numbers (of OBJECTIVE_ORDERS) of the orders consistent with the cards that are known, UNKNOWN elsewhere."""
    return _possible_orders(tuple(known))


@cache
def _possible_orders(known: Order) -> tuple[int, ...]:
    return tuple(
        number
        for number, order in enumerate(OBJECTIVE_ORDERS)
        if all(card in (UNKNOWN, here) for card, here in zip(known, order, strict=True))
    )


def objectives_seen(s: GothsState, clan: int) -> int:
    """How many objectives the clan's warchief has looked at or all can see; two tell him the third."""
    return count_bits((int(s.seen[clan]) | int(s.revealed)) & 7)
