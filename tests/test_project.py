"""What people need to join the project: licence, pages, hooks and a workflow, none of which may fall behind."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAKEFILE = (ROOT / "Makefile").read_text()


def targets(text: str) -> set[str]:
    """The targets of `make` that a text tells people to use."""
    return {
        target for line in re.findall(r"(?:^ *|`)make ([a-z -]+)", text, re.MULTILINE) for target in line.split()[:1]
    }


def test_the_licence_is_mit_and_says_so_everywhere() -> None:
    assert PROJECT["license"] == "MIT"
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("MIT License")
    assert "the Meadhall authors" in text
    assert PROJECT["authors"] == [{"name": "the Meadhall authors"}]


def test_the_changelog_has_this_version_and_what_comes_next() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert PROJECT["version"] in headings


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "README.md"])
def test_what_a_page_tells_people_to_make_can_be_made(page: str) -> None:
    named = targets((ROOT / page).read_text())
    assert {"test", "install"} <= named
    for target in named:
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "README.md"])
def test_every_file_a_page_links_to_is_there(page: str) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text()):
        assert (ROOT / link).exists(), link


def test_the_workflow_runs_what_must_hold() -> None:
    workflow: Any = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())
    commands = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert "make test" in commands
    assert "make pythons" in commands


def test_the_hooks_run_the_tools_of_make_lint_and_nothing_from_elsewhere() -> None:
    hooks: Any = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    assert [each["repo"] for each in hooks["repos"]] == ["local"]
    lint = MAKEFILE[MAKEFILE.index("\nlint:") :].partition("\n\n")[0].casefold()
    for hook in hooks["repos"][0]["hooks"]:
        assert hook["entry"].startswith(".venv/bin/")
        tool = re.search(r"ruff \w+|mypy|biome(?= )|lint/\w+\.py|lint-imports", hook["entry"])
        assert tool, hook["entry"]
        assert tool[0] in lint, hook["entry"]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_python_we_promise_is_one_that_make_pythons_looks_for(version: str) -> None:
    assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]
    assert f'"{version}"' in (ROOT / "tests" / "pythons.py").read_text()
