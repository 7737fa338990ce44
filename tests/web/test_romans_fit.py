"""The Romans table fits: on every screen all that can be chosen, the own line and the one button are in sight."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from meadhall.match import Match
from tests.shots.sizes import ALL, Size
from tests.web.browser import window
from tests.web.playing import Complaints
from tests.web.positions import LIVELY, asked, asks, lay, reach
from tests.web.server import Server

CLANS = ("gold", "green", "violet", "red")
STATES: dict[str, Callable[[], Match]] = {
    **{f"plan of {n}": lambda n=n: Match.new("romans", {"players": list(CLANS[:n])}, 2) for n in (2, 3, 4)},
    "plan with neutrals": lambda: Match.new("romans", {"players": ["gold"], "neutrals": ["green", "red"]}, 2),
    **{verb: lambda verb=verb: reach("romans", LIVELY, asks(verb)) for verb in ("charm", "take", "keep", "discard")},
    **{verb: lambda verb=verb: reach("romans", LIVELY, asks(verb)) for verb in ("reorder", "pay")},
}
_looks: dict[tuple[str, str], list[tuple[Size, dict[str, Any]]]] = {}
every_state = pytest.mark.parametrize("state", STATES)
# What can be picked, the own line, the button; then the middles of the columns of every row, and the cards' names.
LOOK = """() => {
  const seen = (it) => it.checkVisibility({ visibilityProperty: true }) && it.getBoundingClientRect().width > 2;
  const all = (what) => [...document.querySelectorAll(what)].filter(seen);
  const hand = ".opt, .rail .can, .rail [data-card], .rail .hole, .rail .row > *";
  const out = all(`#act, .cloth .can, ${hand}`).filter((it) => {
    const { left, top, right, bottom } = it.getBoundingClientRect();
    return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  });
  const bar = document.getElementById("act").closest(".do").getBoundingClientRect();
  const under = all(hand).filter((it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    const beside = right <= bar.left || left >= bar.right;
    return !beside && bottom > bar.top + 1 && top < bar.bottom - 1;
  });
  const middle = (it) => (it.getBoundingClientRect().left + it.getBoundingClientRect().right) / 2;
  const rows = all(".grid > .row").map((row) => [...row.children].filter((it) => !it.matches(".plate") && seen(it)));
  const names = all(".war b").map((it) => {
    const range = document.createRange();
    range.selectNodeContents(it);
    const [text, card] = [range.getBoundingClientRect(), it.closest(".war").getBoundingClientRect()];
    const fits = text.left >= card.left - 1 && text.right <= card.right + 1 && text.bottom <= card.bottom + 1;
    return [it.textContent, fits, parseFloat(getComputedStyle(it).fontSize)];
  });
  return {
    out: out.map((it) => it.className),
    under: under.map((it) => it.className),
    columns: rows.filter((row) => row.length === 6).map((row) => row.map(middle)),
    names,
    higher: document.documentElement.scrollHeight - innerHeight,
  };
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    """One window for all tables and screens."""
    noticed = Complaints()
    with window(chromium, server.url, noticed.listen) as kept:
        yield kept
    assert not noticed.unexpected, noticed.unexpected


def on_all_screens(page: Page, server: Server, state: str, lang: str = "en") -> list[tuple[Size, dict[str, Any]]]:
    """The table of a state as whoever is asked there sees it, looked at once on every screen."""
    if (state, lang) in _looks:
        return _looks[state, lang]
    match = STATES[state]()
    seat = asked(match, state.partition(" ")[0])
    laid = lay(server, match, bots=[each for each in match.seats if each not in match.waiting])
    page.context.clear_cookies()
    laid.give(page.context, server, seat)
    cookies = {"lang": lang, "speed": "off"}
    page.context.add_cookies([{"name": name, "value": value, "url": server.url} for name, value in cookies.items()])
    page.goto(laid.path)
    assert page.locator("html").get_attribute("lang") == lang
    _looks[state, lang] = [(size, _looked(page, size)) for size in ALL]
    return _looks[state, lang]


def _looked(page: Page, size: Size) -> dict[str, Any]:
    page.set_viewport_size({"width": size.width, "height": size.height})
    found: dict[str, Any] = page.evaluate(LOOK)
    return found


@pytest.mark.parametrize("lang", ["en", "de", "fr"])
@every_state
def test_all_that_can_be_chosen_the_own_line_and_the_button_are_in_sight(
    page: Page, server: Server, state: str, lang: str
) -> None:
    for size, seen in on_all_screens(page, server, state, lang):
        assert seen["out"] == [], size
        assert seen["under"] == [], size
        assert seen["higher"] <= 1, size


@every_state
def test_a_column_is_a_turn_from_the_wall_down_to_the_own_line(page: Page, server: Server, state: str) -> None:
    for size, seen in on_all_screens(page, server, state):
        wall, *rows = seen["columns"]
        beside = size.width > size.height and size.height < 501  # there the own line lies beside the board
        for row in rows[:-1] if beside else rows:
            assert row == pytest.approx(wall, abs=1.5), size


@pytest.mark.parametrize("lang", ["de", "fr"])
@every_state
def test_no_name_is_cut_or_too_small(page: Page, server: Server, state: str, lang: str) -> None:
    for size, seen in on_all_screens(page, server, state, lang):
        assert seen["names"], size
        assert all(fits and pixels >= 12 for _, fits, pixels in seen["names"]), (size, seen["names"])
