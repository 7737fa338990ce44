"""Which screen somebody sees of a table: the company gathering, the table itself, or a curtain."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from meadhall.bots import LEVELS
from meadhall.bots.evaluation import Evaluation, Reason
from meadhall.tables.face import PageFace
from meadhall.tables.table import Table
from meadhall.web.edge.session import Shown
from meadhall.web.game import board_of
from meadhall.web.pages import hints
from meadhall.web.pages.ending import ending
from meadhall.web.pages.eyes import eyes, peek
from meadhall.web.pages.frames import frames
from meadhall.web.pages.render import render
from meadhall.web.telling import Step, steps
from meadhall.words import Words


@dataclass(frozen=True)
class Slip:
    """A slip of paper above the prompt: what happened, and what to make of it."""

    title: str
    detail: str


@dataclass(frozen=True)
class Screen:
    """What one device shows of a table: through whose eyes, or a curtain before the next seat."""

    face: PageFace
    curtain: str | None = None
    caveats: tuple[Reason, ...] = ()  # what the bots here do not know of
    evaluation: Evaluation | None = None  # the hint that was asked for
    news: tuple[Step, ...] = ()  # what is to be told before the table is shown as it is
    may_end: bool = False  # may whoever looks close the table for everybody?

    @property
    def gathering(self) -> bool:
        """Is it shown how others come to the table?"""
        return self.face.phase == "open" and bool(self.face.mine or self.face.host)

    def after(self, since: int | None) -> "Screen":
        """The same with what has happened since a position that the page shows, to be told before it."""
        if since is None or self.curtain is not None or self.face.phase == "open":
            return self
        return replace(self, news=tuple(steps(self.face.watch(since), self.face.events, since)))

    def html(self, words: Words, slip: Slip | None, link: str, as_known_by: str = "", **page: Any) -> str:
        """The page, or, with `fragment=True`, the part of it that changes, after the news.

        `as_known_by` is a seat, or a spectator, through whose eyes the board is to be seen.
        """
        return "".join(self.strokes(words, slip, link, as_known_by, **page))

    def strokes(self, words: Words, slip: Slip | None, link: str, as_known_by: str = "", **page: Any) -> Iterator[str]:
        """The same piece by piece, drawn as it is asked for; what happens at the table meanwhile is not in it."""
        self.face.events  # noqa: B018 -- heard now, not when the piece is drawn that needs them
        return self._strokes(words, slip, link, as_known_by, page)

    def _strokes(
        self, words: Words, slip: Slip | None, link: str, as_known_by: str, page: dict[str, Any]
    ) -> Iterator[str]:
        page |= {"slip": slip, "may_end": self.may_end}
        page["caveats"] = [hints.reason(why, self.face.game, words) for why in self.caveats]
        if self.curtain is not None:
            asked = {seat: self.face.people.get(seat) for seat in (self.curtain, *self.face.asked)}
            page |= {"code": self.face.code, "game": self.face.game, "seat": self.curtain, "tag": self.face.tag}
            yield render("curtain.html", words, asked=asked, **page)
            return
        if self.face.phase == "open":
            template = "gathering.html" if self.gathering else "invited.html"
            yield render(template, words, face=self.face, link=link, **page)
            return
        people = names(self.face, words)
        yield from frames(self.face, self.news, words, people)
        picture = board_of(self.face.game).picture(self.face.view, self.face.events, words, people)
        evaluated = self.evaluation
        hint = hints.hint(evaluated, self.face.view, words) if evaluated and evaluated.seat == self.face.seat else None
        over = ending(self.face, words)
        others = eyes(self.face, as_known_by, words)
        page |= {"eyes": others, "peek": peek(self.face, others, words, people)}
        page |= {"picture": picture, "hint": hint, "over": over, "link": link}
        yield render("table.html", words, face=self.face, **page)


def names(face: PageFace, words: Words) -> dict[str, str]:
    """What those who sit at a table are called, by seat."""
    bots = {place.seat: bot_name(words, place.level) for place in face.seats if place.level is not None}
    return face.people | bots


def bot_name(words: Words, level: str) -> str:
    """What a bot is called: by its level, a user's own by its file's name."""
    return words.say("ui.watch.bot", level=words.say(f"ui.level.{level}") if level in LEVELS else level)


def screen(table: Table, holder: str | None, shown: Shown, gone: frozenset[str]) -> Screen:
    """What a device shows: with several people at it, a curtain hides each from the others."""
    mine = table.seats_of(holder)
    if table.phase == "open":
        return Screen(table.page_face(holder, None, gone))
    if len(table.people_of(mine)) < 2:
        return Screen(table.page_face(holder, table.eyes_of(holder), gone))
    public = table.page_face(holder, None, gone)
    if shown.seat in mine:
        own = table.played_together(shown.seat or "")
        seat = next((each for each in public.owing if each in own), None)
        # One's side is hidden again once something has happened and another person is asked.
        if seat or not public.owing or shown.seen == table.position:
            return Screen(table.page_face(holder, seat or shown.seat, gone))
    # What has happened is shown to all of them together before the curtain falls again.
    news = shown.seen is not None and shown.seen < table.position
    return Screen(public, None if news else public.asked_next)
