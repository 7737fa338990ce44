"""The contracts of import-linter are ones that can be broken: each is tried on a package that breaks it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def checked(src: Path) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache", "--config", ROOT / "pyproject.toml"]
    return subprocess.run(command, cwd=src, env={"PYTHONPATH": str(src)}, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("games/goths/rules.py", "from meadhall import match", "Rooms look down, never up"),
        ("words/text.py", "from meadhall.bots import evaluation", "Rooms look down, never up"),
        ("games/goths/view.py", "from meadhall.games.romans import state", "No game knows another"),
        (
            "web/goths/hand.py",
            "from meadhall.web.romans import hand",
            "No game's browser half, bots or words know another's",
        ),
        ("tables/entries.py", "from meadhall.tables import lobby", "No cycles"),
    ],
)
def test_a_forbidden_import_is_found(file: str, line: str, contract: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src" / "meadhall", tmp_path / "meadhall", ignore=shutil.ignore_patterns("__pycache__"))
    broken = tmp_path / "meadhall" / file
    broken.write_text(f"{broken.read_text()}\n{line}  # noqa\n")
    found = checked(tmp_path)
    assert found.returncode == 1
    assert f"{contract} BROKEN" in found.stdout
