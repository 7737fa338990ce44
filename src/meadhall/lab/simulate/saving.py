"""Random games by the million, written to a file as they are played."""

from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from meadhall.games.game import game_named
from meadhall.lab.data.tables import About, Rows, as_table
from meadhall.lab.data.writing import TableWriter
from meadhall.lab.simulate import batch_module
from meadhall.lab.simulate.recording import Recorded


class SavedGames:
    """Keeps the games of a simulation in a file, which is whole when the `with` is left without an exception."""

    def __init__(self, path: Path, about: About) -> None:
        self._path, self._about = path, about
        self.made_of = partial(table_of, about)

    def __enter__(self) -> Self:
        state = np.zeros(0, game_named(self._about.game).state_type.dtype())
        numbers = np.zeros(0, np.int64)
        none = Recorded(
            0,
            state,
            state,
            np.zeros((0, batch_module(self._about.game).TALLY_SIZE), np.int64),
            numbers,
            numbers,
            numbers,
        )
        self._writer = TableWriter(self._path, self._about, self.made_of(none).schema)
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: object, trace: TracebackType | None) -> None:
        if kind is None:
            self._writer.close()
        else:
            self._writer.abandon()

    def keep(self, made: Any) -> None:
        """Append a table."""
        self._writer.write(made)


def table_of(about: About, games: Recorded) -> Any:
    """Games as a table."""
    seeds, counted = [str(about.seed)], batch_module(about.game).counted(games.tallies)
    arrays = (games.dealt, games.ended, games.ends, games.seats, games.choices)
    return as_table(about, Rows(games.first, seeds, *arrays, counted))
