"""Choices at a table, by bots and by many people at once on slow storage: nothing is lost, nothing done twice."""

import asyncio
import gc
import re
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meadhall.bots.evaluation import Evaluation
from meadhall.bots.pool import Pool
from meadhall.bots.processes import TimedOut
from meadhall.faults import ChoiceFault
from meadhall.match import Match, View
from meadhall.tables import analyses, decisions
from meadhall.tables import bots as table_bots
from meadhall.tables import lobby as lobby
from meadhall.tables.entries import Bot, Chose, Sat, read_entry
from meadhall.tables.lobby import Lobby
from meadhall.tables.refusals import MovedOn, Refusal
from meadhall.tables.table import Table
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import VARIANTS, Variant, random_choice, variant_named
from tests.web.lobbies import (
    GOTHS_SEATS,
    KeptPool,
    choose,
    company,
    everything_known,
    in_lobby,
    play,
    pool,
    refusal_of,
    until,
)

__all__ = ["pool"]

BASE = variant_named("goths, base")
SHORT = variant_named("goths, seven turns")
LONE = variant_named("goths, lone ostrogoth")
FOUR = variant_named("romans, four")
TWO = variant_named("romans, two")


# Bots at play


@pytest.mark.parametrize("level", ["random", "easy"])
def test_bots_play_until_a_person_is_to_choose_and_finish_the_game_with_him(
    level: str, tmp_path: Path, pool: KeptPool
) -> None:
    async def work(here: Lobby) -> None:
        seats = dict.fromkeys(GOTHS_SEATS, level) | {"visigoth-king": "me"}
        table = await here.open_table("goths", SHORT.rules, seats, "ann")
        dice = Random(3)
        while table.phase == "playing":
            await until(lambda: table.phase == "over" or table.match.waiting == ("visigoth-king",))
            await play(here, table, dice, 1)
        assert table.match.outcome is not None
        assert Match.from_record(table.match.record()).outcome == table.match.outcome

    in_lobby(tmp_path, work, pool=pool)


def test_a_bot_that_comes_in_mid_game_chooses_what_is_owed(tmp_path: Path, pool: KeptPool) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, TWO)
        await play(here, table, Random(1), 1)
        for seat in table.match.waiting:
            await here.leave(table.code, holders[seat], seat)
        await until(lambda: table.position > 1)

    in_lobby(tmp_path, work, pool=pool)


def test_bots_among_themselves_play_only_while_somebody_watches(tmp_path: Path, pool: KeptPool) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", SHORT.rules, dict.fromkeys(GOTHS_SEATS, "random"), "ann")
        await here.set_pace(table.code, "ann", "0")
        waiting_for_them = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "random"}, "ann")
        # The other table's bot answers, so these would have had the time to.
        await until(lambda: waiting_for_them.match.waiting == ("gold",))
        assert not table.match.record()["choices"]
        with (await here.seated(table.code)).watching(asyncio.Event()):
            await until(lambda: len(table.match.record()["choices"]) > 3)
        # One choice that was being thought out when the last one left may still come.
        await until(lambda: not here._seated[table.code].bots_at_work)
        stopped = table.length
        for holder in ("ann", None):
            await (await here.seated(table.code)).touch(holder)
        await here.table(table.code)
        assert not here._seated[table.code].bots_at_work
        assert table.length == stopped
        with (await here.seated(table.code)).watching(asyncio.Event()):
            await until(lambda: table.phase == "over")

    in_lobby(tmp_path, work, pool=pool)


# Choices


