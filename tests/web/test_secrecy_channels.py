"""No channel between partners but the cards (G2.3): each way in which one could signal to another, tried from outside.

Whoever tries sends forms or JSON like anybody; what all others are sent must stay the same, to the byte.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from meadhall.tables import presence
from meadhall.tables.decisions import MOST_CHOSEN, PACES
from meadhall.tables.lobby import Lobby
from meadhall.tables.presence import Presence
from meadhall.web.edge.session import SECRET
from meadhall.web.live import SHORTEST
from tests.variants import variant_named
from tests.web.lobbies import company, in_lobby
from tests.web.server import Player, Server, good, play_on, refused
from tests.web.test_live import Followed

KING, CHIEF, RIVAL, BOT = "ostrogoth-king", "ostrogoth-warchief", "visigoth-king", "visigoth-warchief"
PEOPLE = (KING, CHIEF, RIVAL)


class Company:
    """A game in play: the host is a king, his partner and the rival king are people, the rival warchief is a bot."""

    def __init__(self, server: Server, bot: bool = True) -> None:
        self.players = {seat: server.player() for seat in (PEOPLE if bot else (*PEOPLE, BOT))}
        self.stranger = server.player()
        self.origin = server.url
        self.code = self.players[KING].open_table("goths", {KING: "me"} | ({BOT: "easy"} if bot else {}), name="Ann")
        for seat in (*self.players,)[1:]:
            self.players[seat].sit(self.code, seat, "Bob")

    def post(self, who: str, act: str, **form: str) -> httpx.Response:
        """Send a form of the pages as whoever sits, or sat, on a seat; "" is a stranger."""
        player = self.players.get(who, self.stranger)
        cookie = {"cookie": f"{SECRET}={player.token}"} if player.token else {}
        return player.http.post(f"/t/{self.code}/{act}", data=form, headers={"origin": self.origin} | cookie)

    def sit(self, who: str, wanted: str | None, name: str | None = None) -> httpx.Response:
        player = self.players.get(who, self.stranger)
        return player.ask("POST", f"/tables/{self.code}/seats", {"seat": wanted, "name": name})

    def sights(self, *but: str) -> list[Any]:
        """All that is sent to everybody else at the table and to a spectator: JSON, story, page and list."""
        lists = [self.stranger.http.get("/watch").content, self.stranger.ask("GET", "/tables").content]
        return lists + [
            self._sight(player) for seat, player in ({"": self.stranger} | self.players).items() if seat not in but
        ]

    def _sight(self, player: Player) -> list[bytes]:
        at = f"/tables/{self.code}"
        page = player.http.get(f"/t/{self.code}", headers=player.headers)
        return [player.ask("GET", at).content, player.ask("GET", f"{at}/events").content, page.content]

    def seats(self) -> dict[str, Any]:
        return {each["seat"]: each for each in self.stranger.table(self.code)["seats"]}

    def leave(self, seat: str) -> httpx.Response:
        return self.players[seat].ask("DELETE", f"/tables/{self.code}/seats/{seat}")


@pytest.fixture
def at_table(server: Server) -> Company:
    return Company(server)


Try = Callable[[Company], httpx.Response]

# What must be refused while a game is on, and change nothing for anybody. Each: who tries, and how.
REFUSED: dict[str, tuple[str, Try]] = {
    **{f"the host makes a bot {level}": (KING, lambda it, level=level: it.post(KING, "bot", seat=BOT, level=level))
       for level in ("random", "medium", "hard")},
    **{f"the host sets the pace to {ms}": (KING, lambda it, ms=ms: it.post(KING, "pace", ms=str(ms))) for ms in PACES},
    "the host replaces a rival who is there": (KING, lambda it: it.post(KING, "bot", seat=RIVAL, sure="yes")),
    "the host replaces his partner who is there": (KING, lambda it: it.post(KING, "bot", seat=CHIEF, sure="yes")),
    "a player replaces another who is there": (CHIEF, lambda it: it.post(CHIEF, "bot", seat=RIVAL, sure="yes")),
    **{f"a player picks {level} to stand in": (
        CHIEF, lambda it, level=level: it.post(CHIEF, "bot", seat=CHIEF, level=level, sure="yes"))
       for level in ("random", "easy", "hard")},
    "a player sets the pace": (CHIEF, lambda it: it.post(CHIEF, "pace", ms="0")),
    "a player takes the seat of a bot": (CHIEF, lambda it: it.sit(CHIEF, BOT)),
    "a player takes the seat of a rival": (CHIEF, lambda it: it.post(CHIEF, "sit", seat=RIVAL)),
    "a stranger sits down by a form": ("", lambda it: it.post("", "sit", seat=BOT, name="play the vulture")),
    "a stranger sits down by JSON": ("", lambda it: it.sit("", BOT, "play the vulture")),
    "a player ends the table": (CHIEF, lambda it: it.post(CHIEF, "end", sure="yes")),
    "a player calls for another game": (CHIEF, lambda it: it.post(CHIEF, "again")),
    "a player asks for a hint": (CHIEF, lambda it: it.post(CHIEF, "hint")),
    "a player asks for the record": (CHIEF, lambda it: it.players[CHIEF].ask("GET", f"/tables/{it.code}/record")),
    "a player asks for an analysis": (CHIEF, lambda it: it.players[CHIEF].ask("POST", f"/tables/{it.code}/analysis")),
    "a player chooses out of turn": (CHIEF, lambda it: it.players[CHIEF].choose(it.code, 0, "act:axe")),
    "a player chooses for another": (CHIEF, lambda it: it.players[CHIEF].choose(it.code, 0, "act:axe", KING)),
}  # fmt: skip


@pytest.mark.parametrize("way", REFUSED)
def test_G10_5_what_could_carry_a_signal_is_refused_and_nobody_notices(way: str, at_table: Company) -> None:
    who, attempt = REFUSED[way]
    before = at_table.sights(who)
    answer = attempt(at_table)
    assert answer.status_code in (403, 409, 422), answer.text[:300]
    assert at_table.sights(who) == before


# What must be harmless: it is done, and nobody else can tell
SILENT: dict[str, Try] = {
    "looks at the table": lambda it: it.players[CHIEF].ask("GET", f"/tables/{it.code}"),
    "looks back": lambda it: it.players[CHIEF].http.get(f"/t/{it.code}/replay", headers=it.players[CHIEF].headers),
    "looks through a partner's eyes": lambda it: it.players[CHIEF].http.get(
        f"/t/{it.code}?eyes={KING}", headers=it.players[CHIEF].headers
    ),
    "has the link drawn": lambda it: it.stranger.http.get(f"/t/{it.code}/preview.png?lang=en"),
    "hides a shared device": lambda it: it.post(CHIEF, "away"),
    "shows his side of a shared device": lambda it: it.post(CHIEF, "here", seat=CHIEF),
    "puts bots on all open seats": lambda it: it.post(CHIEF, "fill", level="hard"),
    "asks whether to leave and does not": lambda it: it.post(CHIEF, "leave", seat=CHIEF),
    "sits down again under another name": lambda it: it.sit(CHIEF, CHIEF, "play the vulture"),
    "changes his settings": lambda it: it.players[CHIEF].http.post(
        "/settings", data={"lang": "de", "theme": "dark"}, headers=it.players[CHIEF].headers
    ),
}


@pytest.mark.parametrize("way", SILENT)
def test_what_a_player_may_do_is_noticed_by_nobody_else(way: str, at_table: Company) -> None:
    before = at_table.sights(CHIEF)
    assert SILENT[way](at_table).status_code < 400
    assert at_table.sights(CHIEF) == before


def test_sealing_and_changing_is_noticed_by_nobody_and_has_an_end(server: Server) -> None:
    it = Company(server, bot=False)
    play_on(it.code, {seat: it.players[seat] for seat in (KING, RIVAL)}, Random(1), 2)
    chief = it.players[CHIEF]
    table = chief.table(it.code)
    before = it.sights(CHIEF)
    for k in range(MOST_CHOSEN):
        good(chief.choose(it.code, table["position"], table["choices"][k % 2]))
        if k in (0, 1, MOST_CHOSEN - 1):
            assert it.sights(CHIEF) == before
    last = table["choices"][MOST_CHOSEN % 2]
    refused(chief.choose(it.code, table["position"], last), 409, str(MOST_CHOSEN))
    good(
        chief.choose(it.code, table["position"], table["choices"][(MOST_CHOSEN - 1) % 2])
    )  # what counts may be repeated
    assert it.sights(CHIEF) == before


# Leaving and coming back


def test_G10_5_who_leaves_comes_back_once_as_he_was_and_after_that_never(at_table: Company) -> None:
    partner, tags = at_table.players[KING], set()

    def note() -> None:
        tags.add(str(partner.table(at_table.code)["seats"]))

    note()
    for k in range(12):
        at_table.leave(CHIEF) if k % 4 else at_table.post(CHIEF, "bot", seat=CHIEF, sure="yes")
        note()
        assert at_table.seats()[CHIEF]["level"] == "medium"
        back = at_table.sit(CHIEF, CHIEF, f"a message {k}") if k % 2 else at_table.post(CHIEF, "sit", seat=CHIEF)
        assert back.status_code == (303 if k == 0 else 409)
        note()
        assert at_table.seats()[CHIEF]["name"] == ("Bob" if k == 0 else None)
    assert len(tags) == 2  # he is there, or a bot is; there is no third thing to say


@pytest.mark.parametrize("who", [KING, RIVAL, ""], ids=["partner", "rival", "stranger"])
def test_G10_5_nobody_takes_a_seat_that_was_left_and_reads_its_secrets(who: str, at_table: Company) -> None:
    assert at_table.leave(CHIEF).status_code == 204
    before = at_table.sights()
    for answer in (at_table.sit(who, CHIEF), at_table.post(who, "sit", seat=CHIEF), at_table.sit(who, None)):
        assert answer.status_code == 409
    assert at_table.sights() == before
    player = at_table.players.get(who, at_table.stranger)
    assert CHIEF not in player.table(at_table.code)["mine"]
    assert player.ask("GET", f"/tables/{at_table.code}", params={"seat": CHIEF}).status_code == 403


def test_before_play_nobody_sees_what_was_dealt_to_a_seat_and_takes_another(server: Server) -> None:
    host, guest = server.player(), server.player()
    code = host.open_table("romans", rules={"players": ["gold", "green"]})
    taken = good(guest.ask("POST", f"/tables/{code}/seats", {"seat": "gold"}), 201)
    guest.token = taken["token"]
    nobody = server.player().table(code)
    for face in (taken["table"], guest.table(code), guest.table(code, "gold")):
        assert face["view"] == nobody["view"]
        assert face["choices"] == []
    assert guest.events(code, "gold") == server.player().events(code)
    other = server.player()
    other.sit(code, "green")
    assert guest.table(code)["view"] != server.player().table(code)["view"]  # now there is something to see


# Who is there


class Clock:
    """Stands for the clock of a process."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


