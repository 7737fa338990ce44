"""What the README shows is what happens."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_session_in_the_readme_runs_as_printed() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 10
    assert results.failed == 0


def test_every_make_target_the_readme_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"`?make (\w+)`?", (ROOT / "README.md").read_text())) - {"and"}:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_readme_names_the_makers_and_sends_people_to_the_box() -> None:
    text = (ROOT / "README.md").read_text()
    for words in ("unofficial", "Vincent Bonnard", "Eric B. Vogel", "buy the box"):
        assert words in text


def test_every_room_the_architecture_names_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    for name in re.findall(r"\b([a-z]+\.py)\b", text):
        assert list((ROOT / "src").rglob(name)) or list((ROOT / "tests").rglob(name)), name
