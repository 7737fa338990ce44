"""One turn of Goths as a game of its own: two kings, two warchiefs, and what a sensible company does in it.

The answer is a quantal response: everybody chooses better things more often, knows that the others do so too,
and the temperature falls until it is nearly the best. It starts from no convention at all and is the same for
whoever works it out, which is what lets partners understand each other without a word.

All arrays have a first axis of turns solved at once. Then: i, j number the backs of the first and the second
clan, c, d the two cards that share a back, a the nine actions. An outcome of an order is one of the nine
actions or, from 9 on, a failure with a King card of one of the four characters.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.games.goths.state import ACTION_CHARACTER, CARD_BACK, CARD_CHARACTER

Floats = npt.NDArray[np.float32]
OUTCOMES = 13
FAILED = 9
ACTS = np.array(ACTION_CHARACTER)
NEVER = np.float32(-1e9)
DOUBT = 0.08


@dataclass(frozen=True)
class Backs:
    """The different backs of a deck, each with the one or two cards that show it (-1: no second card)."""

    bits: tuple[int, ...]
    cards: npt.NDArray[np.int64]  # [back, 2]
    characters: npt.NDArray[np.int64]  # [back, 2]

    def place(self, card: int) -> tuple[int, int]:
        """Where a card stands: its back, and which of the two it is."""
        back, which = np.argwhere(self.cards == card)[0]
        return int(back), int(which)


@cache
def backs_of(deck: int) -> Backs:
    """The backs of a deck given as bits over CARDS (G1.3)."""
    cards = [card for card in range(12) if deck >> card & 1]
    bits = tuple(sorted({CARD_BACK[card] for card in cards}))
    table = np.full((len(bits), 2), -1)
    for back, shown in enumerate(bits):
        alike = [card for card in cards if CARD_BACK[card] == shown]
        table[back, : len(alike)] = alike
    characters = np.where(table < 0, 0, np.array(CARD_CHARACTER)[table])
    return Backs(bits, table, characters)


@dataclass(frozen=True)
class Manner:
    """How coolly everybody is taken to choose: so many rounds of thought, from a hot start down to a cold end."""

    rounds: int = 48
    cold: float = 0.02
    hot: float = 0.15
    cooling: int = 24  # rounds until it is cold
    sharpness: float = 3.0  # what is played is the answer, to this power

    def at(self, k: int) -> tuple[float, float]:
        """The temperature of a round, and how far everybody moves; once cold, what was thought before is forgotten."""
        if k < self.cooling:
            return self.hot * (self.cold / self.hot) ** (k / self.cooling), 2.0 / (k + 3)
        return self.cold, 2.0 / (k - self.cooling + 3)


@dataclass
class Side:
    """What one clan may do this turn, in every turn of the batch."""

    held: npt.NDArray[np.bool_]  # [turn, back, 2]: is the card in the king's hand?
    through: Floats  # [turn, back, 2, action]: does the order get through if this card was played? (G4.1)
    allowed: npt.NDArray[np.bool_]  # [turn, action]: a lone ruler may not repeat himself (G9.1)
    lone: bool  # the warchief knows the card


@dataclass
class Answer:
    """How all four play, and what it comes to; `value` is the first clan's chance to win."""

    king_a: Floats  # [turn, i, c]
    king_b: Floats  # [turn, i, j, d]
    chief_a: Floats  # [turn, i, j, c, a]; for a warchief who does not know the card the axis c has length 1
    chief_b: Floats  # [turn, i, j, d, a]
    card_a: Floats  # [turn, i, c]: the first clan's chance to win after each card
    card_b: Floats  # [turn, i, j, d]: the second clan's chance
    act_a: Floats  # [turn, i, j, c, a]: the first clan's chance after each action
    act_b: Floats
    value: Floats  # [turn]


