"""The wheel, installed where nothing of the checkout can be seen: all that the program needs is shipped in it."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.test_cli import GOTHS
from tests.web.server import client, until

ROOT = Path(__file__).parent.parent


class Installed:
    """A fresh environment with the wheel in it, and an empty folder to run it from."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.empty = folder / "env" / "bin", folder / "empty"
        self.empty.mkdir()
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
        quietly = {"check": True, "capture_output": True, "text": True}
        building = ("wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
        subprocess.run((*pip, *building), **quietly)  # type: ignore[call-overload]
        (self.wheel,) = folder.glob("meadhall-*.whl")
        venv.create(folder / "env", symlinks=True)
        # What we depend on is found beside our tests. A .pth file is not read there, so the checkout is not.
        packages = Path(self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        packages.joinpath("dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        python = str(self.bin / "python")
        subprocess.run(
            (*pip[:3], "--python", python, *pip[3:], "install", "--no-deps", "--no-index", str(self.wheel)), **quietly
        )  # type: ignore[call-overload]

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MEADHALL"))}
        return kept | {"XDG_DATA_HOME": str(self.empty), "XDG_CACHE_HOME": str(self.empty), "MEADHALL_WARM_UP": "0"}

    def run(self, program: str, *arguments: str, given: str = "") -> str:
        """What a program of the environment prints; it must end well and say nothing on standard error."""
        done = subprocess.run(
            (str(self.bin / program), *arguments),
            input=given,
            capture_output=True,
            text=True,
            cwd=self.empty,
            env=self.environment,
        )
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_stands_alone(installed: Installed) -> None:
    where = installed.run("python", "-c", "import meadhall; print(meadhall.__file__)")
    assert Path(where.strip()).is_relative_to(installed.bin.parent)
    assert re.fullmatch(r"meadhall \d+\.\d+\.\d+\n", installed.run("meadhall", "--version"))


def test_the_wheel_says_whose_it_is_and_what_one_may_do_with_it(installed: Installed) -> None:
    text = installed.run("python", "-c", "from importlib.metadata import metadata; print(metadata('meadhall'))")
    for line in ("License-Expression: MIT", "License-File: LICENSE", "Author: the Meadhall authors"):
        assert line in text


def test_the_wheel_ships_rulebooks_decks_words_and_rules(installed: Installed) -> None:
    assert installed.run("meadhall", "rules", "goths").startswith("# Goths Save the Queen")
    assert "R4.7" in installed.run("meadhall", "rules", "romans", "--lang", "es")
    assert "legion-" in installed.run("meadhall", "deck", "romans")
    told = installed.run("meadhall", "replay", "-", "--lang", "de", given=json.dumps(GOTHS))
    assert "Runde 1. Die Ostgoten haben die Initiative." in told


def test_the_wheel_simulates(installed: Installed) -> None:
    assert json.loads(installed.run("meadhall", "sim", "goths", "--games", "20", "--json"))["games"] == 20


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_wheel_ships_solved_values_that_fit_its_rules(installed: Installed, game: str) -> None:
    code = f"from meadhall.bots.solved import load; print(len(load({game!r}).arrays) > 0)"
    assert installed.run("python", "-c", code) == "True\n"


@pytest.fixture(scope="module")
def pages(installed: Installed) -> Iterator[httpx.Client]:
    command = (str(installed.bin / "meadhall"), "serve", "--port", "0")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=installed.empty, env=installed.environment
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[1].replace("localhost", "127.0.0.1")
        try:
            with client(url, follow_redirects=True) as http:

                def answers() -> bool:
                    assert process.poll() is None
                    try:
                        return http.get("/healthz").status_code == 200
                    except httpx.TransportError:
                        return False

                until(answers, "a healthy server")
                yield http
        finally:
            process.terminate()


def assets_of(pages: httpx.Client, address: str) -> set[str]:
    """The addresses of our own files on a page, each of which is there."""
    page = pages.get(address, headers={"accept-language": "fr"})
    assert page.status_code == 200
    found = set(re.findall(r"""(?:href|src)=["'](/static/[^"']+)["']""", page.text))
    for asset in found:
        answer = pages.get(asset)
        assert (answer.status_code, len(answer.content) > 0) == (200, True), asset
    return found


def test_the_wheel_serves_pages_with_their_style_and_pictures(pages: httpx.Client) -> None:
    assert {Path(address).suffix for address in assets_of(pages, "/")} >= {".css", ".svg"}


@pytest.mark.parametrize(("game", "rules"), [("goths", {}), ("romans", {"players": ["gold", "green"]})])
def test_the_wheel_serves_a_table_of_each_game_with_its_own_style(
    pages: httpx.Client, game: str, rules: dict[str, Any]
) -> None:
    opened = pages.post("/api/tables", json={"game": game, "rules": rules})
    assert opened.status_code == 201, opened.text
    assert any(address.endswith(f"/{game}/style.css") for address in assets_of(pages, f"/t/{opened.json()['code']}"))
