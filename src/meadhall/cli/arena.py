"""`meadhall arena`: bots against each other, and as each other's partners."""

import argparse
import json
import math
import sys
from functools import partial
from pathlib import Path
from typing import Any

from meadhall.cli.options import add_rule_options, rules_from, seed, whole
from meadhall.faults import Fault, show
from meadhall.games.game import GAMES

EXAMPLES = """\
examples:
  meadhall arena goths --bots hard,medium,easy --games 1000
  meadhall arena goths --bots hard,./mine.py,hard+./mine.py    a king and a warchief make a pair
  meadhall arena romans --players gold,green,violet,red --bots medium,random --json

A bot of your own is a Python file with choose(view, choices, rng), which returns one of the choices; view.json() is
what meadhall replay --seat prints. See examples/my_bot.py.
"""


def add(commands: Any) -> None:
    """Make the command known."""
    arena = commands.add_parser(
        "arena",
        help="let bots play each other, your own too, and see who wins and who understands whom",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    arena.add_argument("game", choices=list(GAMES))
    arena.add_argument("--bots", metavar="BOT,BOT,...", required=True, help="levels, files, in goths KING+WARCHIEF")
    arena.add_argument("--games", metavar="N", type=whole, default=100, help="games for each pairing (100)")
    arena.add_argument("--seed", default="0", help="any number or text: the same seed, the same result (0)")
    arena.add_argument("--cores", metavar="N", type=whole, help="how many processes play (all cores)")
    arena.add_argument(
        "--budget", metavar="SECONDS", type=_seconds, default=1.0, help="of thought a choice, for files (1)"
    )
    arena.add_argument("--fixed", metavar="BOT", help="goths: against whom partners are tried (easy)")
    arena.add_argument(
        "--cross-games", metavar="N", type=partial(whole, least=0), help="games for each king and warchief"
    )
    arena.add_argument("--json", action="store_true", help="print one JSON object with everything")
    arena.add_argument("--picture", metavar="FILE.svg", type=Path, help="draw the matrices")
    add_rule_options(arena)
    arena.set_defaults(run=run)


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
    from rich.console import Console

    from meadhall.games.game import game_named
    from meadhall.lab.arena import arena as arenas
    from meadhall.lab.arena.entrants import read_entrants
    from meadhall.lab.arena.picture import picture
    from meadhall.lab.arena.printing import print_arena
    from meadhall.lab.arena.report import as_data

    game = options.game
    _check_picture(options.picture)
    if game != "goths" and (options.fixed is not None or options.cross_games is not None):
        raise Fault("--fixed and --cross-games are for goths: nobody has a partner in romans")
    rules = rules_from(game, options, dict(game_named(game).smallest_rules))
    entrants = read_entrants(game, [bot for bot in options.bots.split(",") if bot])
    fixed = read_entrants(game, [options.fixed or "easy"])[0] if game == "goths" else None
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
    )
    _run_with_bar(arena)
    if options.picture is not None:
        options.picture.write_text(picture(arena), encoding="utf-8")
    if options.json:
        print(json.dumps(as_data(arena), ensure_ascii=False, separators=(",", ":")))
    else:
        # Where nobody's window sets a width, no number need be cut.
        print_arena(Console(highlight=False, width=None if sys.stdout.isatty() else 200), arena)


def _check_picture(file: Path | None) -> None:
    """Before hours of play: could the picture be written?"""
    if file is None:
        return
    if file.suffix.lower() != ".svg":
        raise Fault(f"--picture {file}: the picture is an SVG file; give a name that ends in .svg")
    if not file.absolute().parent.is_dir():
        raise Fault(f"--picture {file}: there is no folder {file.absolute().parent}")


def _run_with_bar(arena: Any) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from meadhall.lab.arena.arena import run as play

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    on_terminal = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not on_terminal) as bar:
        task = bar.add_task("getting ready", total=arena.games)
        play(arena, lambda done, title: bar.update(task, completed=done, description=escape(title)))
