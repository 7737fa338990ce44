"""The public state of a turn of Goths in canonical form, so that equal situations are solved once, and alike by all."""

from functools import cache, lru_cache

from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, possible_orders
from meadhall.bots.goths.outcomes import CACHE_SIZE, LATEST, PATIENT, ValueFunction, payoffs
from meadhall.bots.goths.positions import LOOKED_AT, knowledge_number
from meadhall.engine.layout import UNKNOWN
from meadhall.games.game import game_named
from meadhall.games.goths.state import SEATS, GothsState, Phase
from meadhall.match import View

GAME = game_named("goths")
RULES = GAME.check_rules({})
# The fields of a state that hold something for each clan.
BY_CLAN = tuple(field[0] for field in GothsState._fields_ if getattr(field[1], "_length_", 0) == 2)


def public_state(view: View) -> GothsState:
    """The position as a spectator saw it at the start of this turn, without what no longer matters."""
    s: GothsState = view.game.reveal(view.state, -1)
    s.phase = Phase.FIRST_ORDER
    for clan in range(2):
        s.back[clan] = 0
        s.through[clan] = False
        s.barricades[clan] = int(s.barricades[clan]) & (1 << int(s.place[clan])) & 7
        if not s.lone[clan]:
            s.last_act[clan] = UNKNOWN
    near_the_end = s.turn_limit != 0 and s.turn + 1 >= s.turn_limit
    s.turn_limit = 1 if near_the_end else 0
    s.turn = 1 if near_the_end else min(LATEST, int(s.turn) // PATIENT * PATIENT)
    s.first, s.resolved = 0, 0
    return s


def initiative_first(s: GothsState) -> GothsState:
    """The same position with the clans numbered so that clan 0 has the initiative."""
    if s.initiative == 0:
        return s
    other = s.copy()
    for name in BY_CLAN:
        mine, theirs = getattr(s, name)
        pair = getattr(other, name)
        pair[0], pair[1] = theirs, mine
    other.initiative = 0
    return other


def canonical(view: View) -> tuple[GothsState, tuple[int, ...]]:
    """The public state in canonical form, and the new place of each objective.

    Clan 0 has the initiative. While all objectives lie face down, which is which does not matter: they are renumbered.
    """
    s = initiative_first(public_state(view))
    if s.revealed != 0:
        return s, OBJECTIVE_ORDERS[0]
    looked = int(s.seen[0]) & 7, int(s.seen[1]) & 7
    wanted = LOOKED_AT[knowledge_number(s, 0)]
    for clan in range(2):
        s.seen[clan] = (int(s.seen[clan]) & 8) | wanted[clan]
    return s, _renumbered(looked, wanted)


@cache
def _renumbered(looked: tuple[int, int], wanted: tuple[int, int]) -> tuple[int, ...]:
    """New places for the three objectives, so that who has looked at one of them has looked at the wanted one.

    Who has looked at two knows all three: for him any places will do.
    """
    alone = [
        (old.bit_length() - 1, new.bit_length() - 1)
        for old, new in zip(looked, wanted, strict=True)
        if new == 1 or new == 2
    ]
    return next(places for places in OBJECTIVE_ORDERS if all(places[old] == new for old, new in alone))


def public_payoffs(view: View, value_function: ValueFunction) -> Floats:
    """[13, 13]: the first clan's chance to win after every pair of outcomes, by what all know."""
    return _payoffs(bytes(canonical(view)[0]), value_function, None)


def private_payoffs(view: View, value_function: ValueFunction) -> Floats:
    """The same, by what this seat knows of the objectives."""
    s, places = canonical(view)
    known = [UNKNOWN] * 3
    for old, new in enumerate(places):
        known[new] = int(view.state.objectives[old])
    return _payoffs(bytes(s), value_function, possible_orders(known))


@lru_cache(maxsize=CACHE_SIZE)
def _payoffs(state: bytes, value_function: ValueFunction, orders: tuple[int, ...] | None) -> Floats:
    return payoffs(GothsState.from_buffer_copy(state), value_function, orders)


def king_view(view: View) -> View:
    """What this seat's king sees, or saw when he chose his card, as far as it matters."""
    clan = view.number >> 1
    s: GothsState = view.game.reveal(view.state, -1)
    first = clan == s.initiative
    s.phase = Phase.FIRST_ORDER if first else Phase.SECOND_ORDER
    s.back[clan] = 0
    if first:
        s.back[1 - clan] = 0
    s.turn = rounded_turn(int(s.turn), int(s.turn_limit))
    for each in range(2):
        s.through[each] = False
    s.first, s.resolved = 0, 0
    return View(view.game, view.rules, SEATS[2 * clan], s)


def king_view_of(state: bytes, clan: int) -> View:
    """The same from the bytes of its state."""
    return View(GAME, RULES, SEATS[2 * clan], GothsState.from_buffer_copy(state))


def rounded_turn(turn: int, limit: int) -> int:
    """The number of a turn, rounded down late in a game so that more turns share a cache entry."""
    return turn if turn <= 2 * PATIENT or (limit and turn + 1 >= limit) else min(turn, LATEST) // PATIENT * PATIENT
