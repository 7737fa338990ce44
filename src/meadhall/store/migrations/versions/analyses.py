"""Analyses of finished games, kept with their tables."""

import sqlalchemy as sa
from alembic import op

revision = "analyses"
down_revision = "first"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From a database that keeps none."""
    table_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "analyses",
        sa.Column("table_id", table_id, sa.ForeignKey("tables.id", name="analyses_table"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("maker", sa.Text, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("progress", sa.Double, nullable=False),
        sa.Column("fault", sa.Text),
        sa.Column("result", sa.Text),
        sqlite_with_rowid=False,
    )
