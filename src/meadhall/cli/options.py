"""What several commands take alike: games, numbers, seeds, and the rule options that the games declare."""

import argparse
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meadhall.faults import Fault, RecordFault
from meadhall.games.decks import read_deck
from meadhall.games.game import GAMES, game_named
from meadhall.games.options import Option

if TYPE_CHECKING:  # only who goes there waits for Ray
    from meadhall.lab.cluster import RayExecutor

MOST_DIGITS = 15  # of a whole number


def whole(text: str, least: int = 1) -> int:
    """A whole number from some other on, as an option's type."""
    if text.isascii() and text.isdigit() and len(text) > MOST_DIGITS:  # neither databases nor arrays count so far
        raise argparse.ArgumentTypeError(f"must be a whole number of at most {MOST_DIGITS} digits, not of {len(text)}")
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise argparse.ArgumentTypeError(f"must be a whole number from {least}, not {text!r}")
    return int(text)


def seed(text: str) -> int | str:
    """A seed is any number or text; what reads as a number is one."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else text


def add_game(parser: argparse.ArgumentParser) -> None:
    """The game that the command is about."""
    parser.add_argument("game", choices=list(GAMES))


def add_language(parser: argparse.ArgumentParser) -> None:
    """The language in which a person is told things."""
    parser.add_argument("--lang", default="en", metavar="LANG", help="en, fr, de or es (default: en)")


def add_cores(parser: argparse.ArgumentParser) -> None:
    """How many processes share the work."""
    parser.add_argument("--cores", type=whole, metavar="N", help="how many to use (default: all)")


def add_on(parser: argparse.ArgumentParser) -> None:
    """Where the work is done."""
    parser.add_argument(
        "--on",
        type=_workplace,
        metavar="PLACE",
        help="ray, or ray:HOST:PORT: have the workers of a Ray cluster do it (default: this machine, without Ray)",
    )


def _workplace(text: str) -> str:
    from meadhall.lab.cluster import check_place

    try:
        return check_place(text)
    except Fault as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


@contextmanager
def workers_of(options: argparse.Namespace) -> "Iterator[RayExecutor | None]":
    """The workers that `--on` asks for, no more than `--cores`; None where this machine does it without Ray."""
    if options.on is None:
        yield None
        return
    from meadhall.lab.cluster import connected

    with ExitStack() as stack:
        with _note(f"Connecting to {options.on}"):
            workers = stack.enter_context(connected(options.on, options.cores))
        yield workers


@contextmanager
def _note(text: str) -> Iterator[None]:
    """A note on the terminal, if there is one, while something takes a few seconds."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _flag(option: Option) -> str:
    return f"--{option.name.replace('_', '-')}"


def _place(option: Option) -> str:
    """Where argparse keeps the value: no option of a command has a dot in its name."""
    return f"rules.{option.name}"


def _declared() -> dict[str, list[Option]]:
    """The rule options of every game, but for its deck, which all games have `--deck` for."""
    return {name: [each for each in game_named(name).options if each.kind != "deck"] for name in GAMES}


def add_rule_options(parser: argparse.ArgumentParser) -> None:
    """Every rule option that a game declares; the ones of other games are refused later, by name."""
    known: set[str] = set()
    for game, declared in _declared().items():
        group = parser.add_argument_group(f"rules of {game}")
        for option in declared:
            if option.name not in known:  # two games may have an option of the same name
                _add_option(group, option)
                known.add(option.name)
    parser.add_argument(
        "--deck", metavar="FILE", type=Path, help="a deck of your own, as TOML (see: meadhall deck GAME)"
    )


def _add_option(group: Any, option: Option) -> None:
    if option.kind == "flag":
        group.add_argument(_flag(option), dest=_place(option), action="store_true", default=None, help=option.help)
        return
    read = {"names": _names, "number": int}.get(option.kind, str)
    group.add_argument(_flag(option), dest=_place(option), metavar=option.metavar, type=read, help=option.help)


def rules_from(game: str, options: argparse.Namespace, default: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that the options ask for, checked; a Fault names the option at fault."""
    declared = _declared()
    own = {option.name for option in declared[game]}
    rules = dict(default)
    for other, option in ((other, option) for other, each in declared.items() for option in each):
        value = getattr(options, _place(option))
        if value is None:
            continue
        if option.name not in own:
            raise Fault(f"{_flag(option)} is an option of {other}, not of {game}")
        rules[option.name] = value
    if options.deck is not None:
        rules |= read_deck(game, options.deck)
    try:
        game_named(game).check_rules(rules)
    except RecordFault as fault:
        message = str(fault)
        for option in sorted(declared[game], key=lambda option: -len(option.name)):
            message = message.replace(_place(option), _flag(option))
        raise Fault(message) from None
    return rules
