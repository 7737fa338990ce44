"""Every page for everybody: in four languages, by day and by night, on small phones, and for whoever cannot see it."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from meadhall.match import Match
from meadhall.words import words
from tests.variants import random_choice
from tests.web.browser import DESK, PHONE, SMALL_PHONE
from tests.web.playing import PATIENCE, Complaints, Guest
from tests.web.positions import LIVELY, asked, asks, lay, reach
from tests.web.server import Server

PAGES = {
    "home": "/",
    "host goths": "/host?game=goths",
    "host romans": "/host?game=romans",
    "join": "/join",
    "rules": "/rules",
    "all pieces": "/art",
    "rulebook of goths": "/rules/goths",
    "rulebook of romans": "/rules/romans",
    "no such page": "/nowhere",
    "no such table": "/t/ZZZZZZ",
}
THREE = {"players": ["gold", "green", "red"]}


def _both_warchiefs(match: Match) -> bool:
    return len(match.waiting) == 2 and len(match.record()["choices"]) > 6


def _sealed() -> Match:
    match = reach("goths", {}, _both_warchiefs)
    match.commit("ostrogoth-warchief", "act:reconnoitre")
    return match


def _planned() -> Match:
    match = Match.new("romans", THREE, 2)
    match.commit("gold", random_choice(match, "gold", Random(2)))
    return match


def _asked(game: str, rules: dict[str, Any], verb: str) -> tuple[Callable[[], Match], str]:
    return lambda: reach(game, rules, asks(verb)), verb


# Each state of a table: how to get there, and whose eyes: a seat, the seat that is asked for something, or nobody.
FOG = {"fog_of_war": True}
STATES: dict[str, tuple[Callable[[], Match], str]] = {
    "king": (lambda: reach("goths", {}, lambda match: match.moment > 30 and len(match.waiting) == 1), "order"),
    "warchief": (lambda: reach("goths", {}, _both_warchiefs), "ostrogoth-warchief"),
    "warchief, sealed": (_sealed, "ostrogoth-warchief"),
    "king, waiting": (_sealed, "visigoth-king"),
    "goths, watched": (_sealed, ""),
    "look": _asked("goths", FOG, "look"),
    "enter": _asked("goths", FOG, "enter"),
    "disperse": _asked("goths", FOG, "disperse"),
    "goths, over": (lambda: reach("goths", {}, lambda match: match.outcome is not None), "ostrogoth-king"),
    "planning": (lambda: Match.new("romans", THREE, 2), "gold"),
    "planned": (_planned, "gold"),
    "charm": _asked("romans", LIVELY, "charm"),
    "take": _asked("romans", LIVELY, "take"),
    "keep": _asked("romans", LIVELY, "keep"),
    "discard": _asked("romans", LIVELY, "discard"),
    "reorder": _asked("romans", LIVELY, "reorder"),
    "pay": _asked("romans", LIVELY, "pay"),
    "romans, watched": (lambda: reach("romans", LIVELY, asks("charm")), ""),
    "romans, over": (lambda: reach("romans", THREE, lambda match: match.outcome is not None), "gold"),
}
ASKED = [name for name in STATES if not any(word in name for word in ("over", "watched", "waiting"))]


@pytest.fixture(scope="module")
def devices(chromium: Browser, server: Server) -> Iterator[dict[str, Page]]:
    """A desk and a phone that look at one page after another: a new window for each takes longer than the page."""
    noticed, pages = Complaints(), {}
    noticed.expect("status (of )?(404|422)")
    for name, (width, height) in {"desk": DESK, "phone": PHONE}.items():
        context = chromium.new_context(
            base_url=server.url,
            viewport={"width": width, "height": height},
            has_touch=name == "phone",
            reduced_motion="reduce",
            locale="en",
        )
        context.set_default_timeout(PATIENCE)
        noticed.listen(context)
        pages[name] = context.new_page()
    yield pages
    for page in pages.values():
        page.context.close()
    assert not noticed.unexpected, noticed.unexpected


def lobby(page: Page, server: Server) -> None:
    page.goto("/host?game=goths")
    page.locator("form.sheet .btn.big").click()
    page.wait_for_url("**/t/*")


def curtain(page: Page, server: Server) -> None:
    match = Match.new("romans", THREE, 2)
    laid = lay(server, match, together=[match.seats])
    laid.give(page.context, server, "gold")
    page.goto(laid.path)
    expect(page.locator("#table.curtain")).to_be_visible()


def full_list(page: Page, server: Server) -> None:
    lay(server, Match.new("romans", THREE, 2), names={"gold": "Ada"}, public=True)
    page.goto("/watch")
    expect(page.locator(".ticket").first).to_be_visible()


def faulty_host_form(page: Page, server: Server) -> None:
    page.goto("/host?game=goths")
    page.locator("[name=turn-limit]").fill("many")
    with page.expect_navigation():
        page.locator("form.sheet .btn.big").click()
    expect(page.locator(".slip")).to_be_visible()


def state(name: str, page: Page, server: Server) -> None:
    """To a table in such a state."""
    make, who = STATES[name]
    match = make()
    laid = lay(server, match, names={match.seats[0]: "Ada", match.seats[-1]: "Maximilian the Great"})
    page.context.clear_cookies()
    if who:
        laid.give(page.context, server, who if who in match.seats else asked(match, who))
    page.goto(laid.path)
    expect(page.locator("html.js #table")).to_be_visible()


OTHERS = {"lobby": lobby, "curtain": curtain, "list of tables": full_list, "host form with a fault": faulty_host_form}
EVERY = [*PAGES, *OTHERS, *STATES]


def show(name: str, page: Page, server: Server) -> None:
    """To any page of the site."""
    if name in PAGES:
        answer = page.goto(PAGES[name])
        assert answer
        assert answer.status == (404 if name.startswith("no such") else 200)
    elif name in OTHERS:
        OTHERS[name](page, server)
    else:
        state(name, page, server)


# Accessibility


COLOURS = ("color-contrast", "link-in-text-block")  # what can be wrong by night alone


def violations(page: Page, *rules: str) -> list[str]:
    """What axe finds by all of its rules, or by some."""
    if not page.evaluate("Boolean(window.axe?.run)"):  # the drawing of an axe has the same name
        page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = page.evaluate("(options) => axe.run(options).then((results) => results.violations)", options)
    return [f"{each['id']}: {node['html'][:160]} {node['failureSummary']}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("name", EVERY)
def test_axe_finds_nothing_by_day_nor_by_night(name: str, devices: dict[str, Page], server: Server) -> None:
    page = devices["desk"]
    page.context.clear_cookies()
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    show(name, page, server)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert violations(page, "color-contrast") == []


def test_axe_finds_nothing_in_open_menus_and_explanations(guest: Guest, server: Server) -> None:
    page = guest(None, scheme="dark")
    state("warchief", page, server)
    page.locator("#menu summary").click()
    assert violations(page) == []
    page.locator("#menu summary").click()
    page.locator("#table-menu > summary").click()
    assert violations(page) == []
    page.locator("#table-menu > summary").click()
    page.locator(".obj").first.hover()
    expect(page.locator("#tip")).to_be_visible()
    assert violations(page) == []


# Phones

WIDE = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.height && box.right > innerWidth + 1 && !one.closest(".sr, .sprite, .skip");
}).map((one) => one.outerHTML.slice(0, 120)).slice(0, 5)"""
# What is drawn smaller than a fingertip must still answer to one: to a touch 20 px beside its middle. Only what stands
# in a sentence may be as small as its words.
SMALL = """() => [...document.querySelectorAll(
  "a, button, summary, select, textarea, .pick, label[for], input:not([type=hidden], [type=radio])"
)].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
.filter((one) => !one.matches(".skip, .sr, .clause, :is(p, li, dd, td) > a:not([class]), article a, #unfold"))
.filter((one) => {  // a label beside its field, and a thing on the board that stands in a list as well
  if (one.localName !== "label" || one.matches(".pick")) return true;
  return one.control?.type === "checkbox" || (one.control?.type === "radio" && !one.control.closest(".pick"));
})
.filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  if (width >= 44 && height >= 44) return false;
  one.scrollIntoView({ block: "center" });
  const { left, top } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const near = [[20, 0], [-20, 0], [0, 20], [0, -20]].filter(([dx]) => x + dx > 0 && x + dx < innerWidth);
  const same = (hit) => one.contains(hit) || (one.control ?? one) === (hit?.closest("label")?.control ?? hit);
  return near.some(([dx, dy]) => !same(document.elementFromPoint(x + dx, y + dy)));
}).map((one) => one.outerHTML.slice(0, 160))"""


