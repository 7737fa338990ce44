"""`meadhall serve` itself: health, metrics, a graceful stop, and options that make no sense."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from random import Random

import httpx
import pytest

from meadhall.cli import main
from meadhall.tables.lobby import Lobby
from meadhall.web import metrics
from meadhall.web.settings import Settings
from tests.variants import variant_named
from tests.web.lobbies import GOTHS_SEATS, in_lobby
from tests.web.server import Server, client, good, play_on, run_serve, seat_players, until

TWO = variant_named("romans, two")
STOP_WITHIN = 3.0  # seconds


def refused_start(folder: Path, *options: str, **env: str) -> str:
    """The one line that a server says which does not start."""
    done = subprocess.run(
        [sys.executable, "-m", "meadhall", "serve", *options],
        capture_output=True,
        text=True,
        timeout=60,
        env={name: value for name, value in os.environ.items() if not name.startswith("MEADHALL_")}
        | {"XDG_DATA_HOME": str(folder)}
        | env,
    )
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("meadhall: ")
    return done.stderr


RefusedHere = Callable[..., str]


@pytest.fixture
def refused_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RefusedHere:
    """The same without a process of its own, which takes a second."""
    for field in fields(Settings):
        monkeypatch.setenv(f"MEADHALL_{field.name.upper()}", "")  # and whatever is set comes back as it was
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def start(*options: str) -> str:
        try:
            status = main(["serve", *options])
        except SystemExit as stopped:
            status = int(stopped.code or 0)
        told = capsys.readouterr()
        assert (status, told.out) == (2, "")
        assert told.err.count("\n") == 1
        assert told.err.startswith("meadhall: ")
        return told.err

    return start


# Health and metrics


def test_it_says_that_it_is_well(server: Server) -> None:
    answer = server.http.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def metric(server: Server, name: str, **labels: str) -> float:
    """The value of a metric, 0 if it has none yet."""
    text = server.http.get("/metrics").text
    wanted = {f'{label}="{value}"' for label, value in labels.items()}
    for line in text.splitlines():
        found = re.fullmatch(rf"{name}(?:\{{(.*)\}})? (\S+)", line)
        if found and wanted == set((found[1] or "").split(",")) - {""}:
            return float(found[2])
    return 0.0


def test_the_metrics_count_requests_tables_and_live_connections(server: Server) -> None:
    before = metric(server, "meadhall_requests_total", method="GET", status="404")
    server.http.get("/no/such/page")
    server.http.get("/api/tables/BBBBBB")
    assert metric(server, "meadhall_requests_total", method="GET", status="404") == before + 2
    in_play = metric(server, "meadhall_tables", phase="playing")
    host = server.player()
    code = host.open_table("goths", dict.fromkeys(GOTHS_SEATS, "me"))
    assert metric(server, "meadhall_tables", phase="playing") == in_play + 1
    live = metric(server, "meadhall_live_connections")
    with host.live(code, "visigoth-king") as messages:
        next(messages)
        assert metric(server, "meadhall_live_connections") == live + 1
    until(lambda: metric(server, "meadhall_live_connections") == live)
    assert metric(server, "meadhall_request_seconds_count", method="POST") >= 1
    kind = server.http.get("/metrics").headers["content-type"]
    assert kind.startswith("text/plain; version=")


def test_metrics_are_for_the_host_alone(server: Server, tmp_path: Path) -> None:
    """They would tell a player when his partner chooses."""
    for proxied in ({"x-forwarded-for": "127.0.0.1"}, {"x-forwarded-for": "198.51.100.7"}, {"forwarded": "for=1"}):
        assert server.http.get("/metrics", headers=proxied).status_code == 403
    with Server(tmp_path, env={"MEADHALL_METRICS_TOKEN": "a token of the host"}) as guarded:
        for header in ({}, {"authorization": "Bearer another"}, {"authorization": "Bearer"}):
            assert guarded.http.get("/metrics", headers=header).status_code == 403
        shown = guarded.http.get("/metrics", headers={"authorization": "Bearer a token of the host"})
        assert shown.status_code == 200


def test_a_phase_that_no_table_is_in_any_more_counts_nothing(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "me"}, "ann")
        assert b'meadhall_tables{phase="playing"} 1.0' in await metrics.exposition(here)
        await here.end(table.code, "ann")
        counted = await metrics.exposition(here)
        assert b'meadhall_tables{phase="playing"} 0.0' in counted
        assert b'meadhall_tables{phase="ended"} 1.0' in counted

    in_lobby(tmp_path, work)


# Stopping


@pytest.mark.parametrize(("how", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_it_stops_at_once_with_live_streams_open_and_says_goodbye_properly(
    how: signal.Signals, status: int, tmp_path: Path
) -> None:
    with Server(tmp_path) as server:
        code, players = seat_players(server, TWO)
        with players["gold"].live(code) as gold, client(server.url).stream("GET", f"/t/{code}/live") as page:
            next(gold)
            lines = page.iter_lines()
            assert next(lines).startswith("retry")
            made = play_on(code, players, Random(1), 3)
            started = time.monotonic()
            done: list[int] = []
            stopping = threading.Thread(target=lambda: done.append(server.stop(how)))
            stopping.start()
            # The streams end properly: neither raises.
            for _ in gold:
                pass
            for _ in lines:
                pass
            stopping.join()
            assert time.monotonic() - started < STOP_WITHIN
        assert done == [status]
        assert "Traceback" not in server.log
        server.start()
        assert server.player(players["gold"].token).table(code)["seat"] == "gold"
        made += play_on(code, {seat: server.player(player.token) for seat, player in players.items()}, Random(2))
        record = good(server.player().ask("GET", f"/tables/{code}/record"))
        assert [tuple(choice) for choice in record["choices"]] == made


def test_it_stops_while_bots_are_thinking(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        host = server.player()
        code = host.open_table("goths", dict.fromkeys(GOTHS_SEATS, "easy"))
        with host.live(code) as messages:
            next(messages)
            next(messages)
            assert server.stop() == -signal.SIGTERM
        assert '"level": "error"' not in server.log


# What is wrong with how it is started


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], ["--port", "65535", "70000"]),
        (["--port", "http"], ["--port", "http"]),
        (["--workers", "0"], ["--workers", "1 to 64", "0"]),
        (["--workers", "65"], ["--workers", "1 to 64", "65"]),
        (["--workers", "2"], ["--workers", "PostgreSQL", "--db postgresql://"]),
        (["--rate-limit", "fast"], ["--rate-limit must be a number", "fast"]),
        (["--rate-limit", "-1"], ["--rate-limit must be a number of 0 or more", "-1"]),
        (["--grace", "nan"], ["--grace must be a number", "nan"]),
        (["--log-level", "loud"], ["--log-level must be one of debug, info, warning, error", "loud"]),
        (["--end-games", "never"], ["--end-games must be a number of 0 or more", "never"]),
        (["--bot-processes", "1.5"], ["--bot-processes must be a whole number", "1.5"]),
        (["--archive", "/no/such/folder"], ["--archive must be a folder", "/no/such/folder"]),
        (["--host", "203.0.113.7"], ["203.0.113.7", "--host"]),
        (["--host", "no.such.host.invalid"], ["no.such.host.invalid", "--host"]),
        (["--db", "mysql://localhost/x"], ["mysql", "postgresql://"]),
        (["--db", "/no/such/folder/x.sqlite"], ["/no/such/folder", "make it"]),
        (["--db", "postgresql://nobody@127.0.0.1:1/x"], ["127.0.0.1:1/x", "does not answer"]),
        (["--colour", "blue"], ["--colour"]),
    ],
)
def test_an_option_that_makes_no_sense_gets_one_clear_line(
    options: list[str], said: list[str], refused_here: RefusedHere
) -> None:
    line = refused_here("--port", "0", *options)
    for part in said:
        assert part in line


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("MEADHALL_RATE_LIMIT", "many", "number"),
        ("MEADHALL_GRACE", "1e99", "number"),
        ("MEADHALL_LOG_LEVEL", "all", "debug"),
        ("MEADHALL_DB", "ftp://x", "postgresql://"),
    ],
)
def test_an_environment_variable_that_makes_no_sense_gets_one_clear_line(
    name: str, value: str, said: str, refused_here: RefusedHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    line = refused_here("--port", "0")
    assert said in line
    assert name in line or name == "MEADHALL_DB"  # whose message shows the address itself


def test_an_option_goes_before_the_environment(tmp_path: Path) -> None:
    with Server(tmp_path, "--log-level", "error", env={"MEADHALL_LOG_LEVEL": "nonsense"}) as server:
        server.player().open_table("goths")
        assert server.log == ""


def test_a_port_that_is_taken_gets_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        line = refused_start(tmp_path, "--port", port)
    assert port in line
    assert "in use" in line
    assert "--port" in line


def test_a_second_server_on_the_same_file_gets_one_clear_line_and_the_first_plays_on(server: Server) -> None:
    line = refused_start(server.folder, "--port", "0", "--db", server.db)
    assert "another meadhall" in line
    assert server.db in line
    server.player().open_table("goths")


def test_a_file_that_is_no_database_gets_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Theodoric, " * 1000)
    assert "not an SQLite database" in refused_start(tmp_path, "--port", "0", "--db", str(file))
    assert file.read_text().startswith("Dear")


def test_without_options_it_keeps_its_tables_in_the_users_data_folder(tmp_path: Path) -> None:
    process = run_serve("--port", "0", log=tmp_path / "log", env={"XDG_DATA_HOME": str(tmp_path)})
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[1]
        assert httpx.get(f"{url}/healthz", timeout=60).status_code == 200
        assert (tmp_path / "meadhall" / "meadhall.sqlite").exists()
    finally:
        process.kill()
        process.wait()
