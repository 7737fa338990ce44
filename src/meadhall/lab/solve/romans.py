"""The solver for Romans: a value function, and policies of planning, by repeated best responses in self-play.

Level by level, as in fictitious play: players who follow the policies found so far play whole games, to which the
value function is fitted; in positions of those games every plan is evaluated against such players, and a new policy
is trained to choose the best ones. A level's opponents are a mixture of all policies before it.
"""

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots.romans.calibration import as_estimated
from meadhall.bots.romans.compiled import SEARCH_MODULES
from meadhall.bots.romans.medium import rough_value_weights, uniform_and_greedy
from meadhall.bots.romans.plan_policy import PLAN_FEATURES
from meadhall.bots.romans.rollout import LEGIONS, VALUE_FEATURES
from meadhall.bots.romans.solved import PLAYER_COUNTS
from meadhall.bots.solved import Arrays
from meadhall.engine.compiling import compiled_beside
from meadhall.engine.cores import cores_at_hand
from meadhall.engine.rng import seed_word
from meadhall.games.game import game_named
from meadhall.games.romans.state import CLANS, RomansState
from meadhall.lab.shards import Threads, Workers, in_order
from meadhall.lab.solve.progress import Step
from meadhall.lab.solve.romans_calibration import BINS, calibrated_by_games

Floats = npt.NDArray[np.float64]
LEVELS = 4
VALUES, CALIBRATION = -1, -2  # units of work that find no level
UNITS = {VALUES: "values", CALIBRATION: "calibration"}
SHIPPED = ("policies", "values", "calibration", "check")
GAMES = 6_000
POSITIONS_PER_GAME = 1 / 12
CALIBRATION_GAMES = {2: 300, 3: 80, 4: 60}  # by number of players
WORLDS = 24  # in which every plan is evaluated
TEMPERATURE = 0.02  # of the softmax over plans that a policy is trained toward, in chances to win
GAMES_A_PART, CHUNK = 500, 50  # games played, and positions evaluated, at a time
EPOCHS, BATCH, LEARNING_RATE, WEIGHT_DECAY = 25, 100, 0.1, 0.0005
# Adam's moving averages of the gradient and of its square: the decay, and the weight of a new gradient.
FIRST_DECAY, FIRST_GAIN = 0.9, 0.1
SECOND_DECAY, SECOND_GAIN = 0.99, 0.01
LARGEST_GAP = 2 * 25  # a plan has 25 features; a wrong one misses a target feature and has another instead
PRIOR_PRECISION = np.array([0.01, 0.01, *(3.0,) * (VALUE_FEATURES - LEGIONS)])  # of a Gaussian prior on the weights


def compiled_training() -> SimpleNamespace:
    """The compiled functions for self-play and training."""
    return compiled_beside("romans", (*SEARCH_MODULES, "meadhall.lab.solve.romans_training"))


@dataclass
class Run:
    """A solver's run: its seed and size, and what has been found so far."""

    seed_word: int
    games: int
    workers: Workers  # who plays and evaluates
    threads: Executor  # who trains
    policies: npt.NDArray[np.float32]  # [clans - 2, level, feature]
    values: Floats  # [players - 1, clans - 2, round - 1, feature]
    calibration: Floats  # [players - 1, round - 1, within a turn, slope and intercept]
    check: Floats  # of the calibration, [players - 1, bin, sums of chances and of shares won, and positions]
    done: int = 0  # units of work
    residual: float = 1.0

    def arrays(self) -> Arrays:
        """All that has been found so far."""
        return {name: getattr(self, name).copy() for name in SHIPPED} | {"done": np.array(self.done)}


def work_units() -> list[tuple[int, int, int]]:
    """The work in order: players, clans, and the level to find, or else the value function or the calibration only."""
    deep = [(clans, clans, level) for clans in (2, 3, 4) for level in range(LEVELS)]
    values = [(players, clans, VALUES) for players, clans in PLAYER_COUNTS]
    return deep + values + [(players, players, CALIBRATION) for players in (2, 3, 4)]


def steps(
    saved: Arrays | None,
    seed: int = 0,
    cores: int | None = None,
    workers: Workers | None = None,
    games: int = GAMES,
) -> Iterator[Step]:
    """Solve the game one unit of work after the other, from the start or from a saved step."""
    policies = np.zeros((3, LEVELS, PLAN_FEATURES), np.float32)
    values = np.tile(rough_value_weights(), (4, 3, 1, 1))
    work = work_units()
    compiled_training()  # declared once, not by every thread
    with Threads(cores or cores_at_hand()) as threads:
        found = (policies, values, as_estimated(), np.zeros((4, BINS, 3)))
        run = Run(seed_word(f"romans {seed}"), games, workers or threads, threads, *found)
        if saved is not None:
            for name in SHIPPED:
                setattr(run, name, saved[name])
            run.done = int(saved["done"])
        while run.done < len(work):
            players, clans, level = work[run.done]
            what = f"{players} of {clans} clans, " + UNITS.get(level, f"level {level + 1}")
            yield Step(run.done, len(work), run.residual, what, run.arrays())
            run.residual = do_unit(run, players, clans, level)
            run.done += 1
        yield Step(run.done, len(work), run.residual, "done", run.arrays())


