"""The games of an arena as a table, in the order of its meetings and deals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from meadhall.games.game import game_named
from meadhall.lab.arena.arena import Arena, Meeting
from meadhall.lab.arena.play import FIRST, Kept, Played
from meadhall.lab.data import columns_of
from meadhall.lab.data.tables import About, Rows, as_table
from meadhall.lab.data.writing import TableWriter


class _Game(NamedTuple):
    meeting: Meeting
    deal: int
    way: int  # where the first side sat
    played: Played

    @property
    def kept(self) -> Kept:
        assert self.played.kept is not None
        return self.played.kept


def save(arena: Arena, path: Path) -> None:
    """Write all games that have been played; the arena was prepared to keep them."""
    about = About(arena.setting.game, arena.rules, arena.setting.seed)
    table = as_table(about, _rows(arena, list(_games(arena))))
    writer = TableWriter(path, about, table.schema)
    try:
        writer.write(table)
    except OSError:
        writer.abandon()
        raise
    writer.close()


def _games(arena: Arena) -> Iterator[_Game]:
    for meeting, deals in zip(arena.meetings, arena.played, strict=True):
        for deal in sorted(deals):
            for way, played in enumerate(deals[deal]):
                yield _Game(meeting, deal, way, played)


def _rows(arena: Arena, games: list[_Game]) -> Rows:
    setting = arena.setting
    game, rules = game_named(setting.game), setting.rules
    seeds = [setting.dealt_from(each.deal) for each in games]
    read, kind = columns_of(setting.game).read, game.state_type.dtype()
    dealt = b"".join(bytes(read(rules, game.deal(rules, seed))) for seed in seeds)
    ended = b"".join(each.kept.ended for each in games)
    made = np.array([choice for each in games for choice in each.kept.choices], np.uint16).reshape(-1, 2)
    seats = game.seats(rules)
    lapses = (each.played.lapse for each in games)
    return Rows(
        first=0,
        seeds=seeds,
        dealt=np.frombuffer(dealt, kind),
        ended=np.frombuffer(ended, kind),
        ends=np.cumsum([len(each.kept.choices) for each in games], dtype=np.int64),
        seats=made[:, 0],
        choices=made[:, 1],
        counted=_orders(arena, games),
        bots={name: [_bot(arena, each, seat) for each in games] for seat, name in enumerate(seats)},
        forfeits=np.array([-1 if lapse is None else seats.index(lapse.seat) for lapse in lapses], np.int8),
    )


def _bot(arena: Arena, game: _Game, seat: int) -> str:
    side, role = arena.setting.seated(game.way, seat)
    return (game.meeting.first if side == FIRST else game.meeting.second).bots[role]


def _orders(arena: Arena, games: list[_Game]) -> dict[str, Any]:
    """Where partners guess each other's mind: how many orders each side gave, and how many of them got through."""
    if arena.setting.roles < 2:
        return {}
    found = {"orders": np.array([each.played.orders for each in games], np.int64)}
    for place, side in enumerate(arena.setting.seats_by_side):
        through = [each.played.through[int(each.way != place)] for each in games]
        found[f"through_{side}"] = np.array(through, np.int64)
    return found
