"""Who may sit at the table: kinds of players in Goths, and what is to be expected of them.

A kind says how often a king plays each card and a warchief each action: one like the bot itself, one like `medium`, and
the kinds of people of `partners.py`. What a seat believes of the others' kinds is in `recognition.py`.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from meadhall.bots.goths import medium
from meadhall.bots.goths.balance import Known, Stand, stand
from meadhall.bots.goths.belief import Strategy, sides_of, solved_turn
from meadhall.bots.goths.cards import backs_of, face_up_characters
from meadhall.bots.goths.equilibrium import FAILED, Floats, Policies, Schedule, sharpened
from meadhall.bots.goths.habits import as_before
from meadhall.bots.goths.meanings import meant_cards
from meadhall.bots.goths.outcomes import CACHE_SIZE, payoffs
from meadhall.bots.goths.partners import kings, warchiefs
from meadhall.bots.goths.public import GAME, RULES, canonical
from meadhall.bots.goths.values import (
    company_of_first,
    company_of_second,
    solved_values,
    values_of_first,
    values_of_second,
)
from meadhall.games.goths.state import SEATS, GothsState
from meadhall.match import View

# Kinds: like the bot itself, one who always does what the bot does most, like medium, one who thinks like medium but
# knows what positions are worth, three kinds of people, and whoever does anything at all.
KINDS, PEOPLE = 8, 4  # and the first of those kinds who do not reason like any bot
# Whoever plays well is most like him who knows what positions are worth, but may do so in ways that nobody foresees.
STRONG = 3
KNOWING = Strategy(solved_values, Schedule(iterations=48), 0.0, 0.0, 0.0)
MISUNDERSTOOD = 1.0  # how much worse than a lost game a seat finds it not to be understood by a stranger
STRANGE = 0.98  # as good as certain
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
    strange: Floats  # [seat]: 0 while there is no sign that it is not like the bot, 1 when it is certain
    strange_partner: float  # how likely the partner is not like the bot
    odd_partner: float  # 0 while there is no sign of that, 1 when it is certain
    strange_enemies: float  # 0 while there is no sign that the enemies are not like the bot, 1 when it is certain
    leanings: Floats  # [seat, 9]: by how much more each does an action, or orders a character, than its kind would

    @property
    def among_strangers(self) -> bool:
        """Are the enemies as good as certainly not like the bot?"""
        return self.strange_enemies >= STRANGE


@dataclass(frozen=True)
class Circumstances:
    """What a seat's stand depends on beside the position: what outcomes cost and what is known, all of it hashable."""

    cost: bytes = b""  # [13, 13]
    orders: tuple[int, ...] | None = None  # those of the objectives that it thinks possible, if not all do
    share: float = 0.0  # of the enemies, and what is known of them and of the partner: see `Known`
    acts: bytes = b""
    partner: int | None = None
    policy: bytes = b""
    company: float = 0.0  # how much a warchief's future is that of one under a stranger


ORDINARY = Circumstances()


@lru_cache(maxsize=CACHE_SIZE)
def fair_stand(state: bytes, ours_first: bool, given: Circumstances = ORDINARY) -> Stand:
    """How a clan, or with a partner who is known a seat, stands its ground in a turn in canonical form."""
    s = GothsState.from_buffer_copy(state)
    payoff = payoffs(s, values_of_first if ours_first else values_of_second, given.orders, prices={})
    if given.company:
        payoff = (1.0 - given.company) * payoff + given.company * company_payoffs(s, ours_first, given.orders)
    paid = np.frombuffer(given.cost, np.float32).reshape(payoff.shape) if given.cost else np.zeros_like(payoff)
    a, b = sides_of(s)
    clan, backs = (0 if ours_first else 1), backs_of(int(s.deck))
    ours = (a, b)[clan]
    if given.partner is None:
        natural = np.mean(kings(View(GAME, RULES, SEATS[2 * clan], s.copy())), axis=0)
        ours.held[0] = meant_cards(backs, ours.held[0], face_up_characters(s, clan), natural)
    lose_by_failing(payoff, ours_first, 0.0 if given.partner is None else MISUNDERSTOOD)
    known = Known(
        given.share,
        np.frombuffer(given.acts, np.float32).astype(np.float64) if given.acts else None,
        given.partner,
        np.frombuffer(given.policy, np.float32) if given.policy else None,
    )
    return stand(payoff, paid, a, b, backs, ours_first, known)


def company_payoffs(s: GothsState, ours_first: bool, orders: tuple[int, ...] | None) -> Floats:
    """Payoffs for a warchief under a stranger: the future is not that of two such bots either."""
    return payoffs(s, company_of_first if ours_first else company_of_second, orders, prices={})


def lose_by_failing(payoff: Floats, ours_first: bool, more: float = 0.0) -> None:
    """Count an order that fails as the end, or as even worse than that.

    Nobody fails on purpose, so that a King card might lie face up: what is gained by it is little, and hard to see.
    """
    if ours_first:
        payoff[FAILED:] = -more
    else:
        payoff[:, FAILED:] = 1.0 + more


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
    clubs = [solved_turn(views[0], each).equilibrium for each in (medium.STRATEGY, KNOWING)]
    king_a = [
        ours.king[0],
        sharpened(ours.king[0], SETTLED, (0, 1)),
        *(club.king_a[0] for club in clubs),
        *kings(views[0]),
        _any_card(kings(views[0])[0]),
    ]
    people_b = [*kings(views[1]), _any_card(kings(views[1])[0])]
    king_b = [
        theirs.king[0],
        sharpened(theirs.king[0], SETTLED, (1, 2)),
        *(club.king_b[0] for club in clubs),
        *(np.repeat(each[None], n, axis=0) for each in people_b),
    ]
    any_act = np.full((n, 9), 1.0 / 9, np.float32)
    chief_a = [ours.chief[0, :, :, 0], sharpened(ours.chief[0, :, :, 0], SETTLED, (2,))]
    chief_a += [club.chief_a[0, :, :, 0] for club in clubs]
    chief_a += [np.repeat(each[:, None], n, axis=1) for each in (*warchiefs(views[0]), any_act)]
    chief_b = [theirs.chief[0, :, :, 0], sharpened(theirs.chief[0, :, :, 0], SETTLED, (2,))]
    chief_b += [club.chief_b[0, :, :, 0] for club in clubs]
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
    characters, leanings = backs_of(int(view.state.deck)).characters, believed.leanings
    of_a, of_b = 2 * first, 2 - 2 * first
    king_a = leaning(np.tensordot(kinds[of_a], found.king_a, 1), leanings[of_a][characters], (0, 1))[None]
    king_b = leaning(np.tensordot(kinds[of_b], found.king_b, 1), leanings[of_b][characters], (1, 2))[None]
    chief_a = leaning(np.tensordot(kinds[of_a + 1], found.chief_a, 1), leanings[of_a + 1], (2,))[None, :, :, None]
    chief_b = leaning(np.tensordot(kinds[of_b + 1], found.chief_b, 1), leanings[of_b + 1], (2,))[None, :, :, None]
    return as_before(view, (king_a, king_b, chief_a, chief_b), believed.strange)


def leaning(policy: Floats, more: Floats, axes: tuple[int, ...]) -> Floats:
    """A policy with some choices made more often, and others less, than it would."""
    found: Floats = policy * more
    found /= np.maximum(found.sum(axis=axes, keepdims=True), np.float32(1e-9))
    return found
