"""What several commands take alike: numbers, seeds, and the rule options of both games."""

import argparse
from pathlib import Path
from typing import Any

from meadhall.faults import Fault, RecordFault
from meadhall.games.decks import read_deck
from meadhall.games.game import GAMES, game_named

_OF_GAME = {
    "goths": ("fog_of_war", "fog_discard", "lone_rulers", "turn_limit"),
    "romans": ("players", "neutrals", "original_rules", "qween"),
}


def whole(text: str, least: int = 1) -> int:
    """A whole number from some other on, as an option's type."""
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


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def add_rule_options(parser: argparse.ArgumentParser) -> None:
    """Every rule option of both games; the ones of the other game are refused later, by name."""
    goths = parser.add_argument_group("rules of goths")
    goths.add_argument("--fog-of-war", action="store_true", default=None, help="play with the Fog of War tokens")
    goths.add_argument("--fog-discard", metavar="WHERE", help="where a token can be dispersed: same-card, anywhere")
    goths.add_argument(
        "--lone-rulers", metavar="CLANS", type=_names, help="clans played by one person: ostrogoth,visigoth"
    )
    goths.add_argument("--turn-limit", metavar="N", type=int, help="a draw after so many turns")
    romans = parser.add_argument_group("rules of romans")
    romans.add_argument("--players", metavar="CLANS", type=_names, help="1 to 4 of gold,green,violet,red")
    romans.add_argument("--neutrals", metavar="CLANS", type=_names, help="up to 2 of the others")
    romans.add_argument("--original-rules", action="store_true", default=None, help="the author's original rules")
    romans.add_argument("--qween", metavar="HOW", help="what her own point does when she charms: adds, replaces")
    parser.add_argument(
        "--deck", metavar="FILE", type=Path, help="a deck of your own, as TOML (see: meadhall deck GAME)"
    )


def rules_from(game: str, options: argparse.Namespace, default: dict[str, Any]) -> dict[str, Any]:
    """The rules that the options ask for, checked; a Fault names the option at fault."""
    for other, names in _OF_GAME.items():
        for name in names:
            if other != game and getattr(options, name) is not None:
                raise Fault(f"--{name.replace('_', '-')} is an option of {other}, not of {game}")
    given = {name: getattr(options, name) for name in _OF_GAME[game] if getattr(options, name) is not None}
    rules = default | given
    if options.deck is not None:
        rules |= read_deck(game, options.deck)
    try:
        game_named(game).check_rules(rules)
    except RecordFault as fault:
        message = str(fault)
        for name in _OF_GAME[game]:
            message = message.replace(f"rules.{name}", f"--{name.replace('_', '-')}")
        raise Fault(message) from None
    return rules
