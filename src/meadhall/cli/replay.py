"""`meadhall replay`: check a record and show where it leads, tell it in words, or show it in the browser."""

import argparse
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from meadhall.cli.files import lines_of, whole_file
from meadhall.cli.options import add_language
from meadhall.cli.streams import dump
from meadhall.faults import Fault

HELP = "check a game and show where it leads, in words, as JSON or in the browser"
EPILOG = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a record; - for standard input")
    parser.add_argument("--json", action="store_true", help="print the state as JSON")
    parser.add_argument("--every", action="store_true", help="with --json: the state after every choice")
    parser.add_argument(
        "--lines",
        action="store_true",
        help="with --json: one record a line, one answer a line; a bad record is answered with its error",
    )
    parser.add_argument("--seat", help="what this seat may know, or: spectator")
    parser.add_argument("--open", action="store_true", help="show it in your browser, beat by beat, until Ctrl-C")
    add_language(parser)


def run(options: argparse.Namespace) -> None:
    """Replay a record, or one record a line."""
    from meadhall.words.languages import check_language

    check_language(options.lang)
    for name in ("every", "lines"):
        if getattr(options, name) and not options.json:
            raise Fault(f"--{name} goes with --json")
    if options.open and options.json:
        raise Fault("--open goes without --json")
    if options.open:
        _show(whole_file(options.file), options.seat)
    elif options.lines:
        _replay_lines(options)
    elif options.json:
        for state in list(_states(whole_file(options.file), options.seat, options.every)):
            print(dump(state))
    else:
        print("\n".join(_story(whole_file(options.file), options.seat, options.lang)))


def _states(record: Any, seat: str | None, every: bool) -> Iterator[dict[str, Any]]:
    """The state before any choice and after each one, or only the last."""
    from meadhall.match import Match
    from meadhall.record import parse

    whole = Match.from_record(record)  # all of it must be right before anything is said
    if not every:
        yield whole.position() if seat is None else whole.view(seat).json()
        return
    parsed = parse(record)
    match = Match.from_record({**parsed, "choices": []})
    yield match.position() if seat is None else match.view(seat).json()
    for index, choice in enumerate(parsed["choices"]):
        match.replay_choice(choice, index)
        yield match.position() if seat is None else match.view(seat).json()


def _replay_lines(options: argparse.Namespace) -> None:
    """Answer every line; a bad record is answered too, and the run goes on. A Fault at the end says how many were."""
    records = bad = 0
    for line in lines_of(options.file):
        records += 1
        try:
            states = list(_states(line.rstrip(b"\r\n"), options.seat, options.every))
            answer: Any = states if options.every else states[0]
        except Fault as fault:
            answer = {"error": str(fault)}
            bad += 1
        print(dump(answer), flush=options.file == "-")
    if bad:
        raise Fault(f"{options.file}: {bad} of {records} records were refused; the answers say why")


def _story(record: bytes, seat: str | None, lang: str) -> list[str]:
    """A game in words, turn by turn, as one seat saw it or with everything told."""
    from meadhall.match import SPECTATOR, Match
    from meadhall.words import words

    told = words(lang)
    match = Match.from_record(record)
    game = match.game.name
    if seat is not None:
        match.view(seat)  # refuses a seat there is none of
    events = match.full_events() if seat is None else match.events(seat)
    lines = [told.title(game), *told.story(game, events)]
    if match.outcome is not None:
        lines.append(told.outcome(game, match.outcome.record))
    elif seat is None or seat == SPECTATOR or seat in match.waiting:
        waiting = match.waiting if seat != SPECTATOR else ()
        lines += [told.say("cli.to-choose", seat=told.seat(game, name)) for name in waiting if seat in (None, name)]
    return lines


def _show(record: bytes, seat: str | None) -> None:
    """Serve a record to this machine alone, on a free port, with nothing left behind."""
    from meadhall.cli.browser import announce
    from meadhall.match import Match
    from meadhall.web.pages.packing import pack
    from meadhall.web.serve import serve
    from meadhall.web.settings import Settings

    if seat is not None:
        Match.from_record(record).view(seat)  # refuses a seat there is none of
    query = "" if seat is None else f"?as={seat}"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # tidy up then too
    with TemporaryDirectory(prefix="meadhall-") as folder:
        settings = Settings(db=str(Path(folder) / "tables.sqlite"), warm_up=0, log_level="warning", record=pack(record))
        serve("127.0.0.1", 0, 1, settings, lambda link: announce(f"{link}/replay{query}", show=True))
