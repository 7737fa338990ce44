"""Hints in the browser: by a click, by the keys, and with the script switched off; and bots of every level to host."""

import re
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from meadhall.bots import LEVELS
from meadhall.web.edge.session import SECRET
from tests.web.browser import DESK, PHONE
from tests.web.playing import (
    Guest,
    by_forms,
    by_mouse,
    decide,
    host,
    join,
    look,
    my_move,
    radio,
    surely,
    tab_to,
)
from tests.web.server import COMPILING, Player, Server
from tests.web.server import until as happens

BOTS = {
    "goths": {"ostrogoth-king": "easy", "visigoth-king": "easy", "visigoth-warchief": "random"},
    "romans": {"green": "easy"},
}
RULES: dict[str, dict[str, object]] = {"goths": {}, "romans": {"players": ["gold", "green"]}}


def awake(server: Server, page: Page) -> None:
    """Wait until the bot that gives hints is ready, asking as the same person."""
    [secret] = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "meadhall"]
    code = page.url.partition("/t/")[2][:6]
    player = Player(server.http, secret.strip('"'))
    happens(lambda: player.ask("GET", f"/tables/{code}/hint").status_code != 409, "a hint", COMPILING)


def hosted(guest: Guest, server: Server, game: str, **device: object) -> Page:
    """A table of one's own against bots, at a moment when one is to choose and a hint is to be had."""
    player = server.player()
    code = player.open_table(game, BOTS[game], rules=RULES[game])
    player.sit(code)
    page = guest(None, **device)
    page.context.add_cookies([{"name": SECRET, "value": str(player.token), "url": server.url, "httpOnly": True}])
    page.goto(f"/t/{code}")
    if not device.get("js", True):
        happens(lambda: page.reload() and page.locator("#hint-button").count(), "a turn")
    my_move(page)
    awake(server, page)
    return page


def suggested(page: Page) -> Locator:
    return page.locator("input[data-hint], .better")


