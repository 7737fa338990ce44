"""Games as a table: one row each, with what was dealt, what was chosen and what came of it."""

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from meadhall.faults import Fault
from meadhall.games.game import game_named
from meadhall.lab.data import arrow, columns, columns_of
from meadhall.record import FORMAT

TABLE = 1  # the number of the layout of these tables
KEY = b"meadhall"
FORFEIT = "forfeit"


@dataclass
class Rows:
    """Some games, each array with an entry for each: states as they were dealt and as they ended, and the choices."""

    first: int  # the number of the first of them
    seeds: list[str]  # of each game, or one of them all
    dealt: Any
    ended: Any
    ends: Any  # where each game's choices end
    seats: Any
    choices: Any
    counted: dict[str, Any] = field(default_factory=dict)  # by column: what was counted on the way
    bots: dict[str, list[str]] = field(default_factory=dict)  # who sat where, by seat
    forfeits: Any = None  # the seat whose bot did not choose, or -1


@dataclass(frozen=True)
class About:
    """What the games of a table have in common; it is written in the file beside the table."""

    game: str
    rules: dict[str, Any]  # as a record has them
    seed: int | str

    def as_bytes(self) -> bytes:
        """For the file's metadata."""
        about = {"format": FORMAT, "table": TABLE, "game": self.game, "rules": self.rules, "seed": self.seed}
        return json.dumps(about, ensure_ascii=False).encode("utf-8", "backslashreplace")


def read_about(metadata: Any) -> About:
    """What a file says its games have in common; a Fault if it is none of ours."""
    if KEY not in (metadata or {}):
        raise Fault("holds no games that `meadhall sim` or `meadhall arena` saved")
    try:
        said = json.loads(metadata[KEY])
        if (said["format"], said["table"]) != (FORMAT, TABLE):
            known = f'"{FORMAT}", table {TABLE}'
            raise Fault(f'is of format "{said["format"]}", table {said["table"]}; this program reads {known}')
        return About(said["game"], said["rules"], said["seed"])
    except (ValueError, KeyError, TypeError) as problem:
        if isinstance(problem, Fault):
            raise
        raise Fault("holds games, but what is said of them all is damaged") from None


def as_table(about: About, rows: Rows) -> Any:
    """The games as an Arrow table."""
    rules = game_named(about.game).check_rules(about.rules)
    kind = columns_of(about.game)
    count = len(rows.ends)
    found: dict[str, Any] = {"number": columns.numbers(np.arange(rows.first, rows.first + count), "int64")}
    found["seed"] = _texts(rows.seeds, count)
    found |= {bot_column(seat): _texts(bots, count) for seat, bots in rows.bots.items()}
    found |= _outcome(about.game, rules, rows)
    found |= kind.facts(rules, rows.ended)
    found |= {name: columns.numbers(values, "int32") for name, values in rows.counted.items()}
    found["setup"] = kind.setup(rules, rows.dealt)
    found["seats"] = columns.lists(columns.numbers(rows.seats, "uint8"), rows.ends)
    found["choices"] = columns.lists(columns.numbers(rows.choices, "uint16"), rows.ends)
    return arrow().table(found)


def bot_column(seat: str) -> str:
    """The column that says which bot sat there: a name that SQL takes as it stands."""
    return f"bot_{seat.replace('-', '_')}"


def _texts(texts: list[str], count: int) -> Any:
    """A text for each game, or one for all of them."""
    places = np.zeros(count, np.int32) if len(texts) == 1 else np.arange(count, dtype=np.int32)
    dictionary = arrow().array([text.encode("utf-8", "backslashreplace").decode() for text in texts])
    return arrow().DictionaryArray.from_arrays(arrow().array(places), dictionary.cast(arrow().string()))


def _outcome(game: str, rules: dict[str, Any], rows: Rows) -> dict[str, Any]:
    """Who won and why. Where a bot did not choose its rivals won, whatever the position says."""
    kind, sides = columns_of(game), game_named(game).sides(rules)
    clans = kind.clans(rules)
    won, by = kind.won(rules, rows.ended), rows.ended["by"].copy()
    found: dict[str, Any] = {}
    if rows.forfeits is not None:
        seats = game_named(game).seats(rules)
        found["forfeit"] = columns.names(seats, rows.forfeits)
        side_of = [clans.index(side) for side, own in sides.items() for _ in own]
        for row in np.flatnonzero(rows.forfeits >= 0):
            won[row] = [clan in sides and k != side_of[rows.forfeits[row]] for k, clan in enumerate(clans)]
            by[row] = len(kind.ENDINGS)
    alone = np.where(won.sum(axis=1) == 1, won.argmax(axis=1), -1)
    everybody = np.broadcast_to(np.arange(len(clans), dtype=np.int8), won.shape)
    return {
        "winner": columns.names(clans, alone),
        "winners": columns.name_lists(clans, everybody, won),
        "ending": columns.names((*kind.ENDINGS, FORFEIT), by),
        **found,
    }
