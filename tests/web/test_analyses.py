"""Analyses in the background, by real workers: made once for all who ask, kept, and honest about what went wrong."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from litestar.testing import TestClient

from meadhall.bots.pool import Pool
from meadhall.lab.analysis import VERSION, analyse
from meadhall.store import open_store
from meadhall.tables import analyses, decisions
from meadhall.tables.analyses import Stage, TooBusy
from meadhall.tables.lobby import Lobby
from meadhall.tables.refusals import Refusal
from meadhall.tables.table import Table
from meadhall.web.app import create
from meadhall.web.settings import Settings
from meadhall.words import words
from tests.store.postgres import database, postgres
from tests.variants import Variant
from tests.web.lobbies import KeptPool, company, in_lobby, opened, play, pool, refusal_of, until

__all__ = ["database", "pool", "postgres"]

SHORT = Variant("goths, four turns", "goths", {"turn_limit": 4})


async def finished(lobby: Lobby, most: int | None = None) -> Table:
    table, _ = await company(lobby, SHORT)
    await play(lobby, table, Random(4), most)
    return table


async def seen(lobby: Lobby, table: Table) -> list[Stage]:
    """All stages that somebody sees who keeps looking, up to the last."""
    stages = [await lobby.analyses.look(table)]
    async with asyncio.timeout(300):
        while stages[-1].state in ("waiting", "working"):
            await asyncio.sleep(0.01)
            stages.append(await lobby.analyses.look(table))
    return stages


def test_an_analysis_is_made_in_the_background_and_is_the_same_after_a_restart(tmp_path: Path, pool: KeptPool) -> None:
    async def make(lobby: Lobby) -> tuple[str, Any]:
        table = await finished(lobby)
        assert await lobby.analyses.look(table) == Stage("none")
        assert (await lobby.analyses.start(table)).state == "waiting"
        stages = await seen(lobby, table)
        assert {stage.state for stage in stages} <= {"waiting", "working", "done"}
        progress = [stage.progress for stage in stages]
        assert progress == sorted(progress)
        assert len({share for share in progress if 0 < share < 1}) > 1, "progress is told"
        assert stages[-1].analysis == analyse(table.match)
        return table.code, stages[-1].analysis

    async def look(lobby: Lobby) -> None:
        table = await lobby.table(code)
        assert await lobby.analyses.look(table) == Stage("done", 1.0, analysis)
        assert await lobby.analyses.start(table) == Stage("done", 1.0, analysis)

    code, analysis = in_lobby(tmp_path, make, pool=pool)
    in_lobby(tmp_path, look, pool=NoWorkers())


class NoWorkers(Pool):
    """A pool that must not be asked."""

    async def study(self, function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        raise AssertionError("somebody wants work done")


class SlowPool(Pool):
    """A pool whose analyses wait until they may go on; it counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.go_on = asyncio.Event()

    async def study(self, function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        self.asked += 1
        more["heard"](0.25)
        await self.go_on.wait()
        return await super().study(function, *arguments, **more)


def slowly(folder: Path, work: Callable[[Lobby, SlowPool], Awaitable[None]]) -> None:
    async def run() -> None:
        slow = SlowPool()  # whose event belongs to this loop
        async with opened(folder, pool=slow) as lobby:
            await work(lobby, slow)

    asyncio.run(run())


async def begun(pool: SlowPool, count: int) -> None:
    async with asyncio.timeout(60):
        while pool.asked < count:
            await asyncio.sleep(0.001)


def test_all_who_ask_join_one_work_and_too_many_games_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(lobby: Lobby, slow: SlowPool) -> None:
        monkeypatch.setattr(analyses, "MOST", 1)
        table, other = await finished(lobby), await finished(lobby)
        await asyncio.gather(*(lobby.analyses.start(table) for _ in range(10)))
        await begun(slow, 1)
        assert await lobby.analyses.start(table) == Stage("working", 0.25)
        refusal = await refusal_of(lobby.analyses.start(other))
        assert isinstance(refusal, TooBusy)
        assert refusal.status == 503
        slow.go_on.set()
        assert (await seen(lobby, table))[-1].state == "done"
        assert slow.asked == 1
        await lobby.analyses.start(other)
        assert (await seen(lobby, other))[-1].state == "done"

    slowly(tmp_path, scene)


def test_work_that_a_stopped_server_left_can_be_asked_for_again(tmp_path: Path, pool: KeptPool) -> None:
    codes: list[str] = []

    async def leave(lobby: Lobby, slow: SlowPool) -> None:
        table = await finished(lobby)
        codes.append(table.code)
        await lobby.analyses.start(table)
        await begun(slow, 1)

    async def return_to_it(lobby: Lobby) -> None:
        table = await lobby.table(codes[0])
        assert await lobby.analyses.look(table) == Stage("none")
        await lobby.analyses.start(table)
        assert (await seen(lobby, table))[-1].state == "done"

    slowly(tmp_path, leave)
    in_lobby(tmp_path, return_to_it, pool=pool)


def test_several_processes_share_the_work_and_see_how_far_it_is(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "SIGN_EVERY", 0.01)

    async def scene() -> None:
        one, two = SlowPool(), SlowPool()
        async with sharing(database, one) as here, sharing(database, two) as there:
            table = await finished(here)
            same = await there.table(table.code)
            await here.analyses.start(table)
            await begun(one, 1)
            await until(lambda: shows(there, same, Stage("working", 0.25)))
            assert await there.analyses.start(same) == Stage("working", 0.25)
            one.go_on.set()
            done = (await seen(here, table))[-1]
            assert done.state == "done"
            assert await there.analyses.look(same) == done
            assert (one.asked, two.asked) == (1, 0)

    async def shows(lobby: Lobby, table: Table, stage: Stage) -> bool:
        return await lobby.analyses.look(table) == stage

    asyncio.run(scene())


@asynccontextmanager
async def sharing(database: str, pool: Pool) -> AsyncIterator[Lobby]:
    """A lobby of one of several processes."""
    lobby = Lobby(await open_store(database), pool)
    try:
        yield lobby
    finally:
        await lobby.close()


def killed(record: Any) -> str:
    """What a worker is asked that dies of it."""
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def broken(record: Any) -> str:
    """What a worker is asked that finds a fault of ours."""
    raise ValueError("what a pity")


def slow(record: Any) -> str:
    """What a worker is asked that never ends."""
    signal.pause()
    return ""


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (killed, "ui.analysis.fault-died"),
        (broken, "ui.analysis.fault-broken"),
        (slow, "ui.analysis.fault-slow"),
    ],
    ids=["killed", "broken", "slow"],
)
def test_work_that_fails_is_said_to_have_and_may_be_tried_again(
    work: Callable[..., str], said: str, tmp_path: Path, pool: KeptPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "SIGN_EVERY", 0.001)  # signs of life come before, between and after everything

    async def scene(lobby: Lobby) -> None:
        table = await finished(lobby)
        with monkeypatch.context() as bad:
            bad.setattr(analyses, "analysed", work)
            bad.setattr(analyses, "LIMIT", 0.5 if work is slow else 60.0)
            await lobby.analyses.start(table)
            assert (await seen(lobby, table))[-1] == Stage("failed", fault=said)
        await lobby.analyses.start(table)
        assert (await seen(lobby, table))[-1].state == "done"

    in_lobby(tmp_path, scene, pool=pool)