def test_the_same_choice_again_is_harmless_even_after_the_game(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, _ = await company(here, TWO)
        dice, made = Random(5), []
        while table.phase == "playing":
            seat, position = table.match.waiting[0], table.position
            choice = random_choice(table.match, seat, dice)
            made.append((seat, position, choice))
            for _ in range(2):
                await choose(here, table, seat, choice, position)
        length = table.length
        for seat, position, choice in made:
            await choose(here, table, seat, choice, position)
        assert table.length == length
        assert table.match.record()["choices"] == [[seat, choice] for seat, _, choice in made]

    in_lobby(tmp_path, work)


def test_a_sealed_choice_can_be_changed_until_the_last_is_in(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, _ = await company(here, TWO)
        first, other = (random_choice(table.match, "gold", Random(k)) for k in (1, 2))
        position = table.position
        await choose(here, table, "gold", first)
        await choose(here, table, "gold", other)
        assert table.position == position
        assert table.match.record()["choices"] == [["gold", other]]
        assert table.match.view("gold").json()["own"] == other
        await choose(here, table, "green", random_choice(table.match, "green", Random(3)))
        assert table.position > position
        refusal = await refusal_of(choose(here, table, "gold", first, position))
        assert isinstance(refusal, MovedOn)
        assert refusal.position == table.position
        await choose(here, table, "gold", other, position)  # what counted may be repeated

    in_lobby(tmp_path, work)


def test_an_illegal_choice_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, _ = await company(here, BASE)
        length = table.length
        for seat, choice in (
            ("ostrogoth-king", "nonsense"),
            ("ostrogoth-king", "act:axe"),
            ("ostrogoth-king", "\x00" * 100),
            ("ostrogoth-king", "order:queen/queen"),
        ):
            with pytest.raises(ChoiceFault):
                await choose(here, table, seat, choice)
        assert table.length == length

    in_lobby(tmp_path, work)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_lobby_that_knows_only_the_store_shows_everybody_the_same(variant: Variant, tmp_path: Path) -> None:
    async def work(here: Lobby) -> tuple[str, dict[str, str], list[Any]]:
        table, holders = await company(here, variant)
        await play(here, table, Random(7), 23)
        await here.leave(table.code, holders[table.match.seats[-1]], table.match.seats[-1])
        stored = await here.store.load(table.code)
        assert stored is not None
        assert stored.phase == table.phase
        return table.code, holders, everything_known(table, holders)

    code, holders, known = in_lobby(tmp_path, work)

    async def again(here: Lobby) -> None:
        assert everything_known(await here.table(code), holders) == known

    in_lobby(tmp_path, again)


@pytest.mark.parametrize("variant", [SHORT, TWO], ids=str)
def test_the_phase_in_the_store_is_always_that_of_the_table(variant: Variant, tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table(variant.game, variant.rules, {}, "ann")

        async def agree() -> None:
            stored = await here.store.load(table.code)
            assert stored is not None
            assert stored.phase == table.phase

        await agree()
        for seat in table.match.seats:
            await here.sit(table.code, seat, seat)
            await agree()
        while await play(here, table, Random(table.length), 1):
            await agree()
        assert table.phase == "over"
        await here.end(table.code, "ann")
        assert table.phase == "over"
        await agree()

    in_lobby(tmp_path, work)


# Many at once, on slow storage


@pytest.mark.parametrize("variant", [FOUR, BASE, LONE], ids=str)
def test_many_clients_at_once_on_slow_storage_lose_nothing_and_do_nothing_twice(
    variant: Variant, tmp_path: Path
) -> None:
    async def work(here: Lobby) -> None:
        dice = Random(11)
        append = here.store.append

        async def slowly(*arguments: Any) -> bool:
            await asyncio.sleep(dice.random() / 200)
            return await append(*arguments)

        here.store.append = slowly  # type: ignore[method-assign]
        table, _ = await company(here, variant)
        acknowledged: list[tuple[str, int, str]] = []
        for _ in range(12):
            position = table.position
            wanted = {seat: random_choice(table.match, seat, dice) for seat in table.match.waiting}

            async def client(seat: str, choice: str, position: int = position) -> None:
                try:
                    await choose(here, table, seat, choice, position)
                    acknowledged.append((seat, position, choice))
                except (MovedOn, ChoiceFault):
                    pass  # those of one seat may overtake what it sealed before

            crowd = [client(seat, choice) for seat, choice in wanted.items() for _ in range(5)]
            dice.shuffle(crowd)
            await asyncio.gather(*crowd)
            if table.phase == "over":
                break
        choices = [tuple(choice) for choice in table.match.record()["choices"]]
        once = list(dict.fromkeys(acknowledged))
        assert sorted(choices) == sorted((seat, choice) for seat, _, choice in once)
        stored = await here.store.load(table.code)
        assert stored is not None
        written = [entry for entry in map(read_entry, stored.entries) if isinstance(entry, Chose)]
        assert [(entry.seat, entry.choice) for entry in written] == choices
        replayed = Table(table.number, table.code, table.header, map(read_entry, stored.entries))
        assert replayed.match.position() == table.match.position()
        assert replayed.position == table.position

    in_lobby(tmp_path, work)


def test_of_many_who_want_the_same_seats_at_once_each_seat_has_one(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, {}, "host")
        asked = (here.sit(table.code, f"guest {k}") for k in range(200))
        seats = await asyncio.gather(*asked, return_exceptions=True)
        assert sorted(seat for seat in seats if isinstance(seat, str)) == sorted(GOTHS_SEATS)
        others = [seat for seat in seats if not isinstance(seat, str)]
        assert len(others) == 196
        assert all(isinstance(refusal, Refusal) for refusal in others)
        stored = await here.store.load(table.code)
        assert stored is not None
        assert len([e for e in map(read_entry, stored.entries) if isinstance(e, Sat)]) == 4

    in_lobby(tmp_path, work)


def test_tables_are_forgotten_in_memory_and_found_again_in_the_store(
    tmp_path: Path, pool: KeptPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "KEPT", 3)

    async def work(here: Lobby) -> None:
        async def a_table_whose_bot_has_chosen() -> str:
            table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "random"}, "ann")
            await until(lambda: table.match.waiting == ("gold",) and not here._seated[table.code].bots_at_work)
            return table.code

        codes = [await a_table_whose_bot_has_chosen() for _ in range(6)]
        await until(lambda: bool(gc.collect()) or len(here._seated) == len(here._by_number) == 3)
        for code in codes:
            table = await here.table(code)
            assert isinstance(table.places["green"].level, str)
            assert table.match.waiting == ("gold",)

    in_lobby(tmp_path, work, pool=pool)


def test_a_table_in_use_is_not_loaded_twice_and_the_cap_holds_whatever_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "KEPT", 3)

    async def work(here: Lobby) -> None:
        watched = [await here.seated((await company(here, TWO))[0].code) for _ in range(6)]
        with ExitStack() as watching:
            for seated in watched:
                watching.enter_context(seated.watching(asyncio.Event()))
            assert len(here._recent) == 3
            assert [await here.seated(seated.table.code) for seated in watched] == watched
            assert here.watchers == 6
        codes = [seated.table.code for seated in watched]
        del seated, watched
        gc.collect()
        assert (len(here._recent), len(here._seated)) == (3, 3)
        assert [(await here.table(code)).phase for code in codes] == ["playing"] * 6

    in_lobby(tmp_path, work)


