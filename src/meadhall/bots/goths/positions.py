"""Goths positions at the start of a turn, as far as all can see, numbered; and what a turn makes of them.

A number stands for both armies (where they stand, units, catapult) and for what is known of the objectives.
The first clan is the one with the initiative. Barricades an army has left behind do not matter, nor does it
matter which objective is which, only who has looked at how much.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations

from meadhall.engine.bits import count_bits
from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import acting, behind_barricade, commit, open_objectives, resolve, sights
from meadhall.games.goths.state import DISPERSE, ENTER, LOOK, Action, Fog, GothsState, Objective, Phase

ARMIES = 42  # seven grounds, three strengths, catapult active or not
RIDDLES = 10
POSITIONS = ARMIES * ARMIES * RIDDLES
NOTHING = 9  # the outcome of an order that did not get through
WON, LOST = POSITIONS, POSITIONS + 1  # for the clan that had the initiative
DRAWN = POSITIONS + 2
ORDERS = tuple(permutations(range(3)))
# Cards looked at, (first clan's, second clan's), for each riddle while no objective is face up.
SEEN = ((0, 0), (0, 1), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3), (3, 0), (3, 1), (3, 3))
_SEEN_RIDDLE = {(0, 0): 0, (0, 1): 1, (0, 2): 2, (1, 0): 3, (1, 2): 6, (2, 0): 7, (2, 1): 8, (2, 2): 9}
# With one objective face up: 0 to 7, the queen's place being open; 8 once all know it.
KNOWN_TO_ALL = 8
ON_OBJECTIVE = 6


def army(s: GothsState, clan: int) -> int:
    """The number of an army: ground, strength, catapult."""
    place = int(s.place[clan])
    ground = ON_OBJECTIVE if place > 2 else 2 * place + behind_barricade(s, clan)
    return (ground * 3 + max(int(s.units[clan]), 1) - 1) * 2 + int(s.catapult[clan])


def riddle(s: GothsState, first: int) -> int:
    """What is known of the objectives, as far as all can see; `first` is the clan with the initiative."""
    seen = [int(s.seen[first]) & 7, int(s.seen[1 - first]) & 7]
    revealed = int(s.revealed) & 7
    if revealed == 0:
        known = [min(count_bits(cards), 2) for cards in seen]
        if known == [1, 1]:
            return 4 if seen[0] == seen[1] else 5
        return _SEEN_RIDDLE[known[0], known[1]]
    if count_bits(revealed) > 1:
        return KNOWN_TO_ALL
    turned_up = next(k for k in range(3) if revealed >> k & 1)
    knows = [int(cards & ~revealed != 0) for cards in seen]
    return 4 * int(s.objectives[turned_up] == Objective.PLAINS) + 2 * knows[0] + knows[1]


def position(s: GothsState) -> int:
    """The number of a position between turns, or of how the game ended."""
    first = int(s.initiative)
    if s.phase == Phase.OVER:
        if s.winner > 1:
            return DRAWN
        return WON if s.winner == first else LOST
    return (army(s, first) * ARMIES + army(s, 1 - first)) * RIDDLES + riddle(s, first)


def place_army(s: GothsState, clan: int, number: int, objective: int) -> None:
    """Set an army up as its number says; on an objective, on this one."""
    ground, units, catapult = number // 6, number // 2 % 3 + 1, number % 2
    s.units[clan], s.catapult[clan] = units, bool(catapult)
    s.place[clan] = 3 + objective if ground == ON_OBJECTIVE else ground // 2
    s.barricades[clan] = 1 << (ground // 2) if ground < ON_OBJECTIVE and ground % 2 else 0


@cache
def exists(number: int) -> bool:
    """Is this a position that can be? Riddles depend on who stands in the centre."""
    first, second, open_riddle = number // RIDDLES // ARMIES, number // RIDDLES % ARMIES, number % RIDDLES
    there = (first // 6 == ON_OBJECTIVE) + (second // 6 == ON_OBJECTIVE)
    if there == 0:
        return True
    return open_riddle <= KNOWN_TO_ALL if there == 1 else open_riddle == KNOWN_TO_ALL


def stage(s: GothsState, number: int) -> list[tuple[int, ...]]:
    """Set up a position, the first clan being clan 0, in every way the objectives may lie; which ways those are."""
    first, second, open_riddle = number // RIDDLES // ARMIES, number // RIDDLES % ARMIES, number % RIDDLES
    there = [first // 6 == ON_OBJECTIVE, second // 6 == ON_OBJECTIVE]
    s.revealed = 0
    s.seen[0], s.seen[1] = 0, 0
    place_army(s, 0, first, 0)
    place_army(s, 1, second, 1 if there[0] else 0)
    if not any(there):
        s.seen[0], s.seen[1] = SEEN[open_riddle]
        return list(ORDERS)
    if open_riddle == KNOWN_TO_ALL:
        s.revealed = 3
        return [order for order in ORDERS if order[2] == Objective.QUEEN]
    s.revealed = 1
    s.seen[0], s.seen[1] = 2 * (open_riddle >> 1 & 1), 2 * (open_riddle & 1)
    card = Objective.PLAINS if open_riddle >= 4 else Objective.TRAP
    return [order for order in ORDERS if order[0] == card]


def knows(s: GothsState, clan: int, order: tuple[int, ...]) -> list[int]:
    """The objectives as the clan's warchief knows them; two known tell the third."""
    looked = int(s.seen[clan]) | int(s.revealed)
    cards = [order[k] if looked >> k & 1 else UNKNOWN for k in range(3)]
    if cards.count(UNKNOWN) == 1:
        return list(order)
    return cards


