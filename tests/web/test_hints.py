"""Hints: for whoever is to choose and may ask, from what the seat knows alone, and unnoticed by everybody else."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from meadhall.bots.evaluation import Evaluation, Reading, Reason, Valued
from meadhall.bots.percent import percent
from meadhall.bots.pool import Pool
from meadhall.match import Match, View
from meadhall.tables import decisions
from meadhall.tables.bots import MOST_HINTS
from meadhall.tables.lobby import Lobby
from meadhall.web.pages.hints import hint, reason
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import variant_named
from tests.web.lobbies import GOTHS_SEATS, choose, company, in_lobby, opened, refusal_of, until
from tests.web.server import COMPILING, Player, Server, good, owes, refused, seat_players
from tests.web.server import until as happens
from tests.web.visitor import Browser

KING, CHIEF = "ostrogoth-king", "ostrogoth-warchief"
BASE = variant_named("goths, base")
TWO = variant_named("romans, two")
ALONE = {
    "goths": {KING: "me", CHIEF: "easy", "visigoth-king": "easy", "visigoth-warchief": "random"},
    "romans": {"gold": "me", "green": "easy"},
}
RULES: dict[str, dict[str, Any]] = {"goths": {}, "romans": {"players": ["gold", "green"]}}
SEAT = {"goths": KING, "romans": "gold"}


def alone(server: Server, game: str) -> tuple[Player, str]:
    """Somebody alone against bots, who is to choose."""
    player = server.player()
    code = player.open_table(game, ALONE[game], rules=RULES[game])
    until_mine(player, code)
    return player, code


def hinted(player: Player, code: str) -> dict[str, Any]:
    """The hint, once the bot that gives it is awake."""
    happens(lambda: player.ask("GET", f"/tables/{code}/hint").status_code != 409, "a hint", COMPILING)
    found: dict[str, Any] = good(player.ask("GET", f"/tables/{code}/hint"))
    return found


def until_mine(player: Player, code: str) -> dict[str, Any]:
    with player.live(code) as tables:
        return next(table for table in tables if owes(table))


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_a_program_alone_against_bots_gets_the_numbers_and_a_sentence(server: Server, game: str) -> None:
    player, code = alone(server, game)
    table = player.table(code)
    found = hinted(player, code)
    assert found["seat"] == SEAT[game] == table["seat"]
    assert found["position"] == table["position"]
    assert found["best"] == found["choices"][0]["choice"]
    assert all(0 <= each["win"] <= 1 and 0 <= each["weight"] <= 1 for each in found["choices"])
    assert found["why"]["key"].startswith(f"{game}.why.")
    assert found["sentence"].endswith((".", "!"))
    good(player.choose(code, table["position"], found["best"]))


def test_the_sentence_comes_in_the_language_one_asks_for(server: Server) -> None:
    player, code = alone(server, "goths")
    said = {
        good(player.ask("GET", f"/tables/{code}/hint", headers={"Accept-Language": lang}))["sentence"]
        for lang in LANGUAGES
    }
    assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_a_hint_is_asked_for_by_a_form_and_comes_with_the_page(server: Server, game: str) -> None:
    browser = Browser(server)
    code = host(browser, game)
    page = until_asked(browser, code)
    assert 'id="hint"' not in page
    best = hinted(Player(server.http, browser.secret), code)["best"]
    shown = browser.post(f"/t/{code}/hint", {"seat": SEAT[game]})
    assert shown.status_code == 200
    assert shown.text.count('id="hint"') == 1
    if ":" in best and best.partition(":")[0] == "plan":
        assert len(re.findall(r'class="better"', shown.text)) == 6
    else:
        marked = re.findall(r'<input\s+type="radio"[^>]*value="([^"]+)"[^>]*\sdata-hint[^>]*>', shown.text)
        assert marked == [best]
    assert not re.search(r"<input[^>]*data-hint[^>]*checked", shown.text)  # marked, not chosen
    assert "data-hint" not in browser.get(f"/t/{code}").text
    assert browser.get(f"/t/{code}/hint").headers["location"] == f"/t/{code}"


def host(browser: Browser, game: str, **more: str) -> str:
    seats = {f"seat-{seat}": who for seat, who in ALONE[game].items()}
    absent = {"seat-violet": "nobody", "seat-red": "nobody"} if game == "romans" else {}
    answer = browser.post("/host", {"game": game, **seats, **absent, **more})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"].rpartition("/")[2])


def until_asked(browser: Browser, code: str) -> str:
    found: list[str] = []

    def asked() -> bool:
        found[:] = [browser.get(f"/t/{code}").text]
        return 'id="hint-button"' in found[0]

    happens(asked, "a turn")
    return found[0]


def test_those_who_play_with_others_get_no_hint_unless_the_host_allows_it(server: Server) -> None:
    code, players = seat_players(server, BASE)
    asks = next(seat for seat, player in players.items() if owes(player.table(code, seat)))
    refused(players[asks].ask("GET", f"/tables/{code}/hint"), 403, "others play too")
    assert not players[asks].table(code)["hints"]
    page = Browser(server, cookie=f"meadhall={players[asks].token}").get(f"/t/{code}").text
    assert "hint-button" not in page
    assert "Hints are allowed" not in page

    code, players = seat_players(server, BASE, hints=True)
    good(players[asks].ask("GET", f"/tables/{code}/hint"))
    for seat, player in players.items():  # all of them can see that it is allowed
        assert player.table(code)["hints"]
        page = Browser(server, cookie=f"meadhall={player.token}").get(f"/t/{code}").text
        assert "Hints are allowed at this table." in page
        assert ("hint-button" in page) == (seat == asks)
    assert "Hints are allowed at this table." in Browser(server).get(f"/t/{code}").text


def test_the_host_allows_hints_with_a_tick(server: Server) -> None:
    browser = Browser(server)
    code = host(browser, "goths", hints="on", **{f"seat-{CHIEF}": "open"})
    assert "Hints are allowed at this table." in browser.get(f"/t/{code}").text
    code = host(browser, "goths", **{f"seat-{CHIEF}": "open"})
    assert "Hints are allowed at this table." not in browser.get(f"/t/{code}").text


def test_only_whoever_is_to_choose_gets_a_hint_and_only_for_a_seat_of_his_own(server: Server) -> None:
    code, players = seat_players(server, BASE, hints=True)
    first = next(seat for seat, player in players.items() if owes(player.table(code, seat)))
    other = next(seat for seat in players if seat != first)
    refused(players[other].ask("GET", f"/tables/{code}/hint"), 409, "nothing to choose")
    refused(players[other].ask("GET", f"/tables/{code}/hint", params={"seat": first}), 403, "not yours")
    refused(players[first].ask("GET", f"/tables/{code}/hint", params={"seat": "throne"}), 422, "no seat")
    refused(server.player().ask("GET", f"/tables/{code}/hint"), 401)
    refused(server.player("a stranger").ask("GET", f"/tables/{code}/hint"), 403, "no seat")
    refused(players[first].ask("GET", "/tables/BBBBBB/hint"), 404)
    stranger = Browser(server).post(f"/t/{code}/hint", {"seat": first})
    assert stranger.status_code == 403
    assert 'id="hint"' not in stranger.text
    assert "hint-button" not in stranger.text


def test_a_sealed_choice_needs_no_hint(server: Server) -> None:
    code, players = seat_players(server, TWO, hints=True)
    player = players["gold"]
    found = hinted(player, code)
    good(player.choose(code, found["position"], found["best"]))
    refused(player.ask("GET", f"/tables/{code}/hint"), 409, "nothing to choose")


def test_nothing_of_a_hint_reaches_anybody_else(server: Server) -> None:
    code, players = seat_players(server, BASE, hints=True)
    first = next(seat for seat, player in players.items() if owes(player.table(code, seat)))
    others = [player for seat, player in players.items() if seat != first] + [server.player()]
    pages = [Browser(server, **({"cookie": f"meadhall={each.token}"} if each.token else {})) for each in others]

    def all_they_get() -> list[Any]:
        told = [each.ask("GET", f"/tables/{code}{path}").content for each in others for path in ("", "/events")]
        return told + [page.get(f"/t/{code}").content for page in pages]

    with others[0].live(code) as tables:
        next(tables)
        before = all_they_get()
        own = Browser(server, cookie=f"meadhall={players[first].token}")
        good(players[first].ask("GET", f"/tables/{code}/hint"))
        assert 'id="hint"' in own.post(f"/t/{code}/hint", {"seat": first}).text
        assert all_they_get() == before
        table = players[first].table(code)
        good(players[first].choose(code, table["position"], table["choices"][0]))
        assert next(tables)["position"] > table["position"]  # the first thing that the stream had to say


# In the lobby


class ThoughtfulPool(Pool):
    """Evaluates when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.evaluated = 0

    async def evaluate(self, view: View) -> Evaluation:
        self.evaluated += 1
        await self.gate.wait()
        best = view.choices[0]
        return Evaluation(str(view.seat), 0.5, (Valued(best, 0.5, 1.0),), Reason("goths.why.only", {}))


