"""The blocks of code of a page, and a reader who does all that they say, from top to bottom, in a folder of his own.

What stands behind a block's language says how it is read:

- `python`: a session, run as printed; with `title="mine.py"` a file to save; anything else is run as it stands
- `console`: commands after `$`, and what they print; `...` stands for any of it
- `sh`: commands, run; `sh parse`: too long or endless, so the real parsers read them; `sh serve`: a server that is
  there for the blocks that follow, at an address of its own
- `json`, `ini`, `text`: data
"""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from meadhall.cli import parser
from meadhall.web.settings import PREFIX, Settings
from tests.web.server import Server

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
USUAL_ADDRESS = "http://localhost:8000"
PARSER = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True)
class Block:
    """A block of code: where it stands, its language, what stands behind that, and the text."""

    page: str
    line: int
    language: str
    more: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks_of(page: str) -> Iterator[Block]:
    """All blocks of a page; one without a language has the language ""."""
    for token in PARSER.parse((ROOT / page).read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            language, _, more = token.info.strip().partition(" ")
            yield Block(page, (token.map or [0])[0] + 1, language, more, token.content)


def code_spans(page: str) -> Iterator[str]:
    """Everything that stands between backticks within the text of a page."""
    for token in PARSER.parse((ROOT / page).read_text(encoding="utf-8")):
        yield from (child.content for child in token.children or () if child.type == "code_inline")


class Reader:
    """Does what the blocks of one page say."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.address = USUAL_ADDRESS
        self.open = ExitStack()
        (folder / "examples").symlink_to(ROOT / "examples")

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.open.close()

    def read(self, block: Block) -> None:
        """Do what a block says; an AssertionError says where that goes wrong."""
        known = {
            "python": self.python,
            "console": self.console,
            "sh": self.sh,
            "json": lambda block: json.loads(block.text),
            "ini": self.ini,
            "text": lambda block: None,
        }
        assert block.language in known, f"{block}: nobody knows how to run {block.language or 'a block of no language'}"
        known[block.language](block)

    def here(self, text: str) -> str:
        return text.replace(USUAL_ADDRESS, self.address)

    # Python

    def python(self, block: Block) -> None:
        text = self.here(block.text)
        if title := re.fullmatch(r'title="([\w.]+)"', block.more):
            compile(text, title[1], "exec")
            (self.folder / title[1]).write_text(text)
        elif ">>> " not in text:
            exec(compile(text, str(block), "exec"), self.names)
        else:
            said: list[str] = []
            session = doctest.DocTestParser().get_doctest(text, self.names, str(block), block.page, block.line)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            found = runner.run(session, out=said.append, clear_globs=False)
            assert found.failed == 0, "".join(said)
            self.names = session.globs

    # The shell

    def run(self, block: Block, command: str) -> str:
        """What commands print, run by bash in the reader's folder with our programs at hand."""
        ours = str(Path(sys.executable).parent)
        environment = os.environ | {"PATH": f"{ours}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
        words = ["bash", "-e", "-c", self.here(command)]
        done = subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, f"{block}: {command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def console(self, block: Block) -> None:
        assert block.text.startswith("$ "), f"{block} begins with no command"
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            printed = self.run(block, command)
            alike = doctest.OutputChecker().check_output(expected.lstrip(), printed.lstrip(), LENIENT)
            assert alike, f"{block}: {command}\nprints\n{printed}"

    def sh(self, block: Block) -> None:
        assert block.more in ("", "parse", "serve"), f"{block}: {block.more}?"
        if block.more == "":
            self.run(block, block.text)
            return
        for command in commands_in(block.text):
            check_command(command, str(block))
        if block.more == "serve":
            (command,) = commands_in(block.text)
            bots = [str(self.folder / word) if word.endswith(".py") else word for word in command[2:]]
            server = self.open.enter_context(Server(self.folder, *bots, env={"MEADHALL_WARM_UP": "0"}))
            self.address = server.url

    def ini(self, block: Block) -> None:
        """A service of systemd: what it starts can be started, what it sets can be set."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for line in filter(None, block.text.splitlines()):
            if line.startswith("["):
                sections[line.strip("[]")] = []
            else:
                key, _, value = line.partition("=")
                sections[list(sections)[-1]].append((key, value))
        assert list(sections) == ["Unit", "Service", "Install"], block
        for key, value in sections["Service"]:
            if key == "Environment":
                assert value.partition("=")[0] in SETTINGS, f"{block}: {value}"
            elif key == "ExecStart":
                path, *words = shlex.split(value)
                check_command([Path(path).name, *words], str(block))


SETTINGS = {PREFIX + field.name.upper() for field in fields(Settings)}


def commands_in(text: str) -> list[list[str]]:
    """The commands of some lines, pipes taken apart, with neither comments nor what they are redirected to."""
    found: list[list[str]] = []
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        command: list[str] = []
        for word in [*words, "|"]:
            if word == "|":
                found += [command] if command else []
                command = []
            else:
                command.append(word)
    return [command[: command.index(">")] if ">" in command else command for command in found]


def check_command(words: list[str], where: str) -> None:
    """Could this be run? Asked of the very parser, Makefile and project that would."""
    program, *rest = words
    if program == "meadhall":
        parser().parse_args(rest)
    elif program == "make":
        assert re.search(rf"^{rest[0]}:", MAKEFILE, re.MULTILINE), f"{where}: make {rest[0]}"
    elif program == "python":
        assert (ROOT / rest[0]).is_file(), f"{where}: {rest[0]}"
    elif program == "pip":
        for extra in re.findall(r"\[(.*)\]", rest[-1]):
            assert set(extra.split(",")) <= EXTRAS.keys(), f"{where}: {extra}"
    else:
        assert words == ["source", ".venv/bin/activate"], f"{where}: nobody knows {program}"
