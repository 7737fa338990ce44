"""Several server processes on one PostgreSQL, with the players of a table split between them."""

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from meadhall.match import Match
from tests.store.postgres import Server as Postgres
from tests.store.postgres import postgres
from tests.variants import Variant, variant_named
from tests.web.lobbies import GOTHS_SEATS
from tests.web.server import Player, Server, good, owes, pick, play_on, until

__all__ = ["postgres"]

GOTHS, ROMANS = variant_named("goths, seven turns"), variant_named("romans, four")


@pytest.fixture(scope="module")
def two(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two servers on one database."""
    url = postgres.fresh_database()
    with ExitStack() as stack:
        folders = [tmp_path_factory.mktemp("server") for _ in range(2)]
        yield [stack.enter_context(Server(folder, "--grace", "2", db=url)) for folder in folders]


def split(servers: list[Server], variant: Variant) -> tuple[str, dict[str, Player]]:
    """A table whose players come to one server and the other in turn."""
    code = servers[0].player().open_table(variant.game, rules=variant.rules)
    players: dict[str, Player] = {}
    for k, seat in enumerate(variant.deal(0).seats):
        players[seat] = servers[k % 2].player()
        players[seat].sit(code, seat, f"player {k}")
    return code, players


@pytest.mark.parametrize("variant", [GOTHS, ROMANS], ids=str)
def test_a_whole_game_is_played_across_two_servers(variant: Variant, two: list[Server]) -> None:
    code, players = split(two, variant)
    made = play_on(code, players, Random(1))
    records = [good(server.player().ask("GET", f"/tables/{code}/record")) for server in two]
    assert records[0] == records[1]
    assert [tuple(choice) for choice in records[0]["choices"]] == made
    assert Match.from_record(records[0]).outcome is not None


@pytest.mark.parametrize("variant", [GOTHS, ROMANS], ids=str)
def test_live_updates_cross_over_and_players_need_nothing_else(variant: Variant, two: list[Server]) -> None:
    """Each player only listens to a stream of his own server and answers what it asks."""
    code, players = split(two, variant)
    made: list[tuple[str, str]] = []
    lock = threading.Lock()

    def listen(seat: str, player: Player) -> None:
        dice = Random(seat)
        with player.live(code) as messages:
            for table in messages:
                if table["phase"] == "over":
                    return
                if owes(table):
                    choice = pick(table, dice)
                    good(player.choose(code, table["position"], choice))
                    with lock:
                        made.append((seat, choice))

    threads = [threading.Thread(target=listen, args=item) for item in players.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    record = good(two[1].player().ask("GET", f"/tables/{code}/record"))
    for seat in players:
        assert [choice for who, choice in record["choices"] if who == seat] == [c for who, c in made if who == seat]


def test_the_same_seat_cannot_be_taken_at_two_servers_at_once(two: list[Server]) -> None:
    for _ in range(5):
        code = two[0].player().open_table("goths")
        answers: list[int] = []

        def join(server: Server, code: str = code, answers: list[int] = answers) -> None:
            player = server.player()
            answer = player.ask("POST", f"/tables/{code}/seats", {"seat": "visigoth-king"})
            answers.append(answer.status_code)

        threads = [threading.Thread(target=join, args=(server,)) for server in two * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(answers) == [201] + [409] * 7


def test_the_same_choice_sent_to_both_servers_counts_once(two: list[Server]) -> None:
    code, players = split(two, variant_named("romans, two"))
    dice = Random(3)
    while players["gold"].table(code)["phase"] == "playing":
        for seat, player in players.items():
            table = player.table(code)
            if not owes(table):
                continue
            choice = pick(table, dice)
            doubles = [server.player(player.token) for server in two * 2]
            threads = [
                threading.Thread(target=lambda p=p, t=table, c=choice: good(p.choose(code, t["position"], c)))  # type: ignore[misc]
                for p in doubles
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
            assert seat in table["mine"]
    record = good(two[0].player().ask("GET", f"/tables/{code}/record"))
    assert Match.from_record(record).outcome is not None


def test_bots_play_once_though_two_servers_know_the_table(two: list[Server]) -> None:
    hosts = two[0].player(), two[1].player()
    code = hosts[0].open_table(
        "goths", dict.fromkeys(GOTHS_SEATS, "random") | {"visigoth-king": "me"}, rules=GOTHS.rules
    )
    hosts[1].token = hosts[0].token
    dice = Random(4)
    while (table := hosts[dice.randrange(2)].table(code))["phase"] == "playing":
        if owes(table):
            good(hosts[dice.randrange(2)].choose(code, table["position"], pick(table, dice)))
    record = good(hosts[1].ask("GET", f"/tables/{code}/record"))
    assert Match.from_record(record).outcome is not None


def test_somebody_who_is_only_at_the_other_server_is_not_gone(two: list[Server]) -> None:
    code, players = split(two, variant_named("romans, three"))
    here, there, away = players["red"], players["violet"], players["green"]

    def seen() -> list[bool]:
        there.table(code)
        return [seat["gone"] for seat in here.table(code)["seats"]]

    until(lambda: seen()[2], "a player who is gone")
    assert seen()[:2] == [False, False]
    away.table(code)
    until(lambda: not seen()[2], "a player who is back")


def test_one_server_dies_and_the_players_go_on_at_the_other(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.fresh_database()
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    with Server(folders[0], db=url) as one, Server(folders[1], db=url) as other:
        code, players = split([one, other], ROMANS)
        made = play_on(code, players, Random(5), 7)
        one.kill()
        moved = {seat: other.player(player.token) for seat, player in players.items()}
        made += play_on(code, moved, Random(6))
        record = good(other.player().ask("GET", f"/tables/{code}/record"))
        assert [tuple(choice) for choice in record["choices"]] == made


def test_two_workers_of_one_server_share_the_tables_and_stop_together(postgres: Postgres, tmp_path: Path) -> None:
    with Server(tmp_path, "--workers", "2", "--log-level", "debug", db=postgres.fresh_database()) as server:
        code, players = split([server, server], variant_named("romans, three"))
        made = play_on(code, players, Random(7))
        record = good(server.player().ask("GET", f"/tables/{code}/record"))
        assert [tuple(choice) for choice in record["choices"]] == made
        counted = re.findall(r'meadhall_tables\{phase="over"\} (\S+)', server.http.get("/metrics").text)
        assert counted == ["1.0"]
        assert server.process is not None
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
        assert len(children) >= 2
        assert server.stop(signal.SIGTERM) == -signal.SIGTERM
        until(lambda: not any(Path(f"/proc/{child}").exists() for child in children), "the end of all workers")
        assert '"level": "error"' not in server.log
