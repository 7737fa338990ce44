"""What is read from a store, and what waits to be written to it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it lies in the database. Its entries are at least as new as its phase."""

    id: int
    code: str
    game: str
    header: str
    phase: str
    public: bool
    created: float
    bots: bool
    active: float
    entries: list[str]


@dataclass(frozen=True, slots=True)
class Listed:
    """A table as lists show it."""

    code: str
    game: str
    phase: str
    created: float
    active: float


@dataclass(eq=False, slots=True)
class Creation:
    """A table to be written; answered with its id, or 0 if the code is taken."""

    done: asyncio.Future[int]
    table: dict[str, Any]
    entries: Sequence[str]


@dataclass(eq=False, slots=True)
class Addition:
    """An entry to be written; answered with 1, or 0 if there was already an entry with its number."""

    done: asyncio.Future[int]
    table: int
    n: int
    entry: str
    phase: str | None
    active: float | None


@dataclass(eq=False, slots=True)
class Note:
    """Something to be written beside the tables; answered with whether there was anything to write."""

    done: asyncio.Future[bool]
    work: Callable[[Connection], bool]
