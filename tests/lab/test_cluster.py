"""Shards on a local Ray with two workers: the same results as here, whoever dies meanwhile."""

import inspect
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from meadhall.bots.processes import TimedOut
from meadhall.bots.solved import load
from meadhall.bots.worker import prepare_levels
from meadhall.cli import main
from meadhall.faults import Fault, RecordFault
from meadhall.lab import cluster, simulate
from meadhall.lab.arena import arena as arenas
from meadhall.lab.arena.entrants import read_entrants
from meadhall.lab.arena.play import Fixture
from meadhall.lab.arena.report import as_data
from meadhall.lab.arena.shipping import Packed, play_packed
from meadhall.lab.cluster import RayExecutor, check_place, connected
from meadhall.lab.shards import Threads, in_flight, in_order
from meadhall.lab.solve import goths as solve_goths
from meadhall.lab.solve import goths_transitions
from meadhall.lab.solve import romans as solve_romans
from meadhall.lab.study.play import play_shard
from meadhall.lab.study.samples import THINKING, Sample, Shard
from tests.lab import shards

COMMAND = (sys.executable, "-c", "import sys; from meadhall.cli import main; sys.exit(main())")
BOT = "def choose(view, choices, rng): return choices[-1]\n"
TIMES = ("seconds", "compile_seconds", "decisions_per_second")


@pytest.fixture(scope="module")
def workers() -> Iterator[RayExecutor]:
    with connected("ray", 2) as found:
        yield found


# Shards


def test_shards_come_back_as_they_are_done_or_in_order_and_no_more_are_ahead_than_asked_for() -> None:
    waiting: list[Future[int]] = []
    taken: list[int] = []

    def jobs() -> Iterator[int]:
        for number in range(9):
            taken.append(number)
            yield number

    def submit(number: int) -> Future[int]:
        waiting.append(Future())
        if number in (1, 2):
            waiting[1].set_result(10 * number) if number == 1 else waiting[2].set_result(20)
        return waiting[-1]

    done = in_flight(submit, jobs(), lambda: 3)
    assert {next(done), next(done)} == {(1, 10), (2, 20)}
    assert taken == [0, 1, 2]
    waiting[0].set_result(0)
    assert next(done) == (0, 0)
    done.close()
    assert all(future.cancelled() for future in waiting[3:])
    with Threads(2) as pool:
        jobs_done = list(in_order(lambda number: pool.submit(shards.square, number), range(20), pool.ahead))
    assert jobs_done == [(number, number * number) for number in range(20)]


def test_a_cluster_does_what_threads_do(workers: RayExecutor) -> None:
    assert (workers.cores, workers.ahead()) == (2, 2)
    found = dict(in_flight(lambda number: workers.submit(shards.square, number), range(50), workers.ahead))
    assert found == {number: number * number for number in range(50)}


def test_a_large_argument_travels_once(workers: RayExecutor) -> None:
    values = np.arange(1_000_000)
    there = workers.put(values)
    parts = [workers.submit(shards.total, there, k, k + 250_000) for k in range(0, 1_000_000, 250_000)]
    assert sum(part.result() for part in parts) == values.sum()


def test_what_a_shard_raises_comes_back_as_it_was_raised(workers: RayExecutor) -> None:
    with pytest.raises(RecordFault, match="choice 7: not this one") as found:
        workers.submit(shards.refuse, 7).result()
    assert type(found.value) is RecordFault
    assert type(workers.submit(shards.be_late).exception()) is TimedOut


def test_workers_compute_as_those_of_the_arena_do(workers: RayExecutor) -> None:
    assert workers.submit(shards.surroundings).result() == ("0", "1")


def test_a_killed_workers_shards_run_again_elsewhere(workers: RayExecutor, tmp_path: Path) -> None:
    def submit(number: int) -> Future[int]:
        return workers.submit(shards.square_and_tell, number, tmp_path)

    done = in_flight(submit, range(40), workers.ahead)
    found = dict(next(done) for _ in range(10))
    while not (busy := next(tmp_path.glob("0-*"), None)):
        time.sleep(0.01)
    os.kill(int(busy.name.removeprefix("0-")), signal.SIGKILL)
    (tmp_path / "go").touch()
    found |= dict(done)
    assert found == {number: number * number for number in range(40)}
    assert len(list(tmp_path.glob("0-*"))) == 2


