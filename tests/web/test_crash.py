"""`kill -9` at random moments of many games: no acknowledged choice is lost, none counts twice, all games end."""

from pathlib import Path
from random import Random

from tests.store.postgres import Restarting
from tests.web.faults import ROMANS, jumping_clock, kill_server, kill_worker, restart, withstand
from tests.web.server import Server, good, pick

KILLS = 4


def test_nothing_acknowledged_is_lost_and_nothing_counts_twice_when_the_server_is_killed(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        withstand(server, kill_server, KILLS)


def test_nor_when_one_of_several_processes_is_killed_or_their_database_is_restarted(tmp_path: Path) -> None:
    with Restarting() as database, Server(tmp_path, "--workers", "2", db=database.server.fresh_database()) as server:
        faults = iter((kill_worker, restart(database)))
        withstand(server, lambda house, dice: next(faults)(house, dice), 2)


def test_nor_when_the_clock_is_set_and_nobody_who_is_there_counts_as_gone(tmp_path: Path) -> None:
    with jumping_clock(tmp_path) as (environment, fault), Server(tmp_path, env=environment) as server:
        withstand(server, fault, 3)


def test_choices_sealed_before_a_crash_are_sealed_after_it(tmp_path: Path) -> None:
    seats = ROMANS.deal(0).seats
    with Server(tmp_path) as server:
        host = server.player()
        code = host.open_table("romans", dict.fromkeys(seats, "me"), rules=ROMANS.rules)
        dice, plans = Random(1), {}
        for seat in seats[:2]:
            table = host.table(code, seat)
            plans[seat] = pick(table, dice)
            good(host.choose(code, table["position"], plans[seat], seat))
        before = {seat: host.table(code, seat) for seat in seats}
        server.kill()
        server.start()
        again = server.player(host.token)
        assert {seat: again.table(code, seat) for seat in seats} == before
        assert {seat: table["view"]["own"] for seat, table in before.items() if seat in plans} == plans
