"""How long bots seem to think: never by their cards, never by the time they took, and nobody waits needlessly."""

import asyncio
import inspect
from pathlib import Path
from random import Random

import pytest

from meadhall.bots import choose as bot_chooses
from meadhall.bots.pool import Pool
from meadhall.faults import Fault
from meadhall.match import Match, View
from meadhall.store import open_store
from meadhall.tables.lobby import Lobby
from meadhall.tables.pause import Pause
from meadhall.web.settings import Settings
from tests.variants import Variant, random_choice
from tests.web.lobbies import GOTHS_SEATS, choose, until

KING = "ostrogoth-king"
BOTS = {"green": "easy", "violet": "random", "red": "easy"}
FOUR = Variant("romans", "four", {"players": ["gold", "green", "violet", "red"]})


class GatedPause(Pause):
    """A pause that is over when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "gate", asyncio.Event())
        object.__setattr__(self, "begun", [])

    gate: asyncio.Event
    begun: list[int]

    async def over(self) -> None:
        self.begun.append(len(self.begun))
        await self.gate.wait()


class GatedPool(Pool):
    """Bots that think in this process, and have thought when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.asked: list[str | None] = []

    async def choose(self, level: str, view: View, seed: int | str, *_: object, **more: object) -> str:
        self.asked.append(view.seat)
        await self.gate.wait()
        return bot_chooses(level, view, Random(seed))


class Watched:
    """A lobby whose pause and bots are under the test's control."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def __aenter__(self) -> "Watched":
        self.pause, self.pool = GatedPause(), GatedPool()
        self.lobby = Lobby(await open_store(self.folder / "tables.sqlite"), self.pool, 60.0, self.pause)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.lobby.close()


async def a_while() -> None:
    """Long enough for everything that is ready to happen here: each turn of the loop lets all of it go one step."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_a_bots_choice_is_not_made_before_the_pause_is_over_however_soon_it_was_found(tmp_path: Path) -> None:
    async def run() -> None:
        async with Watched(tmp_path) as it:
            it.pool.gate.set()
            table = await it.lobby.open_table("goths", {}, dict.fromkeys(GOTHS_SEATS, "easy") | {KING: "me"}, "ann")
            await until(lambda: table.waiting == (KING,) or bool(it.pause.begun))
            if table.waiting == (KING,):
                await choose(it.lobby, table, KING, random_choice(table.match, KING, Random(1)))
            await until(lambda: bool(it.pool.asked))
            before = table.position
            await a_while()
            assert table.position == before
            it.pause.gate.set()
            await until(lambda: table.position > before)

    asyncio.run(run())


def test_a_bot_thinks_while_the_pause_runs_and_no_second_one_follows(tmp_path: Path) -> None:
    async def run() -> None:
        async with Watched(tmp_path) as it:
            table = await it.lobby.open_table("romans", FOUR.rules, {"gold": "me"} | BOTS, "ann")
            await until(lambda: len(it.pool.asked) == 3)
            assert it.pause.begun == [0]  # one for all who plan at once
            it.pause.gate.set()
            await a_while()
            assert set(table.waiting) == {"gold", "green", "violet", "red"}
            it.pool.gate.set()
            await until(lambda: table.waiting == ("gold",))
            assert it.pause.begun == [0]

    asyncio.run(run())


def test_a_person_does_not_wait_for_bots_that_have_sealed_meanwhile(tmp_path: Path) -> None:
    async def run() -> None:
        async with Watched(tmp_path) as it:
            it.pool.gate.set()
            it.pause.gate.set()
            table = await it.lobby.open_table("romans", FOUR.rules, {"gold": "me"} | BOTS, "ann")
            await until(lambda: table.waiting == ("gold",))
            it.pause.gate.clear()
            before = table.position
            await choose(it.lobby, table, "gold", random_choice(table.match, "gold", Random(3)))
            assert table.position > before  # at once, with no pause in between

    asyncio.run(run())


def test_bots_among_themselves_keep_their_own_pace(tmp_path: Path) -> None:
    async def run() -> None:
        async with Watched(tmp_path) as it:
            it.pool.gate.set()
            table = await it.lobby.open_table("goths", {}, dict.fromkeys(GOTHS_SEATS, "random"), "ann")
            await it.lobby.set_pace(table.code, "ann", "0")
            with (await it.lobby.seated(table.code)).watching(asyncio.Event()):
                await until(lambda: table.position > 10)
            assert it.pause.begun == []

    asyncio.run(run())


