"""The solved values of the strong bots: written whole, and refused if they are none or do not fit the rules."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meadhall.bots import solved as solved
from meadhall.bots.solved import SolvedFault, load, save, shipped
from meadhall.games.fingerprint import rules_hash
from meadhall.games.game import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_values_fit_the_rules_as_they_are(game: str) -> None:
    assert load(game).meta["rules"] == rules_hash(game)


def test_all_solved_values_together_take_less_than_five_megabytes() -> None:
    assert sum(shipped(game).stat().st_size for game in GAMES) < 5_000_000


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    save(path, "goths", {"values": np.arange(5, dtype=np.uint16)}, {"seed": 7})
    found = load("goths", path)
    assert found.arrays["values"].tolist() == [0, 1, 2, 3, 4]
    assert found.meta["seed"] == 7
    assert [each.name for each in tmp_path.iterdir()] == ["some.npz"]


def test_values_made_for_other_rules_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "goths.npz"
    save(path, "goths", {}, {})
    monkeypatch.setattr(solved, "rules_hash", lambda game: "other")
    with pytest.raises(SolvedFault, match="made for other rules; make it anew with: meadhall solve goths"):
        load("goths", path)


def test_values_of_the_other_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "values.npz"
    save(path, "romans", {}, {})
    with pytest.raises(SolvedFault, match="no solved values for goths"):
        load("goths", path)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04broken"])
def test_a_file_without_values_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "goths.npz"
    path.write_bytes(content)
    with pytest.raises(SolvedFault, match="holds no solved values of this program"):
        load("goths", path)
    with pytest.raises(SolvedFault, match="there are no such solved values; make them with: meadhall solve goths"):
        load("goths", tmp_path / "none.npz")


def test_a_write_that_is_broken_off_leaves_the_old_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "goths.npz"
    save(path, "goths", {}, {"seed": 1})

    def break_off(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(solved.np, "savez_compressed", break_off)
    with pytest.raises(KeyboardInterrupt):
        save(path, "goths", {}, {"seed": 2})
    assert load("goths", path).meta["seed"] == 1
    assert [each.name for each in tmp_path.iterdir()] == ["goths.npz"]


@pytest.mark.parametrize(("game", "rule"), [("goths", "axe"), ("romans", "wreck_charriotts")])
def test_the_hash_is_that_of_what_the_rules_do(game: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = import_module(f"meadhall.games.{game}.rules")
    again = rules_hash.__wrapped__(game)
    assert again == rules_hash(game)
    monkeypatch.setattr(rules, rule, lambda *_: None)
    assert rules_hash.__wrapped__(game) != again
