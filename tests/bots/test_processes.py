"""Worker processes under one supervisor: what hangs or dies costs its own question and nothing else."""

import operator
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path

import pytest

from meadhall.bots.forkserver import BEHIND, ForkServer, ProcessFault
from meadhall.bots.processes import Died, Supervisor, TimedOut, Worker
from meadhall.faults import IllegalChoice, RecordFault
from meadhall.match import Match
from tests.bots.hanging import reports, reports_for_ever

FOR_EVER = range(10**12)  # to be summed up, by a worker that hears nothing meanwhile
PATIENCE = 30


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    server = ForkServer()
    yield server
    server.close()


@pytest.fixture
def workers(server: ForkServer) -> Iterator[Supervisor]:
    workers = Supervisor(server, 2)
    yield workers
    workers.close()


def ends(pids: list[int], cause: Callable[[], None]) -> bool:
    """Do all these processes end after this has happened?"""
    handles = [os.pidfd_open(pid) for pid in pids]
    try:
        cause()
        return all(select.select([handle], [], [], PATIENCE)[0] for handle in handles)
    finally:
        for handle in handles:
            os.close(handle)


def answered(*futures: Future[object]) -> list[object]:
    return [future.result(PATIENCE) for future in futures]


def test_workers_start_with_the_questions_and_share_them(workers: Supervisor) -> None:
    assert workers.pids == []
    assert answered(workers.submit(os.getpid)) == workers.pids
    together = [workers.submit(time.sleep, 0.2), workers.submit(time.sleep, 0.2)]
    answered(*together, *(workers.submit(operator.add, k, 1) for k in range(20)))
    assert len(workers.pids) == 2
    assert os.getpid() not in workers.pids


def test_what_a_worker_reports_is_heard_in_order_before_its_answer(workers: Supervisor) -> None:
    heard: list[object] = []
    assert answered(workers.submit(reports, 0.25, 0.5, {"a": 1}, heard=heard.append)) == ["done"]
    assert heard == [0.25, 0.5, {"a": 1}]
    assert answered(workers.submit(reports, 0.25), workers.submit(operator.add, 1, 1)) == ["done", 2], "nobody listens"


def test_a_worker_that_only_reports_is_ended_at_its_time(workers: Supervisor) -> None:
    with pytest.raises(TimedOut):
        workers.submit(reports_for_ever, limit=0.3).result(PATIENCE)
    assert answered(workers.submit(operator.add, 1, 1)) == [2]


def test_a_hung_question_is_ended_at_its_time_and_others_are_answered_meanwhile(workers: Supervisor) -> None:
    hung = workers.submit(sum, FOR_EVER, limit=0.5)
    others = [workers.submit(operator.add, k, 1) for k in range(50)]
    assert answered(*others) == list(range(1, 51))
    assert not hung.done()
    with pytest.raises(TimedOut, match=r"^took longer than 0\.5 s$"):
        hung.result(PATIENCE)
    assert answered(workers.submit(operator.add, 1, 1)) == [2]


def test_questions_behind_one_that_hangs_wait_for_its_time_and_no_longer(server: ForkServer) -> None:
    alone = Supervisor(server)
    try:
        hung, behind = alone.submit(sum, FOR_EVER, limit=0.2), alone.submit(operator.add, 1, 1)
        assert answered(behind) == [2]
        assert isinstance(hung.exception(), TimedOut)
    finally:
        alone.close()


def test_a_question_that_workers_die_of_is_asked_twice_and_hurts_nobody(workers: Supervisor) -> None:
    dying = workers.submit(os._exit, 3)
    assert answered(*(workers.submit(operator.add, k, 1) for k in range(50))) == list(range(1, 51))
    with pytest.raises(Died, match=r"^ended by itself \(exit status 3\)$"):
        dying.result(PATIENCE)
    killed = workers.submit(os.abort)
    with pytest.raises(Died, match=r"^ended by itself \(killed by SIGABRT\)$"):
        killed.result(PATIENCE)


def test_a_worker_that_is_killed_is_replaced_and_its_question_answered(workers: Supervisor) -> None:
    answered(workers.submit(os.getpid))
    before = workers.pids
    assert ends(before, lambda: os.kill(before[0], signal.SIGKILL))  # while idle
    assert answered(workers.submit(operator.add, 1, 1)) == [2]
    asked = [workers.submit(time.sleep, 0.3), workers.submit(time.sleep, 0.3)]
    for pid in workers.pids:  # while at work
        os.kill(pid, signal.SIGKILL)
    assert answered(*asked) == [None, None]
    assert not set(before) & set(workers.pids)


