"""Stored tables that cannot be read: skipped and logged in lists, said politely when opened, no harm to the others."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meadhall.tables.entries import FORMAT, read_header
from meadhall.web.edge.session import SECRET
from meadhall.words.languages import LANGUAGES
from tests.variants import variant_named
from tests.web.lobbies import company, in_lobby, play, refusal_of
from tests.web.server import Server, good, play_on, refused, seat_players
from tests.web.visitor import Browser

TWO = variant_named("romans, two")


def changed_header(**more: Any) -> Callable[[sqlite3.Connection, int], None]:
    def spoil(store: sqlite3.Connection, table: int) -> None:
        (text,) = store.execute("SELECT header FROM tables WHERE id = ?", (table,)).fetchone()
        store.execute("UPDATE tables SET header = ? WHERE id = ?", (json.dumps(json.loads(text) | more), table))

    return spoil


def last_entry(text: str) -> Callable[[sqlite3.Connection, int], None]:
    def spoil(store: sqlite3.Connection, table: int) -> None:
        last = "SELECT max(n) FROM entries WHERE table_id = ?"
        store.execute(f"UPDATE entries SET entry = ? WHERE table_id = ? AND n = ({last})", (text, table, table))

    return spoil


SPOILT: dict[str, Callable[[sqlite3.Connection, int], None]] = {
    "a format of the future": changed_header(format=FORMAT + 1),
    "a format that is no number": changed_header(format="new"),
    "a game that is not here": changed_header(game="chess"),
    "rules that are refused": changed_header(rules={"players": ["gold"]}),
    "a deal that is not possible": changed_header(setup={}),
    "an entry that is no JSON": last_entry('{"is": "chose"'),
    "an entry of another kind": last_entry('{"is": "danced", "seat": "gold"}'),
    "an entry for a seat that is not there": last_entry('{"is": "left", "seat": "throne"}'),
    "a choice that is not possible": last_entry('{"is": "chose", "seat": "gold", "choice": "charm:red"}'),
}


def spoil(file: str, code: str, how: Callable[[sqlite3.Connection, int], None]) -> None:
    with closing(sqlite3.connect(file)) as store:
        (table,) = store.execute("SELECT id FROM tables WHERE code = ?", (code,)).fetchone()
        how(store, table)
        store.commit()


def test_the_others_are_listed_and_played_and_the_unreadable_ones_say_so(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        codes = {}
        for how in SPOILT:
            codes[how], players = seat_players(server, TWO)
            play_on(codes[how], players, Random(1), 3)
        browser = Browser(server)
        good_code = browser.play("goths")
        browser.post("/host", {"game": "romans", "public": "on", "seat-gold": "open", "seat-green": "open"})
        server.stop()
        for how, code in codes.items():
            spoil(server.db, code, SPOILT[how])
        server.start()
        secret, browser = browser.secret, Browser(server)  # on another port
        browser.http.cookies.update({SECRET: secret, "tables": ".".join([*[*codes.values()][:7], good_code])})
        for _ in range(2):
            watched, home = browser.get("/watch"), browser.get("/")
            assert (watched.status_code, home.status_code) == (200, 200)
            assert not any(code in watched.text + home.text for code in codes.values())
            assert good_code in home.text
            assert watched.text.count('href="/t/') == 1
        listed = [table["code"] for table in good(server.player().ask("GET", "/tables"))]
        assert len(listed) == 1
        assert not set(listed) & set(codes.values())
        logged = [json.loads(line) for line in server.log.splitlines() if "table cannot be read" in line]
        assert sorted(line["code"] for line in logged) == sorted(codes.values())
        assert all(line["error"] for line in logged)
        for code in codes.values():
            refused(server.player().ask("GET", f"/tables/{code}"), 410, code)
            refused(server.player("x").choose(code, 1, "charm:gold"), 410, code)
            for path in (f"/t/{code}", f"/t/{code}/live"):
                assert server.http.get(path).status_code == 410
        said = {server.http.get(f"/t/{code}", headers={"accept-language": lang}).text for lang in LANGUAGES}
        assert len(said) == len(LANGUAGES)


def test_a_header_without_a_format_is_of_the_first_one() -> None:
    old = '{"game": "goths", "rules": {}, "setup": {}, "host": "ann"}'
    assert read_header(old).format == 1


def test_a_new_table_carries_the_number_of_its_format(tmp_path: Path) -> None:
    async def work(here: Any) -> None:
        table = await here.open_table("goths", {}, {}, "ann")
        stored = await here.store.load(table.code)
        assert json.loads(stored.header)["format"] == FORMAT

    in_lobby(tmp_path, work)


def test_a_table_that_becomes_unreadable_while_it_is_played_is_refused_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As happens where processes of two versions share a database."""

    async def work(here: Any) -> None:
        table, _ = await company(here, TWO)
        await play(here, table, Random(1), 1)
        monkeypatch.setattr(type(here.store), "shared", True)
        await here.store.append(table.number, table.length, '{"is": "danced"}')
        for _ in range(2):
            refusal = await refusal_of(here.seated(table.code))
            assert (refusal.key, refusal.status) == ("ui.refused.unreadable", 410)
        assert table.code not in here._seated

    in_lobby(tmp_path, work)