@pytest.mark.parametrize("name", EVERY)
def test_on_phones_nothing_scrolls_sideways_fingers_hit_and_the_one_button_is_in_sight(
    name: str, devices: dict[str, Page], server: Server
) -> None:
    page = devices["phone"]
    show(name, page, server)
    for width, height in (PHONE, SMALL_PHONE):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.evaluate(WIDE)
        if name in ASKED:
            box = page.locator("#act").bounding_box()
            assert box is not None
            assert 0 <= box["y"] <= height - box["height"]
            expect(page.locator(".ask h1")).to_be_visible()
    assert page.evaluate(SMALL) == []


# Languages and themes


@pytest.mark.parametrize("lang", ["en", "fr", "de", "es"])
def test_a_browser_is_greeted_in_its_own_language(lang: str, guest: Guest) -> None:
    page = guest(lang=f"{lang}-XX")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator("h1")).to_have_text(words(lang).say("ui.home.welcome"))


def test_the_language_is_switched_and_remembered_at_the_table_too(guest: Guest, server: Server) -> None:
    page = guest(None)
    state("warchief", page, server)
    for lang in ("fr", "de", "es", "en"):
        page.locator("#menu summary").click()
        page.locator(f"[name=lang][value={lang}]").click()
        expect(page.locator("html")).to_have_attribute("lang", lang)
        expect(page.locator(".board")).to_contain_text(words(lang).name("goths", "clan", "visigoth"))
        expect(page.locator("#act .label")).to_have_text(words(lang).say("goths.table.do.act"))
    page.locator("#menu summary").click()
    page.locator("[name=lang][value=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")


