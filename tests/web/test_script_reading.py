"""The browser script, in a real chromium: telling what happened and explaining things."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import SMALL_PHONE, Visit
from tests.web.playhouse import Enter, radio, tag_is, until
from tests.web.stage import Beat, Stage

# Telling

NEWS = [
    Beat(4, "Cards are turned.", chapter="1"),
    Beat(5, "Axe is lost.", 2000, chapter="1", place="right"),
    Beat(6, "A new turn.", 500, chapter="2", place="right"),
]
AFTER = {"position": 7, "place": "right"}
SAID = [beat.say for beat in NEWS]


def shown(page: Page, beat: Beat) -> None:
    """Board, story and rail are at one beat, and nothing is asked."""
    expect(page.locator(".rail h1")).to_have_text(beat.say)
    expect(page.locator(".scene li")).to_have_text(beat.say)
    assert page.locator("#tower").get_attribute("class") == beat.place
    boards = [page.locator(part).get_attribute("data-beat") for part in (".cloth", ".scene", "#table")]
    assert boards == [str(beat.at)] * 3
    expect(page.locator("input[name=choice]")).to_have_count(0)
    expect(page.locator("#telling")).to_be_visible()


def at_the_end(page: Page) -> None:
    """The table as it is now, which asks again."""
    expect(page.locator("#table")).to_have_attribute("data-position", "7")
    expect(page.locator("input[name=choice]")).to_have_count(3)
    expect(page.locator("#telling")).to_be_hidden()
    expect(page.locator("html.telling")).to_have_count(0)


def begin(page: Page, stage: Stage) -> None:
    """Something happens, and the first beat of it is shown while time stands still."""
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    stage.change(beats=NEWS, **AFTER)
    shown(page, NEWS[0])


def test_beats_are_shown_one_by_one_each_for_its_time_and_then_the_question(enter: Enter, stage: Stage) -> None:
    page = enter()
    begin(page, stage)
    page.clock.run_for(990)
    shown(page, NEWS[0])
    page.clock.run_for(20)
    shown(page, NEWS[1])
    page.clock.run_for(1980)
    shown(page, NEWS[1])
    page.clock.run_for(20)
    shown(page, NEWS[2])
    page.clock.run_for(510)
    at_the_end(page)
    expect(page.locator("#say > *")).to_have_text(SAID)


@pytest.mark.parametrize(("speed", "ms"), [("slow", 1700), ("fast", 450)])
def test_the_speed_setting_stretches_the_time_of_a_beat(enter: Enter, stage: Stage, speed: str, ms: int) -> None:
    stage.speed = speed
    page = enter()
    begin(page, stage)
    page.clock.run_for(ms - 10)
    shown(page, NEWS[0])
    page.clock.run_for(20)
    shown(page, NEWS[1])


def test_step_by_step_a_beat_waits_for_whoever_looks_on(enter: Enter, stage: Stage) -> None:
    stage.speed = "step"
    page = enter()
    begin(page, stage)
    page.clock.run_for(100_000)
    for beat in NEWS:
        shown(page, beat)
        page.keyboard.press(" ")
    at_the_end(page)


@pytest.mark.parametrize("way", ["click", " ", "button"])
def test_a_click_or_space_finishes_the_turn_that_is_being_told(enter: Enter, stage: Stage, way: str) -> None:
    page = enter()
    begin(page, stage)
    for beat in (NEWS[2], None):
        if way == "click":
            page.locator(".scene").click()
        elif way == "button":
            page.locator("[data-skip=turn]").click()
        else:
            page.keyboard.press(way)
        if beat:
            shown(page, beat)
    at_the_end(page)
    expect(page.locator("#say > *")).to_have_text(SAID)  # nobody misses what was skipped


@pytest.mark.parametrize("way", ["Escape", "button"])
def test_escape_goes_to_the_present_at_once(enter: Enter, stage: Stage, way: str) -> None:
    page = enter()
    begin(page, stage)
    page.locator("[data-skip=all]").click() if way == "button" else page.keyboard.press(way)
    at_the_end(page)


def test_acting_does_not_wait_for_the_telling(enter: Enter, stage: Stage) -> None:
    page = enter()
    begin(page, stage)
    page.keyboard.press("2")
    at_the_end(page)
    expect(radio(page, "act:rats")).to_be_checked()


def test_what_happens_meanwhile_is_told_afterwards_and_asked_for_once(enter: Enter, stage: Stage) -> None:
    page = enter()
    begin(page, stage)
    more = Beat(7, "The stone flies.", chapter="2", place="right")
    stage.change(beats=[*NEWS, more], position=8)
    until(page, lambda: stage.asked_since == ["4", "7"])  # only what has not been sent yet
    shown(page, NEWS[0])
    page.clock.run_for(3600)
    shown(page, more)
    page.clock.run_for(1100)
    expect(page.locator("#table")).to_have_attribute("data-position", "8")
    expect(page.locator("#say > *")).to_have_text([*SAID, more.say])


def test_sums_are_counted_term_by_term_and_the_piece_that_counts_is_lit(enter: Enter, stage: Stage) -> None:
    page = enter()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    stage.change(beats=[Beat(4, "Sums.", 1000, steps=("unit-1", "", "x"))], **AFTER)
    unsaid = page.locator(".scene .unsaid")
    expect(unsaid).to_have_count(3)  # the beat is there: time may pass
    for left, lit in ((2, True), (1, False), (0, False)):
        page.clock.run_for(5)
        expect(unsaid).to_have_count(left)
        expect(page.locator("#tower.lit")).to_have_count(int(lit))
        page.clock.run_for(229)


def test_nothing_is_told_on_arrival_nor_when_nothing_happened(enter: Enter, stage: Stage) -> None:
    stage.put(beats=NEWS, **AFTER)
    page = enter()
    at_the_end(page)
    stage.change(slip="Bob came in.")
    expect(page.locator(".slip")).to_be_visible()
    at_the_end(page)
    expect(page.locator("#say")).to_have_text("")


def test_pieces_glide_when_something_happened_and_only_then(enter: Enter, stage: Stage) -> None:
    page = enter()
    page.evaluate(
        "window.moved = 0; const real = Element.prototype.animate;"
        "Element.prototype.animate = function (...all) { window.moved++; return real.apply(this, all) }; null"
    )
    stage.change(slip="Bob came in.")
    tag_is(page, "t2")
    assert page.evaluate("window.moved") == 0
    stage.change(position=6, place="right")
    tag_is(page, "t3")
    assert page.evaluate("window.moved") == 1
    stage.change(position=7, place="left", seat="red")  # another seat's page leaves no trace
    tag_is(page, "t4")
    assert page.evaluate("window.moved") == 1


def test_with_reduced_motion_every_beat_is_shown_and_nothing_moves(enter: Enter, stage: Stage, visit: Visit) -> None:
    page = enter(visit(still=True))
    begin(page, stage)
    for beat, ms in ((NEWS[1], 1010), (NEWS[2], 2010)):
        page.clock.run_for(ms)
        shown(page, beat)
        assert page.evaluate("document.getAnimations().length") == 0
    page.clock.run_for(510)
    at_the_end(page)


def test_with_telling_off_the_table_is_there_at_once_and_all_is_said(enter: Enter, stage: Stage) -> None:
    stage.speed = "off"
    page = enter()
    stage.change(beats=NEWS, **AFTER)
    at_the_end(page)
    expect(page.locator("#say > *")).to_have_text(SAID)


def test_what_a_lost_connection_hid_is_told_in_short_and_the_last_turn_in_full(enter: Enter, stage: Stage) -> None:
    page = enter()
    stage.fall()
    page.clock.run_for(2500)
    expect(page.locator("html.lost")).to_have_count(1)
    stage.put(beats=NEWS, **AFTER)
    stage.down = False
    page.clock.run_for(20_000)
    expect(page.locator("#missed li")).to_have_text(["Turn 1 Cards are turned. Axe is lost."])
    at_the_end(page)
    expect(page.locator("#say")).to_contain_text("A new turn.")
    page.locator("#recap button").click()
    expect(page.locator("#recap")).to_be_hidden()


def test_on_a_shared_device_nothing_of_the_last_seat_lies_beneath_what_all_are_told(enter: Enter, stage: Stage) -> None:
    stage.lines = [(2, "Gold alone knows this.")]
    page = enter()
    stage.change(beats=[Beat(4, "Gold looked: a trap.", 10)], position=5)
    expect(page.locator("#say")).to_contain_text("a trap")
    expect(page.locator("#table")).to_have_attribute("data-position", "5")
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    more = Beat(5, "All four cards are turned.", 1000)
    stage.change(beats=[more], seat="", lines=[(5, "All four cards are turned.")], **AFTER)
    shown(page, more)
    assert page.locator("#table").get_attribute("data-seat") == ""
    expect(page.locator("body")).not_to_contain_text("Gold alone knows this.")
    expect(page.locator("#say")).not_to_contain_text("a trap")
    page.clock.run_for(1010)
    at_the_end(page)


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
