"""Goths Save the Queen: what a table of its games holds beside what all tables do."""

from typing import Any

from meadhall.games.game import Rules
from meadhall.games.goths.setup import read as read
from meadhall.games.goths.state import CLANS, OBJECTIVES, PLACES, TOKENS
from meadhall.games.goths.state import ENDINGS as ENDINGS
from meadhall.lab.data import columns


def clans(rules: Rules) -> tuple[str, ...]:
    """Those that may win."""
    return CLANS


def won(rules: Rules, ended: Any) -> Any:
    """For each game and clan: has it won?"""
    return ended["winner"][:, None] == range(len(CLANS))


def facts(rules: Rules, ended: Any) -> dict[str, Any]:
    """How games ended, column by column."""
    found = {"turns": columns.numbers(ended["turn"], "int32")}
    for clan, name in enumerate(CLANS):
        found[f"place_{name}"] = columns.names(PLACES, ended["place"][:, clan])
    for clan, name in enumerate(CLANS):
        found[f"units_{name}"] = columns.numbers(ended["units"][:, clan], "int16")
    return found


def setup(rules: Rules, dealt: Any) -> Any:
    """What was dealt, as records write it."""
    fields = {"objectives": columns.even_lists(columns.names(OBJECTIVES, dealt["objectives"].ravel()), 3)}
    if rules["fog_of_war"]:
        tokens = {name: columns.names(TOKENS, dealt["token"][:, clan]) for clan, name in enumerate(CLANS)}
        fields["fog"] = columns.struct(tokens)
    return columns.struct(fields)
