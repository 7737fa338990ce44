"""What lies in the database. A change here needs a new file in migrations/versions, which a test checks."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
)

VERSION_TABLE = "meadhall_version"

METADATA = MetaData()

# Only an INTEGER key is numbered by SQLite itself.
_TABLE_ID = BigInteger().with_variant(Integer, "sqlite")

TABLES = Table(
    "tables",
    METADATA,
    Column("id", _TABLE_ID, Identity(), primary_key=True),
    Column("code", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("header", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("bots", Boolean, nullable=False, server_default=false()),  # nobody else ever sits there
    Column("active", Double, nullable=False, server_default="0"),  # the hour in which something last happened openly
    UniqueConstraint("code", name="tables_code"),
    # The last of a phase lie at the end of an index, with or without a game: listing reads no more than it lists.
    Index("tables_listed", "phase", "public", "active", "id"),
    Index("tables_listed_game", "phase", "public", "game", "active", "id"),
    Index("tables_idle", "phase", "bots", "active", "id"),
)

# How many tables are in each phase.
TALLIES = Table(
    "tallies",
    METADATA,
    Column("phase", Text, primary_key=True),
    Column("n", Integer, nullable=False),
    sqlite_with_rowid=False,
)

# The primary key is the whole concurrency control: whoever writes entry n first has it.
ENTRIES = Table(
    "entries",
    METADATA,
    Column("table_id", _TABLE_ID, ForeignKey("tables.id", name="entries_table"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("entry", Text, nullable=False),
    sqlite_with_rowid=False,
)

# No foreign key: one holder of a table that is not there must not cost the others their sign of life.
PRESENCE = Table(
    "presence",
    METADATA,
    Column("table_id", _TABLE_ID, primary_key=True, autoincrement=False),
    Column("holder", Text, primary_key=True),
    Column("seen", Double, nullable=False),
    sqlite_with_rowid=False,
)

# When each of a few things was last done.
BEATS = Table(
    "beats",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,
)

# A row without a result is somebody's work: others leave it to him as long as he gives signs of life.
ANALYSES = Table(
    "analyses",
    METADATA,
    Column("table_id", _TABLE_ID, ForeignKey("tables.id", name="analyses_table"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("maker", Text, nullable=False),
    Column("seen", Double, nullable=False),
    Column("progress", Double, nullable=False),
    Column("fault", Text),
    Column("result", Text),
    sqlite_with_rowid=False,
)
