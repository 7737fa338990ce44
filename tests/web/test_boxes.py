"""Where everything lies: what tells most of the states and screens of `make shots`, and proof that its checks find."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.shots.boxes import Finding, findings
from tests.shots.camera import Camera, View
from tests.shots.sizes import SIZES
from tests.shots.states import STATES
from tests.web.server import Server

LANGS = ("en", "de")
FOUR = ("phone", "side", "laptop", "large")
# `make shots` looks at all states on all screens; these are the fullest.
LOOKED_AT = {
    "home": FOUR,
    "host-goths": ("small", "tablet"),
    "gathering": ("small", "short"),
    "learn-goths": FOUR,
    "learn-goths-won": ("small", "tablet"),
    "goths-king": FOUR,
    "goths-warchief": FOUR,
    "goths-misread": ("small", "side", "short"),
    "goths-won": ("phone", "laptop"),
    "romans-plan-four": FOUR,
    "romans-half-laid": ("small", "side", "short"),
    "romans-charm": ("side", "tablet", "laptop", "large"),
    "romans-signal": ("side", "short"),
    "romans-over-four": ("phone", "side", "laptop"),
    "art": ("small", "laptop"),
    "rulebook-goths": ("phone", "laptop"),
    "rulebook-romans": ("phone", "side"),
    "summary-goths": ("phone", "laptop"),
}


@pytest.fixture(scope="module")
def camera(chromium: Browser, server: Server) -> Iterator[Camera]:
    """One window for all states."""
    camera = Camera(chromium, server)
    yield camera
    camera.close()


@pytest.mark.parametrize("name", LOOKED_AT)
def test_nothing_is_cut_off_or_lies_on_something_else_and_the_hand_is_in_sight(name: str, camera: Camera) -> None:
    state = STATES[name]
    views = [View(SIZES[size], lang) for size in LOOKED_AT[name] for lang in LANGS]
    wrong = {
        view.name: [str(each) for each in findings(page, view.size, state.asks) if not each.soft]
        for view, page in camera.views(state, views)
    }
    assert {view: found for view, found in wrong.items() if found} == {}


# The checks themselves

SOUND = """
<header><a href="#" class="big">Rules</a> <a href="#" class="big">Menu</a></header>
<main class="cloth"><div class="card"><p>All of this can be read.</p></div></main>
<div class="scroller"><p>Long words in a box that scrolls can be reached.</p></div>
<section class="rail"><label class="pick"><input type="radio" name="choice">One</label>
<label class="pick"><input type="radio" name="choice">Two</label><button id="act" class="big">Go</button></section>
"""
LOOK = """
body { margin: 0; font: 16px/1.4 sans-serif } .big, .pick { display: inline-block; min-width: 60px; height: 50px }
.pick input { position: absolute; opacity: 0 } .card { width: 200px; padding: 8px; background: #eee }
.scroller { width: 60px; height: 40px; overflow: auto }
"""
FAULTS = {
    "sideways": ".cloth { width: 500px }",
    "cut off": ".card p { width: 60px; overflow: hidden; white-space: nowrap }",
    "cut off ": ".card p { width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }",
    "cut off  ": ".card { height: 30px; width: 40px; overflow: hidden }",
    "out of its card": ".card { width: 50px; white-space: nowrap }",
    "overlap": "header a + a { margin-left: -30px }",
    "overlap ": ".card { margin-top: -40px }",
    "overlap  ": ".pick + .pick { margin-left: -40px }",
    "small type": ".card { font-size: 11px }",
    "small target": "header .big { height: 20px; min-width: 30px }",
    "hand": ".rail { margin-top: 800px }",
    "hand ": ".pick { display: block; margin-left: -30px }",
    "covered": ".rail { position: sticky; bottom: 0; margin-top: -30px } .scroller { display: none }",
}


@pytest.fixture(scope="module")
def blank(chromium: Browser) -> Iterator[Page]:
    """An empty page on a phone."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


def found_in(page: Page, look: str) -> list[Finding]:
    page.set_content(f"<style>{LOOK}{look}</style>{SOUND}")
    return findings(page, SIZES["phone"], asks=True)


def test_a_sound_page_has_no_findings(blank: Page) -> None:
    assert found_in(blank, "") == []


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_of_each_kind_is_found(kind: str, blank: Page) -> None:
    assert kind.strip() in {each.kind for each in found_in(blank, FAULTS[kind]) if not each.soft}


def test_on_an_upright_phone_cards_may_be_scrolled_to_but_the_button_must_be_in_sight(blank: Page) -> None:
    below = [each for each in found_in(blank, ".rail { margin-top: 800px }") if each.kind == "hand"]
    assert {each.soft for each in below} == {True, False}
    stuck = "main { height: 900px } .rail { display: contents } #act { position: sticky; bottom: 0 }"
    assert {each.soft for each in found_in(blank, stuck) if each.kind == "hand"} == {True}