def worlds_with(known: Iterable[int]) -> tuple[int, ...]:
    """The ways (of ORDERS) the objectives may lie, if so much is known of each."""
    cards = tuple(known)
    return tuple(
        number
        for number, order in enumerate(ORDERS)
        if all(card in (UNKNOWN, here) for card, here in zip(cards, order, strict=True))
    )


def best_entry(s: GothsState, clan: int, known: list[int]) -> int:
    """Where a warchief goes who knows these cards: where the queen most likely is, the trap least likely."""
    worlds = [ORDERS[number] for number in worlds_with(known)]
    doors = [k for k in range(3) if open_objectives(s, clan) >> k & 1]

    def promise(door: int) -> tuple[int, int]:
        cards = [world[door] for world in worlds]
        return cards.count(Objective.QUEEN), -cards.count(Objective.TRAP)

    return max(doors, key=promise)


def best_sight(s: GothsState, clan: int) -> int:
    """What a warchief looks at: an objective he does not know, better one the enemy has not looked at either."""
    things = sights(s, clan)
    mine, theirs = int(s.seen[clan]), int(s.seen[1 - clan])
    return min((k for k in range(4) if things >> k & 1), key=lambda k: (k == 3, mine >> k & 1, theirs >> k & 1, k))


def play(s: GothsState, order: tuple[int, ...], acts: tuple[int, int]) -> None:
    """Carry out a turn's two actions (NOTHING for an order that failed) with the objectives lying in this order."""
    for k in range(3):
        s.objectives[k] = order[k]
    for clan in range(2):
        s.through[clan] = acts[clan] != NOTHING
        s.act[clan] = acts[clan]
    leader = int(s.initiative)
    s.first = 1 - leader if acts[1 - leader] < acts[leader] else leader  # G5.1, G5.2
    s.resolved = 0
    resolve(s)
    answer_the_rest(s, order)


def answer_the_rest(s: GothsState, order: tuple[int, ...]) -> None:
    """Make the warchiefs' small choices until the turn is over, each by what he knows himself."""
    while s.phase in (Phase.LOOK, Phase.ENTER, Phase.TOKEN):
        clan = acting(s)
        if s.phase == Phase.LOOK:
            commit(s, 2 * clan + 1, LOOK + best_sight(s, clan))
        elif s.phase == Phase.ENTER:
            commit(s, 2 * clan + 1, ENTER + best_entry(s, clan, knows(s, clan, order)))
        else:
            commit(s, 2 * clan + 1, DISPERSE)


def in_the_dark(s: GothsState, clan: int, act: int) -> bool:
    """Does what this action leads to depend on how the objectives lie?"""
    return act == Action.ADVANCE and s.place[clan] >= 2


def results(s: GothsState, worlds: list[tuple[int, ...]], acts: tuple[int, int]) -> Iterator[tuple[GothsState, float]]:
    """The positions a turn may lead to, each with its chance."""
    dark = in_the_dark(s, 0, acts[0]) or in_the_dark(s, 1, acts[1])
    tried = worlds if dark else worlds[:1]
    for order in tried:
        after = s.copy()
        play(after, order, acts)
        yield after, 1.0 / len(tried)


def fresh(s: GothsState) -> None:
    """A position of the base game at the start of a turn, to be set up."""
    s.turn, s.initiative = 1, 0
    s.phase = Phase.ACTS
    for clan in range(2):
        s.fog[clan] = Fog.NONE
        s.token[clan] = UNKNOWN
        s.last_act[clan] = UNKNOWN
