"""Bots at the tables of a lobby: pages need none of their processes, and a table goes on whatever becomes of those."""

import inspect
from pathlib import Path

import pytest

from meadhall.bots.own.files import named_files
from meadhall.bots.pool import Pool
from meadhall.bots.processes import Died
from meadhall.match import View
from meadhall.tables import bots as table_bots
from meadhall.tables.lobby import Lobby
from meadhall.tables.table import Table
from tests.variants import variant_named
from tests.web.lobbies import GOTHS_SEATS, in_lobby, until

TWO = variant_named("romans, two")


class DeadPool(Pool):
    """Whose workers die, whatever they are asked."""

    async def choose(self, level: str, view: View, seed: int | str, table: object = None) -> str:
        raise Died(9)


async def fog_table(here: Lobby) -> Table:
    return await here.open_table("goths", {"fog_of_war": True}, dict.fromkeys(GOTHS_SEATS, "hard"), "ann")


def test_what_bots_do_not_know_of_is_said_without_asking_a_process(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await fog_table(here)
        assert not inspect.iscoroutinefunction(here.bots.caveats)  # so no page can wait here
        assert [why.key for why in here.bots.caveats(table)] == ["goths.caveat.fog"]
        assert here.pool.pids == []

    in_lobby(tmp_path, work, pool=Pool(1))


def test_a_table_goes_on_by_chance_where_every_worker_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    monkeypatch.setattr(table_bots.log, "error", lambda what, **more: logged.append(more["bot"]), raising=False)

    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "medium"}, "ann")
        await until(lambda: table.answered("green", table.position) is not None)
        assert table.waiting == ("gold",)
        assert logged == ["medium", "easy"]

    in_lobby(tmp_path, work, pool=DeadPool())


def test_the_processes_of_own_bots_end_with_the_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(view, choices, rng):\n    return choices[0]\n")
    pool = Pool(1, own=named_files([file]))

    async def work(here: Lobby) -> None:
        tables = [
            await here.open_table("romans", TWO.rules, {"gold": "me", "green": "mine.py"}, "ann") for _ in range(2)
        ]
        for table in tables:
            await until(lambda table=table: table.waiting == ("gold",))  # type: ignore[misc]
        assert len(pool.pids) == 2
        await here.end(tables[0].code, "ann")
        assert len(pool.pids) == 1

    in_lobby(tmp_path, work, pool=pool)
    assert pool.pids == []


def test_in_a_game_without_levels_random_bots_sit_and_stand_in() -> None:
    assert table_bots.stand_in("goths") == "easy"
    assert table_bots.stand_in("pennies") == "random"
    assert Pool(1).levels_of("pennies") == ("random",)
