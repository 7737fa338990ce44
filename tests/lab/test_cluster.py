"""Shards on a local Ray with two workers: the same results as here, whoever dies meanwhile."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meadhall.bots.processes import TimedOut
from meadhall.faults import Fault, RecordFault
from meadhall.lab import cluster
from meadhall.lab.cluster import RayExecutor, check_place, connected
from meadhall.lab.shards import Threads, in_flight, in_order
from tests.lab import shards


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
        pass
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


def test_without_ray_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = cluster.find_spec

    def find_spec(name: str) -> Any:
        return None if name == "ray" else real(name)

    monkeypatch.setattr(cluster, "find_spec", find_spec)
    with pytest.raises(Fault, match=r'pip install "meadhall\[cluster\]"'), connected("ray"):
        pass