def test_a_pause_that_ends_with_the_server_loses_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with Watched(tmp_path) as before:
            before.pool.gate.set()
            table = await before.lobby.open_table("romans", FOUR.rules, {"gold": "me"} | BOTS, "ann")
            await until(lambda: bool(before.pause.begun))
        async with Watched(tmp_path) as after:
            after.pool.gate.set()
            after.pause.gate.set()
            again = await after.lobby.table(table.code)
            await until(lambda: again.waiting == ("gold",))

    asyncio.run(run())


def test_a_seat_that_a_person_takes_back_in_the_pause_is_the_persons(tmp_path: Path) -> None:
    async def run() -> None:
        async with Watched(tmp_path) as it:
            it.pool.gate.set()
            seats = {"gold": "me"} | BOTS | {"green": "me"}
            table = await it.lobby.open_table("romans", FOUR.rules, seats, "ann")
            await it.lobby.leave(table.code, "ann", "green")
            await until(lambda: len(it.pool.asked) >= 2)
            await it.lobby.sit(table.code, "ann", "green")
            it.pause.gate.set()
            await until(lambda: set(table.waiting) == {"gold", "green"})
            await a_while()
            assert set(table.waiting) == {"gold", "green"}

    asyncio.run(run())


# What is drawn


def test_a_pause_is_drawn_from_its_range_by_chance_that_knows_nothing_else() -> None:
    pause = Pause.read("0.7-1.9")
    drawn = [pause.draw() for _ in range(4000)]
    assert all(0.7 <= seconds <= 1.9 for seconds in drawn)
    for k in range(12):  # as often here as there
        assert 230 < sum(0.7 + k / 10 <= seconds < 0.8 + k / 10 for seconds in drawn) < 440
    assert list(inspect.signature(pause.draw).parameters) == []
    assert list(inspect.signature(pause.over).parameters) == []


def test_bots_pause_by_default_longer_than_a_strong_one_may_think() -> None:
    assert Settings().pause == Pause(0.7, 1.9)
    assert Settings().pause.least > 0.3


@pytest.mark.parametrize(
    ("text", "least", "most"), [("0", 0, 0), ("1.5", 1.5, 1.5), ("0.7-1.9", 0.7, 1.9), (" 2-60 ", 2, 60)]
)
def test_a_pause_is_written_as_one_number_or_two(text: str, least: float, most: float) -> None:
    assert Pause.read(text) == Pause(least, most)


@pytest.mark.parametrize("text", ["", "-1", "a moment", "2-1", "0-61", "nan", "1e3", "1-2-3", "1,5", "٣", "9" * 400])
def test_a_pause_that_makes_no_sense_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(Fault, match=r"seconds from 0 to 60, or two such as 0\.7-1\.9") as fault:
        Pause.read(text)
    assert len(str(fault.value)) < 250


def test_the_setting_that_makes_no_sense_is_named() -> None:
    with pytest.raises(Fault, match="MEADHALL_BOT_PAUSE must be a number of seconds"):
        Settings.from_environment({"MEADHALL_BOT_PAUSE": "soon"})
    assert Settings.from_environment({"MEADHALL_BOT_PAUSE": "0"}).pause == Pause()


def test_bots_among_themselves_wait_until_those_who_look_on_have_been_told(tmp_path: Path) -> None:
    slept: list[float] = []
    told: list[int] = []

    def telling(match: Match, since: int) -> float:
        told.append(since)
        return 7.5

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def run() -> None:
        lobby = Lobby(await open_store(str(tmp_path / "x.sqlite")), Pool(), telling=telling)
        table = await lobby.open_table("goths", {}, dict.fromkeys(GOTHS_SEATS, "random"), "host")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("meadhall.tables.lobby.asyncio.sleep", sleep)
            for pace in (1500, 3000, 600, 0):
                table.pace = pace
                await lobby._watched(table, 3)
        await lobby.close()

    asyncio.run(run())
    assert slept == [7.5, 15.0, 3.0, 0.0]
    assert told == [3] * 4
