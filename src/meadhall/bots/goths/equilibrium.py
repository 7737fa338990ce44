"""An equilibrium of one turn of Goths, which is a signalling game: two kings, the second seeing the first one's back,
then two warchiefs at once, each of whom sees both backs but not the cards.

The solution is a quantal response equilibrium: everybody plays a softmax of the expected values, given that the others
do so too. It is found by fictitious play from uniform policies while the temperature falls. Nothing but public
knowledge goes in, so all four seats compute the same equilibrium, which is what partners need to understand each other.

All arrays have a first axis of turns solved at once. Then: i, j index the backs of the first and the second
clan, c, d the two cards that share a back, a the nine actions. An outcome of an order is one of the nine
actions or, from FAILED on, a failure with a King card of one of the four characters.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.goths.cards import ACTION_CHARACTERS, Backs

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
OUTCOMES = 13
FAILED = 9
MINUS_INFINITY = np.float32(-1e9)
CUTOFF = 0.08  # probabilities below this part of the highest are dropped when a policy is sharpened


@dataclass(frozen=True)
class Schedule:
    """How long fictitious play goes on, and how the temperature falls meanwhile."""

    iterations: int = 48
    final_temperature: float = 0.02
    initial_temperature: float = 0.15
    cooling: int = 24  # iterations until the final temperature is reached
    sharpness: float = 3.0  # the exponent by which a policy is sharpened before it is played

    def at(self, k: int) -> tuple[float, float]:
        """The temperature and the step size of an iteration; after cooling the averaging starts anew."""
        if k < self.cooling:
            ratio = self.final_temperature / self.initial_temperature
            return self.initial_temperature * ratio ** (k / self.cooling), 2.0 / (k + 3)
        return self.final_temperature, 2.0 / (k - self.cooling + 3)


@dataclass
class Side:
    """What one clan may do this turn, in every turn of the batch."""

    held: npt.NDArray[np.bool_]  # [turn, back, 2]: is the card in the king's hand?
    through: Floats  # [turn, back, 2, action]: does the order get through if this card was played? (G4.1)
    allowed: npt.NDArray[np.bool_]  # [turn, action]: a lone ruler may not repeat himself (G9.1)
    lone: bool  # the warchief knows the card


@dataclass
class Equilibrium:
    """The policies of all four seats, and the chances to win; `value` is the first clan's."""

    king_a: Floats  # [turn, i, c]
    king_b: Floats  # [turn, i, j, d]
    chief_a: Floats  # [turn, i, j, c, a]; for a warchief who does not know the card the axis c has length 1
    chief_b: Floats  # [turn, i, j, d, a]
    card_values_a: Floats  # [turn, i, c]: the first clan's chance to win after each card
    card_values_b: Floats  # [turn, i, j, d]: the second clan's chance
    act_values_a: Floats  # [turn, i, j, c, a]: the first clan's chance after each action
    act_values_b: Floats
    value: Floats  # [turn]


def make_side(backs: Backs, hand: npt.NDArray[np.int64], face_up: npt.NDArray[np.int64], lone: bool = False) -> Side:
    """One clan's possibilities: hands as bits over CARDS, and the characters that lie face up as bits (G4.1)."""
    held = (hand[:, None, None] >> np.maximum(backs.cards, 0)) & 1 == 1
    held &= backs.cards >= 0
    by_card = backs.characters[None, :, :, None] == ACTION_CHARACTERS
    by_face_up = (face_up[:, None] >> ACTION_CHARACTERS) & 1 == 1
    through = (by_card | by_face_up[:, None, None, :]).astype(np.float32)
    return Side(held, through, np.ones((len(hand), 9), bool), lone)


def _softmax(values: Floats, temperature: float, allowed: Any, axes: tuple[int, ...]) -> Floats:
    """The softmax over some axes of what is allowed."""
    scaled: Floats = np.where(allowed, values, MINUS_INFINITY) if allowed is not None else values
    scaled = (scaled - scaled.max(axis=axes, keepdims=True)) * np.float32(1.0 / temperature)
    np.exp(scaled, out=scaled)
    scaled /= scaled.sum(axis=axes, keepdims=True)
    return scaled


