"""All that is sent to one viewer of a table, as bytes; and tables made from records, with a person on every seat."""

from collections.abc import Iterable
from typing import Any

import msgspec

from meadhall.match import SPECTATOR, Match
from meadhall.tables.entries import AnyEntry, Chose, Header, Sat
from meadhall.tables.table import Table
from meadhall.web.edge.session import Shown
from meadhall.web.pages import screens
from meadhall.web.pages.eyes import eyes, peek
from meadhall.web.pages.frames import frames
from meadhall.web.pages.render import render
from meadhall.web.pages.replay import TableReplays, beat_page
from meadhall.web.pages.screens import screen
from meadhall.words import words

CODE = "BBBBBB"
LINK = f"http://localhost/t/{CODE}"
NOTHING_SHOWN = Shown()
RECENT = 5  # positions, whose frames are looked at
AGO = 97  # beats between those that are looked back on
Record = dict[str, Any]


def log_of(record: Record, more: Iterable[tuple[str, str]] = ()) -> tuple[Header, list[AnyEntry]]:
    """A record as the header and the log of a table: people sit down, then choose; and perhaps some choose more."""
    header = Header(record["game"], record["rules"], record["setup"], "host")
    empty = Match.from_record(record | {"choices": []})
    seated = [Sat(seat, holder_of(empty, seat), "A name") for seat in empty.seats]
    return header, [*seated, *(Chose(seat, choice) for seat, choice in (*record["choices"], *more))]


def holder_of(match: Match, seat: str) -> str:
    """Who sits on a seat: one person on both of a lone ruler's, a stranger on none."""
    if seat == SPECTATOR:
        return "stranger"
    return "holder of " + match.game.played_together(match.rules, seat)[0]


def table_of(record: Record, more: Iterable[tuple[str, str]] = ()) -> Table:
    return Table(1, CODE, *log_of(record, more))


def page(
    table: Table,
    holder: str,
    lang: str,
    shown: Shown = NOTHING_SHOWN,
    fragment: bool = False,
    since: int | None = None,
    as_known_by: str = "",
) -> str:
    """The page that a device gets, or the part that changes, after what has happened since a position."""
    around = {"theme": "", "speed": "normal", "path": f"/t/{CODE}"}
    looked = screen(table, holder, shown, frozenset()).after(since)
    return looked.html(words(lang), None, LINK, as_known_by, fragment=fragment, **around)


def looked_back(table: Table, seat: str, lang: str, every: int = 1) -> list[str]:
    """What a seat, or a spectator, is shown who looks back: the page of its last beat, and of every so many before."""
    around = {"theme": "", "speed": "normal", "path": f"/t/{CODE}/replay"}
    seen = TableReplays(table, holder_of(table.match, seat), NOTHING_SHOWN, frozenset())
    replay = seen.replay(seat)
    return [beat_page(seen, replay, number, words(lang), **around) for number in range(replay.last, -1, -every)]


def sight(table: Table, seat: str, lang: str = "en") -> dict[str, bytes]:
    """Everything that is sent to whoever sits on a seat: the page and its live messages, and the same as JSON.

    What the script swaps in is a part of the page, which a test makes sure of.
    """
    holder = holder_of(table.match, seat)
    own = None if seat == SPECTATOR else seat
    looked = screens.screen(table, holder, NOTHING_SHOWN, frozenset())
    return {
        "table": msgspec.json.encode(table.face(holder, own)),
        "events": msgspec.json.encode(table.story(holder, own)),
        "live message": table.tag(holder).encode(),
        "page": page(table, holder, lang).encode(),
        "other eyes": "".join(through(looked, lang, other) for other in other_eyes(table.match, seat)).encode(),
        "frames": told_since(looked, lang, max(0, table.position - RECENT)).encode(),
        "replay": "".join(looked_back(table, seat, lang, every=AGO)).encode(),
    }


def through(looked: screens.Screen, lang: str, other: str) -> str:
    """What differs from the page where the board is seen through other eyes: the switch and the board."""
    spoken, face = words(lang), looked.face
    switch = eyes(face, other, spoken)
    seen = peek(face, switch, spoken, screens.names(face, spoken))
    board = render("cloth.html", spoken, face=face, game=face.game, picture=seen.picture) if seen else ""
    return render("eyes.html", spoken, face=face, at=f"/t/{CODE}", eyes=switch, peek=seen) + board


def told_since(looked: screens.Screen, lang: str, since: int) -> str:
    """The frames that come before what the script swaps in."""
    after = looked.after(since)
    return "".join(frames(after.face, after.news, words(lang), screens.names(after.face, words(lang))))


def other_eyes(match: Match, seat: str) -> tuple[str, ...]:
    """As whom a seat may look at the board: each of its partners, and everybody."""
    return () if seat == SPECTATOR else (*match.game.partners(match.rules, seat), SPECTATOR)


def first_difference(one: dict[str, bytes], other: dict[str, bytes]) -> str | None:
    """What two viewers are shown differently; None if they cannot tell their tables apart."""
    for name, here in one.items():
        there = other[name]
        if here != there:
            at = next(
                (k for k, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(map(len, (here, there)))
            )
            return f"{name} at {at}: {here[max(0, at - 60) : at + 60]!r} is {there[max(0, at - 60) : at + 60]!r}"
    return None
