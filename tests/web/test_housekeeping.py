"""Tables have an end: what is closed, ended and removed, when, and that nobody learns a secret from it."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from meadhall.match import Match
from meadhall.store import base as stores
from meadhall.tables import decisions, housekeeping
from meadhall.tables.housekeeping import DAY, Housekeeper, Terms
from meadhall.tables.lobby import Lobby
from meadhall.tables.refusals import NoSuchTable
from meadhall.tables.table import Table
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import random_choice, variant_named
from tests.web.lobbies import KeptPool, choose, company, in_lobby, play, pool, until
from tests.web.server import Server, play_on

__all__ = ["pool"]

TWO, THREE = variant_named("romans, two"), variant_named("romans, three")
BOTS = {"gold": "random", "green": "random"}


class Clock:
    """The time that the store sees."""

    def __init__(self) -> None:
        self.now = 20_000 * DAY

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return monotonic()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    with monkeypatch.context() as patched:
        patched.setattr(stores, "time", clock)
        patched.setattr(housekeeping, "BREATH", 0.0)
        yield clock


async def swept(keeper: Housekeeper, clock: Clock) -> list[tuple[str, str]]:
    return [(deed.what, deed.table.code) async for deed in keeper.sweep(clock.now)]


async def is_there(here: Lobby, table: Table) -> bool:
    try:
        await here.table(table.code)
    except NoSuchTable:
        return False
    return True


def test_each_kind_of_table_comes_to_its_end_in_its_time(tmp_path: Path, pool: KeptPool, clock: Clock) -> None:
    async def work(here: Lobby) -> None:
        keeper = Housekeeper(here, Terms(open=10, games=20, bots=1, records=100, bot_records=5))
        waiting = await here.open_table("romans", TWO.rules, {}, "ann")
        game, _ = await company(here, TWO)
        over, _ = await company(here, TWO)
        await play(here, over, Random(1))
        bots = await here.open_table("romans", TWO.rules, BOTS, "ann")
        newest = await here.open_table(
            "romans", TWO.rules, {}, "ann"
        )  # which stays, so that its number is not given again
        found: list[tuple[int, str, str]] = []
        for day in range(1, 125):
            clock.now += DAY
            found += [(day, what, code) for what, code in await swept(keeper, clock)]
        # A table that was closed is kept for as long as one whose game is over, counted from then.
        assert found == [
            (2, "ended", bots.code),
            (8, "removed", bots.code),
            (11, "closed", waiting.code),
            (11, "closed", newest.code),
            (21, "ended", game.code),
            (101, "removed", over.code),
            (112, "removed", waiting.code),
            (122, "removed", game.code),
        ]
        assert await here.store.counts() == {"ended": 1}

    in_lobby(tmp_path, work, pool=pool)


def test_who_still_looks_at_a_table_that_was_removed_is_told_that_it_is_gone(
    tmp_path: Path, pool: KeptPool, clock: Clock
) -> None:
    async def work(here: Lobby) -> None:
        table, _ = await company(here, TWO)
        await play(here, table, Random(1))
        await here.open_table("romans", TWO.rules, {}, "bob")
        seated = await here.seated(table.code)
        clock.now += 2 * DAY
        assert await swept(Housekeeper(here, Terms(records=1)), clock) == [("removed", table.code)]
        with pytest.raises(NoSuchTable):
            await here.again_at(seated, seated.table.header.host)
        assert not await is_there(here, table)

    in_lobby(tmp_path, work, pool=pool)


def test_with_no_terms_everything_stays(tmp_path: Path, pool: KeptPool, clock: Clock) -> None:
    async def work(here: Lobby) -> None:
        tables = [await here.open_table("romans", TWO.rules, seats, "ann") for seats in ({}, BOTS)]
        clock.now += 10_000 * DAY
        assert await swept(Housekeeper(here, Terms(0, 0, 0, 0, 0)), clock) == []
        assert [table.phase for table in tables] == ["open", "playing"]

    in_lobby(tmp_path, work, pool=pool)


def test_what_is_done_openly_keeps_a_table_alive_and_whoever_watches_sees_its_end(
    tmp_path: Path, pool: KeptPool, clock: Clock
) -> None:
    async def work(here: Lobby) -> None:
        keeper = Housekeeper(here, Terms(games=20))
        table, _ = await company(here, TWO)
        for _ in range(3):
            clock.now += 15 * DAY
            await play(here, table, Random(1), 2)  # both choose
            assert await swept(keeper, clock) == []
        seen = asyncio.Event()
        with (await here.seated(table.code)).watching(seen):
            clock.now += 21 * DAY
            assert await swept(keeper, clock) == [("ended", table.code)]
            assert seen.is_set()
        assert table.phase == "ended"

    in_lobby(tmp_path, work, pool=pool)


def test_a_sealed_choice_shows_neither_in_lists_nor_in_when_a_table_ends(
    tmp_path: Path, pool: KeptPool, clock: Clock
) -> None:
    async def work(here: Lobby) -> None:
        quiet, holders = await company(here, THREE)
        await company(here, THREE)

        async def shown() -> list[object]:
            return [*(await here.listed(9)), *(await here.store.keeping.latest(["playing"], 9))]

        before = await shown()
        clock.now += DAY
        for seat in list(holders)[:-1]:
            await choose(here, quiet, seat, random_choice(quiet.match, seat, Random(1)))
            assert await shown() == before
        await choose(here, quiet, list(holders)[-1], random_choice(quiet.match, list(holders)[-1], Random(1)))
        assert next(iter(await here.listed(9))).code == quiet.code
        assert (await here.listed(9))[0].active == clock.now

    in_lobby(tmp_path, work, pool=pool)


def test_who_acts_at_the_last_moment_keeps_the_table(
    tmp_path: Path, pool: KeptPool, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {}, "ann")
        clock.now += 400 * DAY
        append = here.store.append
        raced: list[bool] = []

        async def slow(*given: object) -> bool:
            if not raced:  # somebody sits down while the end of the table is being written
                raced.append(await append(table.number, 0, '{"is":"sat","seat":"gold","holder":"bob"}', None, True))
            return await append(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(here.store, "append", slow)
        assert await swept(Housekeeper(here, Terms()), clock) == []
        assert raced == [True]
        assert (table.phase, table.places["gold"].holder) == ("open", "bob")

    in_lobby(tmp_path, work, pool=pool)


def test_records_go_to_the_archive_before_they_are_removed_and_stay_where_that_fails(
    tmp_path: Path, pool: KeptPool, clock: Clock
) -> None:
    folder = tmp_path / "archive"

    async def work(here: Lobby) -> None:
        tables = [(await company(here, TWO))[0] for _ in range(3)]
        for table in tables:
            await play(here, table, Random(1))
        empty = await here.open_table("romans", TWO.rules, {}, "ann")
        await here.change(empty.code, decisions.end("ann", frozenset()))
        await here.open_table("romans", TWO.rules, {}, "ann")
        clock.now += 400 * DAY
        keeper = Housekeeper(here, Terms(), folder)
        with pytest.raises(OSError, match="No such file"):
            await swept(keeper, clock)
        assert [await is_there(here, table) for table in tables] == [True] * 3
        folder.mkdir()
        done = {code for what, code in await swept(keeper, clock) if what == "removed"}
        assert done == {table.code for table in (*tables, empty)}
        (file,) = folder.iterdir()
        records = [json.loads(line) for line in file.read_text().splitlines()]
        assert sorted(map(str, records)) == sorted(str(json.loads(json.dumps(t.match.record()))) for t in tables)
        assert all(Match.from_record(record).outcome is not None for record in records)
        assert [await is_there(here, table) for table in (*tables, empty)] == [False] * 4

    in_lobby(tmp_path, work, pool=pool)


def test_a_table_that_cannot_be_read_holds_nobody_up(tmp_path: Path, pool: KeptPool, clock: Clock) -> None:
    async def work(here: Lobby) -> None:
        await here.store.create("BBBBBB", "romans", '{"format": 99}', "open", True, [])
        table = await here.open_table("romans", TWO.rules, {}, "ann")
        clock.now += 40 * DAY
        assert await swept(Housekeeper(here, Terms()), clock) == [("closed", table.code)]

    in_lobby(tmp_path, work, pool=pool)


def test_the_server_does_it_by_itself_and_one_process_of_several(
    tmp_path: Path, pool: KeptPool, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "FIRST_AFTER", (0.0, 0.0))
    monkeypatch.setattr(housekeeping, "EVERY", 0.02)
    monkeypatch.setattr(housekeeping, "BATCH", 2)
    ran: list[str] = []

    class Noting(Housekeeper):
        def __init__(self, lobby: Lobby, name: str) -> None:
            super().__init__(lobby, Terms())
            self.name = name

        def sweep(self, now: float, rehearse: bool = False):  # type: ignore[no-untyped-def]
            ran.append(self.name)
            return super().sweep(clock.now, rehearse)

    async def work(here: Lobby) -> None:
        tables = [await here.open_table("romans", TWO.rules, {}, "ann") for _ in range(5)]
        clock.now += 31 * DAY
        with monkeypatch.context() as rarely:
            rarely.setattr(housekeeping, "EVERY", 1e6)
            workers = [asyncio.create_task(Noting(here, name).run()) for name in ("one", "other")]
            await until(lambda: all(table.phase == "ended" for table in tables))
            await until(lambda: len(ran) == 1)
            for worker in workers:
                worker.cancel()
        assert len(ran) == 1
        monkeypatch.setattr(here.store.beats, "claim", _always)
        here.look_after(Noting(here, "again").run())
        await until(lambda: ran.count("again") > 2)

    in_lobby(tmp_path, work, pool=pool)


async def _always(*_: object) -> bool:
    return True


def test_the_pages_say_how_long_tables_stay(server: Server) -> None:
    host = server.player()
    mine = dict.fromkeys(("gold", "green"), "me")
    _, closed, over = (host.open_table("romans", mine, rules=TWO.rules) for _ in range(3))
    answer = server.http.post(f"/t/{closed}/end", headers=host.headers, data={"sure": "1"})
    assert answer.status_code == 303
    play_on(over, dict.fromkeys(mine, host), Random(1))
    for lang in LANGUAGES:
        told = words(lang)
        waiting, games, records = (
            _plain(told.say(f"ui.kept.{key}", n=n)) for key, n in (("open", 30), ("games", 90), ("records", 365))
        )
        said = {"/host": (waiting, games, records), "/watch": (waiting, games)}
        said |= {f"/t/{closed}": (records,), f"/t/{over}": (records,)}
        for path, sentences in said.items():
            page = _plain(server.http.get(path, headers={"accept-language": lang}).text)
            assert all(sentence in page for sentence in sentences), (path, lang)
            # Whoever is told to save a record must find one, and of a table that was closed there is none.
            assert (_plain(told.say("ui.kept.save")) in page) == (path in ("/host", f"/t/{over}")), (path, lang)


def _plain(text: str) -> str:
    return " ".join(text.replace("&#39;", "'").split())
