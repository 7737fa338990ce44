"""Migrations: the database's schema, brought to today's version by Alembic when a store is opened."""

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine

from meadhall.faults import Fault
from meadhall.store.schema import VERSION_TABLE

_log = logging.getLogger(__name__)

LOCK = 0x6D656164  # "mead": on PostgreSQL, whoever holds this advisory lock may migrate


async def migrate(engine: AsyncEngine, name: str) -> None:
    """Bring a database to today's version; a Fault if it is another program's or a newer one's."""
    async with engine.begin() as connection:
        await connection.run_sync(_migrate, name)


def _migrate(connection: Connection, name: str) -> None:
    """Bring the database to today's version, in the transaction of this connection."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    tables, before = inspect(connection).get_table_names(), ""
    if VERSION_TABLE in tables:
        known = {script.revision for script in scripts.walk_revisions()}
        before = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")) or ""
        if before and before not in known:
            raise Fault(f"{name} was written by a newer meadhall: install that one, or give another database")
    elif tables:
        raise Fault(f"{name} holds the tables of another program: give meadhall a database of its own")
    command.upgrade(config, "head")
    if before and before != (after := scripts.get_current_head()):
        _log.info("the database was migrated from schema %s to %s", before, after)
