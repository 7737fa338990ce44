"""How a clan of Goths stands its ground in a turn, mixed as regret matching+ finds it (`turn_game.py`, compiled)."""

from dataclasses import dataclass, replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.cards import ACTION_CHARACTERS, Backs, backs_of
from meadhall.bots.goths.equilibrium import OUTCOMES, Doubles, Floats, Policies, Side, make_side
from meadhall.bots.patience import hurried
from meadhall.games.game import game_named

ROUNDS = 500
# An action dominates another that is nowhere better by more than this, and somewhere worse by more than that.
NOWHERE_WORSE, SOMEWHERE_BETTER = 0.001, 0.005


@cache
def compiled_turn() -> SimpleNamespace:
    """The compiled functions under their own names; each is compiled when it is first called."""
    from meadhall.engine.compiling import compiled_beside  # importing Numba takes long: only who solves waits for it

    return compiled_beside("goths", ("meadhall.bots.goths.turn_game",), inline=True)


@dataclass(frozen=True)
class Stand:
    """How a clan stands its ground in a turn, whatever the enemies have agreed on; the first axis is one turn."""

    king: Floats  # [1, i, c] of the clan with the initiative, [1, i, j, d] of the other
    chief: Floats  # [1, i, j, 1, action]: he sees the backs


@dataclass(frozen=True)
class Known:
    """What a seat knows of the others.

    Of the enemies: what share of them plays as expected, and what actions are worth against those. Of the partner: what
    he does, if he does not stand his ground with the seat; `partner` is 0 for a king, 1 for a warchief.
    """

    share: float = 0.0
    acts: Doubles | None = None  # [i, j, card, action], weighted by how often these backs meet
    partner: int | None = None
    policy: Floats | None = None  # [i, c], [i, j, d] or [i, j, action]


NOTHING = Known()


def stand(
    pay: Floats,
    cost: Floats,
    a: Side,
    b: Side,
    backs: Backs,
    ours_first: bool,
    known: Known = NOTHING,
    rounds: int = ROUNDS,
) -> Stand:
    """The best a clan can do against enemies who act as one mind: a back of theirs is no promise that could be a trap.

    `pay` is the first clan's chance after every pair of outcomes and `cost` what each clan pays for it, both [13, 13].
    As far as something is `known` of the others it is the best against and with those (a restricted Nash response).
    """
    n = len(backs.bits)
    sums, ours = np.zeros(sum(sizes(n))), 0 if ours_first else 1
    lone_a, lone_b = a.lone or not ours_first, b.lone or ours_first
    if ours_first:
        a = replace(a, allowed=a.allowed & sensible(pay - cost))
    else:
        b = replace(b, allowed=b.allowed & sensible((1.0 - pay - cost).T))
    share, acts = np.zeros(2), np.zeros((n * n, 2, 9))
    if known.acts is not None:
        share[ours], acts = known.share, known.acts.reshape(acts.shape)
    compiled_turn().play_rounds(
        (pay - cost).astype(np.float64),
        (1.0 - pay - cost).astype(np.float64),
        clan_of(a, backs, lone_a),
        clan_of(b, backs, lone_b),
        rounds,
        0,
        np.zeros_like(sums),
        sums,
        (share, acts),
        _given(known, ours, n),
    )
    king_a, king_b, chief_a, chief_b = policies_from(sums, n, lone_a, lone_b)
    return Stand(king_a, chief_a) if ours_first else Stand(king_b, chief_b)


def sensible(worth: Floats) -> npt.NDArray[np.bool_]:
    """[action]: is it dominated by no other action of the same character?

    Against enemies who do the worst they can both may be worth the same; against all others they are not.
    """
    gain = worth[:9, None] - worth[None, :9]
    dominates = (gain > -NOWHERE_WORSE).all(axis=2) & (gain > SOMEWHERE_BETTER).any(axis=2)
    dominates &= ACTION_CHARACTERS[:, None] == ACTION_CHARACTERS[None]
    found: npt.NDArray[np.bool_] = ~dominates.any(axis=0)
    return found


def _given(known: Known, clan: int, n: int) -> tuple[npt.NDArray[np.bool_], Doubles]:
    """Which of the four seats do not learn, and their strategies, as `turn_game.py` takes them."""
    fixed, strategies = np.zeros(4, bool), np.zeros(sum(sizes(n)))
    if known.partner is not None and known.policy is not None:
        seat = clan + 2 * known.partner
        fixed[seat] = True
        begin = sum(sizes(n)[:seat])
        policy = np.repeat(known.policy.reshape(n * n, 1, 9), 2, axis=1) if known.partner else known.policy
        strategies[begin : begin + sizes(n)[seat]] = policy.ravel()
    return fixed, strategies


def clan_of(side: Side, backs: Backs, lone: bool) -> tuple[Any, ...]:
    """What a clan may do, as `turn_game.py` takes it: (characters, held, through, allowed, lone)."""
    allowed = np.repeat(side.allowed, 2 * len(backs.bits) ** 2, axis=0)
    return backs.characters.astype(np.int64), side.held[0], side.through[0] > 0, allowed, int(lone)


def sizes(n: int) -> tuple[int, int, int, int]:
    """How many numbers the strategy of each seat has: both kings', both warchiefs'."""
    return 2 * n, 2 * n * n, 18 * n * n, 18 * n * n


def policies_from(sums: Doubles, n: int, lone_a: bool, lone_b: bool) -> Policies:
    """The average strategies, each with a first axis of one turn."""
    ends = np.cumsum(sizes(n))
    king_a, king_b, chief_a, chief_b = np.split(sums, ends[:-1])
    shapes = (
        (king_a.reshape(1, n, 2), (1, 2)),
        (king_b.reshape(1, n, n, 2), (2, 3)),
        (chief_a.reshape(1, n, n, 2, 9)[:, :, :, : 1 + lone_a], (4,)),
        (chief_b.reshape(1, n, n, 2, 9)[:, :, :, : 1 + lone_b], (4,)),
    )
    found = []
    for played, axes in shapes:
        total = played.sum(axis=axes, keepdims=True)
        found.append(np.divide(played, total, out=np.zeros_like(played), where=total > 0).astype(np.float32))
    return found[0], found[1], found[2], found[3]


# Getting ready


_prepared = False


def ready() -> bool:
    """May a turn be solved now? Where somebody at a table waits, only once everything is compiled."""
    return _prepared or not hurried()


def prepare() -> None:
    """Compile what a choice needs, or read it from disk; may be called in a thread, and more than once."""
    global _prepared
    if not _prepared:
        game = game_named("goths")
        cards = int(game.blank(game.check_rules({})).deck)
        deck, side = backs_of(cards), make_side(backs_of(cards), np.array([cards]), np.array([0]))
        even = np.full((OUTCOMES, OUTCOMES), 0.5, np.float32)
        stand(even, np.zeros_like(even), side, side, deck, ours_first=True, rounds=1)
        _prepared = True