def test_a_shard_that_every_worker_dies_of_is_given_up(
    workers: RayExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "DEATHS", 1)
    with pytest.raises(Fault, match="died 2 times at the same work; is there enough memory"):
        RayExecutor(workers.ray, 2).submit(shards.die, tmp_path).result()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_shard_that_nobody_wants_any_more_is_given_up(workers: RayExecutor, tmp_path: Path) -> None:
    endless = workers.submit(shards.square_and_tell, 0, tmp_path)
    assert endless.cancel()
    with pytest.raises(CancelledError):
        endless.result()
    assert workers.submit(shards.square, 3).result() == 9


def test_workers_with_other_code_are_refused(workers: RayExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "code_here", lambda: "meadhall 0.0")
    with pytest.raises(Fault, match=r"install the same on every machine: a worker has meadhall 0\.1\.0 .*this is me"):
        workers.submit(shards.square, 2).result()


def test_machines_that_join_get_shards_too(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"CPU": 2.0}
    ray = SimpleNamespace(remote=lambda **_: lambda function: function, cluster_resources=lambda: there)
    all_of_them, some = RayExecutor(ray, None), RayExecutor(ray, 3)
    assert (all_of_them.cores, all_of_them.ahead(), some.cores, some.ahead()) == (2, 4, 2, 4)
    there["CPU"] = 8.0
    monkeypatch.setattr(cluster, "COUNTED_EVERY", 0.0)
    assert (all_of_them.cores, all_of_them.ahead(), some.cores, some.ahead()) == (8, 16, 3, 3)
    there.clear()  # the machines are still to come
    assert all_of_them.cores == 1


def test_games_of_a_study_are_the_same_however_early_a_strong_level_is_asked(workers: RayExecutor) -> None:
    sample = Sample("x", "romans", {"players": ["gold", "green"]}, ("medium",), ("easy",), THINKING)
    there = workers.submit(play_shard, Shard(sample, 0, 0, 2), 5).result()
    prepare_levels(["romans"], ["medium"])
    here = play_shard(Shard(sample, 0, 0, 2), 5)
    assert here.keys() == there.keys()
    for name, column in here.items():
        np.testing.assert_array_equal(there[name], column)


# Commands

Asked = Callable[..., Any]


