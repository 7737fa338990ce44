"""Every block of code of every page does what the page says, in the order in which one reads it."""

import argparse
import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

from meadhall.cli import COMMANDS, command_named, parser
from tests.docs.blocks import ROOT, Block, Reader, blocks_of, code_spans

PAGES = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")),
]
WITH_BLOCKS = [page for page in PAGES if any(blocks_of(page))]


@pytest.mark.parametrize("page", WITH_BLOCKS)
def test_every_block_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Reader(tmp_path) as reader:
        for block in blocks_of(page):
            reader.read(block)


def test_hardly_any_command_is_only_parsed() -> None:
    shell = [block for page in PAGES for block in blocks_of(page) if block.language in ("sh", "console")]
    assert len([block for block in shell if block.more == "parse"]) < 30


@pytest.mark.parametrize("page", PAGES)
def test_every_command_and_option_that_a_text_names_is_there(page: str) -> None:
    for span in code_spans(page):
        found = re.match(r"meadhall ([a-z]+)\b", span)
        if not found:
            continue
        assert found[1] in COMMANDS, span
        for option in re.findall(r"(?<=\s)--[a-z-]+", span):
            assert option in options_of(found[1]), span


@pytest.mark.parametrize("page", PAGES)
def test_every_name_of_the_package_that_a_text_uses_is_there(page: str) -> None:
    for span in code_spans(page):
        if found := re.match(r"(meadhall(?:\.[A-Za-z_]\w*)+)(?![\w.{-])", span):
            assert resolve_name(found[1]) is not None, span


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_text_names_is_there(page: str) -> None:
    for span in code_spans(page):
        if re.fullmatch(r"(?:src|docs|tests|examples|bots|games|lab|envs|web|tables|words)/[a-z_/.-]+", span):
            places = (ROOT, ROOT / "src" / "meadhall")
            assert any((place / span).exists() for place in places), f"{page}: {span}"


def options_of(command: str) -> set[str]:
    declared = argparse.ArgumentParser()
    command_named(command).add_options(declared)
    return {name for action in declared._actions for name in action.option_strings}


def test_a_block_that_nobody_can_run_is_found(tmp_path: Path) -> None:
    wrong = [
        Block("x.md", 1, "", "", "meadhall play\n"),
        Block("x.md", 1, "cobol", "", "STOP RUN\n"),
        Block("x.md", 1, "python", "", ">>> 1 + 1\n3\n"),
        Block("x.md", 1, "console", "", "$ echo one\ntwo\n"),
        Block("x.md", 1, "sh", "", "meadhall sing\n"),
        Block("x.md", 1, "sh", "parse", "brew install meadhall\n"),
    ]
    with Reader(tmp_path) as reader:
        for block in wrong:
            with pytest.raises(AssertionError):
                reader.read(block)


def test_help_is_there_for_all_commands() -> None:
    assert all(name in parser().format_help() for name in COMMANDS)
