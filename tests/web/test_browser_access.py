"""Every page for everybody: in four languages, by day and by night, on small phones, and for whoever cannot see it."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from meadhall.match import Match
from meadhall.words import words
from tests.variants import random_choice
from tests.web.browser import PHONE, SMALL_PHONE
from tests.web.playing import Complaints, Guest, holding
from tests.web.positions import LIVELY, asked, asks, lay, reach
from tests.web.server import Server

Opened = Callable[..., Page]  # with the device's properties
PAGES = {
    "home": "/",
    "host goths": "/host?game=goths",
    "host romans": "/host?game=romans",
    "join": "/join",
    "rules": "/rules",
    "rulebook of goths": "/rules/goths",
    "rulebook of romans": "/rules/romans",
    "no such page": "/nowhere",
    "no such table": "/t/BBBBBB",
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


def state(name: str, guest: Guest, server: Server, **device: Any) -> Page:
    """A page at a table in such a state."""
    make, who = STATES[name]
    match = make()
    laid = lay(server, match, names={match.seats[0]: "Ada", match.seats[-1]: "Maximilian the Great"})
    seat = who if who in match.seats or not who else asked(match, who)
    if not seat:
        return guest(laid.path, **device)
    return holding(guest, server, laid, seat, **device)[0]


def lobby(guest: Guest, server: Server, **device: Any) -> Page:
    page = guest("/host?game=goths", **device)
    page.locator("form.sheet .go button").click()
    page.wait_for_url("**/t/*")
    return page


def curtain(guest: Guest, server: Server, **device: Any) -> Page:
    match = Match.new("romans", THREE, 2)
    (page,) = holding(guest, server, lay(server, match, together=[match.seats]), "gold", **device)
    return page


def full_list(guest: Guest, server: Server, **device: Any) -> Page:
    lay(server, Match.new("romans", THREE, 2), names={"gold": "Ada"}, public=True)
    return guest("/watch", **device)


def faulty_host_form(guest: Guest, server: Server, **device: Any) -> Page:
    page = guest("/host?game=goths", **device)
    page.locator("[name=turn-limit]").fill("many")
    page.locator("form.sheet .go button").click()
    expect(page.locator(".slip")).to_be_visible()
    return page


OTHERS = {"lobby": lobby, "curtain": curtain, "list of tables": full_list, "host form with a fault": faulty_host_form}
EVERY = [*PAGES, *OTHERS, *STATES]


def opened(name: str, guest: Guest, server: Server, complaints: Complaints, **device: Any) -> Page:
    """Any page of the site."""
    complaints.expect("status (of )?(404|422)")
    if name in PAGES:
        return guest(PAGES[name], **device)
    return OTHERS[name](guest, server, **device) if name in OTHERS else state(name, guest, server, **device)


# Accessibility


def violations(page: Page, **options: Any) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]} | options).response["violations"]
    return [f"{each['id']}: {node['html'][:160]} {node['failureSummary']}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("name", EVERY)
def test_axe_finds_nothing_by_day_nor_by_night(name: str, guest: Guest, server: Server, complaints: Complaints) -> None:
    page = opened(name, guest, server, complaints)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, runOnly=["color-contrast"]) == []


def test_axe_finds_nothing_on_an_empty_list_of_tables(guest: Guest, tmp_path_factory: pytest.TempPathFactory) -> None:
    with Server(tmp_path_factory.mktemp("empty")) as fresh:
        page = guest("/watch", at=fresh)
        expect(page.locator(".ticket")).to_have_count(0)
        assert violations(page) == []


def test_axe_finds_nothing_in_open_menus_and_explanations(guest: Guest, server: Server) -> None:
    page = state("warchief", guest, server, scheme="dark")
    page.locator("#menu summary").click()
    assert violations(page) == []
    page.locator("#menu summary").click()
    page.locator("#table-menu summary").click()
    assert violations(page) == []
    page.locator("#table-menu summary").click()
    page.locator(".obj").first.hover()
    expect(page.locator("#tip")).to_be_visible()
    assert violations(page) == []


# Phones

WIDE = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.height && box.right > innerWidth + 1 && !one.closest(".sr, .sprite, .skip");
}).map((one) => one.outerHTML.slice(0, 120)).slice(0, 5)"""
# What is drawn smaller than a fingertip must still answer to one: to a touch 20 px beside its middle.
SMALL = """() => [...document.querySelectorAll(
  "#act, .seal, .btn, summary, select, .pick, input:not([type=hidden], [type=radio], [type=checkbox])"
)].filter((one) => one.checkVisibility({ visibilityProperty: true })).filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  if (width >= 44 && height >= 44) return false;
  one.scrollIntoView({ block: "center" });
  const { left, top } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const near = [[20, 0], [-20, 0], [0, 20], [0, -20]].filter(([dx]) => x + dx > 0 && x + dx < innerWidth);
  return near.some(([dx, dy]) => !one.contains(document.elementFromPoint(x + dx, y + dy)));
}).map((one) => one.outerHTML.slice(0, 160))"""