@pytest.mark.parametrize("js", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("game", ["goths", "romans"])
def test_a_hint_is_shown_and_marked_but_not_chosen(game: str, js: bool, guest: Guest, server: Server) -> None:
    page = hosted(guest, server, game, js=js)
    expect(page.locator("#hint")).to_have_count(0)
    page.locator("#hint-button").click()
    expect(page.locator("#hint")).to_be_visible()
    page.wait_for_load_state()  # without the script it came with a new page
    expect(page.locator("#hint .advice p").first).to_have_text(re.compile(r"\w.*[.!]$"))
    assert page.locator("#hint .bars li").count() >= 2
    expect(page.locator("#hint .bars .best")).to_have_count(1)
    expect(suggested(page)).to_have_count(6 if game == "romans" else 1)
    if game == "goths":
        expect(page.locator("input[name=choice]:checked")).to_have_count(0)
    decide(page, Random(2), by_mouse if js else by_forms)
    if not js:
        page.goto(page.url.removesuffix("/hint"))
    expect(page.locator("#hint")).to_have_count(0)


def test_a_hint_is_reached_by_the_keys_read_out_and_keeps_the_pick(guest: Guest, server: Server) -> None:
    page = hosted(guest, server, "goths")
    value = page.locator("input[name=choice]").last.get_attribute("value") or ""
    page.locator("label.pick", has=radio(page, value)).click()
    expect(radio(page, value)).to_be_checked()
    page.locator("body").press("Home")
    tab_to(page, "#hint-button")
    page.keyboard.press("Enter")
    expect(page.locator("#hint")).to_be_visible()
    said = page.locator("#hint").get_attribute("data-say") or "?"
    expect(page.locator("#say")).to_contain_text(said)
    expect(page.locator("#hint-button")).to_be_focused()
    expect(radio(page, value)).to_be_checked()
    expect(page).to_have_url(re.compile(r"/t/\w{6}$"))


def test_what_a_warchief_reads_in_the_kings_card_adds_up(guest: Guest, server: Server) -> None:
    page = hosted(guest, server, "goths")
    page.locator("#hint-button").click()
    readings = page.locator("#hint .bars").nth(1)
    expect(readings).to_be_visible()
    chances = [int(text.split()[0]) for text in readings.locator("li b").all_inner_texts()]
    assert abs(sum(chances) - 100) <= 2
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", ["goths", "romans"])
def test_a_hint_fits_the_window(game: str, size: tuple[int, int], guest: Guest, server: Server) -> None:
    page = hosted(guest, server, game, size=size, lang="de")
    page.locator("#hint-button").click()
    expect(page.locator("#hint")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.evaluate(
        """() => [...document.querySelectorAll("#hint *, .better")]
        .filter((one) => one.textContent.trim() && parseFloat(getComputedStyle(one).fontSize) < 12).length"""
    )
    assert small == 0
    for button in (page.locator("#hint-button"), page.locator("#act")):
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def test_two_friends_have_hints_only_where_the_host_allows_them(guest: Guest, server: Server) -> None:
    for allowed in (False, True):
        host_page, friend = guest("/"), guest("/")
        seats = {
            "ostrogoth-king": "me",
            "ostrogoth-warchief": "open",
            "visigoth-king": "me",
            "visigoth-warchief": "easy",
        }
        more = {"hints": "on"} if allowed else {}
        code = host(host_page, "goths", seats | {"visigoth-king": "easy"}, **more)
        join(friend, code, "ostrogoth-warchief", "Bo")
        friend.wait_for_load_state()
        my_move(host_page)
        expect(host_page.locator("#hint-button")).to_have_count(1 if allowed else 0)
        for page in (host_page, friend):
            expect(page.locator(".story .notes", has_text="Hints are allowed")).to_have_count(1 if allowed else 0)
        if not allowed:
            continue
        before = friend.content()
        host_page.locator("#hint-button").click()
        expect(host_page.locator("#hint")).to_be_visible()
        friend.reload()
        expect(friend.locator("#hint, #hint-button")).to_have_count(0)
        assert re.findall(r'data-tag="[^"]*"', friend.content()) == re.findall(r'data-tag="[^"]*"', before)
        friend.locator("#table-menu > summary").click()
        surely(friend.locator("#table-menu"), "leave")
        expect(host_page.locator("#table-menu", has_text="bot (medium)")).to_have_count(1)
        expect(host_page.locator("#hint")).to_be_visible()  # the page is new, the moment is not


def test_every_level_can_be_hosted_and_is_explained(guest: Guest) -> None:
    page = guest("/host?game=goths")
    seat = page.locator("[name=seat-visigoth-king]")
    values = seat.locator("option").evaluate_all("(all) => all.map((one) => one.value)")
    assert [value for value in values if value in LEVELS] == list(LEVELS)
    expect(page.locator(".levels dt")).to_have_count(len(LEVELS))
    for line in page.locator(".levels dd").all_inner_texts():
        assert 20 < len(line) < 80
    code = host(page, "goths", {"ostrogoth-king": "hard", "visigoth-king": "medium", "visigoth-warchief": "hard"})
    assert code
    page.locator("#table-menu > summary").click()
    for word in ("bot (hard)", "bot (medium)"):
        expect(page.locator("#table-menu", has_text=word)).to_have_count(1)


def test_the_host_changes_the_level_of_a_bot_in_the_middle_of_a_game(guest: Guest) -> None:
    page = guest("/")
    host(page, "goths", BOTS["goths"])
    page.locator("#table-menu > summary").click()
    seat = page.locator("#table-menu form", has=page.locator('[name=seat][value="visigoth-king"]'))
    seat.locator("select").select_option("hard")
    seat.locator("button").click()
    expect(page.locator("#table-menu", has_text="bot (hard)")).to_have_count(1)


@pytest.mark.parametrize("js", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("game", ["goths", "romans"])
def test_one_click_plays_what_a_hint_says(game: str, js: bool, guest: Guest, server: Server) -> None:
    page = hosted(guest, server, game, js=js)
    before = look(page)
    page.locator("#hint-button").click()
    best = page.locator("#play-hint [name=choice]").get_attribute("value") or ""
    assert best.startswith("plan:" if game == "romans" else "act:")
    page.locator("#play-hint button").click()
    expect(page.locator("#hint")).to_have_count(0)  # what follows may be told for a while
    page.goto(page.url.removesuffix("/hint"))
    assert (look(page).tag, look(page).position) != (before.tag, before.position)


@pytest.mark.parametrize("how", ["click", "Escape", "no script"])
def test_a_hint_can_be_put_away_again(how: str, guest: Guest, server: Server) -> None:
    page = hosted(guest, server, "goths", js=how != "no script")
    page.locator("#hint-button").click()
    expect(page.locator("#hint")).to_be_visible()
    if how == "Escape":
        page.keyboard.press("Escape")
    else:
        page.locator("#hint .shut").click()
    expect(page).to_have_url(re.compile(r"/t/\w{6}$"))
    page.wait_for_load_state()  # without the script it went with the page
    expect(page.locator("#hint")).to_have_count(0)
    expect(suggested(page)).to_have_count(0)
    assert look(page).to_play
