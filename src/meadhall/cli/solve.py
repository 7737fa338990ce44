"""`meadhall solve`: make the tables of the strong bots from the rules, and write them down as one file."""

import argparse
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meadhall.cli.options import whole
from meadhall.faults import Fault
from meadhall.games.game import GAMES

if TYPE_CHECKING:  # other commands should not wait for NumPy
    from meadhall.bots.solved import Arrays
    from meadhall.lab.solve.progress import Step

SAVE_EVERY = 20.0  # seconds


def add(commands: Any) -> None:
    """The command and its options."""
    solve = commands.add_parser("solve", help="make the tables of the strong bots anew")
    solve.add_argument("game", choices=GAMES)
    solve.add_argument("--seed", type=int, default=0, metavar="N", help="for what is left to chance (default: 0)")
    solve.add_argument("--out", type=Path, metavar="FILE", help="where to write (default: where the bots look for it)")
    solve.add_argument("--cores", type=whole, metavar="N", help="how many to use (default: all)")
    solve.add_argument("--fresh", action="store_true", help="do not go on from where an earlier run was broken off")
    solve.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """`meadhall solve`."""
    from meadhall.bots.solved import rules_hash, save, shipped

    out = options.out or shipped(options.game)
    if not out.absolute().parent.is_dir():
        raise Fault(f"--out {out}: there is no folder {out.absolute().parent}")
    solver = import_module(f"meadhall.lab.solve.{options.game}")
    resume = out.with_suffix(".part.npz")
    saved = None if options.fresh else read_resume(resume, options.game, options.seed)
    if saved is not None:
        print(f"Going on from {resume.name}.", file=sys.stderr)
    last = _run(solver.steps(saved, options.seed, options.cores), resume, options)
    save(out, options.game, solver.finished(last.arrays), {"seed": options.seed, "residual": last.residual})
    resume.unlink(missing_ok=True)
    print(f"{out.name}: {out.stat().st_size:,} bytes, for rules {rules_hash(options.game)[:12]}")


def _run(steps: "Iterator[Step]", resume: Path, options: argparse.Namespace) -> "Step":
    """Go through the steps with a bar; what is done so far is kept, should this be broken off."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[residual]}"),
        TimeRemainingColumn(),
    )
    last: Step | None = None
    written = time.monotonic()
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("solving", total=1, residual="")
        try:
            for last in steps:
                residual = f"moved by {last.residual:.5f}" if isfinite(last.residual) else ""
                bar.update(task, completed=last.done, total=last.total, description=last.what, residual=residual)
                if time.monotonic() - written > SAVE_EVERY:
                    keep(resume, options.game, options.seed, last.arrays)
                    written = time.monotonic()
        except KeyboardInterrupt:
            if last is not None:
                keep(resume, options.game, options.seed, last.arrays)
                print(f"Broken off; run it again to go on from {resume.name}.", file=sys.stderr)
            raise
    assert last is not None
    return last


def keep(resume: Path, game: str, seed: int, arrays: "Arrays") -> None:
    """Write down what is done so far."""
    from meadhall.bots.solved import save

    save(resume, game, arrays, {"seed": seed, "unfinished": True})


def read_resume(resume: Path, game: str, seed: int) -> "Arrays | None":
    """What an earlier run with this seed and these rules left, if any."""
    from meadhall.bots.solved import TableFault, load

    if not resume.exists():
        return None
    try:
        found = load(game, resume)
    except TableFault as fault:
        print(f"Starting anew: {fault}", file=sys.stderr)
        return None
    return found.arrays if found.meta.get("seed") == seed else None