@pytest.mark.parametrize("name", EVERY)
def test_nothing_scrolls_sideways_on_phones(name: str, guest: Guest, server: Server, complaints: Complaints) -> None:
    page = opened(name, guest, server, complaints, size=PHONE, touch=True)
    for width, height in (PHONE, SMALL_PHONE):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.evaluate(WIDE)


@pytest.mark.parametrize("name", EVERY)
def test_whatever_a_finger_must_hit_is_large_enough(
    name: str, guest: Guest, server: Server, complaints: Complaints
) -> None:
    page = opened(name, guest, server, complaints, size=SMALL_PHONE, touch=True)
    assert page.evaluate(SMALL) == []


@pytest.mark.parametrize("name", ASKED)
def test_the_one_button_is_in_sight_on_a_phone_in_every_decision(name: str, guest: Guest, server: Server) -> None:
    page = state(name, guest, server, size=PHONE, touch=True)
    for width, height in (PHONE, SMALL_PHONE):
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator("#act").bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= height - box["height"]
        expect(page.locator(".ask h1")).to_be_visible()


# Languages and themes


@pytest.mark.parametrize("lang", ["en", "fr", "de", "es"])
def test_a_browser_is_greeted_in_its_own_language(lang: str, guest: Guest) -> None:
    page = guest(lang=f"{lang}-XX")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator("h1")).to_have_text(words(lang).say("ui.home.welcome"))


def test_the_language_is_switched_and_remembered_at_the_table_too(guest: Guest, server: Server) -> None:
    page = state("warchief", guest, server)
    for lang in ("fr", "de", "es", "en"):
        page.locator("#menu summary").click()
        page.locator(f"[name=lang][value={lang}]").click()
        expect(page.locator("html")).to_have_attribute("lang", lang)
        expect(page.locator(".board")).to_contain_text(words(lang).name("goths", "clan", "visigoth"))
        expect(page.locator("#act .label")).to_have_text(words(lang).say("goths.table.do.act"))
    page.locator("#menu summary").click()
    page.locator("[name=lang][value=de]").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")


@pytest.mark.parametrize(
    "path", ["/", "/host?game=goths", "/host?game=romans", "/join", "/watch", "/rules", "/nowhere"]
)
def test_no_heading_or_button_of_a_german_page_is_english(path: str, guest: Guest, complaints: Complaints) -> None:
    complaints.expect("404")
    texts = "h1, h2, h3, legend, label, button:not([lang]), a.btn, option, .help"
    seen = {
        lang: {each.strip() for each in guest(path, lang=lang).locator(texts).all_inner_texts()}
        for lang in ("en", "de")
    }
    same = {text for text in seen["en"] & seen["de"] if any(letter.isalpha() for letter in text)}
    assert same <= {"Bot", "Gold", "normal", "Goths Save the Queen", "Romans Go Home!"}


def test_day_and_night_are_switched_and_remembered(guest: Guest) -> None:
    page = guest("/")
    colour = "getComputedStyle(document.body).backgroundColor"
    by_day = page.evaluate(colour)
    page.locator("#menu summary").click()
    page.locator("[name=theme][value=dark]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    by_night = page.evaluate(colour)
    assert by_night != by_day
    page.goto("/rules")
    assert page.evaluate(colour) == by_night
    page.locator("#menu summary").click()
    page.locator("[name=theme][value='']").click()
    expect(page.locator("html[data-theme]")).to_have_count(0)
    assert page.evaluate(colour) == by_day
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) == by_night
