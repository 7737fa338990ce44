"""The lesson in a browser: by keys alone in four languages, told as at a table, and for whoever cannot see it."""

import re

import pytest
from playwright.sync_api import Page, expect

from meadhall.web.lesson import lesson_of
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.web.browser import PHONE
from tests.web.playing import Guest
from tests.web.test_browser_access import violations

GOTHS = lesson_of("goths")
assert GOTHS
# A digit for the right choice of each step: an order, an objective, a King card.
KEYS = {"back": "7", "face-up": "9", "first": "2", "fire": "5", "hide": "6", "look": "3", "queen": "3", "king": "6"}


def on_step(page: Page, number: int) -> None:
    page.wait_for_url(f"**/learn/goths/{number}")
    expect(page.locator("#table")).to_have_attribute("data-tone", "ask")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_lesson_is_played_by_keys_alone_from_the_home_page_to_the_first_game(guest: Guest, lang: str) -> None:
    page = guest("/", lang=lang)
    page.locator("a.lead").first.focus()
    page.keyboard.press("Enter")
    said = words(lang)
    for number, step in enumerate(GOTHS.steps, 1):
        on_step(page, number)
        expect(page.locator("#coach-title")).to_have_text(said.say(step.title))
        expect(page.locator("#table")).to_be_focused()
        page.keyboard.press(KEYS[step.name])
        assert page.locator("input[name=choice]:checked").input_value() in step.right.choices
        page.keyboard.press("Enter")
        expect(page.locator("#table")).to_have_attribute("data-tone", "right")
        expect(page.locator("#act")).to_be_focused()
        told = page.locator("#coach-text").inner_text()
        expect(page.locator("#say")).to_contain_text(told)
        page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    expect(page.locator("details.guide")).to_have_attribute("open", "")


def test_a_wrong_try_is_told_and_taken_back_by_keys(guest: Guest) -> None:
    page = guest("/learn/goths/3", speed="step", still=False)
    page.keyboard.press("6")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_class(re.compile("telling"))
    kinds = []
    while page.locator("html.telling").count():
        kinds.append(page.locator("#table").get_attribute("data-kind"))
        page.keyboard.press("Space")
    tried = GOTHS.try_out(GOTHS.steps[2], "act:barricade")
    assert kinds == [each.beat.kind for each in tried.news]
    expect(page.locator("#table")).to_have_attribute("data-tone", "wrong")
    expect(page.locator("#coach-text")).to_contain_text("They fire first")
    expect(page.locator("#say")).to_contain_text("They fire first")
    expect(page.locator("#act")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/learn/goths/3/1")
    expect(page.locator("input[name=choice]:checked")).to_have_count(0)


def test_a_refused_answer_and_a_reload_leave_the_step_as_it_was(guest: Guest) -> None:
    page = guest("/learn/goths/2", lang="de")
    page.keyboard.press("7")
    page.keyboard.press("Enter")
    expect(page.locator("#table")).to_have_attribute("data-tone", "right")
    page.reload()
    on_step(page, 2)
    page.goto("/")
    page.locator("a.lead").first.click()
    on_step(page, 2)  # where one stopped


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_a_lesson_are_open_to_all_and_fit_a_phone(guest: Guest, scheme: str) -> None:
    page = guest("/learn/goths/3", size=PHONE, scheme=scheme, lang="de")
    for choice in ("", "6"):
        if choice:
            page.keyboard.press(choice)
            page.keyboard.press("Enter")
            expect(page.locator("#table")).to_have_attribute("data-tone", "wrong")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        small = page.evaluate(
            """() => [...document.querySelectorAll(".coach a, .coach button")]
              .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent)"""
        )
        assert small == []
