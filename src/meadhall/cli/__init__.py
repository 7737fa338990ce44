"""The command line: one function for each command, or a module of its own."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from meadhall.cli import arena as arena_cli
from meadhall.cli import exploit, solve
from meadhall.cli.options import add_rule_options, rules_from, whole
from meadhall.cli.options import seed as seed_of
from meadhall.faults import Fault
from meadhall.games.game import GAMES


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as everything else here does."""

    def error(self, message: str) -> NoReturn:
        raise Fault(f"{message} (see: {self.prog} --help)")


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = _Parser(prog="meadhall", description="Goths Save the Queen and Romans Go Home!, unofficially.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    replay = commands.add_parser("replay", help="check a game and show where it leads, or tell it in words")
    replay.add_argument("file", metavar="FILE", help="a record; - for standard input")
    replay.add_argument("--json", action="store_true", help="print the state as JSON")
    replay.add_argument("--every", action="store_true", help="with --json: the state after every choice")
    replay.add_argument("--lines", action="store_true", help="with --json: one record a line, one answer a line")
    replay.add_argument("--seat", help="what this seat may know, or: spectator")
    replay.add_argument("--lang", default="en", metavar="LANG", help="en, fr, de or es (default: en)")
    replay.set_defaults(run=run_replay)
    rules = commands.add_parser("rules", help="print the rulebook")
    rules.add_argument("game", choices=GAMES)
    rules.add_argument("--lang", default="en", metavar="LANG", help="en, fr, de or es (default: en)")
    rules.set_defaults(run=run_rules)
    deck = commands.add_parser("deck", help="print a game's deck file, to copy and correct")
    deck.add_argument("game", choices=GAMES)
    deck.set_defaults(run=run_deck)
    _add_sim(commands)
    arena_cli.add(commands)
    solve.add(commands)
    exploit.add(commands)
    _add_play(commands)
    return top


def _add_sim(commands: Any) -> None:
    sim = commands.add_parser("sim", help="play very many random games and count")
    sim.add_argument("game", choices=GAMES)
    sim.add_argument("--games", type=whole, default=100_000, metavar="N", help="how many (default: 100000)")
    sim.add_argument("--seed", default="0", help="any number or text (default: 0)")
    sim.add_argument("--cores", type=whole, metavar="N", help="how many to use (default: all)")
    sim.add_argument("--json", action="store_true", help="print the numbers as one line of JSON")
    add_rule_options(sim)
    sim.set_defaults(run=run_sim)


def _add_play(commands: Any) -> None:
    play = commands.add_parser("play", help="play in the terminal")
    play.add_argument("game", choices=GAMES, nargs="?", help="which game (asked if left out)")
    play.add_argument("--seat", action="append", metavar="SEAT", help="a seat to take; may be given several times")
    play.add_argument("--seed", help="deal from this number or text (default: by chance)")
    play.add_argument("--save", type=Path, metavar="FILE", help="write the record of the game here at the end")
    play.add_argument("--lang", default="en", metavar="LANG", help="en, fr, de or es (default: en)")
    add_rule_options(play)
    play.set_defaults(run=run_play)

    serve = commands.add_parser("serve", help="the tables in the browser")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    serve.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
    serve.add_argument(
        "--db", metavar="WHERE", help="SQLite file or postgresql:// address (default: in your data folder)"
    )
    serve.add_argument("--workers", type=int, default=1, metavar="N", help="processes; more than one needs PostgreSQL")
    serve.add_argument(
        "--rate-limit", metavar="N", help="requests a second for each address (default: 50; 0: no limit)"
    )
    serve.add_argument("--grace", metavar="SECONDS", help="until an absent player counts as gone (default: 60)")
    serve.add_argument(
        "--bot-pause",
        metavar="SECONDS",
        help="how long bots seem to think, a number or FROM-TO (default: 0.7-1.9; 0: not at all)",
    )
    serve.add_argument(
        "--bot", action="append", metavar="FILE", help="a bot of your own to offer; may be given several times"
    )
    serve.add_argument("--log-level", metavar="LEVEL", help="debug, info, warning or error (default: info)")
    serve.add_argument("--open", action="store_true", help="show the tables in your browser once they are there")
    serve.set_defaults(run=run_serve)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# replay


def _read(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as problem:
        raise Fault(f"{file}: cannot be read ({problem.strerror or problem})") from None


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


def run_replay(options: argparse.Namespace) -> None:
    """`meadhall replay`."""
    from meadhall.words.languages import check_language

    check_language(options.lang)
    for name in ("every", "lines"):
        if getattr(options, name) and not options.json:
            raise Fault(f"--{name} goes with --json")
    if options.lines:
        _replay_lines(options)
    elif options.json:
        states = list(_states(_read(options.file), options.seat, options.every))
        for state in states:
            print(_dump(state))
    else:
        print("\n".join(_story(_read(options.file), options.seat, options.lang)))


def _replay_lines(options: argparse.Namespace) -> None:
    """Answer every line; a bad record is answered too, and the run goes on."""
    try:
        lines = sys.stdin.buffer if options.file == "-" else Path(options.file).open("rb")  # noqa: SIM115
    except OSError as problem:
        raise Fault(f"{options.file}: cannot be read ({problem.strerror or problem})") from None
    with lines:
        for line in lines:
            try:
                states = list(_states(line.rstrip(b"\r\n"), options.seat, options.every))
                answer: Any = states if options.every else states[0]
            except Fault as fault:
                answer = {"error": str(fault)}
            print(_dump(answer), flush=options.file == "-")


def _story(record: bytes, seat: str | None, lang: str) -> list[str]:
    """A game in words, turn by turn, as one seat saw it or with everything told."""
    from meadhall.match import SPECTATOR, Match
    from meadhall.words import words

    told = words(lang)
    match = Match.from_record(record)
    game = match.game.name
    if seat is not None:
        match.view(seat)  # refuses a seat there is none of
    events = match.events(seat, everything=seat is None)
    lines = [told.title(game), *told.tell(game, events)]
    if match.outcome is not None:
        lines.append(told.outcome(game, match.outcome))
    elif seat is None or seat == SPECTATOR or seat in match.waiting:
        waiting = match.waiting if seat != SPECTATOR else ()
        lines += [told.say("cli.to-choose", seat=told.seat(game, name)) for name in waiting if seat in (None, name)]
    return lines


# rules, deck


def run_rules(options: argparse.Namespace) -> None:
    """`meadhall rules`."""
    from meadhall.words.rulebook import rulebook

    text = rulebook(options.game, options.lang)
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console(width=min(100, Console().width)).print(Markdown(text))
    else:
        print(text, end="")


def run_deck(options: argparse.Namespace) -> None:
    """`meadhall deck`."""
    from meadhall.games.decks import own_deck_text

    print(own_deck_text(options.game), end="")


# sim


def run_sim(options: argparse.Namespace) -> None:
    """`meadhall sim`."""
    from meadhall.games.game import game_named

    default = dict(game_named(options.game).smallest_rules)
    rules = rules_from(options.game, options, default)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from meadhall.lab.simulate import prepare, run
    from meadhall.lab.summary import as_data, print_summary

    found = prepare(options.game, rules, options.games, seed_of(options.seed), options.cores)
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    on_terminal = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not on_terminal) as bar:
        task = bar.add_task("games", total=options.games)
        run(found, progress=lambda done: bar.update(task, completed=done))
    if options.json:
        print(_dump(as_data(found)))
    else:
        print_summary(Console(highlight=False), found)


# play


def run_play(options: argparse.Namespace) -> None:
    """`meadhall play`."""
    import random

    from meadhall.games.game import game_named
    from meadhall.terminal import play
    from meadhall.words import words

    told = words(options.lang)
    game = options.game or _ask_game(told)
    default = {"players": ["gold", "green", "violet"]} if game == "romans" else dict(game_named(game).smallest_rules)
    rules = rules_from(game, options, default)
    if options.save is not None and not options.save.absolute().parent.is_dir():
        raise Fault(f"--save {options.save}: there is no folder {options.save.absolute().parent}")
    seed = seed_of(options.seed) if options.seed is not None else random.SystemRandom().randrange(10**9)
    match = play(game, rules, seed, options.seat, options.lang)
    if options.save is not None:
        options.save.write_text(_dump(match.record()) + "\n", encoding="utf-8")
        print(told.say("cli.saved", file=str(options.save)))


# serve


def run_serve(options: argparse.Namespace) -> None:
    """`meadhall serve`."""
    import webbrowser

    from meadhall.web.serve import serve
    from meadhall.web.settings import PREFIX, Settings

    given = {name: getattr(options, name) for name in ("db", "rate_limit", "grace", "bot_pause", "log_level")}
    chosen = {PREFIX + name.upper(): value for name, value in given.items() if value is not None}
    if options.bot:
        chosen[PREFIX + "BOTS"] = os.pathsep.join(options.bot)
    settings = Settings.from_environment({**os.environ, **chosen})

    def ready(link: str) -> None:
        print(f"Meadhall: {link}", flush=True)
        # Only where there is a screen: a browser in this terminal would get in the way.
        if options.open and (
            sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        ):
            webbrowser.open(link)

    serve(options.host, options.port, options.workers, settings, ready)


def _ask_game(told: Any) -> str:
    """Which game a person wants, by number; the first one where nobody can answer."""
    names = list(GAMES)
    if not sys.stdin.isatty():
        return names[0]
    for number, name in enumerate(names, 1):
        print(f" {number}  {told.title(name)}")
    while True:
        answer = input(f"{told.say('ui.which-game')} › ").strip().lower()
        if answer in names:
            return answer
        if answer.isdigit() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if all is well, 2 with one line on standard error if something given was wrong."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        options = parser().parse_args(arguments)
        options.run(options)
        sys.stdout.flush()
    except Fault as fault:
        print(f"meadhall: {' '.join(str(fault).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has had enough; nothing more may be written when Python closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, EOFError):
        return 130
    return 0