@pytest.fixture
def thoughtful() -> Iterator[ThoughtfulPool]:
    pool = ThoughtfulPool()
    yield pool
    pool.close()


def test_one_hint_at_a_time_and_each_is_thought_out_once(tmp_path: Path, thoughtful: ThoughtfulPool) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, BASE, hints=True)
        asks = table.waiting[0]
        first = asyncio.create_task(here.bots.hint(table, holders[asks], None))
        await until(lambda: thoughtful.evaluated == 1)
        again = await refusal_of(here.bots.hint(table, holders[asks], None))
        assert (again.key, again.status) == ("ui.refused.too-many", 429)
        thoughtful.gate.set()
        found = await first
        assert await here.bots.hint(table, holders[asks], asks) == found
        assert thoughtful.evaluated == 1

    in_lobby(tmp_path, work, pool=thoughtful)


def test_there_is_an_end_to_how_many_hints_are_thought_about(tmp_path: Path, thoughtful: ThoughtfulPool) -> None:
    async def work(here: Lobby) -> None:
        waiting = []
        for k in range(MOST_HINTS + 1):
            table = await here.open_table("goths", {}, dict.fromkeys(GOTHS_SEATS, "me"), f"host {k}", hints=True)
            waiting.append(asyncio.create_task(here.bots.hint(table, f"host {k}", table.waiting[0])))
        await until(lambda: waiting[-1].done())
        assert (await refusal_of(waiting.pop())).status == 429
        thoughtful.gate.set()
        await asyncio.gather(*waiting)

    in_lobby(tmp_path, work, pool=thoughtful)


