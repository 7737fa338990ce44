"""How the compiled rules are made and kept."""

import ctypes
import inspect
import os
import subprocess
import sys
from pathlib import Path

from meadhall.engine.compiling import compiled
from meadhall.engine.sources import RULES_MODULES
from meadhall.games.goths import rules, view
from meadhall.games.goths.state import GothsState
from meadhall.games.romans import setup as romans_setup
from meadhall.games.romans.state import RomansState

GAMES = Path(rules.__file__).parent.parent


def sim(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "meadhall", "sim", "goths", "--games", "3", "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})


def test_a_compiled_function_is_a_clone_of_the_one_that_plays_at_the_table() -> None:
    twins = compiled("goths")
    assert twins.commit.py_func.__code__ is rules.commit.__code__
    assert twins.reveal.py_func.__code__ is view.reveal.__code__
    assert twins.commit.py_func.__globals__["legal"] is twins.legal


def test_every_file_of_rules_functions_is_cloned_and_counts_for_the_cache() -> None:
    left_out = {"__init__", "game", "names", "options"}  # names and checks, no rules
    for game in ("goths", "romans"):
        assert {path.stem for path in (GAMES / game).glob("*.py")} - left_out == set(RULES_MODULES)


def test_a_view_names_every_field_of_the_state_so_that_none_is_forgotten() -> None:
    for game, state in (("goths", GothsState), ("romans", RomansState)):
        source = (GAMES / game / "view.py").read_text()
        cleared = inspect.getsource(romans_setup.clear) if "clear(view)" in source else ""
        for name, _ in state._fields_:
            assert f"view.{name}" in source or f"s.{name}[" in cleared, f"{game}: {name}"


def test_a_record_says_how_it_is_laid_out_and_has_no_gaps() -> None:
    for state in (GothsState, RomansState):
        assert (state._pack_, state._layout_) == (1, "ms")  # type: ignore[attr-defined]
        assert ctypes.sizeof(state) == sum(ctypes.sizeof(kind) for _, kind in state._fields_)  # type: ignore[misc]


def test_a_switched_off_compiler_is_named() -> None:
    done = sim(NUMBA_DISABLE_JIT="1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "meadhall: NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it\n"
