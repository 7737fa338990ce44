"""Opening a store: which kind of database an address names."""

from pathlib import Path

from meadhall.faults import Fault
from meadhall.store.base import Store
from meadhall.store.postgres import open_postgres, without_password
from meadhall.store.sqlite import default_file, open_sqlite


async def open_store(where: str | Path | None) -> Store:
    """Open the store at a path or a postgresql:// URL (default: in the user's data directory), migrated to today."""
    if isinstance(where, str) and "://" in where:
        scheme = where.partition("://")[0]
        if scheme not in ("postgresql", "postgres"):
            raise Fault(
                f"the database {scheme}://... is of no known kind: give the path of an SQLite file, "
                "or postgresql://user:password@host/database"
            )
        return await open_postgres(where)
    return await open_sqlite(default_file() if where is None else Path(where))


def shown_address(where: str) -> str:
    """A path or URL as it may be shown to people: without a password; the path of the usual file for none."""
    return without_password(where) if "://" in where else where or str(default_file())
