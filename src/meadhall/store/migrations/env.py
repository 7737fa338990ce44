"""How Alembic runs our migrations: inside the transaction that it is handed, so that all of them count or none."""

import logging

from alembic import context

from meadhall.store.schema import METADATA, VERSION_TABLE

logging.getLogger("alembic").setLevel(logging.WARNING)  # opening a store is nothing to talk about
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
