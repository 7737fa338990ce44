"""The options of a game's rules as it declares them: said once, used by records, command line, forms and interfaces."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal

from meadhall.faults import RecordFault, show
from meadhall.games.checks import check_flag, check_keys, check_names, check_one_of

Kind = Literal["flag", "one-of", "names", "number", "deck"]
REQUIRED = object()
"""The default of an option that has none."""


@dataclass(frozen=True)
class Option:
    """One rule option: its name in records, what it may be, its default, and what it does in a few words."""

    name: str
    kind: Kind
    help: str
    default: Any = REQUIRED
    values: tuple[str, ...] = ()  # of "one-of" and "names"
    metavar: str = ""  # what the command line calls its value
    check_deck: Callable[[str, Any], None] | None = None  # of "deck"
    deck_key: str = ""  # of "deck": what a deck file calls its cards

    @property
    def required(self) -> bool:
        """Must it be given?"""
        return self.default is REQUIRED

    def check(self, value: Any) -> None:
        """A RecordFault unless the option may have this value."""
        where = f"rules.{self.name}"
        if self.kind == "flag":
            check_flag(where, value)
        elif self.kind == "one-of":
            check_one_of(where, value, self.values)
        elif self.kind == "names":
            check_names(where, value, self.values)
        elif self.kind == "number":
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise RecordFault(f"{where} must be null or a whole number from 1, not {show(value)}")
        elif self.check_deck is not None:
            self.check_deck(where, value)


def deck_option(game: str, name: str, key: str, help: str, check: Callable[[str, Any], None]) -> Option:
    """The option for a deck of one's own; its default is the file that lies beside the game's rules."""
    text = resources.files(f"meadhall.games.{game}").joinpath("deck.toml").read_text(encoding="utf-8")
    return Option(name, "deck", help, tomllib.loads(text)[key], metavar="FILE", check_deck=check, deck_key=key)


def complete(options: Sequence[Option], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The rules with every default filled in and each option checked; nothing of the given ones is shared."""
    check_keys("rules", rules, [option.name for option in options], [each.name for each in options if each.required])
    full = {option.name: option.default for option in options if not option.required} | dict(rules)
    for option in options:
        option.check(full[option.name])
    return deepcopy(full)
