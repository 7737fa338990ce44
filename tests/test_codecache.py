"""Where machine code is kept, and that one process at a time makes it."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from meadhall.engine import codecache
from meadhall.engine.codecache import CompilerLock, private_folder
from meadhall.engine.compiling import _rules_twins
from meadhall.lab.simulate import compiled_batch, simulate
from tests.test_compiled import sim

NOWHERE = "there is no folder to keep compiled rules in; set XDG_CACHE_HOME to one that can be written"


@pytest.fixture
def no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache cannot be written; gives the temporary directory."""
    (tmp_path / "file").touch()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    codecache._passing_base.cache_clear()
    return temporary


def kept_base(temporary: Path) -> Path:
    return temporary / f"meadhall-{os.getuid()}"


def test_other_peoples_functions_are_not_cached_among_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "as it was")
    twins = _rules_twins.__wrapped__("goths", inline=True)
    assert numba.config.CACHE_DIR == "as it was"
    assert all("goths-" in twin.stats.cache_path for twin in twins.values())


@pytest.fixture(scope="module")
def made() -> Path:
    """Where random play of Goths is kept, compiled."""
    simulate("goths", {}, 1, seed=1, cores=1)
    return Path(compiled_batch("goths").play_games.stats.cache_path).parent


def test_a_simulation_runs_where_the_home_cannot_be_written(made: Path, no_home: Path) -> None:
    kept_base(no_home).mkdir(mode=0o700)
    copy = shutil.copytree(made, kept_base(no_home) / made.name)
    before = {file: file.stat().st_mtime for file in copy.glob("**/*.nb?")}
    assert json.loads(sim().stdout)["games"] == 3
    assert {file: file.stat().st_mtime for file in copy.glob("**/*.nb?")} == before  # loaded, not made again


SIM_NOWHERE = """
import sys, tempfile
from meadhall.cli import main
tempfile.tempdir = "/proc"
sys.exit(main(["sim", "goths", "--games", "1"]))
"""


def test_without_any_place_to_keep_machine_code_it_says_so(no_home: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SIM_NOWHERE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"meadhall: {NOWHERE}\n"


def test_the_folder_in_the_temporary_directory_is_private_and_kept(no_home: Path) -> None:
    folder = private_folder("one")
    assert folder == kept_base(no_home) / "one"
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert private_folder("one") == folder


def open_to_all(base: Path) -> None:
    base.mkdir()
    base.chmod(0o777)


def link_elsewhere(base: Path) -> None:
    (base.parent / "elsewhere").mkdir(mode=0o700)
    base.symlink_to(base.parent / "elsewhere")


def of_somebody_else(base: Path) -> None:
    base.mkdir(mode=0o700)
    os.chown(base, 1, -1)


STRANGE = {"open to all": open_to_all, "link": link_elsewhere, "file": Path.touch}
if os.getuid() == 0:  # only root can give a folder away
    STRANGE["somebody else's"] = of_somebody_else


@pytest.mark.parametrize("planted", STRANGE.values(), ids=list(STRANGE))
def test_a_folder_that_others_may_have_filled_is_not_used(planted: object, no_home: Path) -> None:
    base = kept_base(no_home)
    planted(base)  # type: ignore[operator]
    folder = private_folder("one")
    assert not folder.resolve().is_relative_to(base.resolve())
    assert folder.is_relative_to(no_home)
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700


def test_there_need_be_no_user_numbers(no_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "getuid")  # as on Windows
    assert private_folder("one") == no_home / "meadhall" / "one"


COMPILE = """
import sys
from pathlib import Path
import numba
from meadhall.engine.codecache import CompilerLock, cached_in
def twice(n):
    return 2 * n
with cached_in(Path(sys.argv[1])):
    twin = CompilerLock(Path(sys.argv[1])).guard(numba.njit(cache=True)(twice))
print("ready", flush=True)
sys.stdin.readline()
assert twin(4) == 8
print(sum(twin.stats.cache_misses.values()))
"""


def test_of_two_processes_one_compiles_and_the_other_loads(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(COMPILE)
    command = [sys.executable, script, tmp_path]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    assert sorted(process.communicate("go\n")[0] for process in both) == ["0\n", "1\n"]


def guarded(lock: CompilerLock, work: object) -> object:
    return lock.guard(SimpleNamespace(compile=work))


def test_whoever_waits_too_long_compiles_for_himself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompilerLock, "patience", 0.05)
    with CompilerLock(tmp_path)._hold():
        assert guarded(CompilerLock(tmp_path), lambda signature: f"compiled {signature}").compile("f") == "compiled f"


def test_a_lock_can_be_taken_by_what_is_called_meanwhile_and_again_afterwards(tmp_path: Path) -> None:
    lock = CompilerLock(tmp_path)
    inner = guarded(lock, lambda signature: [signature])
    outer = guarded(lock, lambda signature: [signature, *inner.compile("inner")])
    assert outer.compile("outer") == ["outer", "inner"]
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(guarded(CompilerLock(tmp_path), str.upper).compile, "free").result(10) == "FREE"


def test_a_folder_that_has_gone_stops_nobody(tmp_path: Path) -> None:
    lock = CompilerLock(tmp_path / "gone")
    assert guarded(lock, str.upper).compile("f") == "F"
