"""The pages about environments say what the code does."""

import doctest
from pathlib import Path

import pytest

from meadhall.envs.__main__ import page

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_table_of_every_index_is_that_of_the_code(game: str) -> None:
    assert (DOCS / f"observations-{game}.md").read_text(encoding="utf-8") == page(game)


def test_the_sessions_about_environments_run_as_printed() -> None:
    results = doctest.testfile(str(DOCS / "environments.md"), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0
