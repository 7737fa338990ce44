"""Compiled code does not look where it reads and writes, so hundreds of games are played with every index checked."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_no_index_is_ever_out_of_bounds(game: str, pytestconfig: pytest.Config) -> None:
    """The checked machine code has a cache of its own, where the unchecked can never be taken for it."""
    assert pytestconfig.cache is not None
    folder = pytestconfig.cache.mkdir("bounds-checked")
    run = subprocess.run(
        [sys.executable, "-m", "tests.twins.bounds_checked", game],
        # It is compiled once and hardly run: polishing the machine code would take most of the time.
        env=os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1", "XDG_CACHE_HOME": str(folder)},
        cwd=pytestconfig.rootpath,
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 30_000, "choices made"