def side(backs: Backs, hand: npt.NDArray[np.int64], sure: npt.NDArray[np.int64], lone: bool = False) -> Side:
    """One clan's possibilities: hands as bits over CARDS, and the characters that lie face up as bits (G4.1)."""
    held = (hand[:, None, None] >> np.maximum(backs.cards, 0)) & 1 == 1
    held &= backs.cards >= 0
    meant = backs.characters[None, :, :, None] == ACTS
    by_face_up = (sure[:, None] >> ACTS) & 1 == 1
    through = (meant | by_face_up[:, None, None, :]).astype(np.float32)
    return Side(held, through, np.ones((len(hand), 9), bool), lone)


def _softmax(utility: Floats, temperature: float, allowed: Any, axes: tuple[int, ...]) -> Floats:
    """Better choices more often; what is not allowed never."""
    scaled: Floats = np.where(allowed, utility, NEVER) if allowed is not None else utility
    scaled = (scaled - scaled.max(axis=axes, keepdims=True)) * np.float32(1.0 / temperature)
    np.exp(scaled, out=scaled)
    scaled /= scaled.sum(axis=axes, keepdims=True)
    return scaled


def _belief(cards: Floats, held: npt.NDArray[np.bool_]) -> Floats:
    """How likely each of the two cards behind a back is; where the back is never shown, as likely as not."""
    shown = cards + np.float32(1e-6) * held
    total = shown.sum(axis=-1, keepdims=True)
    found: Floats = np.divide(shown, total, out=np.full_like(shown, 0.5), where=total > 0)
    return found


class _Solver:
    """The iteration; kept apart so that what does not change is reckoned once."""

    def __init__(self, worth: Floats, a: Side, b: Side, backs: Backs) -> None:
        self.worth, self.a, self.b = worth, a, b
        turns, n = len(worth), len(backs.bits)
        self.turns, self.n = turns, n
        self.transposed = np.ascontiguousarray(worth.swapaxes(1, 2))
        self.failure = FAILED + backs.characters  # [back, 2]: the outcome when the order fails
        # Where, in a flat array [i, j, outcome], the failure of each card stands.
        cells = OUTCOMES * np.arange(n * n).reshape(n, n, 1)
        self.failed_a = cells + self.failure[:, None, :]
        self.failed_b = cells + self.failure[None, :, :]
        self.king_a = _even(a.held, 2)
        self.king_b = np.repeat(_even(b.held, 2)[:, None], n, axis=1)
        self.chief_a = np.broadcast_to(_even(a.allowed, 1)[:, None, None, None], (turns, n, n, 1 + a.lone, 9)).copy()
        self.chief_b = np.broadcast_to(_even(b.allowed, 1)[:, None, None, None], (turns, n, n, 1 + b.lone, 9)).copy()
        self.th_a = a.through[:, :, None]  # [turn, i, 1, c, a]
        self.th_b = b.through[:, None]  # [turn, 1, j, d, a]
        self.fail_a = np.eye(OUTCOMES, dtype=np.float32)[self.failure][None, :, None]  # [1, i, 1, c, outcome]
        self.fail_b = np.eye(OUTCOMES, dtype=np.float32)[self.failure][None, None]
        self.acts_a = a.allowed[:, None, None, None]
        self.acts_b = b.allowed[:, None, None, None]

    def outcomes(self, chief: Floats, through: Floats, fail: Floats) -> Floats:
        """What comes of an order, [turn, i, j, card, outcome]."""
        carried = chief * through
        found: Floats = np.multiply(fail, (1.0 - carried.sum(axis=-1))[..., None], dtype=np.float32)
        found[..., :9] += carried
        return found

    def reckon(self) -> None:
        """Everybody's chances as the others play now."""
        turns, n = self.turns, self.n
        of_a = self.outcomes(self.chief_a, self.th_a, self.fail_a)
        of_b = self.outcomes(self.chief_b, self.th_b, self.fail_b)
        flat = (turns, n * n * 2, OUTCOMES)
        against_b = (of_b.reshape(flat) @ self.transposed).reshape(of_b.shape)  # [.., d, outcome of a]
        against_a = (of_a.reshape(flat) @ self.worth).reshape(of_a.shape)  # [.., c, outcome of b]
        both = np.einsum("tijco,tijdo->tijcd", of_a, against_b)
        sure_a = _belief(self.king_a, self.a.held)  # [turn, i, c]
        sure_b = _belief(self.king_b, self.b.held[:, None])  # [turn, i, j, d]
        self.card_a = np.einsum("tijcd,tijd->tic", both, self.king_b)
        self.card_b = 1.0 - np.einsum("tijcd,tic->tijd", both, sure_a)
        facing_b = np.einsum("tijdo,tijd->tijo", against_b, sure_b)
        facing_a = 1.0 - np.einsum("tijco,tic->tijo", against_a, sure_a)
        self.act_a = self.by_card(facing_b, self.th_a, self.failed_a)
        self.act_b = self.by_card(facing_a, self.th_b, self.failed_b)
        self.chief_u_a = self.act_a if self.a.lone else self.blind(self.act_a, sure_a[:, :, None])
        self.chief_u_b = self.act_b if self.b.lone else self.blind(self.act_b, sure_b)

    def by_card(self, facing: Floats, through: Floats, failure: npt.NDArray[np.int64]) -> Floats:
        """What each action promises if this or that card lies there, [turn, i, j, card, action]."""
        failed = facing.reshape(self.turns, -1)[:, failure][..., None]
        found: Floats = failed + through * (facing[:, :, :, None, :9] - failed)
        return found

    @staticmethod
    def blind(acts: Floats, belief: Floats) -> Floats:
        """The same for a warchief who only sees the back."""
        found: Floats = (acts * belief[..., None]).sum(axis=3, keepdims=True)
        return found

    def respond(self, temperature: float, step: float) -> None:
        """Everybody moves a step toward what is better now."""
        keep, move = np.float32(1.0 - step), np.float32(step)
        wanted = (
            (self.king_a, _softmax(self.card_a, temperature, self.a.held, (1, 2))),
            (self.king_b, _softmax(self.card_b, temperature, self.b.held[:, None], (2, 3))),
            (self.chief_a, _softmax(self.chief_u_a, temperature, self.acts_a if self.a.lone else None, (4,))),
            (self.chief_b, _softmax(self.chief_u_b, temperature, self.acts_b if self.b.lone else None, (4,))),
        )
        for now, new in wanted:
            now *= keep
            now += move * new


