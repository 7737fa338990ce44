"""The solver of Romans: the same solution for the same seed, interrupted or not, and one that makes sense."""

from itertools import islice

import numpy as np
import pytest

from meadhall.bots.romans.rollout import LEGIONS, POINTS
from meadhall.bots.romans.solved import PLAYER_COUNTS
from meadhall.bots.solved import load
from meadhall.lab.solve import romans as solver
from meadhall.lab.solve.progress import Step


def solved(count: int, saved: dict[str, np.ndarray] | None = None, seed: int = 1, cores: int | None = None) -> Step:
    """The state of a small run after so many units of work."""
    *_, last = islice(solver.steps(saved, seed, cores, games=60), count + 1)
    return last


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "WORLDS", 2)
    monkeypatch.setattr(solver, "EPOCHS", 3)


def test_solving_is_deterministic_on_any_number_of_cores_and_can_be_resumed() -> None:
    first, second = solved(1), solved(2)
    assert (first.done, second.done) == (1, 2)
    assert 0.0 < second.residual < 1.0
    resumed = solved(1, first.arrays, cores=1)
    assert (resumed.done, resumed.residual) == (2, second.residual)
    for name, array in second.arrays.items():
        np.testing.assert_array_equal(resumed.arrays[name], array)
    assert np.abs(second.arrays["policies"][0, 1]).max() > 0.0
    assert set(solver.finished(second.arrays)) == {"policies", "values", "calibration", "check"}


def test_another_seed_gives_another_solution() -> None:
    assert np.abs(solved(1, seed=2).arrays["policies"] - solved(1).arrays["policies"]).max() > 0.0


def test_training_brings_a_policy_closer_to_its_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps: dict[int, float] = {}
    for epochs in (1, 6):
        monkeypatch.setattr(solver, "EPOCHS", epochs)
        gaps[epochs] = _gap_after_training()
    assert gaps[6] < gaps[1]


def _gap_after_training() -> float:
    """How far a policy trained on some random best responses is from them."""
    with solver.Threads(1) as threads:
        policies, values = np.zeros((3, solver.LEVELS, solver.PLAN_FEATURES), np.float32), solver.rough_value_weights()
        run = solver.Run(1, 30, threads, threads, policies, np.tile(values, (4, 3, 1, 1)), np.zeros(0), np.zeros(0))
        simple, shares = solver.uniform_and_greedy(), solver.opponent_mixture(0)
        starts, _ = solver.self_play(run, 2, 2, simple, shares)
        targets = solver.best_responses(run, 2, starts, simple, shares)
        trained, _ = solver.train_policy(threads, targets, simple[1])
        return solver._gradient(threads, targets, trained, 0)[1]


def test_the_shipped_solution_makes_points_and_legions_worth_having() -> None:
    arrays = load("romans").arrays
    assert arrays["policies"].shape[0] == 3
    for players, clans in PLAYER_COUNTS:
        weights = arrays["values"][players - 1, clans - 2]
        assert (weights[:, POINTS] > 0.03).all()
        two_of_three = weights[:, LEGIONS + 5 * 2 + 1]
        assert (two_of_three > weights[:, LEGIONS + 1]).all()
