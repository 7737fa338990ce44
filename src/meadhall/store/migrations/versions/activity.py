"""When something last happened at a table, whether only bots ever sit there, how many there are; marks with a time."""

import time

import sqlalchemy as sa
from alembic import op

revision = "activity"
down_revision = "analyses"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From a database that knows only when tables were opened: all of them count as used just now."""
    op.add_column("tables", sa.Column("bots", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("active", sa.Double, nullable=False, server_default="0"))
    op.execute(sa.text("UPDATE tables SET active = :now").bindparams(now=time.time() // 3600 * 3600))
    for name in ("tables_listed", "tables_listed_game"):
        op.drop_index(name, "tables")
    op.create_index("tables_listed", "tables", ["phase", "public", "active", "id"])
    op.create_index("tables_listed_game", "tables", ["phase", "public", "game", "active", "id"])
    op.create_index("tables_idle", "tables", ["phase", "bots", "active", "id"])
    op.create_table(
        "beats",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tallies",
        sa.Column("phase", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO tallies (phase, n) SELECT phase, count(*) FROM tables GROUP BY phase")