def test_a_hint_for_a_moment_that_has_passed_is_not_given(tmp_path: Path, thoughtful: ThoughtfulPool) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, BASE, hints=True)
        asks = table.waiting[0]
        asked = asyncio.create_task(here.bots.hint(table, holders[asks], None))
        await until(lambda: thoughtful.evaluated == 1)
        await choose(here, table, asks, table.match.view(asks).choices[0])
        thoughtful.gate.set()
        assert (await refusal_of(asked)).key == "ui.refused.moved-on"

    in_lobby(tmp_path, work, pool=thoughtful)


def test_several_people_at_one_device_are_others_too(tmp_path: Path, thoughtful: ThoughtfulPool) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, dict.fromkeys(GOTHS_SEATS, "me"), "ann")
        assert (await refusal_of(here.bots.hint(table, "ann", table.waiting[0]))).key == "ui.refused.no-hints"
        lone = {"lone_rulers": ["ostrogoth"]}  # king and warchief are one person (G9.1)
        seats = {KING: "me", CHIEF: "me", "visigoth-king": "easy", "visigoth-warchief": "easy"}
        assert (await here.open_table("goths", lone, seats, "ann")).hints

    in_lobby(tmp_path, work, pool=thoughtful)


def test_whoever_stays_alone_with_bots_may_ask_again(tmp_path: Path, thoughtful: ThoughtfulPool) -> None:
    async def work(here: Lobby) -> None:
        table, holders = await company(here, TWO)
        assert not table.hints
        await here.change(table.code, decisions.leave(holders["green"], "green"))
        assert table.hints

    in_lobby(tmp_path, work, pool=thoughtful)


def test_that_hints_are_allowed_outlives_the_server_and_the_game(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path) as here:
            table, _ = await company(here, TWO, hints=True)
        async with opened(tmp_path) as here:
            again = await here.table(table.code)
            assert again.header.hints
            await here.end(table.code, "host")
            assert (await here.table(await here.again(table.code, "host"))).header.hints

    asyncio.run(run())


# In words


def view_of(seat: str, game: str = "goths") -> View:
    match = Match.new(game, RULES[game], 1)
    return match.view(seat)


