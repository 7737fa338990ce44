"""Goths: a turn as everybody at the table sees it, written in one way for all that comes to the same."""

from functools import cache, lru_cache

from meadhall.bots.goths.equilibrium import Floats
from meadhall.bots.goths.outcomes import CALM, KEPT, LONG, Evaluation, worths
from meadhall.bots.goths.positions import ORDERS, SEEN, riddle, worlds_with
from meadhall.engine.layout import UNKNOWN
from meadhall.games.game import game_named
from meadhall.games.goths.state import SEATS, GothsState, Phase
from meadhall.match import View

GAME = game_named("goths")
RULES = GAME.check_rules({})
# What a position says of each clan.
BY_CLAN = tuple(field[0] for field in GothsState._fields_ if getattr(field[1], "_length_", 0) == 2)


def public(view: View) -> GothsState:
    """The position as a spectator saw it at the start of this turn, less what does not matter any more."""
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
    s.turn = 1 if near_the_end else min(LONG, int(s.turn) // CALM * CALM)
    s.first, s.resolved = 0, 0
    return s


def from_first(s: GothsState) -> GothsState:
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


def plainly(view: View) -> tuple[GothsState, tuple[int, ...]]:
    """The start of the turn as all saw it, in one way of writing for all that is alike; and where each objective went.

    Clan 0 has the initiative. While all objectives lie face down it does not matter which is which.
    """
    s = from_first(public(view))
    if s.revealed != 0:
        return s, ORDERS[0]
    looked = int(s.seen[0]) & 7, int(s.seen[1]) & 7
    canonical = SEEN[riddle(s, 0)]
    for clan in range(2):
        s.seen[clan] = (int(s.seen[clan]) & 8) | canonical[clan]
    return s, _renamed(looked, canonical)


@cache
def _renamed(looked: tuple[int, int], canonical: tuple[int, int]) -> tuple[int, ...]:
    """New places for the three objectives, so that who has looked at one of them has looked at the canonical one.

    Who has looked at two knows all three: for him any places will do.
    """
    alone = [
        (old.bit_length() - 1, new.bit_length() - 1)
        for old, new in zip(looked, canonical, strict=True)
        if new == 1 or new == 2
    ]
    return next(places for places in ORDERS if all(places[old] == new for old, new in alone))


def worths_to_all(view: View, evaluation: Evaluation) -> Floats:
    """[13, 13]: the first clan's chance to win after every pair of outcomes, by what all know."""
    return _worths(bytes(plainly(view)[0]), evaluation, None)


def worths_to_seat(view: View, evaluation: Evaluation) -> Floats:
    """The same, the objectives lying as this seat knows them."""
    s, places = plainly(view)
    known = [UNKNOWN] * 3
    for old, new in enumerate(places):
        known[new] = int(view.state.objectives[old])
    return _worths(bytes(s), evaluation, worlds_with(known))


@lru_cache(maxsize=KEPT)
def _worths(seen: bytes, evaluation: Evaluation, worlds: tuple[int, ...] | None) -> Floats:
    return worths(GothsState.from_buffer_copy(seen), evaluation, worlds)


def king_view(view: View) -> View:
    """What this seat's king sees, or saw when he chose his card, as far as it matters."""
    clan = view.number >> 1
    s: GothsState = view.game.reveal(view.state, -1)
    first = clan == s.initiative
    s.phase = Phase.FIRST_ORDER if first else Phase.SECOND_ORDER
    s.back[clan] = 0
    if first:
        s.back[1 - clan] = 0
    s.turn = roughly(int(s.turn), int(s.turn_limit))
    for each in range(2):
        s.through[each] = False
    s.first, s.resolved = 0, 0
    return View(view.game, view.rules, SEATS[2 * clan], s)


def view_of_king(seen: bytes, clan: int) -> View:
    """The same from its bytes."""
    return View(GAME, RULES, SEATS[2 * clan], GothsState.from_buffer_copy(seen))


def roughly(turn: int, limit: int) -> int:
    """The number of a turn as people would tell it; nobody counts them exactly in a long game."""
    return turn if turn <= 2 * CALM or (limit and turn + 1 >= limit) else min(turn, LONG) // CALM * CALM