def finished(arrays: Arrays) -> Arrays:
    """The solution as it is shipped."""
    return {name: arrays[name].astype(np.float32) for name in SHIPPED}


def do_unit(run: Run, players: int, clans: int, level: int) -> float:
    """Do one unit of work; gives by how much the best responses differ from the level before, from 0 to 1.

    For the value function or the calibration alone it gives by how much the weights moved.
    """
    if level == CALIBRATION:
        return calibrate(run, players)
    known = level if level >= 0 else LEVELS
    policies = np.concatenate([uniform_and_greedy(), run.policies[clans - 2, :known]])
    shares = opponent_mixture(known)
    starts, winners = self_play(run, players, clans, policies, shares)
    before = run.values[players - 1, clans - 2].copy()
    run.values[players - 1, clans - 2] = fit_value_function(starts, winners, players, clans)
    if level < 0:
        return float(np.abs(run.values[players - 1, clans - 2] - before).mean())
    targets = best_responses(run, clans, starts, policies, shares)
    run.policies[clans - 2, level], gap = train_policy(run.threads, targets, policies[-1])
    return gap


def calibrate(run: Run, players: int) -> float:
    """Find what makes estimates mean what they say; with one player rollouts against neutrals are taken as they are."""
    games = max(2, min(CALIBRATION_GAMES[players], run.games // 20))
    found = calibrated_by_games(players, f"{run.seed_word} {players}", finished(run.arrays()), run.workers, games)
    run.calibration[players - 1], run.check[players - 1] = found
    return float(np.abs(found[0] - as_estimated()[0]).mean())


def opponent_mixture(known: int) -> npt.NDArray[np.int64]:
    """Of a thousand opponents, how many follow each policy: the simple two at first, then mostly those found."""
    if known == 0:
        return np.array([500, 500])
    shares = np.zeros(2 + known, np.int64)
    shares[2:] = 900 // known
    shares[0] = 1000 - shares.sum()
    return shares


# Self-play, and the value function


def self_play(run: Run, players: int, clans: int, policies: Any, shares: Any) -> tuple[Any, npt.NDArray[np.int64]]:
    """The positions in which rounds were planned, [game, round], and who won, a bit for each."""
    word = run.seed_word + run.done
    spans = [(first, min(GAMES_A_PART, run.games - first)) for first in range(0, run.games, GAMES_A_PART)]
    parts = [
        part
        for _, part in in_order(
            lambda span: run.workers.submit(_games_played, players, clans, word, *span, policies, shares),
            spans,
            run.workers.ahead,
        )
    ]
    return np.concatenate([starts for starts, _ in parts]), np.concatenate([winners for _, winners in parts])


def _games_played(
    players: int, clans: int, word: int, first: int, games: int, policies: Any, shares: Any
) -> tuple[Any, npt.NDArray[np.int64]]:
    """Games number `first` and on of a seed: where their rounds were planned, and who won."""
    game = game_named("romans")
    given = game.check_rules({"players": list(CLANS[:players]), "neutrals": list(CLANS[players:clans])})
    starts, winners = np.zeros((games, 3), RomansState.dtype()), np.zeros(games, np.int64)
    # What has travelled may be read only, which compiled code takes for another type.
    given_to = (policies.copy(), shares.copy(), starts, winners)
    compiled_training().play_games(game.blank(given).array(), word, first, *given_to)
    return starts, winners


def fit_value_function(starts: Any, winners: npt.NDArray[np.int64], players: int, clans: int) -> Floats:
    """The weights of the value function after rounds 1 and 2 that predict the winners best."""
    weights = rough_value_weights()
    for played in (1, 2):
        reached = starts[:, played]["round"] > 0
        positions = np.ascontiguousarray(starts[:, played][reached])
        counts = np.zeros((len(positions), clans, 4))
        compiled_training().value_counts(positions, counts)
        features = _features(counts, players, clans)
        bits = winners[reached][:, None] >> np.arange(features.shape[1]) & 1
        won = bits / bits.sum(axis=1, keepdims=True)
        weights[played - 1] = _fit_multinomial_logit(features, won, weights[played - 1])
    return weights


def _features(counts: Floats, players: int, clans: int) -> Floats:
    """[position, clan that may win, feature]; a neutral's legions count for nothing (R5.4)."""
    candidates = clans if players == 1 else players  # R7.2
    features = np.zeros((len(counts), candidates, VALUE_FEATURES))
    features[:, :, :LEGIONS] = counts[:, :candidates, :LEGIONS]
    cell = (LEGIONS + 5 * counts[:, :players, 2] + counts[:, :players, 3]).astype(np.int64)
    np.put_along_axis(features[:, :players], cell[:, :, None], 1.0, axis=2)
    return features


def _fit_multinomial_logit(features: Floats, won: Floats, prior: Floats) -> Floats:
    """The most probable weights of a multinomial logit, given a Gaussian prior around `prior`, by Newton's method."""
    weights, flat = prior.copy(), features.reshape(-1, VALUE_FEATURES)
    for _ in range(12):
        logits = features @ weights
        chance = np.exp(logits - logits.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        gradient = flat.T @ (won - chance).ravel() - PRIOR_PRECISION * (weights - prior)
        mean = np.einsum("nc,ncf->nf", chance, features)
        hessian = (flat * chance.reshape(-1, 1)).T @ flat - mean.T @ mean + np.diag(PRIOR_PRECISION)
        weights = weights + np.linalg.solve(hessian, gradient)
    return weights


# Best responses, and a policy trained toward them


@dataclass(frozen=True)
class Targets:
    """A training set: hands, the forts they face, and the expected features of the best responses."""

    hands: npt.NDArray[np.int64]
    fort_kinds: npt.NDArray[np.int64]
    features: Floats


def best_responses(run: Run, clans: int, starts: Any, policies: Any, shares: Any) -> Targets:
    """Every plan evaluated in positions of self-play, each from one seat in turn."""
    flat = starts.reshape(-1)
    flat = flat[flat["round"] > 0][: max(CHUNK, int(run.games * POSITIONS_PER_GAME))]
    seats = np.arange(len(flat)) // 3 % clans
    weights, word = run.values[clans - 1, clans - 2], run.seed_word + 1000 + run.done

    def submit(first: int) -> Future[tuple[Any, Floats]]:
        asked = (flat[first : first + CHUNK], seats[first : first + CHUNK], word, first)
        return run.workers.submit(_responses, *asked, WORLDS, policies, shares, weights)

    parts = [part for _, part in in_order(submit, range(0, len(flat), CHUNK), run.workers.ahead)]
    hands = flat["hand"][np.arange(len(flat)), seats].astype(np.int64)
    return Targets(hands, np.concatenate([kinds for kinds, _ in parts]), np.concatenate([each for _, each in parts]))


def _responses(
    positions: Any, seats: Any, word: int, first: int, count: int, policies: Any, shares: Any, weights: Any
) -> tuple[npt.NDArray[np.int64], Floats]:
    """Of some positions, number `first` and on: the forts they face, and the features of the best plans there."""
    kinds, features = np.zeros((len(positions), 7), np.int64), np.zeros((len(positions), PLAN_FEATURES))
    worlds, path = np.zeros(count, RomansState.dtype()), np.zeros(7, RomansState.dtype())
    # What has travelled may be read only, which compiled code takes for another type.
    compiled_training().best_responses(
        *(positions.copy(), seats.copy(), word, first, worlds, policies.copy(), shares.copy(), weights.copy()),
        *(TEMPERATURE, path, kinds, features),
    )
    return kinds, features


def train_policy(threads: Executor, targets: Targets, start: npt.NDArray[np.float32]) -> tuple[Any, float]:
    """A policy fitted to the targets by Adam, with weight decay and a falling learning rate; and the first gap."""
    policy, first_gap = start.astype(np.float32), 0.0
    first_moment, second_moment, updates = np.zeros(PLAN_FEATURES), np.zeros(PLAN_FEATURES), 0
    for epoch in range(EPOCHS):
        learning_rate = LEARNING_RATE * (1.0 - epoch / EPOCHS)
        for first in range(0, len(targets.hands), BATCH):
            gradient, gap = _gradient(threads, targets, policy, first)
            first_gap = gap if updates == 0 else first_gap
            gradient -= WEIGHT_DECAY * policy
            updates += 1
            first_moment = FIRST_DECAY * first_moment + FIRST_GAIN * gradient
            second_moment = SECOND_DECAY * second_moment + SECOND_GAIN * gradient * gradient
            root = np.sqrt(second_moment / (1.0 - SECOND_DECAY**updates)) + 1e-6
            update = first_moment / (1.0 - FIRST_DECAY**updates) / root
            policy = (policy + learning_rate * update).astype(np.float32)
    return policy, first_gap


def _gradient(threads: Executor, targets: Targets, policy: Any, first: int) -> tuple[Floats, float]:
    """The gradient of the log-likelihood on one batch; and how far the features are from the targets, 0 to 1."""

    def part(begin: int) -> tuple[Floats, float]:
        span, gradient = slice(begin, min(begin + BATCH // 2, first + BATCH)), np.zeros(PLAN_FEATURES)
        batch = (targets.hands[span], targets.fort_kinds[span], targets.features[span])
        return gradient, float(compiled_training().add_gradient(*batch, policy, gradient))

    found = list(threads.map(part, (first, first + BATCH // 2)))
    size = len(targets.hands[first : first + BATCH])
    gradient: Floats = (found[0][0] + found[1][0]) / size
    return gradient, (found[0][1] + found[1][1]) / (size * LARGEST_GAP)
