"""What a host finds in the log at its usual level: each thing once, in a line of its own, and nobody's secrets."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import pytest
import structlog

from meadhall.store.availability import Availability
from meadhall.tables import seated
from meadhall.tables.lobby import Lobby
from meadhall.web import summary as summaries
from meadhall.web.edge.session import fingerprint
from meadhall.web.summary import SLOW, Summary, kind_of, network_of
from tests.store.dumps import FOLDER, restore
from tests.store.postgres import Server as Postgres
from tests.variants import variant_named
from tests.web.lobbies import in_lobby
from tests.web.server import Server, play_on, seat_players, until

TWO = variant_named("romans, two")


@pytest.fixture(autouse=True)
def at_its_usual_level(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An app made earlier in this process has set its level for all of it, and a logger once used keeps to that."""
    before = structlog.get_config()
    structlog.reset_defaults()
    caplog.set_level("INFO", "meadhall")
    for module in (seated, summaries):
        monkeypatch.setattr(module, "log", structlog.get_logger())
    yield
    structlog.configure(**before)


def lines(server: Server) -> list[dict[str, Any]]:
    """All that it has logged; every line is JSON, with a time and a level."""
    found = [json.loads(line) for line in server.log.splitlines()]
    assert all({"event", "level", "timestamp"} <= each.keys() for each in found)
    return found


def events(server: Server) -> list[str]:
    return [each["event"] for each in lines(server)]


def test_a_host_reads_of_start_tables_floods_and_stop_and_of_nobodys_secrets(
    postgres: Postgres, tmp_path: Path
) -> None:
    db = postgres.fresh_database().replace(":@", ":a-password@")
    env = {"MEADHALL_METRICS_TOKEN": "a-metrics-token"}
    with Server(tmp_path, "--rate-limit", "400", db=db, env=env) as server:
        code, players = seat_players(server, TWO, name="Theodolinda")
        made = play_on(code, players, Random(1))
        until(lambda: server.http.get("/t/BBBBBB/film").status_code == 429, "a flood that is refused")
        server.stop()
    started, ready, *between, refused, stopped = lines(server)
    assert [started["event"], ready["event"], stopped["event"]] == ["starting", "ready", "stopped"]
    assert started["db"].startswith("postgresql://postgres@/")
    assert started["address"] == server.url.partition("//")[2]
    assert (started["workers"], started["rate_limit"], started["grace"]) == (1, 400.0, 60.0)
    assert re.fullmatch(r"\d+\.\d+\.\d+", started["version"])
    assert [(each["event"], each.get("code")) for each in between] == [
        ("table opened", code),
        ("game started", code),
        ("game over", code),
        ("stopping", None),
    ]
    assert between[-1]["why"] == "SIGTERM"
    assert refused["event"] == "requests refused: too many at once"
    assert (refused["networks"], refused["most_from"]) == (1, "127.0.0.0/24")
    secrets = [player.token or "" for player in players.values()]
    told = {*secrets, *map(fingerprint, secrets), "a-password", "a-metrics-token", "Theodolinda", "127.0.0.1 "}
    told |= {choice for _, choice in made}
    assert not [secret for secret in told if secret in server.log]


def test_a_database_that_goes_away_and_comes_back_is_said_once_each(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.fresh_database()
    with Server(tmp_path, db=url) as server:
        with cut_off(postgres, url):
            for _ in range(5):
                assert server.http.get("/watch").status_code == 503
                assert server.http.get("/healthz").status_code == 503
        until(lambda: any("answers again" in event for event in events(server)), "a line that it is back")
        away, back = (each for each in lines(server) if "database" in each["event"])
        assert away["level"] == "error"
        assert "No such file or directory" in away["event"]
        assert back["level"] == "warning"
        assert "request failed" not in events(server)


@contextmanager
def cut_off(postgres: Postgres, url: str) -> Iterator[None]:
    """Nobody reaches the database: those who do are thrown out, and its socket is elsewhere."""
    (socket,) = (path for path in postgres.folder.glob(".s.PGSQL.*") if path.suffix != ".lock")

    async def cut() -> None:
        connection = await asyncpg.connect(url)
        socket.rename(socket.with_name("elsewhere"))
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid != pg_backend_pid()"
        )
        await connection.close()

    asyncio.run(cut())
    try:
        yield
    finally:
        socket.with_name("elsewhere").rename(socket)


