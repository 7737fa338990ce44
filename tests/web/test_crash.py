"""`kill -9` at random moments of two dozen games: no acknowledged choice is lost, none counts twice, all games end."""

import threading
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx

from meadhall.match import Match
from tests.variants import variant_named
from tests.web.server import Player, Server, client, good, owes, pick

GAMES = 24  # some 800 choices, so that the server is killed from the first to nearly the last
PLAYERS_AT_ONCE = 4  # threads, each with six games of its own
MOMENTS = 6  # how often the server is killed
GOTHS, ROMANS = variant_named("goths, seven turns"), variant_named("romans, three")


@dataclass
class House:
    """A server that is killed now and then, and the choices it has acknowledged so far."""

    server: Server
    acknowledged: int = 0
    refused: list[str] = field(default_factory=list)
    up: threading.Event = field(default_factory=threading.Event)
    counting: threading.Condition = field(default_factory=threading.Condition)

    def count(self) -> None:
        with self.counting:
            self.acknowledged += 1
            self.counting.notify_all()


class Game:
    """One table and all its players, played by one program that goes on whatever happens to the server."""

    def __init__(self, house: House, number: int) -> None:
        self.house = house
        self.dice = Random(f"game {number}")
        self.variant = GOTHS if number % 2 else ROMANS
        self.seats = self.variant.deal(0).seats
        self.token: str | None = None
        self.code = ""
        self.acknowledged: list[tuple[str, int, str]] = []

    def open(self) -> None:
        host = Player(self.house.server.http)
        self.code = host.open_table(self.variant.game, dict.fromkeys(self.seats, "me"), rules=self.variant.rules)
        self.token = host.token

    def play(self) -> None:
        """Play to the end. What was not answered is asked again, as it is: that is what makes it safe."""
        http, url = client(self.house.server.url), self.house.server.url
        while True:
            try:
                if self._one_choice(Player(http, self.token)):
                    return
            except httpx.TransportError:
                self.house.up.wait(60)
                if url != self.house.server.url:
                    http, url = client(self.house.server.url), self.house.server.url

    def _one_choice(self, player: Player) -> bool:
        table = player.table(self.code, self.dice.choice(self.seats))
        if table["phase"] == "over":
            return True
        if not owes(table):
            return False
        wanted = table["seat"], table["position"], pick(table, self.dice)
        while True:
            try:
                answer = player.choose(self.code, wanted[1], wanted[2], wanted[0])
                break
            except httpx.TransportError:
                self.house.up.wait(60)
                player = Player(client(self.house.server.url), self.token)
        if answer.status_code != 200:
            self.house.refused.append(answer.text)
        self.acknowledged.append(wanted)
        self.house.count()
        return False


def test_nothing_acknowledged_is_lost_and_nothing_counts_twice_when_the_server_is_killed(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        house = House(server)
        house.up.set()
        games = [Game(house, number) for number in range(GAMES)]
        for game in games:
            game.open()
        threads = [
            threading.Thread(target=lambda mine=games[k::PLAYERS_AT_ONCE]: [game.play() for game in mine])
            for k in range(PLAYERS_AT_ONCE)
        ]
        for thread in threads:
            thread.start()
        kills = kill_now_and_then(house, threads)
        for thread in threads:
            thread.join(120)
            assert not thread.is_alive()
        assert kills == MOMENTS
        assert house.refused == []
        for game in games:
            check(game)


def kill_now_and_then(house: House, threads: list[threading.Thread]) -> int:
    """Kill the server while choices are on their way, and start it again on the same file."""
    dice = Random("kill")
    kills = 0
    due = 0
    while kills < MOMENTS:
        due += dice.randint(60, 160)
        with house.counting:
            enough = house.counting.wait_for(lambda due=due: house.acknowledged >= due, 60)  # type: ignore[misc]
        if not enough or not any(thread.is_alive() for thread in threads):
            break
        house.up.clear()
        house.server.kill()
        house.server.start()
        house.up.set()
        kills += 1
    return kills


def check(game: Game) -> None:
    """The record holds exactly what was acknowledged, once, and in its order seat by seat."""
    record = good(Player(game.house.server.http).ask("GET", f"/tables/{game.code}/record"))
    match = Match.from_record(record)
    assert match.outcome is not None
    choices = [tuple(choice) for choice in record["choices"]]
    for seat in game.seats:
        acknowledged = [(chooser, choice) for chooser, _, choice in game.acknowledged if chooser == seat]
        assert [entry for entry in choices if entry[0] == seat] == acknowledged
    assert len(choices) == len(game.acknowledged)
    assert len({(seat, position) for seat, position, _ in game.acknowledged}) == len(choices)


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
