"""`meadhall solve`: compute the solved values of the strong bots from the rules, and write them to one file."""

import argparse
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meadhall.cli.files import OutputFile
from meadhall.cli.options import add_cores, add_game, add_on, workers_of
from meadhall.cli.streams import progress
from meadhall.faults import Fault

if TYPE_CHECKING:  # other commands should not wait for NumPy
    from meadhall.bots.solved import Arrays
    from meadhall.lab.solve.progress import Step

HELP = "make the solved values of the strong bots anew"
EPILOG = None
SAVE_EVERY = 20.0  # seconds


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_game(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for what is left to chance (default: 0)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write (default: where the bots look for it)")
    add_cores(parser)
    add_on(parser)
    parser.add_argument("--fresh", action="store_true", help="do not go on from where an earlier run was broken off")


def run(options: argparse.Namespace) -> None:
    """Solve a game and write its values where the bots look for them, or where `--out` says."""
    from meadhall.bots.solved import save
    from meadhall.games.fingerprint import rules_hash

    solver = _solver(options.game)
    target = _target(options)
    out = target.path
    resume = out.with_suffix(".part.npz")
    saved = None if options.fresh else read_resume(resume, options.game, options.seed)
    if saved is not None:
        print(f"Going on from {resume.name}.", file=sys.stderr)
    with workers_of(options) as workers:
        last = _run(solver.steps(saved, options.seed, options.cores, workers), resume, options)
    with target.reporting():
        save(out, options.game, solver.finished(last.arrays), {"seed": options.seed, "residual": last.residual})
    resume.unlink(missing_ok=True)
    print(f"{out.name}: {out.stat().st_size:,} bytes, for rules {rules_hash(options.game)[:12]}")


def _solver(game: str) -> Any:
    """The module that solves a game; a Fault if nobody has written one."""
    module = f"meadhall.lab.solve.{game}"
    if find_spec(module) is None:
        raise Fault(f"there is no solver for {game}")
    return import_module(module)


def _target(options: argparse.Namespace) -> OutputFile:
    """The file to write, refused before minutes of work if it cannot be."""
    from meadhall.bots.solved import shipped

    if options.out is None:
        try:
            return OutputFile("", shipped(options.game))
        except Fault as fault:
            raise Fault(f"{fault}; give another file with --out") from None
    target = OutputFile("--out", options.out)
    if not target.atomic:
        raise Fault(f"{target.label}: is not a file that can be replaced; give the name of a file")
    return target


def _run(steps: "Iterator[Step]", resume: Path, options: argparse.Namespace) -> "Step":
    """Go through the steps with a bar; what is done so far is kept, should this be broken off."""
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[residual]}"),
        TimeRemainingColumn(),
    )
    last: Step | None = None
    written = time.monotonic()
    with progress(*columns, transient=False) as bar:
        task = bar.add_task("solving", total=1, residual="")
        try:
            for last in steps:
                residual = f"moved by {last.residual:.5f}" if isfinite(last.residual) else ""
                bar.update(task, completed=last.done, total=last.total, description=last.what, residual=residual)
                if time.monotonic() - written > SAVE_EVERY:
                    keep(resume, options.game, options.seed, last.arrays)
                    written = time.monotonic()
        except KeyboardInterrupt:
            if last is not None and keep(resume, options.game, options.seed, last.arrays):
                print(f"Broken off; run it again to go on from {resume.name}.", file=sys.stderr)
            raise
    assert last is not None
    return last


def keep(resume: Path, game: str, seed: int, arrays: "Arrays") -> bool:
    """Write down what is done so far, if that can be written: the work goes on either way."""
    from meadhall.bots.solved import save

    try:
        save(resume, game, arrays, {"seed": seed, "unfinished": True})
    except OSError as problem:
        print(f"{resume.name}: what is done so far cannot be kept ({problem.strerror or problem})", file=sys.stderr)
        return False
    return True


def read_resume(resume: Path, game: str, seed: int) -> "Arrays | None":
    """What an earlier run with this seed and these rules left, if any."""
    from meadhall.bots.solved import SolvedFault, load

    if not resume.exists():
        return None
    try:
        found = load(game, resume)
    except SolvedFault as fault:
        print(f"Starting anew: {fault}", file=sys.stderr)
        return None
    return found.arrays if found.meta.get("seed") == seed else None
