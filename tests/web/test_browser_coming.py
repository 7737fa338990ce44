"""Coming in: a game by one click and a choice, an invitation and one button, the tables one plays at."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import PHONE
from tests.web.playing import Guest, host, my_move, table

COUPLES = {"ostrogoth-king": "open", "ostrogoth-warchief": "me", "visigoth-king": "easy", "visigoth-warchief": "easy"}


def quick(page: Page, game: str) -> str:
    """The selector of a game's Play now."""
    page.goto("/")
    return f'form.quick:has([value="{game}"])'


@pytest.mark.parametrize("js", [True, False], ids=["with the script", "without the script"])
def test_play_now_with_another_seat_is_two_clicks(guest: Guest, js: bool) -> None:
    page = guest(js=js)
    form = quick(page, "goths")
    page.locator(f"{form} label", has=page.locator("[value=king]")).click()
    page.locator(f"{form} button").click()
    page.wait_for_url("**/t/*")
    expect(table(page)).to_have_attribute("data-seat", "ostrogoth-king")


def test_play_now_is_chosen_and_started_by_the_keyboard_alone(guest: Guest) -> None:
    page = guest()
    form = quick(page, "romans")
    page.locator(f"{form} [name=rivals]:checked").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"{form} [name=rivals][value='3']")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.locator(f"{form} [name=level][value=easy]")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    assert my_move(page).seat == "gold"
    expect(page.locator("#table-menu .stool")).to_have_count(4)


def test_a_preset_fills_in_the_seats_and_asks_for_names_where_they_are_needed(guest: Guest) -> None:
    page = guest("/host?game=romans")
    expect(page.locator(".chair input:visible")).to_have_count(0)
    page.locator(".presets a[href$='preset=device']").click()
    page.wait_for_url("**preset=device")
    expect(page.locator(".presets [aria-current]")).to_have_attribute("href", "/host?game=romans&preset=device")
    expect(page.locator(".chair input:visible")).to_have_count(2)
    page.locator("[name=seat-green]").select_option("easy")
    expect(page.locator(".chair input:visible")).to_have_count(1)
    page.locator("[name=name-red]").fill("Dora")
    page.locator("form.sheet .big").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#table.curtain")).to_be_visible()


@pytest.mark.parametrize("js", [True, False], ids=["with the script", "without the script"])
def test_one_button_seats_an_invited_person_beside_whoever_invites_him(guest: Guest, js: bool) -> None:
    anna, ben = guest(), guest(js=js, size=PHONE)
    code = host(anna, "goths", COUPLES, name="Anna")
    ben.goto(f"/t/{code}")
    expect(ben.locator("h1")).to_have_text("Anna invites you to Goths Save the Queen")
    expect(ben.locator("[data-copy], .qr")).to_have_count(0)
    button = ben.locator("#sit button")
    expect(button).to_be_in_viewport()
    ben.locator("#name").fill("Ben")
    button.click()
    expect(table(ben)).to_have_attribute("data-seat", "ostrogoth-king")
    expect(anna.locator("#table.table")).to_be_visible()
    assert "Ben" in str(anna.locator("#table").text_content())


def test_whoever_is_invited_may_choose_another_free_seat(guest: Guest) -> None:
    anna, ben = guest(), guest()
    code = host(anna, "goths", COUPLES | {"visigoth-king": "open"}, name="Anna")
    ben.goto(f"/t/{code}")
    ben.locator("#name").fill("Ben")
    ben.locator(".stool button[value=visigoth-king]").click()
    expect(ben.locator(".stool", has_text="King of the Visigoths")).to_contain_text("you, Ben")
    expect(anna.locator(".stool", has_text="King of the Visigoths")).to_contain_text("Ben")


def test_what_one_types_stays_while_others_sit_down(guest: Guest) -> None:
    anna, ben, cy = guest(), guest(), guest()
    code = host(anna, "goths", COUPLES | {"visigoth-king": "open"})
    for page in (ben, cy):
        page.goto(f"/t/{code}")
        expect(page.locator("h1")).to_have_text("Somebody invites you to Goths Save the Queen")
    cy.locator("#name").fill("Cy")
    ben.locator("#sit button").click()
    expect(cy.locator("#sit button")).to_have_attribute("value", "visigoth-king")
    expect(cy.locator("#name")).to_have_value("Cy")


def test_the_link_is_given_to_the_share_sheet_of_the_device(guest: Guest) -> None:
    page = guest()
    page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    code = host(page, "goths", COUPLES)
    page.locator("[data-share-button]").click()
    page.wait_for_function("window.shared")
    shared = json.loads(page.evaluate("JSON.stringify(window.shared)"))
    assert shared["url"].endswith(f"/t/{code}")
    assert "Goths Save the Queen" in shared["text"]


def test_where_there_is_no_share_sheet_there_is_only_the_button_that_copies(guest: Guest) -> None:
    page = guest()
    page.add_init_script("delete Navigator.prototype.share;")
    host(page, "goths", COUPLES)
    expect(page.locator("[data-copy-button]")).to_be_visible()
    expect(page.locator("[data-share-button]")).to_be_hidden()
