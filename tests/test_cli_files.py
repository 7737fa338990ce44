"""Files that commands write: refused before any work if they cannot be written, and never half written."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meadhall import Match
from meadhall.cli import main
from meadhall.cli.files import OutputFile
from meadhall.faults import Fault
from meadhall.lab.arena import arena as arenas
from meadhall.lab.solve import goths as solving
from meadhall.terminal.play import Table

LONG = "a" * 300 + ".svg"
TARGETS = [
    ("{here}", "is a folder; give the name of a file"),
    ("{here}/no/such/x.svg", "there is no folder {here}/no/such"),
    ("{here}/letter.txt/x.svg", "Not a directory"),
    (f"{{here}}/{LONG}", "File name too long"),
    ("/proc/x.svg", "cannot be written"),
]
COMMANDS = [
    ("play", "goths", "--save"),
    ("arena", "goths", "--bots", "random", "--picture"),
    ("solve", "goths", "--out"),
]


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts to work fails."""

    def work(*_: Any, **__: Any) -> None:
        raise AssertionError("work was started")

    monkeypatch.setattr(arenas, "run", work)
    monkeypatch.setattr(solving, "steps", work)
    monkeypatch.setattr(Table, "play", work)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(("target", "said"), TARGETS, ids=[said for _, said in TARGETS])
def test_a_file_that_cannot_be_written_is_refused_before_any_work(
    command: tuple[str, ...], target: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "folder.svg"
    here.mkdir()
    (here / "letter.txt").write_text("Dear Theodoric")
    path = target.format(here=here)
    assert main([*command, path]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"meadhall: {command[-1]} {path}: ")
    assert said.format(here=here) in err
    assert [file.name for file in here.iterdir()] == ["letter.txt"]


@pytest.mark.usefixtures("no_work")
def test_solving_into_a_package_that_cannot_be_written_is_refused_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("meadhall.bots.solved.shipped", lambda game: Path("/proc/solved.npz"))
    assert main(["solve", "goths"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("meadhall: /proc/solved.npz: cannot be written")
    assert err.endswith("; give another file with --out\n")


def test_solved_values_do_not_replace_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "goths", "--out", os.devnull]) == 2
    assert "is not a file that can be replaced" in capsys.readouterr().err
    assert not Path(os.devnull).is_file()


def on_a_full_disk(*arguments: str, room: int = 0) -> tuple[int, str, str]:
    """Run a real `meadhall` that may make files, but write no more than so many bytes into each."""
    done = subprocess.run(
        (sys.executable, "-m", "meadhall", *arguments),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    return done.returncode, done.stdout, done.stderr


def test_a_full_disk_costs_the_picture_and_not_the_report(tmp_path: Path) -> None:
    picture = tmp_path / "partners.svg"
    picture.write_text("the old picture")
    options = ("--bots", "random,random,random", "--games", "2", "--cores", "1", "--json", "--picture", str(picture))
    status, out, err = on_a_full_disk("arena", "goths", *options, room=4096)  # processes share that much memory
    assert (status, err) == (2, f"meadhall: --picture {picture}: cannot be written (File too large)\n")
    assert json.loads(out)["game"] == "goths"
    assert picture.read_text() == "the old picture"
    assert list(tmp_path.iterdir()) == [picture]


def test_a_full_disk_is_said_in_one_line_after_a_game(tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    status, out, err = on_a_full_disk("play", "goths", "--bots", "random", "--save", str(file))
    assert (status, err) == (2, f"meadhall: --save {file}: cannot be written (File too large)\n")
    assert "You leave the table." in out
    assert list(tmp_path.iterdir()) == []


def test_a_game_is_saved_also_if_nobody_reads_the_screen_any_more(tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    reading, writing = os.pipe()
    os.close(reading)
    command = (sys.executable, "-m", "meadhall", "play", "goths", "--bots", "random", "--save", str(file))
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    Match.from_record(file.read_text())


def test_a_file_is_replaced_as_a_whole_and_a_link_leads_to_it(tmp_path: Path) -> None:
    file, link = tmp_path / "file.txt", tmp_path / "link.txt"
    file.write_text("old")
    link.symlink_to(file)
    target = OutputFile("--save", link)
    assert file.read_text() == "old"
    target.write("new")
    assert (file.read_text(), link.is_symlink()) == ("new", True)
    with pytest.raises(UnicodeEncodeError):
        target.write("half \ud800")
    assert file.read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "meadhall", "play", "goths", "--bots", "random", "--save", "/dev/stdout")
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    assert [line for line in done.stdout.splitlines() if line.startswith('{"format":"meadhall/1"')]


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(Fault, match="null character in its name"):
        OutputFile("--save", Path("a\0b"))
