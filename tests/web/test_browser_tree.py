"""Whole games from the accessibility tree alone: roles, names and what is read out, as a screen reader gives them."""

import re
from random import Random

from playwright.sync_api import Page, expect

from tests.web.playing import Guest, look, my_move, play_now


def listen(page: Page) -> str:
    """All that has been read out since the last choice."""
    return page.locator("[aria-live=polite]").inner_text()


def lay_a_line(page: Page, dice: Random) -> None:
    """Take a warrior up and lay it on a place that says it is empty, six times."""
    for _ in range(6):
        cards = page.get_by_role("group", name="Your seven warriors").get_by_role("button")
        cards.nth(dice.randrange(cards.count())).click()
        page.get_by_role("button", name=re.compile("empty")).first.click()


def choose(page: Page, dice: Random) -> None:
    """Pick one of the choices by its name, and press the button that then says the same."""
    if look(page).plan == "plan":
        lay_a_line(page, dice)
    elif not look(page).plan:
        choices = page.get_by_role("radio")
        picked = choices.nth(dice.randrange(choices.count()))
        assert picked.evaluate("(radio) => radio.ariaLabel ?? radio.closest('label')?.textContent.trim()")
        picked.check(force=True)
    tag = look(page).tag
    act = page.locator("#act")
    assert act.evaluate("(button) => button.localName") == "button"
    page.get_by_role("button", name=act.inner_text().strip(), exact=True).click()
    expect(page.locator(f'#table[data-tag="{tag}"]')).to_have_count(0)


def play(page: Page, dice: Random) -> list[str]:
    """Play to the end; all that was read out."""
    heard = []
    for _ in range(150):
        if my_move(page).phase == "over":
            break
        heard.append(listen(page))
        assert page.get_by_role("heading", level=1).first.inner_text().strip()
        choose(page, dice)
    assert look(page).phase == "over"
    return [*heard, listen(page)]


def test_a_game_of_goths_is_played_from_the_tree_alone(guest: Guest) -> None:
    page = guest()
    play_now(page, "goths")
    heard = " ".join(play(page, Random(2)))
    assert re.search(r"turn up their cards", heard)
    assert re.search(r"have communicated|have not communicated", heard)
    expect(page.get_by_role("heading", name=re.compile("^You (won|lost)"))).to_be_visible()


def test_a_game_of_romans_is_played_from_the_tree_alone(guest: Guest) -> None:
    page = guest()
    play_now(page, "romans")
    heard = " ".join(play(page, Random(4)))
    for number in (1, 2):
        assert f"Round {number} is over." in heard or "Legion" in heard
    assert re.search(r"Everybody reveals: Gold .+ = \d+\.", heard, re.DOTALL)
    expect(page.get_by_role("heading", name=re.compile("^You (won|lost|came|share)"))).to_be_visible()