def test_a_migration_is_said(tmp_path: Path) -> None:
    restore((FOLDER / "first.sqlite.sql").read_text(), str(tmp_path / "tables.sqlite"))
    with Server(tmp_path) as server:
        assert events(server)[0].startswith("the database was migrated from schema first to ")
        assert sum("migrated" in event for event in events(server)) == 1


def test_a_table_that_is_ended_is_said(tmp_path: Path) -> None:
    async def work(lobby: Lobby) -> None:
        table = await lobby.open_table("goths", {}, {}, "ann")
        with structlog.testing.capture_logs() as said:
            await lobby.end(table.code, "ann")
            await lobby.end(table.code, "ann")
        assert [(each["event"], each["code"]) for each in said] == [("table ended", table.code)]

    in_lobby(tmp_path, work)


# In summary


def said_of(*notes: tuple[str, int, float, str]) -> list[Any]:
    """What a summary says of some answers: a path, a status, seconds, and from where."""

    async def scene() -> list[Any]:
        with structlog.testing.capture_logs() as said:
            summary = Summary(every=0.01)
            for note in notes:
                summary.note(*note)
            timer = summary._timer
            while timer is not None and summary._timer is timer:
                await asyncio.sleep(0.002)
            summary.say()
        return list(said)

    return asyncio.run(scene())


def test_what_is_answered_at_once_is_not_worth_a_line() -> None:
    assert said_of(("/", 200, 0.1, "192.0.2.1"), ("/t/BBBBBB", 404, 0.1, "192.0.2.1")) == []


def test_a_flood_is_one_line_that_says_how_much_and_roughly_from_where() -> None:
    flood = [("/", 429, 0.0, f"192.0.2.{k % 9}") for k in range(500)]
    assert said_of(*flood, ("/", 429, 0.0, "2001:db8:1:2::3")) == [
        {
            "event": "requests refused: too many at once",
            "log_level": "warning",
            "requests": 501,
            "networks": 2,
            "most_from": "192.0.2.0/24",
            "of_these": 500,
        }
    ]


def test_slow_answers_are_one_line_that_says_of_what_kind() -> None:
    slow = [(f"/t/BBBBB{k}/film", 200, SLOW + k / 10, "192.0.2.1") for k in range(5)]
    (line,) = said_of(*slow, ("/api/tables", 201, SLOW, "192.0.2.1"))
    assert (line["requests"], line["slowest_s"], line["mostly"], line["of_these"]) == (6, SLOW + 0.4, "/t/*/film", 5)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "/"),
        ("/t/BBBBBB", "/t/*"),
        ("/api/tables/BBBBBB/choices", "/api/tables/*/choices"),
        ("/replay/eJyrVkrKzE", "/replay/*"),
        ("/learn/goths/3", "/learn/goths/*"),
        ("/a/b/c/d/e/f", "/a/b/c/d"),
    ],
)
def test_a_kind_of_page_has_no_code_in_it(path: str, kind: str) -> None:
    assert kind_of(path) == kind


@pytest.mark.parametrize(
    ("address", "network"),
    [("192.0.2.77", "192.0.2.0/24"), ("2001:db8:aa::1", "2001:0db8:00aa::/48"), ("", "unknown"), ("unix", "unknown")],
)
def test_a_network_is_not_a_person(address: str, network: str) -> None:
    assert network_of(address) == network


def test_however_often_a_database_fails_it_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    store = Availability()
    store.answered()
    for _ in range(2):
        for _ in range(100):
            store.failed(OSError("no route\nto it"))
        store.answered()
        store.answered()
    assert len(caplog.messages) == 4
    assert caplog.messages[0] == "the database does not answer: no route to it"
    assert caplog.messages[1].endswith("and 100 failures")
