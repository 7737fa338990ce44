"""`meadhall solve goths`: the same values from the same rules, interrupted or not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meadhall.bots.goths.positions import POSITIONS, WON
from meadhall.bots.solved import load
from meadhall.cli import main
from meadhall.lab.shards import Workers
from meadhall.lab.solve import goths as solver
from meadhall.lab.solve.goths_transitions import Transitions, joined, transitions_of


@pytest.fixture(scope="module")
def few_transitions() -> Transitions:
    """Those of the start of the game and of some positions that one turn leads to."""
    start = ((0 * 3 + 1) * 2 * 42 + (0 * 3 + 1) * 2) * 10
    successors = transitions_of([start])[0]
    few = sorted({start, *(number for number in successors if number < POSITIONS)})[:30]
    return joined(few, [transitions_of([number]) for number in few])


@pytest.fixture(autouse=True)
def _a_small_game(monkeypatch: pytest.MonkeyPatch, few_transitions: Transitions) -> None:
    def all_transitions(workers: Workers) -> Iterator[tuple[int, int, Transitions | None]]:
        yield 1, 1, few_transitions

    monkeypatch.setattr(solver, "all_transitions", all_transitions)
    few = [stage._replace(sweeps=min(2, stage.sweeps), rounds=20) for stage in solver.STAGES]
    monkeypatch.setattr(solver, "STAGES", few)


def solved(path: Path, *options: str) -> Any:
    assert main(["solve", "goths", "--out", str(path), *options]) == 0
    return load("goths", path).arrays["values"]


def test_the_same_rules_give_the_same_values_on_any_number_of_cores(tmp_path: Path) -> None:
    one = solved(tmp_path / "one.npz", "--cores", "1")
    two = solved(tmp_path / "two.npz", "--cores", "2")
    assert (one == two).all()
    assert one.shape == (2, 5, POSITIONS)
    assert len(np.unique(one)) > 3
    met = [load("goths", tmp_path / name).arrays["company"] for name in ("one.npz", "two.npz")]
    assert met[0].shape == (2, POSITIONS)
    assert (met[0] == met[1]).all()


def test_under_a_stranger_a_lost_unit_counts_and_so_does_a_loaded_catapult() -> None:
    company = load("goths").arrays["company"][0].astype(float) / 65535
    weak, plain, loaded = (0 * 3 + 0) * 2, (0 * 3 + 1) * 2, (0 * 3 + 1) * 2 + 1
    chances = [company[(army * 42 + plain) * 10] for army in (weak, plain, loaded)]
    assert chances == sorted(chances)
    assert 0.05 < chances[0] < chances[-1] < 0.95


def test_an_interrupted_run_is_resumed_and_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = solved(tmp_path / "whole.npz")
    path = tmp_path / "broken.npz"
    real = solver.steps

    def broken(*given: Any) -> Iterator[Any]:
        for step in real(*given):
            yield step
            if int(step.arrays["stages"]) == 2:
                raise KeyboardInterrupt

    monkeypatch.setattr(solver, "steps", broken)
    assert main(["solve", "goths", "--out", str(path)]) == 130
    assert not path.exists()
    assert "run it again to go on from broken.part.npz" in capsys.readouterr().err
    monkeypatch.setattr(solver, "steps", real)
    assert (solved(path) == whole).all()
    assert "Going on from broken.part.npz" in capsys.readouterr().err
    assert not path.with_suffix(".part.npz").exists()


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "goths", "--out", str(tmp_path / "no" / "goths.npz")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_won_turn_is_worth_a_whole_game() -> None:
    loaded, open_ground = (0 * 3 + 2) * 2 + 1, (0 * 3 + 1) * 2
    number = (loaded * 42 + open_ground) * 10
    successors, _, counts = transitions_of([number])
    starts = np.concatenate([[0], np.cumsum(counts)])
    fired = 10 * 4 + 9  # fire, and nothing on the other side
    assert successors[starts[fired] : starts[fired + 1]] == [WON]
