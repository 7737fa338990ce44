"""The header of every page: its entries lie beside each other, whatever the language, the width and the way there."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from meadhall.match import Match
from meadhall.words.languages import LANGUAGES
from tests.web.browser import window
from tests.web.playing import Complaints, Guest, host, join
from tests.web.positions import Laid, lay
from tests.web.server import Server

WIDTHS = (360, 390, 480, 640, 700, 701, 844, 1024, 1280, 1366, 1920, 2560)
# Every entry that can be seen, by its words and where it lies.
ENTRIES = """() => [...document.querySelectorAll(
  ".top > .brand, .top > .where, .top > .seek, .top nav > a, .top nav > noscript > a, .menu > summary"
)].filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => {
  const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
  return { name: one.textContent.trim(), left, right, top, bottom, width, height };
})"""
# The same as while the table is looked for.
LOST = f"""() => {{
  const link = document.getElementById("link");
  link.hidden = false;
  const found = ({ENTRIES})();
  link.hidden = true;
  return found;
}}"""
TABLES: dict[str, dict[str, Any]] = {
    "goths": {},
    "romans": {"players": ["gold", "green", "violet", "red"]},
}


def entries(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(ENTRIES)
    return found


def beside_each_other(found: list[dict[str, Any]], width: int, what: str) -> None:
    for each in found:
        assert each["left"] >= 0, (what, each)
        assert each["right"] <= width, (what, each)
        assert each["top"] >= 0, (what, each)
    for number, one in enumerate(found):
        for other in found[number + 1 :]:
            apart = one["right"] <= other["left"] + 0.5 or other["right"] <= one["left"] + 0.5
            assert apart, (what, one, other)


@pytest.fixture(scope="module")
def windows(chromium: Browser, server: Server) -> Iterator[dict[str, Page]]:
    """One window with the script, and one without."""
    noticed = Complaints()
    with (
        window(chromium, server.url, noticed.listen) as scripted,
        window(chromium, server.url, noticed.listen, js=False) as silent,
    ):
        yield {"table": scripted, "without script": silent}
    assert not noticed.unexpected, noticed.unexpected


def sit(page: Page, server: Server, laid: Laid, seat: str, lang: str) -> None:
    """To a table, on one of its seats, in a language."""
    page.context.clear_cookies()
    cookies = {"lang": lang, "speed": "off"}
    page.context.add_cookies([{"name": name, "value": value, "url": server.url} for name, value in cookies.items()])
    laid.give(page.context, server, seat)
    page.goto(laid.path)
    assert page.locator("html").get_attribute("lang") == lang


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", TABLES)
def test_no_entry_of_a_tables_header_lies_over_another(
    game: str, lang: str, windows: dict[str, Page], server: Server
) -> None:
    laid = lay(server, Match.new(game, TABLES[game], 3))
    for what, page in windows.items():
        page.set_viewport_size({"width": 1280, "height": 800})
        sit(page, server, laid, laid.match.seats[0], lang)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            found = entries(page)
            beside_each_other(found, width, f"{what}, {lang}, {width}")
            names = [entry["name"] for entry in found]
            assert len(names) >= (4 if what == "table" else 5), names
            if what == "table":
                beside_each_other(page.evaluate(LOST), width, f"looking for the table, {lang}, {width}")


def test_a_table_that_follows_a_gathering_without_a_new_page_has_room_for_its_menu(guest: Guest) -> None:
    ada, bo = guest(), guest()
    code = host(ada, "romans", {"violet": "nobody", "red": "nobody"}, name="Ada")
    expect(ada.locator(".hold")).to_be_hidden()
    assert ada.locator(".hold").bounding_box() is None, "no gap where there is no menu yet"
    join(bo, code, "green", "Bo")
    expect(ada.locator("#table-menu")).to_be_visible()
    for width in WIDTHS:
        ada.set_viewport_size({"width": width, "height": 800})
        beside_each_other(entries(ada), width, f"after the gathering, {width}")


@pytest.mark.parametrize("width", [360, 700, 1280, 2560])
def test_an_open_menu_stays_in_the_window_and_closes_the_other(
    width: int, windows: dict[str, Page], server: Server
) -> None:
    page = windows["table"]
    page.set_viewport_size({"width": width, "height": 740})
    sit(page, server, lay(server, Match.new("goths", {}, 3)), "ostrogoth-king", "de")
    for menu, other in (("#menu", "#table-menu"), ("#table-menu", "#menu")):
        page.locator(f"{menu} > summary").click()
        expect(page.locator(f"{other} > .drop")).to_be_hidden()
        box = page.locator(f"{menu} > .drop").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 740
        head = page.locator(".top").bounding_box()
        assert head is not None
        assert box["y"] >= head["y"] + head["height"] - 4  # below the header, so that the entries stay in reach


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_script_one_looks_again_at_a_table_and_at_a_gathering(
    lang: str, guest: Guest, server: Server
) -> None:
    page = guest(js=False, lang=lang)
    code = host(page, "romans", {"violet": "nobody", "red": "nobody"})
    assert page.locator("#say[aria-live]").count() == 1
    again = page.locator("a.look")
    expect(again).to_be_visible()
    friend = guest(js=False, lang=lang)
    join(friend, code, "green", "Bo")
    again.click()
    expect(page.locator("#table.table")).to_be_visible()
    expect(page.locator("a.look")).to_be_visible()
    with page.expect_navigation():  # the page before showed a table as well
        page.locator("a.look").click()
    expect(page.locator("#table.table")).to_be_visible()
    assert guest(f"/t/{code}").locator("a.look").count() == 0, "the script looks by itself"
