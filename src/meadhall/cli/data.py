"""`meadhall data`: what a file of saved games holds, and its games as records."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING

from meadhall.cli.files import OutputFile
from meadhall.cli.streams import dump
from meadhall.faults import Fault, show

if TYPE_CHECKING:
    from meadhall.lab.data.reading import Games

HELP = "say what a file of saved games holds, or print its games as records"
EPILOG = """\
examples:
  meadhall sim goths --games 1000000 --save games.parquet
  meadhall data games.parquet                                 its game, rules and columns
  meadhall data games.parquet --records 17 | meadhall replay -
  meadhall data games.parquet --records 0-999 | meadhall replay - --json --lines
"""
ALL = "all"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="what --save of sim or arena has written")
    parser.add_argument(
        "--records", metavar="GAMES", type=_spans, help="print these, one record a line: 17, or 3,5, or 0-99, or all"
    )


def _spans(text: str) -> list[range]:
    """Numbers of games and spans of them; no span at all stands for all games."""
    if text == ALL:
        return []
    spans = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        last = last if dash else first
        if not all(each.isascii() and each.isdigit() and len(each) < 19 for each in (first, last)):
            raise argparse.ArgumentTypeError(f"must be numbers of games, such as 17 or 0-99, or all, not {show(text)}")
        spans.append(range(int(first), int(last) + 1))
    return spans


def run(options: argparse.Namespace) -> None:
    """Print what is asked for."""
    from meadhall.lab.data.reading import Games

    games = Games(options.file)
    if options.records is None:
        print("\n".join(_described(games)))
        return
    for record in games.records(chain.from_iterable(options.records) if options.records else None):
        print(dump(record))


def _described(games: "Games") -> Iterator[str]:
    """What the games have in common, and the columns of the table."""
    about = games.about
    for name, value in (("game", about.game), ("rules", dump(about.rules)), ("seed", about.seed)):
        yield f"{name:8} {value}"
    yield f"{'games':8} {len(games):,}"
    for label, column in zip(chain(["columns"], repeat("")), games.schema, strict=False):
        yield f"{label:8} {column.name}: {column.type}"


class GamesFile(OutputFile):
    """A table of games to write, which other commands offer as `--save`; refused before any work if it cannot be."""

    def __init__(self, file: Path, game: str) -> None:
        from meadhall.lab.data import SUFFIX, check_arrow, columns_of

        if file.suffix.lower() != SUFFIX:
            raise Fault(f"--save {file}: games are saved as a Parquet file; give a name that ends in {SUFFIX}")
        check_arrow()
        columns_of(game)  # refuses a game of which there are no tables
        super().__init__("--save", file)
        if not self.atomic:
            raise Fault(f"{self.label}: is not a file that can be replaced; give the name of a file")

    @contextmanager
    def written(self) -> Iterator[Path]:
        """Where to write it; that takes the file's place at the end, and is removed if anything goes wrong."""
        part = self._part()
        with self.reporting():
            try:
                yield part
                part.replace(self.path)
            finally:
                with suppress(OSError):
                    part.unlink()


def add_save(parser: argparse.ArgumentParser) -> None:
    """The option of commands that play many games."""
    parser.add_argument("--save", metavar="FILE.parquet", type=Path, help="write all games as a table, one row each")