def test_of_tables_that_are_over_fewer_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "KEPT_OVER", 2)

    async def work(here: Lobby) -> None:
        codes = [(await company(here, TWO))[0].code for _ in range(6)]
        for code in codes[:5]:
            await here.change(code, decisions.end((await here.table(code)).header.host, frozenset()))
        gc.collect()
        assert sorted(here._seated) == sorted(codes[3:])
        assert [(await here.table(code)).phase for code in codes] == ["ended"] * 5 + ["playing"]

    in_lobby(tmp_path, work)


# Refusals


def refusals() -> dict[str, Callable[[Lobby, Table, dict[str, str]], Awaitable[Any]]]:
    """A way to meet each refusal there is, at a table of four people in play."""
    king, other = "ostrogoth-king", "visigoth-king"
    order = "order:vulture/recruiter"
    shared_out = {"ostrogoth-king": "me", "ostrogoth-warchief": "easy"}

    async def twice_seated(here: Lobby, table: Table, who: dict[str, str]) -> None:
        device = await here.open_table("goths", {}, dict.fromkeys(GOTHS_SEATS, "me"), "ann")
        await here.change(device.code, decisions.choose("ann", None, device.position, order))

    async def changed_often(here: Lobby, table: Table, who: dict[str, str]) -> None:
        pair, _ = await company(here, TWO)
        dice = Random(1)
        for _ in range(decisions.MOST_CHOSEN + 1):
            await choose(here, pair, "gold", random_choice(pair.match, "gold", dice))

    async def begun(here: Lobby, table: Table, who: dict[str, str]) -> None:
        await here.leave(table.code, who[other], other)
        await here.sit(table.code, who[king], other)

    async def nothing_owed(here: Lobby, table: Table, who: dict[str, str]) -> None:
        free, _ = await company(here, BASE, hints=True)
        await here.bots.hint(free, who["visigoth-warchief"], None)

    async def asked_twice(here: Lobby, table: Table, who: dict[str, str]) -> None:
        free, _ = await company(here, BASE, hints=True)
        await asyncio.gather(*(here.bots.hint(free, who[free.waiting[0]], None) for _ in range(2)))

    async def not_ready(here: Lobby, table: Table, who: dict[str, str]) -> None:
        alone = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "random"}, "ann")
        await here.bots.hint(alone, "ann", None)

    async def no_answer(here: Lobby, table: Table, who: dict[str, str]) -> None:
        class Overdue(Pool):
            async def evaluate(self, view: View) -> Evaluation:
                raise TimedOut(20.0)

        here.bots.pool = Overdue()
        free, _ = await company(here, BASE, hints=True)
        await here.bots.hint(free, who[free.waiting[0]], None)

    async def no_adviser(here: Lobby, table: Table, who: dict[str, str]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table_bots, "levels_of", lambda game: ("random",))
            await here.bots.hint(table, who[king], king)

    async def ended(here: Lobby, table: Table, who: dict[str, str]) -> None:
        await here.end(table.code, "host")
        await here.change(table.code, decisions.choose(who[king], None, table.position, order))

    async def unreadable(here: Lobby, table: Table, who: dict[str, str]) -> None:
        await here.store.create("BBBBBB", "goths", "{}", "open", True, [])
        await here.table("BBBBBB")

    async def finished(here: Lobby) -> Table:
        short, _ = await company(here, Variant("goths, two turns", "goths", {"turn_limit": 2}))
        await play(here, short, Random(4))
        return short

    async def ended_early(here: Lobby, table: Table, who: dict[str, str]) -> None:
        await here.end(table.code, "host")
        await here.analyses.start(table)

    async def not_analysed(here: Lobby, table: Table, who: dict[str, str]) -> None:
        over = await finished(here)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(analyses, "can_analyse", lambda game: False)
            await here.analyses.start(over)

    async def too_busy(here: Lobby, table: Table, who: dict[str, str]) -> None:
        over = await finished(here)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(analyses, "MOST", 0)
            await here.analyses.start(over)

    return {
        "analysis-early": lambda here, table, who: here.analyses.start(table),
        "analysis-ended": ended_early,
        "analysis-none": not_analysed,
        "analysis-busy": too_busy,
        "unreadable": unreadable,
        "no-table": lambda here, table, who: here.table("BBBBBB"),
        "no-seat": lambda here, table, who: here.sit(table.code, "eve", "throne"),
        "together": lambda here, table, who: here.open_table("goths", LONE.rules, shared_out, "ann"),
        "which-seat": twice_seated,
        "no-seat-held": lambda here, table, who: here.change(table.code, decisions.choose("eve", None, 1, order)),
        "not-yours": lambda here, table, who: here.change(table.code, decisions.choose(who[other], king, 1, order)),
        "not-playing": ended,
        "moved-on": lambda here, table, who: here.change(table.code, decisions.choose(who[king], king, 999, order)),
        "taken": lambda here, table, who: here.sit(table.code, "eve", king),
        "full": lambda here, table, who: here.sit(table.code, "eve"),
        "begun": begun,
        "changed-often": changed_often,
        "present": lambda here, table, who: here.seat_bot(table.code, "host", king, "medium"),
        "bot-stays": lambda here, table, who: here.seat_bot(table.code, who[king], king, "hard"),
        "pace-people": lambda here, table, who: here.set_pace(table.code, "host", "0"),
        "pace": lambda here, table, who: here.set_pace(table.code, "host", "1"),
        "not-host": lambda here, table, who: here.end(table.code, who[king]),
        "not-over": lambda here, table, who: here.again(table.code, who[king]),
        "level": lambda here, table, who: here.seat_bot(table.code, "host", king, "./mine.py"),
        "no-hints": lambda here, table, who: here.bots.hint(table, who[king], king),
        "nothing-owed": nothing_owed,
        "too-many": asked_twice,
        "not-ready": not_ready,
        "no-answer": no_answer,
        "no-adviser": no_adviser,
    }


