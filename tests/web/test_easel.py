"""How tables are drawn: one after the other, in pieces, while everybody else is answered."""

import asyncio
from collections.abc import Iterator
from functools import partial

import pytest

from meadhall.tables.entries import Chose
from meadhall.web.pages import easel as easels
from meadhall.web.pages.easel import Easel
from meadhall.web.pages.screens import screen
from meadhall.words import words
from tests.variants import VARIANTS, random_game
from tests.web.sight import LINK, NOTHING_SHOWN, holder_of, page, table_of

Told = list[str]


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(easels, "STRETCH", 0.0)


def strokes(name: str, told: Told) -> Iterator[str]:
    for number in range(3):
        told.append(f"{name}{number}")
        yield f"{name}{number} "


async def draws(easel: Easel, name: str, told: Told, first: bool = False) -> None:
    assert await easel.draw(partial(strokes, name, told), first) == f"{name}0 {name}1 {name}2 "


def drawn(*pages: tuple[str, bool]) -> Told:
    """In which order the pieces of some pages are drawn that are asked for at once."""
    told: Told = []

    async def run() -> None:
        easel = Easel()
        await asyncio.gather(*(draws(easel, name, told, first) for name, first in pages))

    asyncio.run(run())
    return told


def test_a_page_is_drawn_to_its_end_before_the_next() -> None:
    assert drawn(("a", False), ("b", False)) == ["a0", "a1", "a2", "b0", "b1", "b2"]


def test_whoever_has_done_something_goes_before_those_who_look_on() -> None:
    order = [
        each[0] for each in drawn(("a", False), ("b", False), ("c", True), ("d", False), ("e", True)) if "0" in each
    ]
    assert order == ["a", "c", "e", "b", "d"]


def test_but_nobody_waits_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(easels, "AHEAD", 0.0)  # as if each had come so much later than the one before
    assert [each[0] for each in drawn(("a", False), ("b", False), ("c", True)) if "0" in each] == ["a", "b", "c"]


def test_what_to_draw_is_asked_for_when_its_turn_has_come() -> None:
    newest = ["old"]

    async def run() -> str:
        easel = Easel()
        one = asyncio.create_task(draws(easel, "a", []))
        await asyncio.sleep(0)
        other = asyncio.create_task(easel.draw(lambda: newest))
        await asyncio.sleep(0)
        newest[0] = "new"
        await one
        return await other

    assert asyncio.run(run()) == "new"


def test_others_are_let_in_between_the_pieces_of_a_page() -> None:
    told: Told = []

    async def other() -> None:
        for _ in range(2):
            told.append("other")
            await asyncio.sleep(0)

    async def run() -> None:
        await asyncio.gather(draws(Easel(), "a", told), other())

    asyncio.run(run())
    assert told == ["a0", "other", "a1", "other", "a2"]


@pytest.mark.parametrize("who", ["draws", "waits", "was called just now"])
def test_whoever_leaves_holds_nobody_up(who: str) -> None:
    told: Told = []
    easel = Easel()

    async def first(others: list["asyncio.Task[None]"]) -> None:
        await draws(easel, "a", told)
        if who == "was called just now":
            others[0].cancel()  # it has its turn, and has not begun

    async def run() -> None:
        others: list[asyncio.Task[None]] = []
        one = asyncio.create_task(first(others))
        others += [asyncio.create_task(draws(easel, name, told)) for name in "bc"]
        await asyncio.sleep(0)
        if who != "was called just now":
            (one if who == "draws" else others[0]).cancel()
        await asyncio.gather(one, *others, return_exceptions=True)
        assert [one.cancelled(), others[0].cancelled()] == [who == "draws", who != "draws"]
        await draws(easel, "d", told)

    asyncio.run(run())
    assert told[-6:] == ["c0", "c1", "c2", "d0", "d1", "d2"]


@pytest.mark.parametrize("since", [None, 0])
def test_what_happens_at_a_table_while_its_page_is_drawn_is_not_in_it(since: int | None) -> None:
    record = random_game(VARIANTS[0], 1, 30).record()
    before, moving = (table_of(record | {"choices": record["choices"][:20]}) for _ in range(2))
    holder = holder_of(moving.match, moving.match.seats[0])
    around = {"fragment": since is not None, "theme": "", "speed": "normal", "path": f"/t/{moving.code}"}
    looked = screen(moving, holder, NOTHING_SHOWN, frozenset()).after(since)
    strokes = looked.strokes(words("en"), None, LINK, **around)
    for seat, choice in record["choices"][20:]:
        moving.apply(Chose(seat, choice))
    then, now = (page(table, holder, "en", fragment=since is not None, since=since) for table in (before, moving))
    assert "".join(strokes) == then != now