@pytest.mark.parametrize(
    "path", ["/", "/host?game=goths", "/host?game=romans", "/join", "/watch", "/rules", "/nowhere"]
)
def test_no_heading_or_button_of_a_german_page_is_english(path: str, devices: dict[str, Page], server: Server) -> None:
    page, seen = devices["desk"], []
    texts = page.locator("h1, h2, h3, legend, label, button:not([lang]), a.btn, option, .help")
    for lang in ("en", "de"):
        page.context.clear_cookies()
        page.context.add_cookies([{"name": "lang", "value": lang, "url": server.url}])
        page.goto(path)
        seen.append({each.strip() for each in texts.all_inner_texts()})
    same = {text for text in seen[0] & seen[1] if any(letter.isalpha() for letter in text)}
    assert same <= {"Bot", "Gold", "normal", "Goths Save the Queen", "Romans Go Home!"}


def test_day_and_night_are_switched_and_remembered(guest: Guest) -> None:
    page = guest("/")
    colour = "getComputedStyle(document.body).backgroundColor"
    by_day = page.evaluate(colour)
    page.locator("#menu summary").click()
    with page.expect_navigation():
        page.locator("[name=theme][value=dark]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    by_night = page.evaluate(colour)
    assert by_night != by_day
    page.goto("/rules")
    assert page.evaluate(colour) == by_night
    page.locator("#menu summary").click()
    with page.expect_navigation():
        page.locator("[name=theme][value='']").click()
    expect(page.locator("html[data-theme]")).to_have_count(0)
    assert page.evaluate(colour) == by_day
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) == by_night