def test_a_hint_shows_the_best_three_and_what_the_kings_card_could_be() -> None:
    valued = [Valued(f"act:{name}", win, 0.2) for name, win in (("rats", 0.614), ("axe", 0.5), ("load", 0.3))]
    readings = (
        Reading("visigoth", "vulture/recruiter", 1.0),
        Reading("ostrogoth", "vulture/barbarian", 0.2),
        Reading("ostrogoth", "barbarian/vulture", 0.8),
    )
    args: dict[str, str | int | float] = {"character": "barbarian", "chance": 80, "action": "rats"}
    why = Reason("goths.why.act", args | {"because": "goths.because.rats", "other": "act:axe"})
    evaluated = Evaluation(CHIEF, 0.6, (*valued, Valued("act:fire", 0.1, 0.0)), why, readings, "goths.caveat.fog")
    for lang in LANGUAGES:
        shown = hint(evaluated, view_of(CHIEF), words(lang))
        assert [bar.percent for bar in shown.choices] == [61, 50, 30]
        assert [bar.percent for bar in shown.readings] == [80, 20]  # of one's own king
        assert [bar.icon for bar in shown.readings] == ["barbarian", "vulture"]
        assert shown.what in shown.spoken
        assert shown.why in shown.spoken
        assert words(lang).say("goths.because.rats") in shown.why
        assert shown.caveat
        assert not re.search(r"[{}]|act:|goths\.", shown.spoken + shown.caveat)


def test_a_line_of_warriors_is_marked_place_by_place() -> None:
    best = "plan:axx,qween,archr,zvord,horsie,filchy"
    evaluated = Evaluation("gold", 0.5, (Valued(best, 0.5, 1.0),), Reason("goths.why.only", {}))
    shown = hint(evaluated, view_of("gold", "romans"), words("en"))
    assert [shown.at(number) for number in range(1, 7)] == best.removeprefix("plan:").split(",")
    assert shown.what == "Axx · Qween · Archr · Zvord · Horsie · Filchy"
    again = Evaluation("gold", 0.5, (Valued("reorder:axx,qween", 0.5, 1.0),), Reason("goths.why.only", {}))
    shown = hint(again, view_of("gold", "romans"), words("en"))
    assert [shown.at(number) for number in range(1, 7)] == ["", "", "", "", "axx", "qween"]  # the last ones (R4.14)


def test_only_what_is_certain_is_nothing_or_everything() -> None:
    assert [percent(chance) for chance in (0.0, 0.001, 0.496, 0.999, 1.0)] == [0, 1, 50, 99, 100]


def test_a_reason_starts_with_a_capital_and_names_things_in_the_language() -> None:
    why = Reason(
        "goths.why.order-lone", {"character": "vulture", "win": 60, "other": "order:barbarian/vulture", "other_win": 40}
    )
    assert reason(why, "goths", words("en")) == "Vulture helps you most. Next best: barbarian (bluff: vulture)."
    assert "Barbar (Täuschung: Geier)" in reason(why, "goths", words("de"))


def test_a_hint_says_chances_in_words_and_keeps_the_numbers_for_the_chart() -> None:
    for chance, word in ((99, "surely"), (80, "very likely"), (60, "likely"), (30, "perhaps"), (3, "hardly ever")):
        why = Reason("romans.why.plan", {"fort": "ordinary-6", "chance": chance, "win": 55})
        assert reason(why, "romans", words("en")).startswith(f"This line {word} takes the ")
    valued = tuple(Valued(f"act:{name}", win, 0.2) for name, win in (("rats", 0.9), ("axe", 0.5), ("load", 0.1)))
    shown = hint(Evaluation(CHIEF, 0.6, valued, Reason("goths.why.only", {})), view_of(CHIEF), words("en"))
    assert [bar.word for bar in shown.choices] == ["almost won", "even", "almost lost"]
    for lang in LANGUAGES:
        for key, forms in words(lang).messages.items():
            if ".why." in key:
                assert not re.search(r"%|100|\{(win|chance|through|queen|trap)\}", forms[0]), key


def test_dice_are_not_needed_for_a_hint() -> None:
    """The same view gives the same evaluation, so that asking again tells nothing new."""
    from meadhall.bots import evaluate

    match = Match.new("goths", {}, 4)
    for _ in range(20):
        seat = match.waiting[0]
        view = match.view(seat)
        assert evaluate(view) == evaluate(match.view(seat))
        match.commit(seat, Random(1).choice(view.choices))
