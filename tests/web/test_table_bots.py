"""Bots at the tables of a lobby: pages need none of their processes, and a table goes on whatever becomes of those."""

import inspect
from html import unescape
from pathlib import Path
from random import Random

import pytest

from meadhall.bots import LEVELS, choose
from meadhall.bots.own.files import named_files
from meadhall.bots.pool import Pool
from meadhall.bots.processes import Died, TimedOut
from meadhall.match import View
from meadhall.tables import bots as table_bots
from meadhall.tables.face import StandIn
from meadhall.tables.lobby import Lobby
from meadhall.tables.table import Table
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import variant_named
from tests.web.lobbies import GOTHS_SEATS, everything_known, in_lobby, play, until
from tests.web.sight import page

TWO = variant_named("romans, two")


class DeadPool(Pool):
    """Whose workers die, whatever they are asked."""

    async def choose(self, level: str, view: View, seed: int | str, table: object = None, **_: object) -> str:
        raise Died(9)


class WeakPool(Pool):
    """In which nobody above a level can answer; which ones were asked, and whether they could wait."""

    def __init__(self, best: str) -> None:
        super().__init__(1)
        self.best = LEVELS.index(best)
        self.asked: list[tuple[str, bool]] = []

    async def choose(self, level: str, view: View, seed: int | str, *_: object, **more: object) -> str:
        self.asked.append((level, bool(more["can_wait"])))
        if LEVELS.index(level) > self.best:
            raise TimedOut(0.1)
        return choose(level, view, Random(seed))


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
        assert logged == ["medium", "easy", "random"]

    in_lobby(tmp_path, work, pool=DeadPool())


def test_the_next_lower_level_stands_in_and_all_are_told_when_the_position_has_moved_on(tmp_path: Path) -> None:
    pool = WeakPool("medium")

    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "hard"}, "ann")
        before = everything_known(table, {"gold": "ann"})
        await until(lambda: table.waiting == ("gold",))
        assert pool.asked == [("hard", False), ("medium", False)]
        # Until then nothing tells anybody that the bot has chosen, or that another had to.
        assert everything_known(table, {"gold": "ann"}) == before
        await play(here, table, Random(1), 1)
        for viewer in ("ann", None):
            assert table.face(viewer, None).stood_in == (StandIn("green", "medium"),)
        pool.best = LEVELS.index("easy")
        while table.phase == "playing":
            await until(lambda: table.waiting == ("gold",) or table.phase == "over")
            assert len(table.page_face("ann", "gold").stood_in) == 1
            await play(here, table, Random(1), 1)
        assert table.face(None, None).stood_in == (StandIn("green", "easy"),)
        entries = await here.store.entries(table.number, 0)
        assert sum('"stood-in"' in entry for entry in entries) == 2  # once for each level, not for each choice

    in_lobby(tmp_path, work, pool=pool)


def test_that_another_chose_for_somebodys_own_bot_is_told_at_the_end(tmp_path: Path) -> None:
    """It might fail on purpose, to let its partner know something."""
    file = tmp_path / "mine.py"
    file.write_text("def choose(view, choices, rng):\n    raise ValueError\n")

    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "mine.py"}, "ann")
        await until(lambda: table.waiting == ("gold",))
        position = table.position
        await play(here, table, Random(1), 1)
        assert table.position > position
        assert table.face("ann", "gold").stood_in == ()
        await here.end(table.code, "ann")
        assert table.face("ann", "gold").stood_in == (StandIn("green", "easy"),)

    in_lobby(tmp_path, work, pool=Pool(1, own=named_files([file])))


def test_the_page_says_for_whom_another_chose(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "hard"}, "ann")
        await until(lambda: table.waiting == ("gold",))
        await play(here, table, Random(1), 1)
        for lang in LANGUAGES:
            told = words(lang)
            seat, level = told.seat("romans", "green"), told.say("ui.level.medium")
            assert told.say("ui.notes.stood-in", seat=seat, level=level) in unescape(page(table, "ann", lang))

    in_lobby(tmp_path, work, pool=WeakPool("medium"))


@pytest.mark.parametrize(
    ("game", "wanted", "asked"),
    [
        ("goths", "hard", ("hard", "medium", "easy", "random")),
        ("romans", "medium", ("medium", "easy", "random")),
        ("goths", "random", ("random",)),
        ("goths", "mine.py", ("mine.py", "easy", "random")),
        ("pennies", "hard", ("hard", "random")),
    ],
)
def test_each_level_is_stood_in_for_by_the_next_lower_one(game: str, wanted: str, asked: tuple[str, ...]) -> None:
    assert table_bots.ladder(game, wanted) == asked


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


def test_a_bot_that_thinks_when_its_table_is_ended_has_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.py"
    file.write_text("import time\n\ndef choose(view, choices, rng):\n    time.sleep(3600)\n")
    pool = Pool(1, own=named_files([file]))
    logged: list[str] = []
    monkeypatch.setattr(table_bots.log, "warning", lambda what, **more: logged.append(more["error"]), raising=False)

    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "mine.py"}, "ann")
        await until(lambda: len(pool.pids) == 1)
        await here.end(table.code, "ann")
        seated = await here.seated(table.code)
        await until(lambda: not seated.bots_at_work)
        assert pool.pids == []
        assert logged == []

    in_lobby(tmp_path, work, pool=pool)


def test_in_a_game_without_levels_random_bots_sit_and_stand_in() -> None:
    assert table_bots.stand_in("goths") == "easy"
    assert table_bots.stand_in("pennies") == "random"
    assert Pool(1).levels_of("pennies") == ("random",)
