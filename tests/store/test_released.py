"""Databases of every released version: they are migrated when they are opened, and their tables play on."""

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

import meadhall.store.migrations
from meadhall.bots.pool import Pool
from meadhall.store import open_store
from meadhall.tables.lobby import Lobby
from meadhall.tables.refusals import NoSuchTable
from tests.store.dumps import FOLDER, VERSION, play, restore

CHANGELOG = (Path(__file__).parents[2] / "CHANGELOG.md").read_text()
RELEASED = {"0.1.0": "first"}  # a release by the newest revision of its schema
REVISIONS = sorted({file.name.partition(".")[0] for file in FOLDER.glob("*.sql")})


def known_revisions() -> set[str]:
    config = Config()
    config.set_main_option("script_location", str(Path(meadhall.store.migrations.__file__).parent))
    return {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}


def test_every_release_has_databases_here() -> None:
    assert set(re.findall(r"^## (\d\S+)", CHANGELOG, re.MULTILINE)) == RELEASED.keys()
    assert set(RELEASED.values()) <= set(REVISIONS) <= known_revisions(), "python -m tests.store.dumps"
    for revision in REVISIONS:
        for dialect in ("sqlite", "postgresql"):
            script = (FOLDER / f"{revision}.{dialect}.sql").read_text()
            assert re.findall(VERSION, script) == [revision]


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_database_of_every_schema_is_brought_to_today_and_its_tables_play_on(revision: str, where: str) -> None:
    dialect = "postgresql" if "://" in where else "sqlite"
    script = (FOLDER / f"{revision}.{dialect}.sql").read_text()
    restore(script, where)
    codes = re.findall(r"""INSERT INTO \S*\btables"? VALUES ?\(\d, ?'(\w+)'""", script)
    entries = len(re.findall(r"""INSERT INTO \S*\bentries\b""", script))

    async def scene() -> None:
        store = await open_store(where)
        lobby = Lobby(store, Pool())
        try:
            tables = [await lobby.table(code) for code in codes]
            assert [table.phase for table in tables] == ["over", "playing", "playing", "open"]
            assert sum(table.length for table in tables) == entries, "nothing is lost"
            for table in tables[1:3]:
                await play(lobby, table, Random(1))
                assert table.phase == "over"
                assert (await lobby.table(table.code)).match.outcome is not None
            fresh = await lobby.open_table("goths", {}, {}, "host")
            assert fresh.number == 5, "numbers go on where they were"
            assert (await store.counts()) == {"over": 3, "open": 2}
        finally:
            await lobby.close()

    asyncio.run(scene())
    asyncio.run(opens_again(where, codes))


async def opens_again(where: str, codes: list[str]) -> None:
    lobby = Lobby(await open_store(where), Pool())
    try:
        assert [(await lobby.table(code)).phase for code in codes] == ["over", "over", "over", "open"]
        with pytest.raises(NoSuchTable):
            await lobby.table("BBBBBB")
    finally:
        await lobby.close()
