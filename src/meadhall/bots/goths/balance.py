"""How a clan of Goths stands its ground in a turn, mixed as regret matching+ finds it (`turn_game.py`, compiled)."""

from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

import numpy as np

from meadhall.bots.goths.cards import Backs, backs_of
from meadhall.bots.goths.equilibrium import OUTCOMES, Doubles, Floats, Policies, Side, make_side
from meadhall.bots.patience import hurried
from meadhall.games.game import game_named

ROUNDS = 500


@cache
def compiled_turn() -> SimpleNamespace:
    """The compiled functions under their own names; each is compiled when it is first called."""
    from meadhall.engine.compiling import compiled_beside  # importing Numba takes long: only who solves waits for it

    return compiled_beside("goths", ("meadhall.bots.goths.turn_game",))


@dataclass(frozen=True)
class Stand:
    """How a clan stands its ground in a turn, whatever the enemies have agreed on; the first axis is one turn."""

    king: Floats  # [1, i, c] of the clan with the initiative, [1, i, j, d] of the other
    chief: Floats  # [1, i, j, 1, action]: he sees the backs


def stand(
    pay: Floats,
    cost: Floats,
    a: Side,
    b: Side,
    backs: Backs,
    ours_first: bool,
    rounds: int = ROUNDS,
) -> Stand:
    """The best a clan can do against enemies who act as one mind: a back of theirs is no promise that could be a trap.

    `pay` is the first clan's chance after every pair of outcomes and `cost` what each clan pays for it, both [13, 13].
    """
    n = len(backs.bits)
    sums = np.zeros(sum(sizes(n)))
    lone_a, lone_b = a.lone or not ours_first, b.lone or ours_first
    compiled_turn().play_rounds(
        (pay - cost).astype(np.float64),
        (1.0 - pay - cost).astype(np.float64),
        backs.characters.astype(np.int64),
        a.held[0],
        b.held[0],
        a.through[0] > 0,
        b.through[0] > 0,
        np.repeat(a.allowed, 2 * n * n, axis=0),
        np.repeat(b.allowed, 2 * n * n, axis=0),
        int(lone_a),
        int(lone_b),
        rounds,
        0,
        np.zeros_like(sums),
        sums,
    )
    king_a, king_b, chief_a, chief_b = policies_from(sums, n, lone_a, lone_b)
    return Stand(king_a, chief_a) if ours_first else Stand(king_b, chief_b)


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