def _posterior(king: Floats, held: npt.NDArray[np.bool_]) -> Floats:
    """The probability of each of the two cards behind a back, by Bayes' rule; 1/2 where the back is never shown."""
    shown = king + np.float32(1e-6) * held
    total = shown.sum(axis=-1, keepdims=True)
    found: Floats = np.divide(shown, total, out=np.full_like(shown, 0.5), where=total > 0)
    return found


class _FictitiousPlay:
    """The iteration: the policies so far, and what does not change, computed once."""

    def __init__(self, payoff: Floats, a: Side, b: Side, backs: Backs) -> None:
        self.payoff, self.a, self.b = payoff, a, b
        turns, n = len(payoff), len(backs.bits)
        self.turns, self.n = turns, n
        self.transposed = np.ascontiguousarray(payoff.swapaxes(1, 2))
        failure = FAILED + backs.characters  # [back, 2]: the outcome when the order fails
        # Where, in a flat array [i, j, outcome], the failure of each card stands.
        cells = OUTCOMES * np.arange(n * n).reshape(n, n, 1)
        self.failed_a = cells + failure[:, None, :]
        self.failed_b = cells + failure[None, :, :]
        self.king_a = _uniform(a.held, 2)
        self.king_b = np.repeat(_uniform(b.held, 2)[:, None], n, axis=1)
        chiefs = (turns, n, n)
        self.chief_a = np.broadcast_to(_uniform(a.allowed, 1)[:, None, None, None], (*chiefs, 1 + a.lone, 9)).copy()
        self.chief_b = np.broadcast_to(_uniform(b.allowed, 1)[:, None, None, None], (*chiefs, 1 + b.lone, 9)).copy()
        self.through_a = a.through[:, :, None]  # [turn, i, 1, c, a]
        self.through_b = b.through[:, None]  # [turn, 1, j, d, a]
        self.fail_a = np.eye(OUTCOMES, dtype=np.float32)[failure][None, :, None]  # [1, i, 1, c, outcome]
        self.fail_b = np.eye(OUTCOMES, dtype=np.float32)[failure][None, None]
        self.allowed_a = a.allowed[:, None, None, None]
        self.allowed_b = b.allowed[:, None, None, None]

    def evaluate(self) -> None:
        """Every seat's chance to win with each choice, as the others play now."""
        turns, n = self.turns, self.n
        of_a = self.outcomes(self.chief_a, self.through_a, self.fail_a)
        of_b = self.outcomes(self.chief_b, self.through_b, self.fail_b)
        flat = (turns, n * n * 2, OUTCOMES)
        against_b = (of_b.reshape(flat) @ self.transposed).reshape(of_b.shape)  # [.., d, outcome of a]
        against_a = (of_a.reshape(flat) @ self.payoff).reshape(of_a.shape)  # [.., c, outcome of b]
        both = np.einsum("tijco,tijdo->tijcd", of_a, against_b)
        belief_a = _posterior(self.king_a, self.a.held)  # [turn, i, c]
        belief_b = _posterior(self.king_b, self.b.held[:, None])  # [turn, i, j, d]
        self.card_values_a = np.einsum("tijcd,tijd->tic", both, self.king_b)
        self.card_values_b = 1.0 - np.einsum("tijcd,tic->tijd", both, belief_a)
        facing_b = np.einsum("tijdo,tijd->tijo", against_b, belief_b)
        facing_a = 1.0 - np.einsum("tijco,tic->tijo", against_a, belief_a)
        self.act_values_a = self.by_card(facing_b, self.through_a, self.failed_a)
        self.act_values_b = self.by_card(facing_a, self.through_b, self.failed_b)
        self.expected_a = self.act_values_a if self.a.lone else self.expected(self.act_values_a, belief_a[:, :, None])
        self.expected_b = self.act_values_b if self.b.lone else self.expected(self.act_values_b, belief_b)

    @staticmethod
    def outcomes(chief: Floats, through: Floats, fail: Floats) -> Floats:
        """The distribution over the outcomes of an order, [turn, i, j, card, outcome]."""
        carried_out = chief * through
        found: Floats = np.multiply(fail, (1.0 - carried_out.sum(axis=-1))[..., None], dtype=np.float32)
        found[..., :9] += carried_out
        return found

    def by_card(self, facing: Floats, through: Floats, failure: npt.NDArray[np.int64]) -> Floats:
        """The value of each action if this or that card lies there, [turn, i, j, card, action]."""
        failed = facing.reshape(self.turns, -1)[:, failure][..., None]
        found: Floats = failed + through * (facing[:, :, :, None, :9] - failed)
        return found

    @staticmethod
    def expected(acts: Floats, belief: Floats) -> Floats:
        """The expected value of each action for a warchief who only sees the back."""
        found: Floats = (acts * belief[..., None]).sum(axis=3, keepdims=True)
        return found

    def respond(self, temperature: float, step: float) -> None:
        """Every policy moves a step toward its quantal response."""
        keep, move = np.float32(1.0 - step), np.float32(step)
        responses = (
            (self.king_a, _softmax(self.card_values_a, temperature, self.a.held, (1, 2))),
            (self.king_b, _softmax(self.card_values_b, temperature, self.b.held[:, None], (2, 3))),
            (self.chief_a, _softmax(self.expected_a, temperature, self.allowed_a if self.a.lone else None, (4,))),
            (self.chief_b, _softmax(self.expected_b, temperature, self.allowed_b if self.b.lone else None, (4,))),
        )
        for policy, response in responses:
            policy *= keep
            policy += move * response


