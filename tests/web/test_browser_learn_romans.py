"""The lesson of Romans in a browser: by keys alone in four languages, by a finger, and for whoever cannot see it."""

import re

import pytest
from playwright.sync_api import Page, expect

from meadhall.web.lesson import Step, lesson_of
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.web.browser import PHONE
from tests.web.playing import Guest, tab_to
from tests.web.test_browser_access import violations

LESSON = lesson_of("romans")
assert LESSON
# A digit for the right choice of each step, or the warrior that is to be laid and the digit of its place.
KEYS = {"stays": "1", "charm": "1", "keep": "1", "legions": "2"}
LAID = {"plan": ("charriott", "1"), "tie": ("archr", "3"), "crash": ("charriott", "3"), "cost": ("filchy", "2")}


def answer_by_keys(page: Page, step: Step) -> None:
    """Choose what is asked for without a pointer."""
    if step.name in KEYS:
        page.keyboard.press(KEYS[step.name])
    else:
        warrior, place = LAID[step.name]
        tab_to(page, ".plan [data-card]")
        for _ in range(7):
            if page.evaluate("document.activeElement.dataset.warrior") == warrior:
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press(place)
        tab_to(page, "#act")
    assert LESSON
    chosen = page.locator("input[name=choice]:checked").input_value()
    assert LESSON.try_out(step, chosen).right
    page.keyboard.press("Enter")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_lesson_is_played_by_keys_alone_to_a_first_game_against_gentle_bots(guest: Guest, lang: str) -> None:
    assert LESSON
    page = guest("/learn/romans", lang=lang)
    for number, step in enumerate(LESSON.steps, 1):
        page.wait_for_url(f"**/learn/romans/{number}")
        expect(page.locator("#table")).to_have_attribute("data-tone", "ask")
        expect(page.locator("#coach-title")).to_have_text(words(lang).say(step.title))
        answer_by_keys(page, step)
        expect(page.locator("#table")).to_have_attribute("data-tone", "right")
        expect(page.locator("#act")).to_be_focused()
        expect(page.locator("#say")).to_contain_text(page.locator("#coach-text").inner_text())
        page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    expect(page.locator(".tray [data-card]")).to_have_count(7)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_wrong_line_is_told_turn_by_turn_and_taken_back_on_a_phone(guest: Guest, scheme: str) -> None:
    assert LESSON
    page = guest("/learn/romans/7", size=PHONE, scheme=scheme, touch=True, lang="de", speed="step", still=False)
    page.locator(".tray [data-warrior=charriott]").tap()
    page.locator("[data-slot='2'] .hole").tap()
    line = page.locator("input[name=choice]:checked").input_value()
    assert violations(page) == []
    page.locator("#act").tap()
    expect(page.locator("html")).to_have_class(re.compile("telling"))
    tried = LESSON.try_out(LESSON.steps[6], line)
    kinds = []
    while page.locator("html.telling").count() and len(kinds) <= len(tried.news):
        kinds.append(page.locator("#table").get_attribute("data-kind"))
        page.keyboard.press("Space")
    assert kinds == [each.beat.kind for each in tried.news]
    expect(page.locator("#table")).to_have_attribute("data-tone", "wrong")
    expect(page.locator("#coach-text")).to_have_text(words("de").say("romans.learn.cost.took"))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#act").tap()
    page.wait_for_url("**/learn/romans/7/1")
    expect(page.locator("[data-slot='2'] [data-card]")).to_have_count(0)
    expect(page.locator(".tray [data-card]")).to_have_count(2)
