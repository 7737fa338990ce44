"""Games of Romans among the levels, in which the chances that `hard` estimates are held against who won.

A slope and an intercept in log odds are fitted to all games. How often positions called so and so are won is counted in
each half of the games by what was fitted to the other half.
"""

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.bots import choose
from meadhall.bots.romans import hard
from meadhall.bots.romans.calibration import as_estimated, calibrated, cell, log_odds
from meadhall.bots.romans.compiled import prepare
from meadhall.bots.romans.monte_carlo import SearchModel
from meadhall.bots.solved import Arrays
from meadhall.games.romans.state import CLANS
from meadhall.lab.shards import Workers, in_order
from meadhall.match import Match, View

Floats = npt.NDArray[np.float64]
LEVELS = ("easy", "medium", "hard", "hard")  # who sits down, hard twice as often
GAMES_A_PART = 6
PRIOR_PRECISION = 5.0  # of a Gaussian prior around estimates that are right
BINS = 10
# Columns of what is kept of a position: its game, where its calibration is, the estimate, and the share of the victory.
GAME, ROUND, WITHIN, ESTIMATE, WON, COLUMNS = 0, 1, 2, 3, 4, 5


def calibrated_by_games(players: int, seed: str, found: Arrays, workers: Workers, games: int) -> tuple[Floats, Floats]:
    """The calibration for so many players, and a check of it: [bin] chances and shares won, summed, and positions."""
    parts = in_order(
        lambda first: workers.submit(positions, players, seed, first, min(GAMES_A_PART, games - first), found),
        range(0, games, GAMES_A_PART),
        workers.ahead,
    )
    seen = np.concatenate([part for _, part in parts])
    even = seen[:, GAME] % 2 == 0
    return fit(seen), check(seen[~even], fit(seen[even])) + check(seen[even], fit(seen[~even]))


def positions(players: int, seed: str, first: int, games: int, found: Arrays) -> Floats:
    """Every position of some games in which somebody chose, as a row."""
    prepare()
    rows = [row for game in range(first, first + games) for row in _game(players, f"{seed} {game}", game, found)]
    return np.array(rows).reshape(-1, COLUMNS)


def _game(players: int, seed: str, number: int, found: Arrays) -> list[list[float]]:
    """One game between levels drawn for it."""
    match, rng = Match.new("romans", {"players": list(CLANS[:players])}, seed), Random(seed)
    levels = {seat: rng.choice(LEVELS) for seat in match.seats}
    model = hard.model_by(found, players, players)
    rows, seats = [], []
    while match.waiting:
        seat = match.waiting[0]
        view = match.view(seat)
        _, played, within = cell(view.state)
        rows.append([number, played, within, estimate(view, model, rng), 0.0])
        seats.append(seat)
        match.commit(seat, hard.chosen(view, model, rng) if levels[seat] == "hard" else choose(levels[seat], view, rng))
    assert match.outcome is not None
    for row, seat in zip(rows, seats, strict=True):
        row[WON] = match.outcome.share(seat)
    return rows


def estimate(view: View, model: SearchModel, rng: Random) -> float:
    """The chance to win as the search has it."""
    found, probabilities = hard.estimates(view, model, rng)
    return float(found.chances @ probabilities)


# The fit, and the check


def fit(seen: Floats) -> Floats:
    """Slope and intercept by round and kind, [round, within a turn, 2]."""
    fitted: Floats = as_estimated()[0]
    for played in range(3):
        for within in range(2):
            there = seen[(seen[:, ROUND] == played) & (seen[:, WITHIN] == within)]
            fitted[played, within] = _logistic_regression(log_odds(there[:, ESTIMATE]), there[:, WON])
    return fitted


def _logistic_regression(odds: Floats, won: Floats) -> Floats:
    """The most probable slope and intercept by Newton's method."""
    features, prior = np.stack([odds, np.ones(len(odds))], axis=1), np.array([1.0, 0.0])
    weights = prior.copy()
    for _ in range(12):
        chance = 1.0 / (1.0 + np.exp(-features @ weights))
        gradient = features.T @ (won - chance) - PRIOR_PRECISION * (weights - prior)
        hessian = (features * (chance * (1.0 - chance))[:, None]).T @ features + PRIOR_PRECISION * np.eye(2)
        weights = weights + np.linalg.solve(hessian, gradient)
    return weights


def check(seen: Floats, fitted: Floats) -> Floats:
    """For each tenth of the scale the sum of the chances that were called, of the shares won, and how many."""
    counts = np.zeros((BINS, 3))
    for row in seen:
        chance = float(called(row, fitted))
        counts[min(int(chance * BINS), BINS - 1)] += (chance, row[WON], 1.0)
    return counts


def called(row: Floats, fitted: Floats) -> Any:
    """The chance that is shown for a position."""
    return calibrated(row[ESTIMATE], fitted[int(row[ROUND]), int(row[WITHIN])])
