"""Tables laid ready in the store of a running server: any position of any game, in the hands of whom a test wants."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from random import Random
from typing import Any

from playwright.sync_api import BrowserContext

from meadhall.match import Match
from meadhall.tables.entries import Bot, Chose, Entry, Header, Sat, write
from meadhall.tables.lobby import CODE_LETTERS
from meadhall.web.edge.session import SECRET, fingerprint, new_secret
from tests.variants import FORT_DECK, at_random
from tests.web.server import Server

LIVELY = {"players": ["gold", "green", "violet", "red"], "fort_deck": FORT_DECK}
_codes = count()


@dataclass(frozen=True)
class Laid:
    """A table in the store, and the secrets that hold its seats."""

    code: str
    match: Match
    secrets: Mapping[str, str]

    @property
    def path(self) -> str:
        return f"/t/{self.code}"

    def give(self, context: BrowserContext, server: Server, seat: str) -> None:
        """Let a device hold a seat."""
        context.add_cookies([{"name": SECRET, "value": self.secrets[seat], "url": server.url, "httpOnly": True}])


def lay(
    server: Server,
    match: Match,
    together: Iterable[Iterable[str]] = (),
    bots: Iterable[str] = (),
    names: Mapping[str, str] = {},
    public: bool = False,
    more: Iterable[Entry] = (),
    hints: bool = False,
    known: Mapping[str, str] = {},
) -> Laid:
    """Write a match as a table. Each seat has a holder of its own, save those that share a device and the bots'.

    `known` are the secrets of those who hold seats elsewhere too.
    """
    secrets = {seat: new_secret() for seat in match.seats}
    for seats in together:
        secrets |= dict.fromkeys(seats, new_secret())
    secrets |= known
    robots = set(bots)
    entries: list[Entry] = [
        Bot(seat, "easy") if seat in robots else Sat(seat, fingerprint(secrets[seat]), names.get(seat))
        for seat in match.seats
    ]
    record = match.record()
    entries += [Chose(seat, choice) for seat, choice in record["choices"]]
    entries += more
    host = fingerprint(secrets[match.seats[0]])
    header = Header(match.game.name, dict(match.header.rules), match.header.setup, host, hints)
    phase = "over" if match.outcome else "playing"
    code = _store(server, header, phase, public, [write(entry).decode() for entry in entries])
    return Laid(code, match, secrets)


def _store(server: Server, header: Header, phase: str, public: bool, entries: list[str]) -> str:
    code = _next_code()
    row = (code, header.game, write(header).decode(), phase, public, time.time())
    base = sqlite3.connect(server.db, timeout=30)
    with base:
        table = base.execute(
            "INSERT INTO tables (code, game, header, phase, public, created) VALUES (?, ?, ?, ?, ?, ?)", row
        ).lastrowid
        base.executemany("INSERT INTO entries VALUES (?, ?, ?)", [(table, n, text) for n, text in enumerate(entries)])
    base.close()
    return code


def _next_code() -> str:
    """A code no other table of this run has: they begin with four letters the dice hardly ever give."""
    number, base = next(_codes), len(CODE_LETTERS)
    letters = (CODE_LETTERS[number // base**k % base] for k in (2, 1, 0))
    return "BBC" + "".join(letters)  # never BBBBBB, which tests take for a code that nobody has


Wanted = Callable[[Match], bool]


def asks(verb: str) -> Wanted:
    """Somebody is asked for a choice of this kind, such as charm or look."""

    def holds(match: Match) -> bool:
        return any(verb in _verbs(match, seat) for seat in match.waiting)

    return holds


def asked(match: Match, verb: str) -> str:
    """The first seat that is asked for a choice of a kind."""
    return next(seat for seat in match.waiting if verb in _verbs(match, seat))


def _verbs(match: Match, seat: str) -> set[str]:
    """The kinds of what a seat may choose."""
    options = match.game.pending(match.rules, match.state, match.seats.index(seat))
    if isinstance(options, dict):
        return {"plan" if options["take"] < len(options["arrange"]) else "reorder"}
    return {str(option).partition(":")[0] for option in options}


@cache
def _played(game: str, rules: tuple[tuple[str, Any], ...], seed: int) -> list[tuple[str, str]]:
    match = Match.new(game, _thawed(rules), seed)
    return list(at_random(match, Random(seed), 400))


def _frozen(rules: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in rules.items())


def _thawed(rules: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in rules}


def reach(game: str, rules: Mapping[str, Any], wanted: Wanted, seeds: range = range(60)) -> Match:
    """The first position of the first of some random games, always the same ones, where something holds."""
    frozen = _frozen(rules)
    for seed in seeds:
        match = Match.new(game, dict(rules), seed)
        for seat, choice in _played(game, frozen, seed):
            if wanted(match):
                return match
            match.commit(seat, choice)
        if wanted(match):
            return match
    raise AssertionError(f"none of {len(seeds)} games of {game} gets there")
