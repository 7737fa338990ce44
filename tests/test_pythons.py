"""The rules do the same on every Python we support that is on this machine, so solved values fit on all of them."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from meadhall.games.fingerprint import rules_hash
from tests.pythons import VERSIONS, interpreters

ROOT = Path(__file__).parent.parent
NUMPY = ROOT / ".pythons"  # `make test` puts NumPy alone there, for each version


def asked(version: str, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    """What one of the Pythons makes of some code; it sees our sources, and NumPy if that is there for it."""
    path = os.pathsep.join((str(ROOT / "src"), str(NUMPY / version)))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        (interpreters()[version], *options, "-c", code), capture_output=True, text=True, env=kept | {"PYTHONPATH": path}
    )


@cache
def with_numpy() -> list[str]:
    """The versions that have NumPy, which the rules of Romans and all solved values need."""
    return [version for version in interpreters() if asked(version, "import numpy").returncode == 0]


def test_this_python_is_among_those_found() -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert version in VERSIONS
    assert version in interpreters()


@pytest.mark.parametrize("version", interpreters())
def test_the_rules_of_goths_have_the_same_hash_with_the_bare_standard_library(version: str) -> None:
    code = "from meadhall.games.fingerprint import rules_hash; print(rules_hash('goths'))"
    done = asked(version, code, "-S")
    assert (done.stdout, done.stderr) == (f"{rules_hash('goths')}\n", "")


@pytest.mark.parametrize("version", with_numpy())
def test_the_rules_of_romans_have_the_same_hash_and_hard_has_its_solved_values(version: str) -> None:
    code = (
        "from meadhall.games.fingerprint import rules_hash; from meadhall.bots.solved import load\n"
        "print(rules_hash('romans'), *(load(game).game for game in ('goths', 'romans')))"
    )
    done = asked(version, code)
    assert (done.stdout, done.stderr) == (f"{rules_hash('romans')} goths romans\n", "")
