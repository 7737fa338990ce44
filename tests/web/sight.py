"""All that is sent to one viewer of a table, as bytes; and tables made from records, with a person on every seat."""

from collections.abc import Iterable
from typing import Any

import msgspec

from meadhall.match import SPECTATOR, Match
from meadhall.tables.entries import AnyEntry, Chose, Header, Sat
from meadhall.tables.table import Table
from meadhall.web.edge.session import Shown
from meadhall.web.pages.screens import screen
from meadhall.words import words

CODE = "BBBBBB"
LINK = f"http://localhost/t/{CODE}"
NOTHING_SHOWN = Shown()
RECENT = 5  # positions, whose frames are looked at
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
) -> str:
    """The page that a device gets, or the part that changes, after what has happened since a position."""
    around = {"theme": "", "speed": "normal", "path": f"/t/{CODE}"}
    looked = screen(table, holder, shown, frozenset()).after(since)
    return looked.html(words(lang), None, LINK, fragment=fragment, **around)


def sight(table: Table, seat: str, lang: str = "en") -> dict[str, bytes]:
    """Everything that is sent to whoever sits on a seat: the page and its live messages, and the same as JSON.

    What the script swaps in is a part of the page, which a test makes sure of.
    """
    holder = holder_of(table.match, seat)
    eyes = None if seat == SPECTATOR else seat
    return {
        "table": msgspec.json.encode(table.face(holder, eyes)),
        "events": msgspec.json.encode(table.story(holder, eyes)),
        "live message": table.tag(holder).encode(),
        "page": page(table, holder, lang).encode(),
        "frames": page(table, holder, lang, fragment=True, since=max(0, table.position - RECENT)).encode(),
    }


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
