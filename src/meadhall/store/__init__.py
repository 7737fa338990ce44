"""The log of every table, in SQLite or PostgreSQL: a table is a header and numbered entries, loading is replaying."""

from meadhall.store.base import CodeTaken, Listed, Store, Stored, StoreUnavailable
from meadhall.store.opening import open_store, shown_address

__all__ = ["CodeTaken", "Listed", "Store", "StoreUnavailable", "Stored", "open_store", "shown_address"]
