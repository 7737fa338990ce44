"""`meadhall arena`: bots against each other, and as each other's partners."""

import argparse
import math
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from meadhall.cli.data import GamesFile, add_save
from meadhall.cli.files import OutputFile
from meadhall.cli.options import add_cores, add_game, add_on, add_rule_options, rules_from, seed, whole, workers_of
from meadhall.cli.streams import console, dump, progress
from meadhall.faults import Fault, show

HELP = "let bots play each other, your own too, and see who wins and who understands whom"
EPILOG = """\
examples:
  meadhall arena goths --bots hard,medium,easy --games 1000
  meadhall arena goths --bots hard,./mine.py,hard+./mine.py    a king and a warchief make a pair
  meadhall arena romans --players gold,green,violet,red --bots medium,random --json

A bot of your own is a Python file with choose(view, choices, rng), which returns one of the choices; view.json() is
what meadhall replay --seat prints. See examples/my_bot.py.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_game(parser)
    parser.add_argument(
        "--bots", metavar="BOT,BOT,...", required=True, help="levels, files, KING+WARCHIEF where there are such"
    )
    parser.add_argument("--games", metavar="N", type=whole, default=100, help="games for each pairing (100)")
    parser.add_argument("--seed", default="0", help="any number or text: the same seed, the same result (0)")
    add_cores(parser)
    add_on(parser)
    parser.add_argument(
        "--budget", metavar="SECONDS", type=_seconds, default=1.0, help="of thought a choice, for files (1)"
    )
    parser.add_argument("--fixed", metavar="BOT", help="against whom partners are tried (easy)")
    parser.add_argument(
        "--cross-games", metavar="N", type=partial(whole, least=0), help="games for each king and warchief"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object with everything")
    parser.add_argument("--picture", metavar="FILE.svg", type=Path, help="draw the matrices")
    add_save(parser)
    add_rule_options(parser)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not (math.isfinite(seconds) and 0.001 <= seconds <= 3600):
        raise argparse.ArgumentTypeError(f"must be a number of seconds from 0.001 to 3600, not {show(text)}")
    return seconds


def run(options: argparse.Namespace) -> None:
    """Play the arena and report."""
    from meadhall.bots import RANDOM, levels_of
    from meadhall.games.game import game_named
    from meadhall.lab.arena import arena as arenas
    from meadhall.lab.arena.entrants import read_entrants
    from meadhall.lab.arena.picture import picture
    from meadhall.lab.arena.printing import print_arena
    from meadhall.lab.arena.report import as_data

    game = options.game
    drawing = _picture_file(options.picture)
    saved = GamesFile(options.save, options.game) if options.save is not None else None
    partners = len(game_named(game).roles) > 1
    if not partners and (options.fixed is not None or options.cross_games is not None):
        raise Fault(f"--fixed and --cross-games are for games with partners: nobody has a partner in {game}")
    rules = rules_from(game, options, game_named(game).smallest_rules)
    entrants = read_entrants(game, [bot for bot in options.bots.split(",") if bot])
    usual = "easy" if "easy" in levels_of(game) else RANDOM
    fixed = read_entrants(game, [options.fixed or usual])[0] if partners else None
    arena = arenas.prepare(
        game,
        rules,
        entrants,
        options.games,
        seed(options.seed),
        options.cores,
        options.budget,
        fixed,
        options.cross_games,
        keep=saved is not None,
    )
    with workers_of(options) as workers:
        _run_with_bar(arena, workers)
    with ExitStack() as results:  # the report, the picture and the games: none is lost with another
        if saved is not None:
            results.callback(_save, arena, saved)
        if drawing is not None:
            results.callback(lambda: drawing.write(picture(arena)))
        if options.json:
            print(dump(as_data(arena)))
        else:
            # Where nobody's window sets a width, no number need be cut.
            print_arena(console(None if sys.stdout.isatty() else 200), arena)


def _picture_file(file: Path | None) -> OutputFile | None:
    """Before hours of play: could the picture be written?"""
    if file is None:
        return None
    if file.suffix.lower() != ".svg":
        raise Fault(f"--picture {file}: the picture is an SVG file; give a name that ends in .svg")
    return OutputFile("--picture", file)


def _save(arena: Any, saved: GamesFile) -> None:
    from meadhall.lab.arena.saving import save

    with saved.written() as part:
        save(arena, part)


def _run_with_bar(arena: Any, workers: Any) -> None:
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    from meadhall.lab.arena.arena import run as play

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with progress(*columns) as bar:
        task = bar.add_task("getting ready", total=arena.games)
        play(arena, lambda done, title: bar.update(task, completed=done, description=escape(title)), workers)
