"""`meadhall tables`: look at the tables of a server, take their records out, close them, and make room."""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import gmtime, strftime, time
from typing import TYPE_CHECKING, Any

from meadhall.cli.files import OutputFile
from meadhall.cli.options import add_language, whole
from meadhall.cli.streams import dump
from meadhall.cli.terms import TERMS, add_terms
from meadhall.faults import Fault
from meadhall.games.game import GAMES

if TYPE_CHECKING:
    from meadhall.store import Kept
    from meadhall.tables.lobby import Lobby
    from meadhall.tables.table import Table
    from meadhall.web.settings import Settings

HELP = "list, show, export and close the tables of a server, and remove old ones"
EPILOG = """\
An SQLite file is open to one process only: stop the server first, or look at a copy of the file. With PostgreSQL all of
this can be done while servers run.

examples:
  meadhall tables list --phase playing
  meadhall tables export --all | meadhall replay - --json --lines
  meadhall tables prune --dry-run                             what the server would do by itself
"""
PHASES = ("open", "playing", "over", "ended")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    words = parser.add_subparsers(dest="word", required=True, metavar="WORD")
    listing = _word(words, "list", "the tables, those first where something happened last")
    listing.add_argument("--phase", choices=PHASES, help="only those that are open, playing, over or ended")
    listing.add_argument("--game", choices=list(GAMES), help="only those of a game")
    listing.add_argument("--limit", type=whole, default=50, metavar="N", help="at most so many (default: 50)")
    listing.add_argument("--json", action="store_true", help="a line of JSON for each")
    showing = _word(words, "show", "one table: who sits there, and what everybody knows of its game")
    showing.add_argument("code", metavar="CODE", help="the table's code")
    showing.add_argument("--open", action="store_true", help="with the secrets of a game that is not over")
    showing.add_argument("--json", action="store_true", help="as JSON")
    add_language(showing)
    exporting = _word(words, "export", "the records of games that are over, one a line")
    exporting.add_argument("codes", metavar="CODE", nargs="*", help="tables whose records are wanted")
    exporting.add_argument("--all", action="store_true", help="all that are over")
    exporting.add_argument("--open", action="store_true", help="also of games that are not over, with their secrets")
    exporting.add_argument("--out", metavar="FILE", type=Path, help="write them there (default: standard output)")
    closing = _word(words, "close", "close tables for everybody, as their hosts could")
    closing.add_argument("codes", metavar="CODE", nargs="+", help="tables to close")
    pruning = _word(words, "prune", "close what nobody uses and remove what is old, as the server does by itself")
    pruning.add_argument("--dry-run", action="store_true", help="only say what would be done")
    add_terms(pruning)
    pruning.add_argument("--archive", metavar="FOLDER", help="write records there before they are removed")


