"""Bots in worker processes: the same answers, and workers that come and go without anybody noticing."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from random import Random
from typing import Any

import pytest
import uvloop

from meadhall.bots import LEVELS, choose
from meadhall.bots import pool as pools
from meadhall.bots.evaluation import Evaluation
from meadhall.bots.pool import Pool
from meadhall.bots.processes import WorkerLost
from meadhall.bots.worker import prepare_levels
from meadhall.faults import Fault
from meadhall.games.game import GAMES
from meadhall.match import Match, View
from tests.bots.hanging import dies_as_medium, hangs_as_medium, takes_a_while
from tests.loops import beside_a_browser
from tests.variants import VARIANTS, random_game

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
PATIENCE = 30  # seconds; only a failing test waits that long
COMPILING = 600  # the same, where the compiler may have all of its work still to do

# Starts a pool of two, says who its workers are, and waits to be killed.
PARENT = """
import asyncio, sys
from meadhall.bots.pool import Pool
from meadhall.match import Match

if __name__ == "__main__":
    pool = Pool(2)
    view = Match.new("goths").view("ostrogoth-king")

    async def ask():
        await asyncio.gather(*(pool.choose("easy", view, k) for k in range(2)))

    asyncio.run(ask())
    print(*pool.pids, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool(1, quietly=False)
    yield pool
    pool.close()


def run(
    work: Coroutine[Any, Any, Any],
    loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
    patience: float = PATIENCE,
) -> Any:
    """Run on a loop of its own, with an end to it."""

    def run_here() -> Any:
        with asyncio.Runner(loop_factory=loop) as runner:
            return runner.run(asyncio.wait_for(work, patience))

    return beside_a_browser(run_here)


def views() -> list[View]:
    """A view of every variant, some way into a game."""
    matches = [random_game(variant, seed, 7) for seed, variant in enumerate(VARIANTS)]
    return [match.view(match.waiting[0]) for match in matches if match.waiting]


async def until_prepared(pool: Pool) -> None:
    await pool.warm_up()
    assert pool.prepared


def king() -> View:
    return Match.new("goths").view("ostrogoth-king")


def planner() -> View:
    return Match.new("romans", {"players": ["gold", "green"]}).view("gold")


def ends(pids: list[int], cause: Callable[[], None]) -> bool:
    """Do all these processes end after this has happened?"""
    handles = [os.pidfd_open(pid) for pid in pids]
    try:
        cause()
        return all(select.select([handle], [], [], PATIENCE)[0] for handle in handles)
    finally:
        for handle in handles:
            os.close(handle)


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_a_worker_answers_what_the_bot_answers_here(pool: Pool, loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    questions = [(level, view, seed) for level in LEVELS for view in views() for seed in (1, "a text")]
    prepare_levels(GAMES)

    async def ask() -> list[str]:
        await until_prepared(pool)
        return await asyncio.gather(*(pool.choose(*question) for question in questions))

    assert run(ask(), loop, COMPILING) == [choose(level, view, Random(seed)) for level, view, seed in questions]


def test_no_worker_starts_before_the_first_question(pool: Pool) -> None:
    assert pool.pids == []
    run(pool.choose("random", king(), 1))
    assert len(pool.pids) == 1


def test_the_event_loop_goes_on_while_the_first_worker_starts(pool: Pool) -> None:
    async def ticks_while_asking() -> int:
        loop, ticks = asyncio.get_running_loop(), 0

        def tick() -> None:
            nonlocal ticks
            ticks += 1
            loop.call_later(0.002, tick)

        tick()
        await pool.choose("easy", king(), 1)
        return ticks

    assert run(ticks_while_asking()) > 10


def test_questions_at_once_are_shared_among_the_workers() -> None:
    pool = Pool(2)

    async def ask() -> list[str]:
        return await asyncio.gather(*(pool.choose("easy", king(), seed) for seed in range(50)))

    try:
        assert run(ask()) == [choose("easy", king(), Random(seed)) for seed in range(50)]
        assert len(pool.pids) == 2
    finally:
        pool.close()
    assert pool.pids == []


def test_a_killed_worker_is_replaced_and_the_question_answered(pool: Pool) -> None:
    async def ask_kill_and_ask_again() -> tuple[list[int], list[str]]:
        await pool.choose("easy", king(), 1)
        before = pool.pids
        asked = [asyncio.create_task(pool.choose("easy", king(), seed)) for seed in range(30)]
        await asyncio.sleep(0)  # the questions are on their way
        assert ends(before, lambda: os.kill(before[0], signal.SIGKILL))
        return before, await asyncio.gather(*asked, *(pool.choose("easy", king(), seed) for seed in range(30)))

    before, answered = run(ask_kill_and_ask_again())
    assert answered == 2 * [choose("easy", king(), Random(seed)) for seed in range(30)]
    assert len(pool.pids) == 1
    assert pool.pids != before


def test_an_idle_worker_that_was_killed_is_replaced(pool: Pool) -> None:
    run(pool.choose("easy", king(), 3))
    assert ends(pool.pids, lambda: os.kill(pool.pids[0], signal.SIGKILL))
    assert run(pool.choose("easy", king(), 4)) == choose("easy", king(), Random(4))


def test_ctrl_c_is_left_to_the_parent(pool: Pool) -> None:
    run(pool.choose("easy", king(), 1))
    before = pool.pids
    os.kill(before[0], signal.SIGINT)
    assert run(pool.choose("easy", king(), 2)) == choose("easy", king(), Random(2))
    assert pool.pids == before


def test_workers_end_with_a_parent_that_was_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        assert ends([parent.pid, *pids], parent.kill)


def test_a_closed_pool_has_no_workers_and_answers_nobody(pool: Pool) -> None:
    run(pool.choose("easy", king(), 1))
    assert ends(pool.pids, pool.close)
    pool.close()
    assert pool.pids == []
    with pytest.raises(RuntimeError, match="closed"):
        run(pool.choose("easy", king(), 1))


def test_a_pool_that_was_never_asked_closes_too() -> None:
    Pool(3).close()


def test_a_fault_of_the_question_comes_back_as_it_is_and_hurts_nobody(pool: Pool) -> None:
    with pytest.raises(Fault, match="the levels are random, easy"):
        run(pool.choose("impossible", king(), 1))
    with pytest.raises(Fault, match="nothing to choose now"):
        run(pool.choose("easy", Match.new("goths").view("visigoth-king"), 1))
    assert run(pool.choose("easy", king(), 1)) == choose("easy", king(), Random(1))


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_a_hint_says_what_is_said_here_and_keeps_no_player_waiting(pool: Pool, game: str) -> None:
    match = Match.new(game, {"players": ["gold", "green"]} if game == "romans" else {})
    view = match.view(match.waiting[0])

    async def ask() -> tuple[Evaluation, str]:
        asked = asyncio.create_task(pool.choose("easy", view, 1))
        while (evaluated := await pool.evaluate(view)) is None:  # it does not wait for the compiler
            await asyncio.sleep(0.05)
        return evaluated, await asked

    evaluated, chosen = run(ask(), patience=COMPILING)
    assert evaluated.seat == view.seat
    assert match.check(evaluated.seat, evaluated.best)
    assert chosen == choose("easy", view, Random(1))
    assert len(pool.pids) >= 2  # one plays, another gives hints


@pytest.mark.parametrize("stand_in", [hangs_as_medium, dies_as_medium])
def test_a_level_that_hangs_or_dies_costs_that_choice_only(
    stand_in: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "chosen", stand_in)
    monkeypatch.setattr(pools, "CHOICE_LIMIT", 0.5)
    monkeypatch.setattr(pools, "PLAIN", LEVELS)  # there is nothing to prepare here
    pool = Pool(2)

    async def ask() -> list[Any]:
        failing = asyncio.create_task(pool.choose("medium", king(), 1))
        others = await asyncio.gather(*(pool.choose("easy", king(), seed) for seed in range(20)))
        (failed,) = await asyncio.gather(failing, return_exceptions=True)
        return [failed, others, await pool.choose("easy", king(), 1)]

    try:
        failed, others, after = run(ask())
    finally:
        pool.close()
    assert isinstance(failed, WorkerLost)
    assert others == [choose("easy", king(), Random(seed)) for seed in range(20)]
    assert after == choose("easy", king(), Random(1))


def test_those_who_can_wait_delay_nobody_by_more_than_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hall full of tables at which only bots play: whoever asks for people is next."""
    monkeypatch.setattr(pools, "chosen", takes_a_while)
    pool = Pool(2)

    async def ask() -> tuple[int, int]:
        await pool.choose("easy", king(), 0)
        crowd = [asyncio.create_task(pool.choose("easy", king(), k, can_wait=True)) for k in range(40)]
        await asyncio.wait(crowd, return_when=asyncio.FIRST_COMPLETED)
        delays = []
        for k in range(3):
            before = sum(task.done() for task in crowd)
            await pool.choose("easy", king(), k)
            delays.append(sum(task.done() for task in crowd) - before)
        await asyncio.gather(*crowd)
        return max(delays), len(crowd)

    try:
        most, all_of_them = run(ask())
    finally:
        pool.close()
    # Both workers are at it, and while one then answers the other goes on: of forty who wait, these few were answered.
    assert most <= 4 < all_of_them


def test_strong_bots_are_prepared_beside_answering(pool: Pool) -> None:
    """Nobody waits for a compiler: a question that comes at once is answered, and in the end all is prepared."""

    async def ask() -> tuple[str, str]:
        preparing = asyncio.create_task(until_prepared(pool))
        easy, hard = await pool.choose("easy", king(), 7), await pool.choose("hard", planner(), 7)
        await preparing
        return easy, hard

    easy, hard = run(ask(), patience=COMPILING)
    assert easy == choose("easy", king(), Random(7))
    assert hard.startswith("plan:")


def test_a_pool_closes_while_it_prepares(pool: Pool) -> None:
    async def begin() -> None:
        preparing = asyncio.create_task(pool.warm_up())
        await pool.choose("easy", king(), 1)
        preparing.cancel()

    run(begin())
    pool.close()
    assert pool.pids == []


def test_a_pool_without_workers_is_refused() -> None:
    with pytest.raises(ValueError, match="1 worker or more, not 0"):
        Pool(0)
