"""Tables, their entries, and who was seen at them."""

import sqlalchemy as sa
from alembic import op

revision = "first"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From an empty database."""
    table_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "tables",
        sa.Column("id", table_id, sa.Identity(), primary_key=True),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.UniqueConstraint("code", name="tables_code"),
    )
    op.create_index("tables_listed", "tables", ["phase", "public", "id"])
    op.create_index("tables_listed_game", "tables", ["phase", "public", "game", "id"])
    op.create_table(
        "entries",
        sa.Column("table_id", table_id, sa.ForeignKey("tables.id", name="entries_table"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "presence",
        sa.Column("table_id", table_id, primary_key=True, autoincrement=False),
        sa.Column("holder", sa.Text, primary_key=True),
        sa.Column("seen", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