def _word(words: Any, name: str, said: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = words.add_parser(name, help=said)
    parser.add_argument("--db", metavar="WHERE", help="as of serve: SQLite file or postgresql:// address")
    return parser


def run(options: argparse.Namespace) -> None:
    """Do what the word says."""
    from meadhall.web.logs import set_up_logs
    from meadhall.web.settings import Settings

    set_up_logs("warning")
    named = ("db", *((*(term.name for term in TERMS), "archive") if options.word == "prune" else ()))
    given = {name: getattr(options, name) for name in named if getattr(options, name) is not None}
    settings = Settings.from_environment(options=given)
    asyncio.run(WORDS[options.word](options, settings))


@asynccontextmanager
async def _lobby(settings: "Settings") -> AsyncIterator["Lobby"]:
    """The tables of a store that is there already; a Fault says what to do where a server has it for itself."""
    from meadhall.bots.pool import Pool
    from meadhall.store import open_store
    from meadhall.store.errors import StoreLocked
    from meadhall.store.sqlite import default_file
    from meadhall.tables.lobby import Lobby

    where = settings.db
    if "://" not in where:
        file = Path(where).expanduser() if where else default_file()
        if not file.exists():
            raise Fault(f"there is no database {file}: give the one of the server with --db")
    try:
        store = await open_store(where or None)
    except StoreLocked:
        raise Fault(
            f"a server has {file} open: stop it first, or look at a copy, which "
            f'sqlite3 {file} ".backup copy.sqlite" makes while it runs'
        ) from None
    lobby = Lobby(store, Pool(1), bots_play=False)
    try:
        yield lobby
    finally:
        await lobby.close()


def _when(seconds: float) -> str:
    return strftime("%Y-%m-%dT%H:%MZ", gmtime(seconds))


def _facts(table: "Kept") -> dict[str, Any]:
    """What is known of a table without looking at its game."""
    facts = {"code": table.code, "game": table.game, "phase": table.phase, "public": table.public, "bots": table.bots}
    return facts | {"created": _when(table.created), "active": _when(table.active)}


async def _list(options: argparse.Namespace, settings: "Settings") -> None:
    async with _lobby(settings) as lobby:
        phases = [options.phase] if options.phase else PHASES
        tables = await lobby.store.keeping.latest(phases, options.limit, options.game)
    for facts in map(_facts, tables):
        if options.json:
            print(dump(facts))
            continue
        marks = [name for name, holds in (("public", facts["public"]), ("only bots", facts["bots"])) if holds]
        line = f"{facts['code']}  {facts['game']:8}{facts['phase']:9}{facts['created']}  {facts['active']}"
        print(f"{line}  {', '.join(marks)}".rstrip())


async def _show(options: argparse.Namespace, settings: "Settings") -> None:
    from meadhall.words.languages import check_language

    check_language(options.lang)
    async with _lobby(settings) as lobby:
        table = await lobby.table(options.code)
        stored = await lobby.store.load(table.code)
    assert stored is not None
    secrets = options.open or table.phase == "over"
    seats = [
        {"seat": seat, "who": "bot" if place.level else "person" if place.holder else "open"}
        | ({"level": place.level} if place.level else {"name": place.name} if place.name else {})
        for seat, place in table.places.items()
    ]
    facts = {"code": table.code, "game": table.header.game, "phase": table.phase, "public": stored.public}
    facts |= {"created": _when(stored.created), "active": _when(stored.active), "position": table.position}
    if options.json:
        view = {"record": table.match.record()} if secrets else {"view": table.match.view("spectator").json()}
        print(dump(facts | {"rules": table.match.rules, "seats": seats} | view))
        return
    for name, value in facts.items():
        print(f"{name:10}{str(value).lower() if isinstance(value, bool) else value}")
    for place in seats:
        about = place.get("level") or place.get("name")
        print(f"{'seat':10}{place['seat']}: {place['who']}{f', {about}' if about else ''}")
    print("\n".join(_told(table, secrets, options.lang)))


def _told(table: "Table", secrets: bool, lang: str) -> list[str]:
    """The game in words: as everybody was told, or with all secrets."""
    from meadhall.words import words

    events = table.match.full_events() if secrets else table.match.events("spectator")
    return ["", *words(lang).story(table.header.game, events)]


async def _export(options: argparse.Namespace, settings: "Settings") -> None:
    """Print all records that can be had; a Fault at the end names those that cannot."""
    if bool(options.codes) == options.all:
        raise Fault("give the codes of tables, or --all")
    target = OutputFile("--out", options.out) if options.out else None
    lines, refused = [], []
    async with _lobby(settings) as lobby:
        async for code in _all_codes(lobby, options.open) if options.all else _each(options.codes):
            try:
                line = dump(_record(await lobby.table(code), options.open))
            except Fault as fault:
                refused.append(f"{code}: {fault}")
                continue
            if target is None:
                print(line)
            else:
                lines.append(line + "\n")
            lobby.forget(code)
    if target is not None:
        target.write("".join(lines))
    if refused:
        raise Fault(f"no record of {len(refused)}: {'; '.join(refused)[:500]}")


def _record(table: "Table", secrets: bool) -> Any:
    if table.phase != "over" and not secrets:
        raise Fault("the game is not over; --open exports it with its secrets")
    return table.match.record()


async def _each(codes: Sequence[str]) -> AsyncIterator[str]:
    for code in codes:
        yield code


async def _all_codes(lobby: "Lobby", secrets: bool) -> AsyncIterator[str]:
    """All tables that have records, from the one that has been left alone the longest."""
    for phase in PHASES if secrets else ("over",):
        for bots in (False, True):
            after, page = (-1.0, 0), 500
            while found := await lobby.store.keeping.idle(phase, bots, 1e15, page, after):
                for table in found:
                    yield table.code
                after = found[-1].active, found[-1].id


async def _close(options: argparse.Namespace, settings: "Settings") -> None:
    from meadhall.tables.entries import Ended

    async with _lobby(settings) as lobby:
        for code in options.codes:
            await lobby.table(code)  # all must be there before any is closed
        for code in options.codes:
            before = (await lobby.table(code)).phase
            table = await lobby.change(code, lambda now: Ended() if now.phase in ("open", "playing") else None)
            print(f"{table.code}  {'closed' if before in ('open', 'playing') else f'was {before} already'}")


async def _prune(options: argparse.Namespace, settings: "Settings") -> None:
    from meadhall.tables.housekeeping import Housekeeper

    done: dict[str, int] = {}
    async with _lobby(settings) as lobby:
        keeper = Housekeeper(lobby, settings.terms, Path(settings.archive) if settings.archive else None)
        async for deed in keeper.sweep(time(), rehearse=options.dry_run):
            done[deed.what] = done.get(deed.what, 0) + 1
            print(f"{deed.table.code}  {deed.table.game:8}{_when(deed.table.active)}  {deed.what}")
    counted = ", ".join(f"{n} {what}" for what, n in done.items()) or "nothing to do"
    print(f"{'Would be: ' if options.dry_run and done else ''}{counted}", file=sys.stderr)


WORDS: dict[str, Callable[[argparse.Namespace, "Settings"], Coroutine[Any, Any, None]]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "close": _close,
    "prune": _prune,
}
