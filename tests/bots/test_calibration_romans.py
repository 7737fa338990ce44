"""Chances in Romans that mean what they say: the fit and the check."""

from random import Random

import numpy as np
import pytest

from meadhall.bots import choose, evaluate
from meadhall.bots.percent import percent
from meadhall.bots.romans.calibration import as_estimated, calibrated
from meadhall.bots.romans.compiled import prepare
from meadhall.bots.romans.solved import solved_values
from meadhall.games.romans.rules import legions
from meadhall.games.romans.state import Phase
from meadhall.lab.solve.romans_calibration import BINS, COLUMNS, ESTIMATE, WON, check, fit
from meadhall.match import Match
from tests.variants import FOUR


def games(slope: float, intercept: float, count: int = 6000) -> np.ndarray:
    """Positions whose estimates are off by a slope and an intercept in log odds."""
    rng = np.random.default_rng(1)
    seen = np.zeros((count, COLUMNS))
    odds = rng.normal(0.0, 1.5, count)
    seen[:, ESTIMATE] = 1.0 / (1.0 + np.exp(-odds))
    seen[:, WON] = rng.random(count) < 1.0 / (1.0 + np.exp(-(slope * odds + intercept)))
    return seen


def test_a_calibration_finds_by_how_much_estimates_are_off() -> None:
    fitted = fit(games(0.6, -0.3))
    assert fitted[0, 0] == pytest.approx([0.6, -0.3], abs=0.1)
    assert fitted[2, 1].tolist() == [1.0, 0.0]  # of which nothing was seen


def test_after_it_seven_of_ten_positions_called_seventy_per_cent_are_won() -> None:
    seen = games(0.5, 0.4)
    counts = check(seen, fit(seen))
    assert counts[:, 2].sum() == len(seen)
    called, won = counts[7, :2] / counts[7, 2]
    assert called == pytest.approx(won, abs=0.05)
    assert len(counts) == BINS


def test_better_stays_better_and_certain_stays_certain() -> None:
    chances = calibrated(np.array([0.0, 0.2, 0.5, 0.9, 1.0]), np.array([0.5, -0.2]))
    assert chances[0] == 0.0
    assert chances[-1] == 1.0
    assert (np.diff(chances) > 0.0).all()
    unchanged = calibrated(np.array([0.3]), as_estimated()[0, 0, 0])
    assert unchanged == pytest.approx([0.3])


def test_what_both_players_are_told_of_a_round_adds_up_to_one_on_average() -> None:
    prepare()
    sums = []
    for deal in range(6):
        match, rng = Match.new("romans", {"players": FOUR[:2]}, f"sums {deal}"), Random(deal)
        while match.waiting:
            if match.state.phase == Phase.PLAN and len(match.waiting) == 2:
                sums.append(sum(evaluate(match.view(seat)).win for seat in match.waiting))
            match.commit(match.waiting[0], choose("easy", match.view(match.waiting[0]), rng))
    assert np.mean(sums) == pytest.approx(1.0, abs=0.1)


def test_the_shipped_calibration_was_checked_on_many_positions_and_calls_what_is_won() -> None:
    found = solved_values()
    assert found is not None
    for players in (2, 3, 4):
        called, won, positions = found["check"][players - 1].T
        often = positions >= 100
        assert often.sum() >= 4
        assert called[often] / positions[often] == pytest.approx(won[often] / positions[often], abs=0.08)


def test_no_line_is_said_to_win_by_legions_more_often_than_it_wins() -> None:
    prepare()
    said = 0
    for deal in range(40):
        match, rng = Match.new("romans", {"players": FOUR[:2]}, f"legions {deal}"), Random(deal)
        while match.waiting and said < 2:
            seat = match.waiting[0]
            if match.state.phase == Phase.PLAN and legions(match.state, match.seats.index(seat)) == 2:
                evaluated = evaluate(match.view(seat))
                if evaluated.why.key == "romans.why.plan-legions":
                    assert int(evaluated.why.args["chance"]) <= percent(evaluated.win)
                    said += 1
            match.commit(seat, choose("easy", match.view(seat), rng))
    assert said == 2
