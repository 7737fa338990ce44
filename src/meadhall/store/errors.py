"""What can go wrong with a database, told apart by who is to blame: it, or what it was asked for."""

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from meadhall.faults import Fault

# PostgreSQL's classes of lost connections, of too little room or memory, of an operator's doing, of errors of the
# system; and a server that may only be read.
_NOT_NOW = ("08", "53", "57", "58", "25006")


class CodeTaken(Exception):
    """There is already a table with this code."""


class TableRemoved(Exception):
    """A table that was there is not any more: it was old."""


class StoreUnavailable(Exception):
    """The database does not answer, or cannot be written now; the same request may succeed later."""


class StoreClosed(StoreUnavailable, RuntimeError):
    """Whoever asks has not heard yet that this process is about to end."""


class StoreLocked(Fault):
    """Another process has the database for itself."""


class StoreAway(Fault):
    """The database cannot be opened now; the same attempt may succeed later."""


def one_is_bad(error: Exception) -> bool:
    """Whether one of the writes is to blame, not the database, which would fail them all."""
    if is_unavailable(error):
        return False
    state = getattr(getattr(error, "orig", error), "sqlstate", None)
    return state is None or state[:2] in ("22", "23")  # PostgreSQL's classes of bad data and broken constraints


def is_unavailable(error: Exception) -> bool:
    """Whether the database is to blame: out of reach, without a free connection, its disk full."""
    if isinstance(error, OperationalError | InterfaceError | NoConnectionFree | OSError):
        return True
    state = str(getattr(getattr(error, "orig", error), "sqlstate", None))
    return state.startswith(_NOT_NOW) or bool(getattr(error, "connection_invalidated", False))