def _even(allowed: npt.NDArray[np.bool_], axes: int) -> Floats:
    """Everything allowed is as likely as anything else."""
    counted = allowed.sum(axis=tuple(range(allowed.ndim - axes, allowed.ndim)), keepdims=True)
    found: Floats = (allowed / np.maximum(counted, 1)).astype(np.float32)
    return found


def sharpened(weights: Floats, power: float, axes: tuple[int, ...]) -> Floats:
    """The weights to a power, without what is next to nothing beside the best: the last doubts of an answer."""
    strong: Floats = (weights / np.maximum(weights.max(axis=axes, keepdims=True), np.float32(1e-9))) ** np.float32(
        power
    )
    strong[strong < DOUBT] = 0.0
    strong /= strong.sum(axis=axes, keepdims=True)
    return strong


Policies = tuple[Floats, Floats, Floats, Floats]


def solve(
    worth: Floats, a: Side, b: Side, backs: Backs, manner: Manner, before: Policies | None = None, done: int = 0
) -> Answer:
    """Play a batch of turns: `worth[turn, outcome of a, outcome of b]` is the first clan's chance to win after it.

    `before` are the policies that so many rounds have led to on earlier values, to go on from.
    """
    solver = _Solver(worth, a, b, backs)
    if before is not None:
        solver.king_a, solver.king_b, solver.chief_a, solver.chief_b = (each.copy() for each in before)
    for k in range(done, done + manner.rounds):
        temperature, step = manner.at(k)
        solver.reckon()
        solver.respond(temperature, step)
    solver.reckon()
    value = np.einsum("tic,tic->t", solver.card_a, solver.king_a)
    return Answer(
        solver.king_a,
        solver.king_b,
        solver.chief_a,
        solver.chief_b,
        solver.card_a,
        solver.card_b,
        solver.act_a,
        solver.act_b,
        value,
    )
