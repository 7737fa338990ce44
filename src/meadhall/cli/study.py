"""`meadhall study`: questions of players and designers, answered by very many games, as pages with figures."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meadhall.cli.options import add_cores, add_on, seed, workers_of
from meadhall.cli.streams import progress
from meadhall.faults import Fault

if TYPE_CHECKING:
    from meadhall.bots.processes import Supervisor
    from meadhall.lab.study.work import Work

HELP = "answer a question about the games with many games, in a report with figures"
EPILOG = """\
examples:
  meadhall study                               lists the studies
  meadhall study initiative --quick            a first impression, in a minute or so
  meadhall study all --out reports             every study, which takes a while; broken off, it goes on from there

A study writes NAME.html, a page that needs nothing beside it, NAME.parquet, its numbers, and games/, all games played.
It needs matplotlib and pyarrow: pip install "meadhall[study]"
"""
ALL = "all"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("studies", metavar="STUDY", nargs="*", help="one or more of those listed without any, or all")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path("studies"), help="where to (studies)")
    parser.add_argument("--quick", action="store_true", help="a fortieth of the games: a first impression")
    parser.add_argument("--seed", default="0", help="any number or text: the same seed, the same report (0)")
    add_cores(parser)
    add_on(parser)
    parser.add_argument("--fresh", action="store_true", help="play all games anew, whatever an earlier run left")


def run(options: argparse.Namespace) -> None:
    """Play what is missing and write the reports, or list the studies."""
    from meadhall.lab.study.samples import QUICK
    from meadhall.lab.study.studies import NAMES, study_named
    from meadhall.lab.study.work import Work

    if not options.studies:
        for name in NAMES:
            print(f"{name:16} {study_named(name).title}")
        return
    names = NAMES if ALL in options.studies else dict.fromkeys(options.studies)
    studies = [study_named(name) for name in names]
    _prepare(options.out, options.fresh)
    work = Work(studies, options.out, seed(options.seed), QUICK if options.quick else 1.0, _how(options))
    if len(work.missing) < work.shards:
        print(f"{work.shards - len(work.missing)} of {work.shards} parts are there already.", file=sys.stderr)
    with _reporting(options.out):
        _play(work, options)
        for page in work.reports():
            print(page)


def _prepare(folder: Path, fresh: bool) -> None:
    """A folder that can be written; a Fault before hours of play if it cannot."""
    import shutil

    with _reporting(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if fresh and (folder / "games").exists():
            shutil.rmtree(folder / "games")
        probe = folder / ".meadhall.part"
        probe.touch()
        probe.unlink()


@contextmanager
def _reporting(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise Fault(f"--out {folder}: cannot be written ({problem.strerror or problem})") from None


def _how(options: argparse.Namespace) -> str:
    """What to say after the name of a study to make its report again."""
    quick = " --quick" if options.quick else ""
    given = "" if options.seed == "0" else f" --seed {options.seed}"
    return quick + given


def _play(work: "Work", options: argparse.Namespace) -> None:
    """Play the missing shards with a bar; what is done is kept, should this be broken off."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    from meadhall.lab.study.work import play

    if not work.missing:
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with _submitting(work, options) as (submit, ahead), progress(*columns) as bar:
        task = bar.add_task("getting ready", total=work.shards, completed=work.shards - len(work.missing))
        try:
            for shard in play(work, submit, ahead):
                bar.update(task, advance=1, description=shard.sample.name)
        except KeyboardInterrupt:
            print("Broken off; run it again to go on from there.", file=sys.stderr)
            raise


@contextmanager
def _submitting(work: "Work", options: argparse.Namespace) -> Iterator[tuple[Callable[..., Any], Callable[[], int]]]:
    """Whom to give shards to, and how many ahead: the workers of a cluster, or processes of this machine."""
    with workers_of(options) as workers:
        if workers is not None:
            yield workers.submit, workers.ahead
            return
    with _processes(work, options.cores) as (processes, cores):
        yield processes.submit, lambda: 2 * cores


@contextmanager
def _processes(work: "Work", asked_for: int | None) -> "Iterator[tuple[Supervisor, int]]":
    """Forked from one that has loaded and compiled what the levels need."""
    from meadhall.bots.forkserver import ForkServer
    from meadhall.bots.processes import Supervisor, WorkerLost
    from meadhall.bots.worker import prepare_levels
    from meadhall.engine.cores import cores_at_hand

    cores = asked_for or cores_at_hand()
    server = ForkServer((prepare_levels, (work.games, work.bots)))
    processes = Supervisor(server, cores)
    try:
        server.prepare()
        yield processes, cores
    except WorkerLost as loss:
        raise Fault(f"a process of the study {loss}; is there enough memory?") from None
    finally:
        processes.close()
        server.close()
