"""The command line. Every command is a module here; `COMMANDS` lists them in the order in which help shows them."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn, Protocol, cast

from meadhall.cli import streams
from meadhall.faults import Fault

TABLE = ("replay", "analyse", "draw", "rules", "deck")
LABORATORY = ("sim", "arena", "data", "study", "solve", "exploit")
COMMANDS = (*TABLE, *LABORATORY, "play", "serve", "tables")
INTERRUPTED = 130  # the exit status after Ctrl-C, or where an answer was needed and input had ended


class Command(Protocol):
    """What the module of a command provides. It imports nothing heavy before it runs."""

    HELP: str
    EPILOG: str | None

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, options: argparse.Namespace) -> None:
        """Do it; a Fault if something given is wrong."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and declares the options of a command only when that command is given."""

    def __init__(self, declare: Callable[[argparse.ArgumentParser], None] | None = None, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **settings)
        self._declare = declare

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, once the options are declared."""
        if self._declare is not None:
            declare, self._declare = self._declare, None
            declare(self)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        raise Fault(f"{message} (see: {self.prog} --help)")


class _Version(argparse.Action):
    """`--version`, looked up only when somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"meadhall {version('meadhall')}")
        parser.exit()


def command_named(name: str) -> Command:
    """The module of a command."""
    return cast(Command, import_module(f"meadhall.cli.{name}"))


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = _Parser(prog="meadhall", description="Goths Save the Queen and Romans Go Home!, unofficially.")
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        command = command_named(name)
        commands.add_parser(name, help=command.HELP, epilog=command.EPILOG, declare=command.add_options)
    return top


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command; SystemExit is how argparse ends after --help."""
    try:
        options = parser().parse_args(arguments)
        command_named(options.command).run(options)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if all is well, 2 with one line on standard error if something given was wrong."""
    streams.prepare()
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except Fault as fault:
        return streams.complain(str(fault))
    except OSError as problem:
        return streams.report(problem)
    except (KeyboardInterrupt, EOFError):
        return INTERRUPTED
    lost = streams.lost_output()  # argparse does not mind if nobody gets its help
    return status if lost is None else streams.report(lost)
