"""The browser script, in a real chromium: telling what happened and explaining things."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import SMALL_PHONE, Visit
from tests.web.playhouse import Enter, pick, radio, tag_is
from tests.web.stage import Stage

# Telling

NEWS = [
    (2, "The king meant axe."),
    (4, "Cards are turned."),
    (5, 'The <i role="img" aria-label="7"></i> is lost.'),
    (5, "Ostrogoths march."),
]
SEEN = "[...document.querySelectorAll('.story li')].map((l) => getComputedStyle(l).visibility === 'visible')"


def test_new_lines_are_told_one_a_beat_and_read_out(enter: Enter, stage: Stage) -> None:
    stage.beat = "3600s"
    page = enter()
    stage.change(position=6, lines=NEWS)
    said = ["Cards are turned.", "The 7 is lost.", "Ostrogoths march."]
    for told in (1, 2, 3):
        expect(page.locator("#say > *")).to_have_text(said[:told])
        assert page.evaluate(SEEN) == [number <= told for number in range(4)]
        page.clock.fast_forward("50:00")  # not yet
        assert page.locator("#say > *").count() == told
        page.clock.fast_forward("11:00")
    expect(page.locator("#say > *")).to_have_text(said)


@pytest.mark.parametrize("way", ["click", "Escape", " "])
def test_a_click_or_key_shows_all_at_once(enter: Enter, stage: Stage, way: str) -> None:
    stage.beat = "3600s"
    page = enter()
    stage.change(position=6, lines=NEWS)
    tag_is(page, "t2")
    assert page.evaluate(SEEN) == [True, True, False, False]
    pick(page, "act:rats")  # choosing goes on meanwhile
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    expect(page.locator("#tip")).to_be_hidden()  # Escape is the bubble's while there is one
    if way == "click":
        page.locator(".story li").first.click()
    else:
        page.keyboard.press(way)
    assert page.evaluate(SEEN) == [True] * 4
    expect(page.locator("#say > *")).to_have_count(3)


def test_a_swap_in_the_middle_of_telling_goes_on_where_it_was(enter: Enter, stage: Stage) -> None:
    stage.beat = "3600s"
    page = enter()
    stage.change(position=6, lines=NEWS)
    tag_is(page, "t2")
    stage.change(position=7, lines=[*NEWS, (6, "A new turn.")])
    tag_is(page, "t3")
    expect(page.locator("#say > *")).to_have_text(["Cards are turned.", "The 7 is lost."])
    assert page.evaluate(SEEN) == [True, True, True, False, False]


def test_nothing_is_told_on_arrival_nor_when_nothing_happened(enter: Enter, stage: Stage) -> None:
    stage.beat = "3600s"
    stage.lines = NEWS
    stage.position = 6
    page = enter()
    assert page.evaluate(SEEN) == [True] * 4
    stage.change(slip="Bob came in.")
    tag_is(page, "t2")
    assert page.evaluate(SEEN) == [True] * 4
    expect(page.locator("#say")).to_have_text("")


def count_glides(page: Page) -> None:
    page.evaluate(
        "window.glides = []; const real = document.startViewTransition.bind(document);"
        "document.startViewTransition = (change) => { const names = () =>"
        " [...document.querySelectorAll('[data-move]')].map((e) => e.style.viewTransitionName);"
        " const before = names(); return real(() => { change(); window.glides.push([before, names()]) }) }; null"
    )


def test_pieces_glide_when_something_happened_and_only_then(enter: Enter, stage: Stage) -> None:
    page = enter()
    count_glides(page)
    stage.change(slip="Bob came in.")
    tag_is(page, "t2")
    stage.change(position=6, place="right")
    tag_is(page, "t3")
    assert page.evaluate("window.glides") == [[["m-unit-1"], ["m-unit-1"]]]
    page.wait_for_function("() => document.querySelector('[data-move]').style.viewTransitionName === ''")
    stage.change(position=7, seat="red")  # another seat's page leaves no trace
    tag_is(page, "t4")
    assert len(page.evaluate("window.glides")) == 1


@pytest.mark.parametrize("how", ["reduced motion", "speed off"])
def test_without_motion_everything_is_there_at_once(enter: Enter, stage: Stage, visit: Visit, how: str) -> None:
    stage.beat = "3600s"
    if how == "speed off":
        stage.speed = "off"
    page = enter(visit(still=how == "reduced motion"))
    count_glides(page)
    stage.change(position=6, lines=NEWS, place="right")
    tag_is(page, "t2")
    assert page.evaluate(SEEN) == [True] * 4
    expect(page.locator("#say > *")).to_have_count(3)
    assert page.evaluate("window.glides") == []


# Explaining


def test_a_bubble_on_hover_can_be_reached_and_dismissed(enter: Enter) -> None:
    page = enter()
    tip = page.locator("#tip")
    page.locator("#forest").hover()
    expect(tip).to_have_text("Forest: hides an army.")
    expect(page.locator("#forest")).to_have_attribute("aria-describedby", "tip")
    expect(page.locator("#forest")).not_to_have_attribute("title", re.compile("."))
    tip.hover()
    page.clock.run_for(1000)  # longer than it lingers: reaching it has kept it
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(page.locator("#forest")).not_to_have_attribute("aria-describedby", "tip")
    page.locator("#plain").hover()
    expect(tip).to_have_text("Plain: nothing special.")
    page.locator("h1").hover()
    expect(tip).to_be_hidden()


# What browsers send when the page, not the pointer, has moved: some only the first of the two.
CAME_UNDER = """(thing) => {
  for (const type of ["pointerover", "pointermove"])
    thing.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: "mouse", ...window.spot }));
}"""


def test_what_comes_to_lie_under_a_still_pointer_explains_nothing_until_the_pointer_moves(
    stage: Stage, enter: Enter
) -> None:
    page = enter()
    page.evaluate("addEventListener('pointermove', ({screenX, screenY}) => (window.spot = {screenX, screenY}), true)")
    tip, far = page.locator("#tip"), page.locator("#far")
    box = far.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    far.evaluate("(far) => (far.hidden = true)")
    page.mouse.move(x, y)
    far.evaluate("(far) => (far.hidden = false)")  # the page moves under the pointer
    far.evaluate(CAME_UNDER)
    page.clock.run_for(1000)
    expect(tip).to_be_hidden()
    stage.change(position=5)  # and so does a fresh table
    tag_is(page, "t2")
    far.evaluate(CAME_UNDER)
    page.clock.run_for(1000)
    expect(tip).to_be_hidden()
    page.mouse.move(x + 1, y)
    expect(tip).to_be_visible()


def test_keyboard_focus_explains_cards_through_their_radios(enter: Enter) -> None:
    page = enter()
    tip = page.locator("#tip")
    radio(page, "act:axe").focus()
    page.keyboard.press("ArrowRight")
    expect(tip).to_have_text("About act:rats")
    expect(radio(page, "act:rats")).to_have_attribute("aria-describedby", "tip")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(radio(page, "act:rats")).to_be_checked()


def test_a_bubble_stays_inside_a_small_phone(enter: Enter, visit: Visit) -> None:
    page = enter(visit(SMALL_PHONE))
    for thing in ("#far", "#forest"):
        page.locator(thing).hover()
        expect(page.locator(thing)).to_have_attribute("aria-describedby", "tip")
        box = page.locator("#tip").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= SMALL_PHONE[0]
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL_PHONE[0]


def test_a_bubble_keeps_off_the_button(enter: Enter, stage: Stage) -> None:
    stage.extra = '<p id="below" title="Just below the button, so that its bubble would lie over it.">Below</p>'
    page = enter()
    page.locator("#below").hover()
    expect(page.locator("#tip")).to_be_visible()
    apart = "() => { const [a, b] = ['act', 'tip'].map((id) => document.getElementById(id).getBoundingClientRect());"
    assert page.evaluate(
        apart + "return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top }"
    )


def test_a_long_press_explains_and_does_not_pick(enter: Enter, visit: Visit) -> None:
    context = visit(SMALL_PHONE, touch=True, is_mobile=True)
    page = enter(context)
    card = page.locator(".pick", has=radio(page, "act:rats"))
    box = card.bounding_box()
    assert box
    finger = {"x": box["x"] + 40, "y": box["y"] + 40}
    hand = context.new_cdp_session(page)
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    expect(page.locator("#tip")).to_have_text("About act:rats")
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(radio(page, "act:rats")).not_to_be_checked()
    expect(page.locator("#tip")).to_be_visible()
    card.tap()
    expect(radio(page, "act:rats")).to_be_checked()
    expect(page.locator("#tip")).to_be_hidden()


def test_a_group_is_one_tab_stop_with_arrows_inside(enter: Enter) -> None:
    page = enter()
    assert page.evaluate("[...document.querySelectorAll('[data-group] [tabindex]')].map((e) => e.tabIndex)") == [
        0,
        -1,
        -1,
        -1,
    ]
    page.keyboard.press("Tab")
    expect(page.locator("#forest")).to_be_focused()
    expect(page.locator("#tip")).to_have_text("Forest: hides an army.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#plain")).to_be_focused()
    expect(page.locator("#tip")).to_have_text("Plain: nothing special.")
    page.keyboard.press("End")
    expect(page.locator("#far")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#tower")).to_be_focused()
    page.keyboard.press("Tab")
    expect(radio(page, "act:axe")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#tower")).to_be_focused()


# The rest


@pytest.mark.parametrize("clipboard", [True, False])
def test_the_link_is_copied_and_said_so(enter: Enter, stage: Stage, visit: Visit, clipboard: bool) -> None:
    stage.kind = "page lobby"
    stage.extra = (
        '<input readonly value="http://stage/t/ABCD" data-copy><button data-copy-button data-done="Copied.">Copy'
    )
    context = visit(permissions=["clipboard-read", "clipboard-write"])
    page = enter(context)
    if not clipboard:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true})")
    page.locator("[data-copy-button]").click()
    expect(page.locator("[data-copy-button]")).to_have_text("Copied.")
    expect(page.locator("#say")).to_have_text("Copied.")
    if clipboard:
        assert page.evaluate("navigator.clipboard.readText()") == "http://stage/t/ABCD"
