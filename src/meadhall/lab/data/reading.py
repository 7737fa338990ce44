"""Reads a file of games: what they have in common, and each game as a record."""

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from meadhall.faults import Fault, RecordFault
from meadhall.lab.data import arrow, check_arrow
from meadhall.lab.data.tables import bot_column, read_about
from meadhall.record import FORMAT, Header, RecordData, read_header

NEEDED = ("number", "seed", "setup", "seats", "choices")


class Games:
    """The games of a file; a Fault if it cannot be read or is none of ours."""

    def __init__(self, path: Path | str) -> None:
        check_arrow()
        self.path = Path(path)
        self._file = self._asked(lambda: arrow("parquet").ParquetFile(self.path))
        try:
            self.about = read_about(self._file.metadata.metadata)
        except Fault as fault:
            raise Fault(f"{self.path}: {fault}") from None
        self.schema = self._file.schema_arrow
        missing = [name for name in NEEDED if name not in self.schema.names]
        if missing:
            raise Fault(f"{self.path}: has lost its column {missing[0]}")
        groups = (self._file.metadata.row_group(k).num_rows for k in range(self._file.num_row_groups))
        self._ends = list(accumulate(groups))  # where each row group ends
        self._group = -1
        self._rows: Any = None

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    def records(self, rows: Iterable[int] | None = None) -> Iterator[RecordData]:
        """The records of these rows, or of all of them, in the order given."""
        for row in range(len(self)) if rows is None else rows:
            if not 0 <= row < len(self):
                held = f"its games are 0 to {len(self) - 1}" if len(self) else "it holds no games at all"
                raise Fault(f"{self.path}: there is no game {row}; {held}")
            try:
                yield self._record(self._row(row))
            except Fault as fault:
                raise Fault(f"{self.path}, game {row}: {fault}") from None
            except (TypeError, ValueError):  # another program has changed a column
                raise Fault(f"{self.path}, game {row}: the row is damaged") from None

    def _row(self, row: int) -> dict[str, Any]:
        """One row as plain values; its row group is kept for the next one."""
        group = bisect_right(self._ends, row)
        if group != self._group:
            bots = [name for name in self.schema.names if name.startswith("bot_")]
            self._rows = self._asked(lambda: self._file.read_row_group(group, columns=[*NEEDED, *bots]))
            self._group = group
        begin = self._ends[group] - self._rows.num_rows
        found: list[dict[str, Any]] = self._rows.slice(row - begin, 1).to_pylist()
        return found[0]

    def _record(self, row: dict[str, Any]) -> RecordData:
        """A row as a record: the choices get their names from the positions they lead to."""
        about, meta = self.about, {"seed": row["seed"], "number": row["number"]}
        record = {"format": FORMAT, "game": about.game, "rules": about.rules, "setup": row["setup"], "choices": []}
        header = read_header({**record, "meta": meta})
        game, rules = header.game, header.full_rules
        seats = game.seats(rules)
        bots = {seat: row[bot_column(seat)] for seat in seats if bot_column(seat) in row}
        if bots:
            meta["bots"] = bots
        return header.as_json([[seats[seat], name] for seat, name in _named(header, row)])

    def _asked(self, question: Callable[[], Any]) -> Any:
        """What the file answers; a Fault if it cannot be read."""
        try:
            with self.path.open("rb"):  # the system says more plainly than Arrow why it cannot be opened
                return question()
        except OSError as problem:
            if problem.errno is not None:
                raise Fault(f"{self.path}: cannot be read ({os.strerror(problem.errno)})") from None
            raise Fault(f"{self.path}: is not a Parquet file, or a damaged one") from None
        except (ValueError, arrow().ArrowException):
            raise Fault(f"{self.path}: is not a Parquet file, or a damaged one") from None


def _named(header: Header, row: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The seat and the name of every choice of a row."""
    game, rules = header.game, header.full_rules
    state = game.start(rules, header.setup)
    state.log = None  # nobody listens
    for index, (seat, choice) in enumerate(zip(row["seats"], row["choices"], strict=True)):
        owed = 0 <= seat < len(game.seats(rules)) and game.owes(state, seat)
        if not owed or not 0 <= choice < game.choice_count or not game.allows(state, seat, choice):
            raise RecordFault(f"number {choice} is no choice of seat {seat} here", index)
        yield seat, game.choice_name(rules, state, seat, choice)
        game.commit(state, seat, choice)


def records(path: Path | str, rows: Iterable[int] | None = None) -> Iterator[RecordData]:
    """The games of a file as records: those of some rows, or all of them."""
    return Games(path).records(rows)