def test_only_a_finished_game_is_analysed(tmp_path: Path, pool: KeptPool) -> None:
    async def scene(lobby: Lobby) -> None:
        table = await finished(lobby, most=3)
        for ask in (lobby.analyses.look, lobby.analyses.start):
            assert (await refusal_of(ask(table))).key == "ui.refused.analysis-early"
        await lobby.change(table.code, decisions.end("host", frozenset()))
        for ask in (lobby.analyses.look, lobby.analyses.start):
            refusal: Refusal = await refusal_of(ask(table))
            assert (refusal.key, refusal.status) == ("ui.refused.analysis-ended", 409)

    in_lobby(tmp_path, scene, pool=pool)


def test_a_kept_analysis_that_cannot_be_read_is_made_anew(tmp_path: Path, pool: KeptPool) -> None:
    async def scene(lobby: Lobby) -> None:
        table = await finished(lobby)
        await lobby.store.analyses.claim(table.number, VERSION, "an older program", 1.0, 0.0)
        await lobby.store.analyses.note(table.number, VERSION, "an older program", 1.0, 1.0, result='{"game": 1}')
        assert await lobby.analyses.look(table) == Stage("none")
        await lobby.analyses.start(table)
        assert (await seen(lobby, table))[-1].state == "done"

    in_lobby(tmp_path, scene, pool=pool)


def test_a_page_says_that_too_many_games_wait_and_keeps_the_button(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[str] = []

    async def lay(lobby: Lobby) -> None:
        codes.append((await finished(lobby)).code)

    in_lobby(tmp_path, lay, pool=NoWorkers())
    monkeypatch.setattr(analyses, "MOST", 0)
    settings = Settings(db=str(tmp_path / "tables.sqlite"), bot_pause="0", warm_up=0.0)
    with TestClient(create(settings)) as client:
        page = client.post(f"/t/{codes[0]}/analysis")
        assert (page.status_code, page.headers["retry-after"]) == (503, "60")
        assert words("en").say("ui.refused.analysis-busy") in page.text
        assert f'action="/t/{codes[0]}/analysis"' in page.text
        told = client.post(f"/api/tables/{codes[0]}/analysis")
        assert (told.status_code, told.json()["detail"]) == (503, words("en").say("ui.refused.analysis-busy"))