@pytest.fixture
def printed(workers: RayExecutor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Asked:
    """What a command prints as JSON, but for times; with `--on ray` on the Ray of these tests."""
    monkeypatch.setattr(cluster, "connected", lambda place, cores: nullcontext(workers))

    def ask(*arguments: str) -> Any:
        assert main([*arguments, "--cores", "2", "--json"]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return {name: value for name, value in json.loads(captured.out).items() if name not in TIMES}

    return ask


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_a_simulation_counts_and_saves_the_same(
    game: str, printed: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulate, "LARGE_CHUNK", 900)
    asked = ("sim", game, "--games", "6000", "--seed", "many")
    assert printed(*asked, "--on", "ray") == printed(*asked)
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    assert printed(*asked, "--save", str(there), "--on", "ray") == printed(*asked, "--save", str(here))
    assert here.read_bytes() == there.read_bytes()


def test_an_arena_ends_the_same_with_peoples_own_files(printed: Asked, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("def choose(view, choices, rng):\n    return rng.choice([*choices, 'nonsense'])\n")
    bots = f"easy,novice,examples/my_bot.py,{bad}"
    asked = ("arena", "goths", "--bots", bots, "--games", "6", "--cross-games", "0")
    there = printed(*asked, "--on", "ray")
    assert there == printed(*asked)
    assert [failing["bot"] for failing in there["forfeits"]] == [str(bad)]


def test_strong_levels_of_romans_play_there_as_here(printed: Asked) -> None:
    asked = ("arena", "romans", "--bots", "medium,easy", "--games", "4")
    assert printed(*asked, "--on", "ray") == printed(*asked)


def test_an_adversary_wins_as_much(printed: Asked) -> None:
    for asked in (
        ("exploit", "goths", "--bot", "easy", "--turns", "2"),
        ("exploit", "romans", "--bot", "easy", "--games", "4"),
    ):
        assert printed(*asked, "--on", "ray") == printed(*asked)


def test_goths_is_solved_to_the_same_values(
    printed: Asked, workers: RayExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goths_transitions, "POSITIONS", 310)
    with Threads(1) as thread:
        *_, (_, _, here) = goths_transitions.all_transitions(thread)
    *_, (_, _, there) = goths_transitions.all_transitions(workers)
    assert here is not None
    for name, array in vars(here).items():
        np.testing.assert_array_equal(getattr(there, name), array)
    monkeypatch.setattr(solve_goths, "all_transitions", lambda _: iter([(1, 1, here)]))
    few = [stage._replace(sweeps=min(2, stage.sweeps), rounds=20) for stage in solve_goths.STAGES]
    monkeypatch.setattr(solve_goths, "STAGES", few)
    monkeypatch.setattr(solve_goths, "BATCH", 100)
    found = []
    for name, more in (("here", ()), ("there", ("--on", "ray"))):
        assert main(["solve", "goths", "--out", str(tmp_path / name), "--cores", "1", *more]) == 0
        found.append(load("goths", tmp_path / name).arrays["values"])
    np.testing.assert_array_equal(*found)
    assert len(np.unique(found[0])) > 3


def test_romans_is_solved_to_the_same_policies(workers: RayExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_romans, "WORLDS", 2)
    monkeypatch.setattr(solve_romans, "EPOCHS", 1)
    monkeypatch.setattr(solve_romans, "GAMES_A_PART", 50)
    here, there = (solve_romans.steps(None, 1, 2, each, games=120) for each in (None, workers))
    next(here), next(there)
    first, second = next(here), next(there)
    assert first.residual == second.residual
    for name, array in first.arrays.items():
        np.testing.assert_array_equal(second.arrays[name], array)


# Workers that die at a command


def killer(workers: RayExecutor) -> Callable[..., None]:
    """Kills one of the workers when a command shows the first progress."""
    victims = [workers.submit(os.getpid).result()]

    def kill(*_: Any) -> None:
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)

    return kill


def test_a_simulation_survives_the_death_of_a_worker(workers: RayExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "LARGE_CHUNK", 5_000)
    here = simulate.simulate("goths", {}, 200_000, seed=3)
    there = simulate.prepare("goths", {}, 200_000, seed=3)
    simulate.run(there, killer(workers), workers=workers)
    assert there.done == here.done
    np.testing.assert_array_equal(there.tally, here.tally)


def test_an_arena_survives_the_death_of_a_worker(workers: RayExecutor, capfd: pytest.CaptureFixture[str]) -> None:
    def prepared() -> arenas.Arena:
        return arenas.prepare("goths", {}, read_entrants("goths", ["easy", "examples/my_bot.py"]), 60, seed=3)

    here = arenas.run(prepared())
    there = arenas.run(prepared(), killer(workers), workers)
    assert as_data(here) == as_data(there)
    assert capfd.readouterr() == ("", "")


def test_what_ray_says_of_machines_it_has_lost_is_not_printed(
    workers: RayExecutor, capfd: pytest.CaptureFixture[str]
) -> None:
    ray_worker = import_module("ray._private.worker")
    assert "print_to_stdstream(" in inspect.getsource(ray_worker.listen_error_messages)
    said = {"pid": "raylet", "ip": None, "job": None, "lines": ["The node has been marked dead."], "is_err": False}
    ray_worker.print_to_stdstream(said, ignore_prefix=False)
    assert capfd.readouterr() == ("", "")


# Files that are not there


def played_from(text: str) -> Any:
    """A game of somebody whose file is on another machine."""
    entrants = read_entrants("goths", ["random", "easy"])
    setting = arenas.prepare("goths", {"turn_limit": 5}, entrants, 2).setting
    files = {"./mine.py": Packed("/no/such/folder/mine.py", text.encode())}
    return play_packed(files, setting, Fixture(("random",) * 2, ("./mine.py",) * 2), range(1))[0][0]


def test_a_file_travels_with_its_deals_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert played_from(BOT).lapse is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_wrong_with_a_file_is_told_by_the_name_it_was_given() -> None:
    lapse = played_from("def choose(view): return 1\n").lapse
    assert lapse.bot == "./mine.py"
    assert lapse.said.startswith("./mine.py: choose cannot be called with view, choices and rng")


# On the command line


def alive_in(folder: str) -> list[Path]:
    """Processes that have this folder for their temporary files."""

    def has_it(process: Path) -> bool:
        try:
            return f"TMPDIR={folder}".encode() in (process / "environ").read_bytes().split(b"\0")
        except OSError:
            return False

    return [process for process in Path("/proc").glob("[0-9]*") if has_it(process)]


def test_ctrl_c_stops_early_and_no_process_and_no_file_of_ray_is_left(tmp_path: Path) -> None:
    sign, bot = tmp_path / "begun", tmp_path / "tells.py"
    bot.write_text(f"def choose(view, choices, rng):\n    open({str(sign)!r}, 'w').close()\n    return choices[0]\n")
    asked = ("arena", "goths", "--bots", f"random,{bot}", "--games", "1000000", "--cross-games", "0", "--json")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # a short name, as sockets lie there
        process = subprocess.Popen(
            [*COMMAND, *asked, "--on", "ray", "--cores", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": folder},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # see test_arena.py
        )
        while not sign.exists():
            assert process.poll() is None
            time.sleep(0.01)
        assert len(alive_in(folder)) > 5
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
        assert 0 <= json.loads(out)["games"] < 1_000_000
        assert alive_in(folder) == []
        assert list(Path(folder).iterdir()) == []


def test_a_cluster_that_runs_already_is_joined_by_its_address(workers: RayExecutor) -> None:
    address = workers.ray.get_runtime_context().gcs_address
    asked = ("sim", "goths", "--games", "3000", "--json")
    found = [
        subprocess.run([*COMMAND, *asked, *more], capture_output=True, text=True, check=True)
        for more in (("--on", f"ray:{address}"), ())
    ]
    there, here = (json.loads(each.stdout) for each in found)
    assert {name for name in here if here[name] != there[name]} <= {*TIMES, "cores"}
    assert there["cores"] == 2
    assert found[0].stderr == ""
    assert workers.submit(shards.square, 4).result() == 16  # it runs on


def test_nobody_waits_for_ray_who_does_not_ask_for_it() -> None:
    code = "import sys; from meadhall.cli import main; main(sys.argv[1:]); sys.exit('ray' in sys.modules)"
    asked = ("sim", "goths", "--games", "10", "--json")
    subprocess.run([sys.executable, "-c", code, *asked], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize(
    "asked", [("sim", "goths"), ("arena", "goths", "--bots", "easy,random"), ("solve", "goths"), ("exploit", "romans")]
)
def test_every_command_says_what_is_wrong_with_a_place(
    asked: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--out", str(tmp_path / "values.npz")) if asked[0] == "solve" else ()
    assert main([*asked, *more, "--on", "spark"]) == 2
    assert "argument --on: must be ray (of this machine, or" in capsys.readouterr().err
    assert main([*asked, *more, "--on", "ray:127.0.0.1:1"]) == 2
    assert "nothing answers at 127.0.0.1:1 (Connection refused)" in capsys.readouterr().err
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    assert main([*asked, *more, "--on", "ray"]) == 2
    assert 'pip install "meadhall[cluster]"' in capsys.readouterr().err


# Where


@pytest.mark.parametrize("place", ["ray", "ray:10.0.0.5:6379", "ray:head.example:6379", "ray:[::1]:6379", "ray:auto"])
def test_a_place_is_ray_or_the_head_of_a_cluster(place: str) -> None:
    assert check_place(place) == place


@pytest.mark.parametrize("place", ["", "spark", "ray:", "ray:here", "ray:10.0.0.5", "ray:1.2.3.4:x", "Ray", "rays:1"])
def test_anything_else_is_told_what_would_be_right(place: str) -> None:
    with pytest.raises(Fault, match=r"must be ray \(of this machine, or of RAY_ADDRESS\) or ray:HOST:PORT"):
        check_place(place)


def test_the_address_of_ray_users_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "http://127.0.0.1:8265")
    with pytest.raises(Fault, match="is for Ray Client or for jobs; run meadhall on a machine of the cluster"):
        check_place("ray")
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with (
        pytest.raises(Fault, match=r"nothing answers at 127\.0\.0\.1:1 \(.*\); is `ray start --head` running there"),
        connected("ray"),
    ):
        pass


def test_what_is_no_ray_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "JOINING", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(Fault, match=f"what answers at {address} is no Ray cluster"), connected(f"ray:{address}"):
            pass
