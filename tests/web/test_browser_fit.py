"""The Goths table fits every screen: hand and button in sight, no clue cut, and the board grows with the screen."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from meadhall.match import Match
from tests.shots.sizes import ALL, Size
from tests.web.playing import PATIENCE
from tests.web.positions import Wanted, asked, asks, lay, reach
from tests.web.server import Server

# Beside the screens of make shots: an old tablet on its side, and a small phone on its side.
SCREENS = (*ALL, Size("old tablet", 1024, 768), Size("small side", 740, 360))
NAMES = {"ostrogoth-king": "Ada", "ostrogoth-warchief": "Maximilian the Great"}

# What can be chosen, and the button: wholly on the screen, and on top of whatever else is there.
OUT_OF_SIGHT = """() => [...document.querySelectorAll(".hand .pick, #act")].filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1 || !one.contains(seen);
}).map((one) => one.innerText.trim() || one.id)"""
# Words and signs by which one chooses; a person's name may be shortened, a clue never.
CUT = """() => [...document.querySelectorAll(
  ".cap, .cap *, .odds, .order, .order > *, .kback .in, .kback em, .kfront, .ask h1, .ask p, .pill, .resv"
)].filter((one) => one.checkVisibility() && !one.closest("svg, .sr") && one.clientWidth > 1
  && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)
).map((one) => `${one.className} ${one.textContent.trim()}`)"""
OFF_THE_CLOTH = """() => {
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  return [...document.querySelectorAll(".board > *, .board .tile, .board .card, .turns")].filter((one) => {
    const { left, right, top, bottom, width } = one.getBoundingClientRect();
    return width && (left < cloth.left || right > cloth.right || top < cloth.top || bottom > cloth.bottom);
  }).map((one) => one.className);
}"""
LOOK = f"""() => ({{
  cut: ({CUT})(),
  off_the_cloth: ({OFF_THE_CLOTH})(),
  out_of_sight: ({OUT_OF_SIGHT})(),
  scrolls: document.documentElement.scrollHeight - innerHeight > 0,
}})"""


@pytest.fixture(scope="module")
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    context = chromium.new_context(base_url=server.url, reduced_motion="reduce", locale="en")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def sit(page: Page, server: Server, match: Match, seat: str, lang: str = "en") -> None:
    """To a table, on one of its seats."""
    laid = lay(server, match, names=NAMES)
    page.context.clear_cookies()
    laid.give(page.context, server, seat)
    page.context.add_cookies([{"name": "lang", "value": lang, "url": server.url}])
    page.goto(laid.path)
    expect(page.locator("html.js #table")).to_be_visible()


def on(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size.width, "height": size.height})


def face_up(cards: int) -> Wanted:
    """Both warchiefs choose, and a clan has so many cards lying face up."""
    return lambda match: (
        len(match.waiting) == 2 and any(len(clan["face_up"]) >= cards for clan in match.view().json()["clans"].values())
    )


def threatened(match: Match) -> bool:
    """Both warchiefs choose, and a loaded catapult could end the game for the Ostrogoths."""
    clans = match.view().json()["clans"]
    mine, theirs = clans["ostrogoth"], clans["visigoth"]
    in_range = theirs["catapult"] == "active" and mine["place"] not in mine["barricades"]
    return len(match.waiting) == 2 and in_range and mine["units"] == 2


HANDS = {
    "a king's eight cards": ("order", {}, lambda match: match.view().json()["turn"] > 2 and asks("order")(match)),
    "a warchief's nine": ("act", {}, face_up(0)),
    "a fan of face-up cards": ("act", {}, face_up(3)),
    "in the fog": ("look", {"fog_of_war": True}, asks("look")),
    "in danger": ("act", {}, threatened),
    "a lone ruler": ("act", {"lone_rulers": ["ostrogoth"]}, asks("act")),
}


@pytest.mark.parametrize("lang", ["en", "fr", "de", "es"])
@pytest.mark.parametrize("hand", HANDS)
def test_hand_and_button_are_in_sight_on_every_screen_and_no_clue_is_cut(
    hand: str, lang: str, page: Page, server: Server
) -> None:
    verb, rules, wanted = HANDS[hand]
    match = reach("goths", rules, wanted)
    sit(page, server, match, asked(match, verb), lang)
    assert page.locator("html").get_attribute("lang") == lang
    for size in SCREENS:
        on(page, size)
        found = page.evaluate(LOOK)
        assert found == {"cut": [], "off_the_cloth": [], "out_of_sight": [], "scrolls": False}, (size.name, found)


def test_board_cards_and_type_grow_with_the_screen(page: Page, server: Server) -> None:
    sit(page, server, reach("goths", {}, face_up(1)), "ostrogoth-warchief")
    grown = []
    for width, height in ((1280, 640), (1366, 768), (1920, 1080), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        grown.append(
            page.evaluate("""() => [".tile", ".obj", ".order", "h1"].map((one) => {
          const found = document.querySelector(`#table ${one}`);
          return one === "h1" ? parseFloat(getComputedStyle(found).fontSize) : found.getBoundingClientRect().height;
        })""")
        )
    for smaller, larger in pairwise(grown):
        assert all(one <= other for one, other in zip(smaller, larger, strict=True)), grown
    assert all(large > 1.6 * small for small, large in zip(grown[1], grown[3], strict=True)), grown


def test_on_the_first_turn_one_reads_who_one_is_and_what_wins_and_later_it_is_folded(
    page: Page, server: Server
) -> None:
    on(page, Size("desk", 1366, 768))
    match = Match.new("goths", {}, 1)
    for seat, said in (("ostrogoth-king", "the king of the Ostrogoths"), ("visigoth-warchief", "the warchief of the")):
        sit(page, server, match, seat)
        expect(page.locator(".guide summary")).to_contain_text(f"You are {said}")
        expect(page.locator(".guide dl")).to_be_visible()
        assert page.locator(".guide dt").count() == 4
        assert page.locator(".guide dd").count() == 9
    sit(page, server, reach("goths", {}, face_up(1)), "visigoth-warchief")
    expect(page.locator(".guide summary")).to_be_visible()
    expect(page.locator(".guide dl")).to_be_hidden()


def test_a_loaded_catapult_is_a_danger_that_one_is_told_of(page: Page, server: Server) -> None:
    on(page, Size("desk", 1366, 768))
    match = reach("goths", {}, threatened)
    sit(page, server, match, "ostrogoth-warchief")
    expect(page.locator(".ask .danger")).to_contain_text("Their catapult is loaded and you stand in the open")
    expect(page.locator(".board .peril")).to_have_count(1)
    sit(page, server, reach("goths", {}, lambda match: len(match.waiting) == 2), "ostrogoth-warchief")
    expect(page.locator(".ask .danger, .board .peril")).to_have_count(0)