def test_a_fork_server_that_is_killed_takes_its_workers_along_and_is_replaced() -> None:
    server = ForkServer()
    workers = Supervisor(server)
    try:
        answered(workers.submit(os.getpid))
        before = server.pid
        assert before is not None
        assert ends([*workers.pids, before], lambda: os.kill(before, signal.SIGKILL))
        assert answered(workers.submit(operator.add, 1, 1)) == [2]
        assert server.pid != before
    finally:
        workers.close()
        server.close()


def test_what_is_raised_comes_back_as_it_is_or_in_words(workers: Supervisor) -> None:
    with pytest.raises(ZeroDivisionError):
        workers.submit(operator.truediv, 1, 0).result(PATIENCE)
    with pytest.raises(IllegalChoice, match="there is no seat"):
        workers.submit(Match.new("goths").commit, "throne", "act:fly").result(PATIENCE)
    with pytest.raises(RecordFault):  # which is made of a text and a number
        workers.submit(Match.from_record, "{}").result(PATIENCE)
    with pytest.raises(TypeError, match="cannot pickle"):
        workers.submit(open, os.devnull).result(PATIENCE)
    assert answered(workers.submit(operator.add, 1, 1)) == [2]


def test_ctrl_c_is_left_to_the_parent(workers: Supervisor, server: ForkServer) -> None:
    answered(workers.submit(os.getpid))
    before = workers.pids
    assert server.pid is not None
    for pid in (*before, server.pid):
        os.kill(pid, signal.SIGINT)
    assert answered(workers.submit(os.getpid)) == before


def test_closing_ends_workers_that_hang_and_whoever_waits_is_told(server: ForkServer) -> None:
    workers = Supervisor(server)
    answered(workers.submit(os.getpid))
    at_work, waiting = workers.submit(sum, FOR_EVER), workers.submit(os.getpid)
    while not at_work.running():
        time.sleep(0.005)
    assert ends(workers.pids, workers.close)
    for future in (at_work, waiting):
        with pytest.raises(CancelledError):
            future.result(PATIENCE)
    workers.close()
    assert workers.pids == []
    with pytest.raises(RuntimeError, match="closed"):
        workers.submit(os.getpid)


def test_a_supervisor_moves_to_another_server_between_questions(server: ForkServer) -> None:
    prepared = ForkServer((os.putenv, ("PREPARED", "yes")), quietly=True)
    workers = Supervisor(server)
    try:
        (before,) = answered(workers.submit(os.getpid))
        prepared.prepare()
        workers.move_to(prepared)
        assert answered(workers.submit(os.getpid)) != [before]
        assert answered(workers.submit(os.nice, 0)) == [os.nice(0)]  # only the preparation was of low priority
    finally:
        workers.close()
        prepared.close()


def test_those_who_think_go_behind_those_who_answer() -> None:
    server = ForkServer(behind=True)
    workers = Supervisor(server)
    try:
        assert answered(workers.submit(os.nice, 0)) == [min(19, os.nice(0) + BEHIND)]
    finally:
        workers.close()
        server.close()


def test_a_server_whose_preparation_fails_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    server = ForkServer((operator.truediv, (1, 0)))
    with pytest.raises(ProcessFault, match="ended before it was ready"):
        server.prepare()
    server.close()
    assert "ZeroDivisionError" in capfd.readouterr().err


PREPARING = """
import time
from meadhall.bots.forkserver import ForkServer

ForkServer((time.sleep, (1000,))).prepare()
"""


def test_a_server_that_still_prepares_ends_with_a_parent_that_was_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PREPARING]) as parent:
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        while not (found := children.read_text().split()):
            time.sleep(0.005)
        assert ends([int(found[0])], parent.kill)


def test_children_share_no_connection_with_each_other(server: ForkServer) -> None:
    first, second = Worker(server), Worker(server)
    try:
        assert len(first.ask(os.listdir, "/proc/self/fd")) == len(second.ask(os.listdir, "/proc/self/fd"))
    finally:
        first.end()
        second.end()


def test_a_supervisor_without_workers_is_refused(server: ForkServer) -> None:
    with pytest.raises(ValueError, match="1 worker or more, not 0"):
        Supervisor(server, 0)
