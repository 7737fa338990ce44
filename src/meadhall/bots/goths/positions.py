"""An index of the public positions of Goths at the start of a turn, and the transitions a turn makes between them.

A number stands for both armies (location, units, catapult) and for what all know of who has seen which objective.
The first clan is the one with the initiative. Positions that only differ in barricades an army has left behind, or in
which of the face-down objectives is which, have the same number.
"""

from collections.abc import Iterator

from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, Order, objectives_seen, possible_orders
from meadhall.engine.bits import count_bits
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import (
    acting,
    behind_barricade,
    commit,
    open_objectives,
    resolve,
    resolves_first,
    sights,
)
from meadhall.games.goths.state import DISPERSE, ENTER, LOOK, Action, GothsState, Objective, Phase

ARMIES = 42  # seven locations, three numbers of units, catapult active or not
KNOWLEDGE_STATES = 10
POSITIONS = ARMIES * ARMIES * KNOWLEDGE_STATES
NO_ACTION = 9  # in place of the action of an order that did not get through
WON, LOST = POSITIONS, POSITIONS + 1  # for the clan that had the initiative
DRAWN = POSITIONS + 2
# While no objective is face up: the cards looked at (bits) by the first and the second clan, for each knowledge state.
LOOKED_AT = ((0, 0), (0, 1), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3), (3, 0), (3, 1), (3, 3))
_BY_COUNT_LOOKED_AT = {(0, 0): 0, (0, 1): 1, (0, 2): 2, (1, 0): 3, (1, 2): 6, (2, 0): 7, (2, 1): 8, (2, 2): 9}
# With one objective face up: 0 to 7 while the queen's place is not public; 8 once all know it.
QUEEN_KNOWN_TO_ALL = 8
ON_OBJECTIVE = 6  # the location of an army on any objective; 2 * place + barricade before that


def army_number(s: GothsState, clan: int) -> int:
    """The number of an army: location, units, catapult."""
    place = int(s.place[clan])
    location = ON_OBJECTIVE if place > 2 else 2 * place + behind_barricade(s, clan)
    return (location * 3 + max(int(s.units[clan]), 1) - 1) * 2 + int(s.catapult[clan])


def knowledge_number(s: GothsState, first: int) -> int:
    """The number of the public knowledge about the objectives; `first` is the clan with the initiative."""
    seen = [int(s.seen[first]) & 7, int(s.seen[1 - first]) & 7]
    revealed = int(s.revealed) & 7
    if revealed == 0:
        counts = [min(objectives_seen(s, clan), 2) for clan in (first, 1 - first)]
        if counts == [1, 1]:
            return 4 if seen[0] == seen[1] else 5
        return _BY_COUNT_LOOKED_AT[counts[0], counts[1]]
    if count_bits(revealed) > 1:
        return QUEEN_KNOWN_TO_ALL
    face_up = next(k for k in range(3) if revealed >> k & 1)
    knows = [int(cards & ~revealed != 0) for cards in seen]
    return 4 * int(s.objectives[face_up] == Objective.PLAINS) + 2 * knows[0] + knows[1]


def position_number(s: GothsState) -> int:
    """The number of a position between turns, or of how the game ended."""
    first = int(s.initiative)
    if s.phase == Phase.OVER:
        if s.winner > 1:
            return DRAWN
        return WON if s.winner == first else LOST
    return (army_number(s, first) * ARMIES + army_number(s, 1 - first)) * KNOWLEDGE_STATES + knowledge_number(s, first)


# A default policy for the choices within a turn


def known_to_warchief(s: GothsState, clan: int, order: Order) -> list[int]:
    """The objectives as the clan's warchief knows them if they lie in this order; two known tell the third."""
    looked = int(s.seen[clan]) | int(s.revealed)
    cards = [order[k] if looked >> k & 1 else UNKNOWN for k in range(3)]
    if cards.count(UNKNOWN) == 1:
        return list(order)
    return cards


def best_entry(s: GothsState, clan: int, known: list[int]) -> int:
    """The objective to enter, given these known cards: most likely the queen, then least likely the trap."""
    orders = [OBJECTIVE_ORDERS[number] for number in possible_orders(known)]
    doors = [k for k in range(3) if open_objectives(s, clan) >> k & 1]

    def preference(door: int) -> tuple[int, int]:
        cards = [order[door] for order in orders]
        return cards.count(Objective.QUEEN), -cards.count(Objective.TRAP)

    return max(doors, key=preference)


def best_sight(s: GothsState, clan: int) -> int:
    """What to look at: an objective that is unknown, preferably one the enemy has not looked at either."""
    things = sights(s, clan)
    mine, theirs = int(s.seen[clan]), int(s.seen[1 - clan])
    return min((k for k in range(4) if things >> k & 1), key=lambda k: (k == 3, mine >> k & 1, theirs >> k & 1, k))


def finish_turn(s: GothsState, order: Order) -> None:
    """Make the choices within the turn by the default policy, each from what its warchief knows."""
    while s.phase in (Phase.LOOK, Phase.ENTER, Phase.TOKEN):
        clan = acting(s)
        if s.phase == Phase.LOOK:
            commit(s, 2 * clan + 1, LOOK + best_sight(s, clan))
        elif s.phase == Phase.ENTER:
            commit(s, 2 * clan + 1, ENTER + best_entry(s, clan, known_to_warchief(s, clan, order)))
        else:
            commit(s, 2 * clan + 1, DISPERSE)


# Transitions


def play_actions(s: GothsState, order: Order, acts: tuple[int, int]) -> None:
    """Carry out a turn's two actions (NO_ACTION for an order that failed) with the objectives in this order."""
    for k in range(3):
        s.objectives[k] = order[k]
    for clan in range(2):
        s.through[clan] = acts[clan] != NO_ACTION
        s.act[clan] = acts[clan]
    s.first = resolves_first(s)
    s.resolved = 0
    resolve(s)
    finish_turn(s, order)


def depends_on_objectives(s: GothsState, clan: int, act: int) -> bool:
    """Does what this action leads to depend on how the objectives lie?"""
    return act == Action.ADVANCE and s.place[clan] >= 2


def successors(s: GothsState, orders: list[Order], acts: tuple[int, int]) -> Iterator[tuple[GothsState, float]]:
    """The positions a pair of actions may lead to, each with its probability."""
    uncertain = depends_on_objectives(s, 0, acts[0]) or depends_on_objectives(s, 1, acts[1])
    tried = orders if uncertain else orders[:1]
    for order in tried:
        after = s.copy()
        play_actions(after, order, acts)
        yield after, 1.0 / len(tried)