def _uniform(allowed: npt.NDArray[np.bool_], axes: int) -> Floats:
    """The uniform distribution over what is allowed, on the last axes."""
    counted = allowed.sum(axis=tuple(range(allowed.ndim - axes, allowed.ndim)), keepdims=True)
    found: Floats = (allowed / np.maximum(counted, 1)).astype(np.float32)
    return found


def sharpened(policy: Floats, power: float, axes: tuple[int, ...]) -> Floats:
    """A policy raised to a power and normalised, without what is negligible beside the most likely choice."""
    highest = np.maximum(policy.max(axis=axes, keepdims=True), np.float32(1e-9))
    strong: Floats = (policy / highest) ** np.float32(power)
    strong[strong < CUTOFF] = 0.0
    strong /= strong.sum(axis=axes, keepdims=True)
    return strong


Policies = tuple[Floats, Floats, Floats, Floats]


def solve(
    payoff: Floats, a: Side, b: Side, backs: Backs, schedule: Schedule, start: Policies | None = None, done: int = 0
) -> Equilibrium:
    """Solve a batch of turns: `payoff[turn, outcome of a, outcome of b]` is the first clan's chance to win after it.

    `start` are the policies after `done` iterations on earlier payoffs, to continue from.
    """
    play = _FictitiousPlay(payoff, a, b, backs)
    if start is not None:
        play.king_a, play.king_b, play.chief_a, play.chief_b = (each.copy() for each in start)
    for k in range(done, done + schedule.iterations):
        temperature, step = schedule.at(k)
        play.evaluate()
        play.respond(temperature, step)
    return _evaluated(play)


def evaluated(payoff: Floats, a: Side, b: Side, backs: Backs, policies: Policies) -> Equilibrium:
    """These policies with the chances to win that follow from them, be they an equilibrium or not."""
    play = _FictitiousPlay(payoff, a, b, backs)
    play.king_a, play.king_b, play.chief_a, play.chief_b = policies
    return _evaluated(play)


def _evaluated(play: _FictitiousPlay) -> Equilibrium:
    play.evaluate()
    return Equilibrium(
        play.king_a,
        play.king_b,
        play.chief_a,
        play.chief_b,
        play.card_values_a,
        play.card_values_b,
        play.act_values_a,
        play.act_values_b,
        np.einsum("tic,tic->t", play.card_values_a, play.king_a),
    )
