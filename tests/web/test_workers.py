"""Server processes that die, a PostgreSQL that goes away and comes back, and a full disk: the server goes on."""

import os
import re
import resource
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import httpx
import pytest

from meadhall.faults import Fault
from meadhall.web import workers
from meadhall.web.serve import _listen, how
from meadhall.web.settings import Settings
from tests.store.postgres import Restarting
from tests.variants import variant_named
from tests.web.faults import is_well, limit_files, workers_of
from tests.web.server import Player, Server, client, good, owes, pick, play_on, seat_players, until

TWO = variant_named("romans, two")
PAGES = ("/healthz", "/watch", "/t/BBBBBB", "/api/tables")


@pytest.fixture(scope="module")
def away() -> Iterator[Restarting]:
    with Restarting() as database:
        yield database


def ask(server: Server, path: str) -> httpx.Response:
    """A request on a connection of its own, so that any worker may answer it."""
    with client(server.url) as fresh:
        return fresh.get(path)


def owed(players: dict[str, Player], code: str) -> tuple[Player, dict[str, object]]:
    """Somebody who owes a choice, and what he sends to make it."""
    for player in players.values():
        table = player.table(code)
        if owes(table):
            return player, {"position": table["position"], "choice": pick(table, Random(1))}
    raise AssertionError


@pytest.fixture(scope="module")
def together(away: Restarting, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server of two processes for the tests that follow."""
    with Server(tmp_path_factory.mktemp("server"), "--workers", "2", db=away.server.fresh_database()) as server:
        until(lambda: server.log.count('"ready"') == 2, "two workers that serve")
        yield server


def two_workers(server: Server) -> list[int]:
    found: list[int] = until(lambda: len(found := workers_of(server)) == 2 and found, "two workers")
    return found


def metric(server: Server, name: str) -> float:
    return sum(float(value) for value in re.findall(rf"^{name} (\S+)$", ask(server, "/metrics").text, re.M))


def test_workers_that_die_while_the_database_is_away_are_replaced_and_all_goes_on(
    away: Restarting, together: Server
) -> None:
    code, players = seat_players(together, TWO)
    made = play_on(code, players, Random(1), 3)
    player, choice = owed(players, code)
    before = two_workers(together)
    paths = (*PAGES, f"/t/{code}", f"/api/tables/{code}")
    with client(together.url) as watching, watching.stream("GET", f"/api/tables/{code}/live") as stream:
        lines = stream.iter_lines()
        next(lines)
        until(lambda: metric(together, "meadhall_live_connections") == 1.0, "the stream to be counted")
        away.stop()
        told_to_come_back(together, paths)
        refused = player.ask("POST", f"/tables/{code}/choices", choice)
        opened = together.player().ask("POST", "/tables", {"game": "goths"})
        assert [(each.status_code, each.headers["retry-after"]) for each in (refused, opened)] == [(503, "5")] * 2
        for pid in before:
            os.kill(pid, signal.SIGKILL)
    # The port takes connections all the time, and new workers answer without a store.
    told_to_come_back(together, paths)
    until(lambda: together.log.count('"waiting for the store"') == 2, "two new workers")
    assert not set(workers_of(together)) & set(before)
    assert ask(together, "/rules/goths").status_code == 200
    away.start()
    until(lambda: together.log.count('"the store is there"') == 2, "two workers with a store")
    good(player.ask("POST", f"/tables/{code}/choices", choice))
    made.append((player.table(code)["seat"], str(choice["choice"])))
    made += play_on(code, players, Random(2))
    record = good(together.player().ask("GET", f"/tables/{code}/record"))
    assert [tuple(choice) for choice in record["choices"]] == made
    # The dead have left their counts, and none of their gauges.
    missed = metric(together, re.escape('meadhall_requests_total{method="GET",status="503"}'))
    assert missed == 2 * len(paths)
    assert metric(together, "meadhall_live_connections") == 0.0


def told_to_come_back(server: Server, paths: Sequence[str]) -> None:
    answers = [ask(server, path) for path in paths]
    assert [(each.status_code, each.headers.get("retry-after")) for each in answers] == [(503, "5")] * len(paths)


def test_sighup_replaces_the_workers_one_for_one_and_nobody_is_refused(together: Server) -> None:
    assert together.process is not None
    before = two_workers(together)
    together.process.send_signal(signal.SIGHUP)

    def renewed() -> bool:
        assert ask(together, "/healthz").status_code == 200
        now = workers_of(together)
        return len(now) == 2 and not set(now) & set(before)

    until(renewed, "two new workers")


def test_workers_do_not_outlive_a_supervisor_that_is_killed(together: Server) -> None:
    before = two_workers(together)
    together.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in before), "the end of the workers")


def test_a_server_whose_workers_cannot_start_says_so_and_does_not_end_well(monkeypatch: pytest.MonkeyPatch) -> None:
    buried: list[int] = []
    monkeypatch.setenv("MEADHALL_GRACE", "nonsense")  # refused by each worker, as options are by the command
    with _listen("127.0.0.1", 0) as listener, pytest.raises(Fault, match="cannot start"):
        workers.Workers(1, how(Settings()), listener, 5.0, buried.append).run()
    assert len(buried) == 1


def test_on_a_full_disk_nothing_is_claimed_and_health_says_so(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        code, players = seat_players(server, TWO)
        player, choice = owed(players, code)
        limit_files(server, 0)
        until(lambda: ask(server, "/healthz").status_code == 503, "a server that is not well")
        answers = [
            ask(server, "/healthz"),
            player.ask("POST", f"/tables/{code}/choices", choice),
            server.player().ask("POST", "/tables", {"game": "goths"}),
            server.http.post("/play", data={"game": "goths", "seat": "nobody"}),
        ]
        assert [(each.status_code, each.headers["retry-after"]) for each in answers] == [(503, "5")] * 4
        assert ask(server, f"/api/tables/{code}").status_code == 200  # what is there can be read
        limit_files(server, resource.RLIM_INFINITY)
        until(lambda: is_well(server), "a healthy server")
        good(player.ask("POST", f"/tables/{code}/choices", choice))
