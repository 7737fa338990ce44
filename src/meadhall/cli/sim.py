"""`meadhall sim`: play very many random games on all cores and count what came of them."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from meadhall.cli.data import GamesFile, add_save
from meadhall.cli.options import add_cores, add_game, add_on, add_rule_options, rules_from, seed, whole, workers_of
from meadhall.cli.streams import console, dump, progress

if TYPE_CHECKING:
    from meadhall.lab.simulate import Keeper

HELP = "play very many random games and count"
EPILOG = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_game(parser)
    parser.add_argument("--games", type=whole, default=100_000, metavar="N", help="how many (default: 100000)")
    parser.add_argument("--seed", default="0", help="any number or text (default: 0)")
    add_cores(parser)
    add_on(parser)
    parser.add_argument("--json", action="store_true", help="print the numbers as one line of JSON")
    add_save(parser)
    add_rule_options(parser)


def run(options: argparse.Namespace) -> None:
    """Simulate and print the summary; Ctrl-C stops early and prints that of the games played so far."""
    from meadhall.games.game import game_named

    rules = rules_from(options.game, options, game_named(options.game).smallest_rules)
    saved = GamesFile(options.save, options.game) if options.save is not None else None
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    from meadhall.lab.simulate import prepare, run
    from meadhall.lab.simulate.summary import as_data, print_summary

    with _keeper(saved, options, rules) as keeper, workers_of(options) as workers:
        cores = options.cores if workers is None else workers.cores
        found = prepare(options.game, rules, options.games, seed(options.seed), cores, keeper)
        with progress(TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) as bar:
            task = bar.add_task("games", total=options.games)
            run(found, lambda done: bar.update(task, completed=done), keeper, workers)
    if options.json:
        print(dump(as_data(found)))
    else:
        print_summary(console(), found)


@contextmanager
def _keeper(saved: GamesFile | None, options: argparse.Namespace, rules: dict[str, Any]) -> "Iterator[Keeper | None]":
    """Who writes the games down, if anybody; the file is there once all is done."""
    if saved is None:
        yield None
        return
    from meadhall.lab.data.tables import About
    from meadhall.lab.simulate.saving import SavedGames

    with saved.written() as part, SavedGames(part, About(options.game, rules, seed(options.seed))) as keeper:
        yield keeper
