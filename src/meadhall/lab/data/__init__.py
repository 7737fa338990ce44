"""Tables of games: one row a game, in Parquet files that pandas, polars and DuckDB read (see docs/data.md).

A file `lab/data/NAME.py` says what the columns of a game hold. Nothing here imports pyarrow before it is needed.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from meadhall.faults import Fault

SUFFIX = ".parquet"


def check_arrow() -> None:
    """A Fault that says what to install, if pyarrow is not there."""
    if find_spec("pyarrow") is None:
        raise Fault('tables of games need pyarrow, which is not installed: pip install "meadhall[data]"')


def arrow(module: str = "") -> Any:
    """The module pyarrow, or one in it."""
    check_arrow()
    return import_module(f"pyarrow.{module}" if module else "pyarrow")


def columns_of(game: str) -> ModuleType:
    """The module that says what a table of this game holds."""
    name = f"meadhall.lab.data.{game}"
    if find_spec(name) is None:
        raise Fault(f"there are no tables of {game}; what they hold would be in src/meadhall/lab/data/{game}.py")
    return import_module(name)
