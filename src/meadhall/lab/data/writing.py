"""Writes a table of games to a Parquet file, some rows at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from meadhall.lab.data import arrow
from meadhall.lab.data.tables import KEY, About


class TableWriter:
    """A file that takes in table after table, each of which becomes a row group; an OSError says what failed."""

    def __init__(self, path: Path, about: About, schema: Any) -> None:
        self._lock = Lock()  # whoever is impatient may close it while another thread writes
        with _plainly():
            # The file says nothing of Arrow's own types: then every program reads names as plain text.
            self._file = arrow("parquet").ParquetWriter(
                str(path), schema, compression="zstd", store_schema=False, write_statistics=True
            )
            self._file.add_key_value_metadata({KEY.decode(): about.as_bytes().decode()})

    def write(self, table: Any) -> None:
        """Append these rows."""
        with self._lock, _plainly():
            self._file.write_table(table, row_group_size=max(1, table.num_rows))

    def close(self) -> None:
        """All is written."""
        with self._lock, _plainly():
            self._file.close()

    def abandon(self) -> None:
        """It will not be finished: what is there so far is no table."""
        with suppress(OSError):
            self.close()


@contextmanager
def _plainly() -> Iterator[None]:
    """Arrow's long messages in the words of the system."""
    try:
        yield
    except OSError as problem:
        raise OSError(problem.errno, os.strerror(problem.errno)) if problem.errno else problem from None
