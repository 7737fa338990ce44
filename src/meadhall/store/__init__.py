"""The log of every table, in SQLite or PostgreSQL: a table is a header and numbered entries, loading is replaying."""

from meadhall.store.base import Store
from meadhall.store.errors import CodeTaken, StoreAway, StoreUnavailable, TableRemoved
from meadhall.store.keeping import Kept
from meadhall.store.opening import open_store, shown_address
from meadhall.store.rows import Listed, Stored

__all__ = [
    "CodeTaken",
    "Kept",
    "Listed",
    "Store",
    "StoreAway",
    "StoreUnavailable",
    "Stored",
    "TableRemoved",
    "open_store",
    "shown_address",
]
