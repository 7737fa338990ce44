"""Romans Go Home!: what a table of its games holds beside what all tables do."""

from typing import Any

import numpy as np

from meadhall.games.game import Rules
from meadhall.games.romans.setup import clans_of
from meadhall.games.romans.setup import read as read
from meadhall.games.romans.state import ENDINGS as ENDINGS
from meadhall.games.romans.state import FORTS, WARRIORS
from meadhall.lab.data import columns

ROUNDS = 3


def clans(rules: Rules) -> tuple[str, ...]:
    """Those that may win, neutrals among them."""
    return clans_of(rules)


def won(rules: Rules, ended: Any) -> Any:
    """For each game and clan: has it won, perhaps with others?"""
    return ended["winners"][:, None] >> np.arange(len(clans_of(rules))) & 1 != 0


def facts(rules: Rules, ended: Any) -> dict[str, Any]:
    """How games ended, column by column."""
    turns = 6 * (ended["round"].astype(np.int32) - 1) + ended["turn"]
    found = {"rounds": columns.numbers(ended["round"], "int16"), "turns": columns.numbers(turns, "int32")}
    for clan, name in enumerate(clans_of(rules)):
        found[f"points_{name}"] = columns.numbers(ended["worth"][:, clan], "int16")
    for clan, name in enumerate(clans_of(rules)):
        found[f"forts_{name}"] = _forts(ended["forts"][:, clan], ended["forts_count"][:, clan])
    found["lost_forts"] = _forts(ended["lost_forts"], ended["lost_count"])
    return found


def _forts(forts: Any, count: Any) -> Any:
    return columns.name_lists(FORTS, forts, np.arange(forts.shape[1]) < count[:, None])


def setup(rules: Rules, dealt: Any) -> Any:
    """What was dealt, as records write it."""
    hands = {name: _hands(rules, name, dealt["deals"][:, :, clan]) for clan, name in enumerate(clans_of(rules))}
    forts = columns.even_lists(columns.names(FORTS, dealt["draw_pile"].ravel()), dealt["draw_pile"].shape[1])
    return columns.struct({"forts": forts, "hands": columns.even_lists(columns.struct(hands), ROUNDS)})


def _hands(rules: Rules, clan: str, rows: Any) -> Any:
    """A clan's warriors, round by round: seven of a player, six laid of a neutral."""
    count = 7 if clan in rules["players"] else 6
    warriors = rows.ravel()[:, None] >> 4 * np.arange(count) & 15  # a row is four bits for each (see bits.py)
    return columns.even_lists(columns.names(WARRIORS, warriors.ravel()), count)
