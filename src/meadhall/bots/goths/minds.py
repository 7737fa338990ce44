"""Who may sit at the table: kinds of players in Goths, and what is to be expected of them.

A kind says how often a king plays each card and a warchief each action: one like the bot itself, one like `medium`, and
the kinds of people of `partners.py`. What a seat believes of the others' kinds is in `recognition.py`.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from meadhall.bots.goths import medium
from meadhall.bots.goths.balance import Stand, sizes, stand
from meadhall.bots.goths.belief import sides_of, solved_turn
from meadhall.bots.goths.cards import backs_of
from meadhall.bots.goths.equilibrium import Doubles, Floats, Policies, sharpened
from meadhall.bots.goths.outcomes import CACHE_SIZE, payoffs
from meadhall.bots.goths.partners import WARCHIEFS, kings, warchiefs
from meadhall.bots.goths.public import GAME, RULES, canonical
from meadhall.bots.goths.values import values_of_first, values_of_second
from meadhall.games.goths.state import SEATS, GothsState
from meadhall.match import View

# Kinds: like the bot itself, one who always does what the bot does most, like medium, three kinds of people, and
# whoever does anything at all.
KINDS = 7
SETTLED = 4.0  # the power to which he raises the bot's policy


@dataclass(frozen=True)
class Minds:
    """[kind, ..]: what players of each kind do this turn, by clan in the order of the initiative."""

    king_a: Floats  # [kind, i, c]
    king_b: Floats  # [kind, i, j, d]
    chief_a: Floats  # [kind, i, j, action]
    chief_b: Floats


@dataclass(frozen=True)
class Beliefs:
    """What a seat believes of the others: their kinds, and how much that speaks for leaving its stand."""

    kinds: Floats  # [seat, kind]
    strange_partner: float  # how likely the partner is not like the bot
    odd_partner: float  # 0 while there is no sign of that, 1 when it is certain
    strange_enemies: float  # 0 while there is no sign that the enemies are not like the bot, 1 when it is certain


@lru_cache(maxsize=CACHE_SIZE)
def fair_stand(state: bytes, ours_first: bool, cost: bytes = b"") -> Stand:
    """How a clan stands its ground in a turn in canonical form, by the solved values."""
    s = GothsState.from_buffer_copy(state)
    payoff = payoffs(s, values_of_first if ours_first else values_of_second, prices={})
    paid = np.frombuffer(cost, np.float32).reshape(payoff.shape) if cost else np.zeros_like(payoff)
    a, b = sides_of(s)
    return stand(payoff, paid, a, b, backs_of(int(s.deck)), ours_first, begun=_habits(s, ours_first))


def _habits(s: GothsState, ours_first: bool) -> Doubles:
    """What people would do, as the regrets that learning begins with.

    Of many stands that are as good, that one is then found which others understand most easily.
    """
    clan, n = (0 if ours_first else 1), len(backs_of(int(s.deck)).bits)
    view = View(GAME, RULES, SEATS[2 * clan], s.copy())
    king = np.mean(kings(view), axis=0)
    chief = np.zeros((n, n, 2, 9))
    chief[:, :, 0] = np.tensordot(WARCHIEFS, warchiefs(view), 1)[:, None]
    nothing = [np.zeros(size) for size in sizes(n)]
    if ours_first:
        nothing[0], nothing[2] = king.ravel(), chief.ravel()
    else:
        nothing[1], nothing[3] = np.repeat(king[None], n, axis=0).ravel(), chief.swapaxes(0, 1).ravel()
    return np.concatenate(nothing)


def timeless(view: View) -> bytes:
    """The public state in canonical form, however long the game has lasted."""
    s, _ = canonical(view)
    if not s.turn_limit:
        s.turn = 1
    return bytes(s)


def minds(view: View) -> Minds:
    """What players of each kind do on the turn that a view shows."""
    shown: GothsState = GAME.reveal(view.state, -1)
    return _minds(bytes(shown), tuple(sorted(view.rules["lone_rulers"])))


@lru_cache(maxsize=CACHE_SIZE)
def _minds(state: bytes, lone: tuple[str, ...]) -> Minds:
    s = GothsState.from_buffer_copy(state)
    rules = RULES | {"lone_rulers": list(lone)}
    first = int(s.initiative)
    views = [View(GAME, rules, SEATS[2 * clan], s) for clan in (first, 1 - first)]
    n = len(backs_of(int(s.deck)).bits)
    start = timeless(views[0])
    ours, theirs = fair_stand(start, True), fair_stand(start, False)
    club = solved_turn(views[0], medium.STRATEGY).equilibrium
    king_a = [
        ours.king[0],
        sharpened(ours.king[0], SETTLED, (0, 1)),
        club.king_a[0],
        *kings(views[0]),
        _any_card(kings(views[0])[0]),
    ]
    people_b = [*kings(views[1]), _any_card(kings(views[1])[0])]
    king_b = [
        theirs.king[0],
        sharpened(theirs.king[0], SETTLED, (1, 2)),
        club.king_b[0],
        *(np.repeat(each[None], n, axis=0) for each in people_b),
    ]
    any_act = np.full((n, 9), 1.0 / 9, np.float32)
    chief_a = [ours.chief[0, :, :, 0], sharpened(ours.chief[0, :, :, 0], SETTLED, (2,)), club.chief_a[0, :, :, 0]]
    chief_a += [np.repeat(each[:, None], n, axis=1) for each in (*warchiefs(views[0]), any_act)]
    chief_b = [theirs.chief[0, :, :, 0], sharpened(theirs.chief[0, :, :, 0], SETTLED, (2,)), club.chief_b[0, :, :, 0]]
    chief_b += [np.repeat(each[None], n, axis=0) for each in (*warchiefs(views[1]), any_act)]
    return Minds(*(np.array(each, np.float32) for each in (king_a, king_b, chief_a, chief_b)))


def _any_card(policy: Floats) -> Floats:
    """Any of the cards in the hand alike, which are those that people ever play."""
    held = (policy > 0).astype(np.float32)
    found: Floats = held / held.sum()
    return found


def expected(view: View, believed: Beliefs) -> Policies:
    """What each seat will do this turn, given the kinds they may be of: policies as in an equilibrium."""
    found, kinds, first = minds(view), believed.kinds, int(view.state.initiative)
    king_a = np.tensordot(kinds[2 * first], found.king_a, 1)[None]
    king_b = np.tensordot(kinds[2 - 2 * first], found.king_b, 1)[None]
    chief_a = np.tensordot(kinds[2 * first + 1], found.chief_a, 1)[None, :, :, None]
    chief_b = np.tensordot(kinds[3 - 2 * first], found.chief_b, 1)[None, :, :, None]
    return king_a, king_b, chief_a, chief_b