def test_going_away_and_coming_back_can_be_shown_only_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an hour of trying, with a grace period of a minute, there are fewer signs than in one letter of Morse code."""
    clock = Clock()
    monkeypatch.setattr(presence, "time", clock)

    async def work(here: Lobby) -> None:
        table, _ = await company(here, variant_named("goths, base"))
        there = Presence(here.store, table.number, 60.0)
        shown: list[bool] = []
        away = True
        for _ in range(3600):
            clock.now += 1
            if not away:
                await there.touch("a")
            await there.touch("b")
            gone = "a" in there.gone({"a", "b"})
            if not shown or gone != shown[-1]:
                shown.append(gone)
                away = not gone  # whoever signals comes back as soon as he is missed, and goes again at once
        assert 8 < len(shown) < 14
        assert "b" not in there.gone({"a", "b"})

    in_lobby(tmp_path, work)


def test_a_stream_beats_at_its_own_time_however_short_the_grace_period_is(tmp_path: Path) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, variant_named("romans, two"))
        followed = [Followed(here, table, holder) for holder in (*holders.values(), "a spectator")]
        began = asyncio.get_running_loop().time()
        while asyncio.get_running_loop().time() < began + 3 * SHORTEST:
            await asyncio.sleep(SHORTEST / 10)
        passed = asyncio.get_running_loop().time() - began
        assert all(len(each.heard) <= 2 + 2 * passed / SHORTEST for each in followed)
        here.stop_watching()
        await asyncio.gather(*(each.reading for each in followed))

    in_lobby(tmp_path, work, grace=0.0)


# The proof is proved


def test_what_can_be_noticed_is_found(at_table: Company) -> None:
    before = at_table.sights()
    assert at_table.leave(CHIEF).status_code == 204
    changed = [one != other for one, other in zip(before, at_table.sights(), strict=True)]
    assert all(changed[2:])
