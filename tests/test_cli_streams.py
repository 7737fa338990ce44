"""Standard streams that are closed, full, or read by nobody: one line or none, a proper status, never a traceback."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.test_cli import BAD, GOTHS
from tests.web.server import client, until

MEADHALL = (sys.executable, "-m", "meadhall")
QUICK = [
    ("--version",),
    ("--help",),
    ("rules", "goths"),
    ("deck", "romans"),
    ("replay", "RECORD"),
    ("replay", "RECORD", "--json", "--lines"),
    ("play", "goths", "--seed", "1", "--bots", "random"),
]
SLOW = [
    ("sim", "goths", "--games", "10", "--cores", "1"),
    ("arena", "goths", "--bots", "random", "--games", "2", "--cores", "1"),
]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("records") / "game.json"
    path.write_text(json.dumps(GOTHS))
    return str(path)


def run(
    *arguments: str, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.PIPE, closed: int | None = None
) -> tuple[int, str, str]:
    """A real `meadhall` with these streams, one of them closed; its status, output and standard error."""
    close: Callable[[], None] | None = partial(os.close, closed) if closed is not None else None
    done = subprocess.run(
        (*MEADHALL, *arguments), stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, preexec_fn=close, text=True
    )
    return done.returncode, done.stdout or "", done.stderr


def unread() -> int:
    """The end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize("command", [*QUICK, *SLOW], ids=" ".join)
def test_output_that_cannot_be_written_gets_one_line_and_output_nobody_reads_none(
    command: tuple[str, ...], record: str
) -> None:
    arguments = [record if argument == "RECORD" else argument for argument in command]
    pipe = unread()
    assert run(*arguments, stdout=pipe) == (0, "", "")
    os.close(pipe)
    with Path("/dev/full").open("w") as full:
        lost = "meadhall: standard output cannot be written (No space left on device)\n"
        assert run(*arguments, stdout=full.fileno()) == (2, "", lost)
    if command in QUICK:
        lost = "meadhall: standard output cannot be written (it is closed)\n"
        assert run(*arguments, closed=1) == (2, "", lost)


def test_a_closed_standard_error_changes_nothing_else(record: str) -> None:
    status, out, _ = run("replay", record, "--json", closed=2)
    assert (status, json.loads(out)["turn"]) == (0, 1)
    assert run("replay", "nowhere", closed=2) == (2, "", "")
    with Path("/dev/full").open("w") as full:
        assert subprocess.run((*MEADHALL, "replay", "nowhere"), stderr=full).returncode == 2


def test_a_closed_standard_input_is_said_to_be_closed_and_ends_a_game_politely() -> None:
    lost = "meadhall: standard input: cannot be read (it is closed)\n"
    for options in ([], ["--json"], ["--json", "--lines"]):
        assert run("replay", "-", *options, closed=0) == (2, "", lost)
    status, out, err = run("play", "--seed", "1", "--bots", "random", closed=0)
    assert (status, err) == (0, "")
    assert "You leave the table." in out


def test_a_server_runs_with_its_input_and_output_closed(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"--port {port} --db {tmp_path / 'tables.sqlite'} --bot-pause 0"
    command = f"MEADHALL_WARM_UP=0 exec {sys.executable} -m meadhall serve {options} <&- >&-"
    with subprocess.Popen(["sh", "-c", command], stderr=subprocess.PIPE, text=True) as process:
        try:
            with client(f"http://127.0.0.1:{port}") as http:

                def healthy() -> bool:
                    assert process.poll() is None
                    try:
                        return http.get("/healthz").status_code == 200
                    except httpx.TransportError:
                        return False

                until(healthy, "a healthy server")
        finally:
            process.terminate()
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def test_a_directory_cannot_be_read_line_by_line(tmp_path: Path) -> None:
    refused = f"meadhall: {tmp_path}: cannot be read (Is a directory)\n"
    assert run("replay", str(tmp_path), "--json", "--lines") == (2, "", refused)


def test_bad_records_among_lines_are_all_answered_and_then_counted(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(map(json.dumps, (GOTHS, BAD, GOTHS))))
    status, out, err = run("replay", str(file), "--json", "--lines")
    assert (status, ["error" in json.loads(line) for line in out.splitlines()]) == (2, [False, True, False])
    assert err == f"meadhall: {file}: 1 of 3 records were refused; the answers say why\n"


def test_the_version_is_that_of_the_package() -> None:
    project = (Path(__file__).parent.parent / "pyproject.toml").read_text()
    version = re.search(r'^version = "(.*)"$', project, re.MULTILINE)
    assert version
    assert run("--version") == (0, f"meadhall {version[1]}\n", "")