@pytest.mark.parametrize("key", refusals())
def test_each_refusal_is_met_said_in_every_language_and_changes_nothing(key: str, tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, BASE)
        refusal = await refusal_of(refusals()[key](here, table, holders))
        assert refusal.key == f"ui.refused.{key}"
        said = {refusal.said(words(lang)) for lang in LANGUAGES}
        assert len(said) == len(LANGUAGES)
        assert str(refusal) in said
        assert not any("{" in text for text in said)
        assert refusal.status in (403, 404, 409, 410, 422, 429, 503)
        assert not table.match.record()["choices"]

    in_lobby(tmp_path, work)


def test_every_refusal_of_the_tables_is_tried() -> None:
    sources = (file.read_text() for file in files("meadhall.tables").iterdir() if file.name.endswith(".py"))
    keys = {key for text in sources for key in re.findall(r'"ui\.refused\.([a-z-]+)"', text)}
    assert keys == set(refusals())


def test_a_bots_choice_that_comes_too_late_is_not_written(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, _ = await company(here, TWO)
        choice = random_choice(table.match, "gold", Random(1))
        for late in (decisions.bot_chooses("gold", table.position, choice), decisions.bot_chooses("gold", 0, choice)):
            length = table.length
            await here.change(table.code, late)
            assert table.length == length
        await here.change(table.code, lambda table: Bot("gold", "random") if table.places["gold"].holder else None)
        await here.change(table.code, decisions.bot_chooses("gold", table.position - 1, choice))
        assert table.match.waiting == ("gold", "green") or table.sealed["gold"] == 1

    in_lobby(tmp_path, work)
