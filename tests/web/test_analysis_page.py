"""The page of an analysis and its JSON, on a real server: from the end of a game to the curve and into the replay."""

import html
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from meadhall.match import Match
from meadhall.tables.entries import Ended
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import at_random
from tests.web.playing import Guest
from tests.web.positions import Laid, lay, reach
from tests.web.server import COMPILING, Server, good, refused, until
from tests.web.test_browser_access import violations

RULES: dict[str, dict[str, Any]] = {"goths": {}, "romans": {"players": ["gold", "green", "violet"]}}


def over(match: Match) -> bool:
    """Somebody has won, so the chances turned to him at the end at the latest."""
    return match.outcome is not None and bool(match.outcome.winners)


def laid(server: Server, game: str = "goths", names: dict[str, str] | None = None) -> Laid:
    return lay(server, reach(game, RULES[game], over), names=names or {})


def analysed(server: Server, game: str = "goths") -> Laid:
    """A table whose analysis is done."""
    table = laid(server, game, {"ostrogoth-king": "Ada <b>"})
    path = f"/tables/{table.code}/analysis"
    assert server.player().ask("POST", path).status_code in (200, 202)
    until(lambda: server.player().ask("GET", path).status_code == 200, "the analysis", COMPILING)
    return table


@pytest.fixture(scope="module")
def goths(server: Server) -> Laid:
    return analysed(server)


@pytest.fixture(scope="module")
def romans(server: Server) -> Laid:
    return analysed(server, "romans")


def page(server: Server, table: Laid, lang: str = "en", status: int = 200) -> str:
    answer = server.http.get(f"{table.path}/analysis", headers={"accept-language": lang})
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


# What is asked and answered


def test_a_page_offers_the_analysis_says_how_far_it_is_and_then_shows_it(server: Server) -> None:
    table = laid(server)
    before = page(server, table)
    assert f'action="{table.path}/analysis"' in before
    assert "curve" not in before
    answer = server.http.post(f"{table.path}/analysis")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{table.path}/analysis")
    first = server.http.get(f"{table.path}/analysis")
    if first.status_code == 202:  # or it was very quick
        assert "<progress" in first.text
        assert '<noscript><meta http-equiv="refresh"' in first.text
        assert words("en").say("ui.analysis.look") in first.text
    until(lambda: server.http.get(f"{table.path}/analysis").status_code == 200, "the analysis", COMPILING)
    shown = page(server, table)
    assert "<progress" not in shown
    assert 'class="curve-plot"' in shown


def test_the_json_says_the_same_as_the_page(server: Server, goths: Laid) -> None:
    told = good(server.player().ask("GET", f"/tables/{goths.code}/analysis", headers={"accept-language": "de"}))
    assert (told["state"], told["progress"], told["fault"]) == ("done", 1.0, None)
    analysis = told["analysis"]
    assert analysis["sides"] == ["ostrogoth", "visigoth"]
    beats = sum(len(beats) for beats in goths.match.opened_timeline())
    assert all(0 <= point["beat"] < beats for point in analysis["curve"])
    assert all(sum(point["win"]) == pytest.approx(1) for point in analysis["curve"])
    shown = page(server, goths, "de")
    for turning in analysis["turning_points"]:
        assert turning["sentence"] in shown
        assert f'href="{goths.path}/replay?beat={turning["beat"]}"' in shown
    assert good(server.player().ask("POST", f"/tables/{goths.code}/analysis")) == good(
        server.player().ask("GET", f"/tables/{goths.code}/analysis")
    ), "it is not made twice"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_page_speaks_every_language(lang: str, game: str, server: Server, request: pytest.FixtureRequest) -> None:
    table: Laid = request.getfixturevalue(game)
    text = page(server, table, lang)
    said = words(lang)
    for key in ("curve", "turned", "choosers", "truth", "truth-how", "numbers"):
        assert said.say(f"ui.analysis.{key}") in text
    for seat in table.match.seats:
        assert said.seat(game, seat) in text
    plain = re.sub(r"<[^>]*>", " ", text)
    assert not re.search(r"\{\w+\}|\b(ui|goths|romans)\.[a-z]", plain)


def test_names_are_shown_and_cannot_be_markup(server: Server, goths: Laid) -> None:
    raw = server.http.get(f"{goths.path}/analysis").text
    assert "Ada &lt;b&gt;" in raw
    assert "Ada <b>" not in raw


def test_only_finished_games_are_analysed_and_refusals_say_why(server: Server) -> None:
    running = Match.new("goths", {}, 1)
    for _ in at_random(running, Random(1), 5):
        pass
    for more, said in (((), "when the game is over"), ((Ended(),), "was closed before its game was over")):
        table = lay(server, running, more=more)
        for method in ("GET", "POST"):
            refused(server.player().ask(method, f"/tables/{table.code}/analysis"), 409, said)
            answer = server.http.request(method, f"{table.path}/analysis")
            assert answer.status_code == 409
            assert said in html.unescape(answer.text)
    refused(server.player().ask("POST", "/tables/ZZZZZZ/analysis"), 404)
    assert server.http.get("/t/ZZZZZZ/analysis").status_code == 404


def test_a_code_may_be_typed_in_any_way(server: Server, goths: Laid) -> None:
    answer = server.http.get(f"/t/{goths.code.lower()}/analysis")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{goths.path}/analysis")


# In the browser


def test_from_the_end_of_a_game_to_its_analysis_and_into_the_replay(guest: Guest, server: Server) -> None:
    table = laid(server)
    visitor = guest(table.path)
    visitor.get_by_role("button", name=words("en").say("ui.analysis.button")).click()
    expect(visitor).to_have_url(f"{server.url}{table.path}/analysis")
    visitor.wait_for_selector(".curve-plot", timeout=1000 * COMPILING)
    flags = visitor.locator("a.flag")
    first = visitor.locator(".turned .btn").first
    beat = re.search(r"beat=(\d+)", first.get_attribute("href") or "")
    assert beat
    flags.first.focus()
    box = flags.first.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    expect(flags.first).to_have_attribute("href", f"{table.path}/replay?beat={beat[1]}")
    visitor.keyboard.press("Enter")
    expect(visitor).to_have_url(re.compile(rf"/replay\?beat={beat[1]}$"))
    expect(visitor.locator(f'#table.replay[data-number="{beat[1]}"][data-viewpoint="open"]')).to_be_visible()
    visitor.get_by_role("link", name=words("en").say("ui.analysis.title"), exact=True).click()
    expect(visitor.locator(".curve-plot")).to_be_visible()


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_page_is_open_to_all_and_fits_every_window(
    game: str, guest: Guest, server: Server, request: pytest.FixtureRequest
) -> None:
    table: Laid = request.getfixturevalue(game)
    visitor = guest(f"{table.path}/analysis")
    for width, height, scheme in ((390, 844, "dark"), (1366, 768, "light"), (2560, 1440, "dark")):
        visitor.set_viewport_size({"width": width, "height": height})
        visitor.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert visitor.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(visitor) == []
        plot = visitor.locator(".curve-plot").bounding_box()
        flags = visitor.locator(".curve-flags")
        assert plot is not None
        assert plot["height"] >= 190
        if flags.count():
            cloths = [each.bounding_box() for each in visitor.locator(".curve-flags .cloth").all()]
            for one, other in ((a, b) for k, a in enumerate(cloths) for b in cloths[k + 1 :]):
                assert one is not None
                assert other is not None
                apart = abs(one["x"] - other["x"]) >= one["width"] or abs(one["y"] - other["y"]) >= one["height"]
                assert apart, "two flags lie on each other"
