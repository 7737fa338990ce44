"""With the script switched off everything works by forms and reloading."""

from random import Random

import pytest
from playwright.sync_api import expect

from meadhall.match import Match
from tests.web.playing import (
    Complaints,
    Guest,
    by_forms,
    decide,
    holding,
    host,
    join,
    look,
    play_by_forms,
    radio,
    thing,
)
from tests.web.positions import LIVELY, asked, asks, lay, reach
from tests.web.server import Server

PAIRS = [[f"{clan}-king", f"{clan}-warchief"] for clan in ("ostrogoth", "visigoth")]


def test_a_short_game_of_goths_is_played_from_home_to_the_last_card(guest: Guest) -> None:
    ada, bo = (guest(js=False) for _ in range(2))
    seats = {"ostrogoth-king": "me", "visigoth-king": "open"}
    code = host(ada, "goths", seats, "Ada", lone_ostrogoth="on", lone_visigoth="on", turn_limit="2")
    join(bo, code, "visigoth-king", "Bo")
    made = play_by_forms([ada, bo], Random(1))
    assert {each.seat for each in made} == {seat for pair in PAIRS for seat in pair}
    result = ada.locator("section.over p").inner_text()
    expect(bo.locator("section.over p")).to_have_text(result)
    bo.locator("section.over form[action$=again] button").click()
    bo.wait_for_url(lambda url: not url.endswith(code))
    ada.reload()
    ada.locator("section.over a.main").click()
    ada.wait_for_url(bo.url)


def test_a_game_of_romans_is_played_from_home_to_the_last_fort(guest: Guest) -> None:
    ada, bo = (guest(js=False) for _ in range(2))
    code = host(ada, "romans", {"violet": "nobody", "red": "nobody"}, "Ada")
    join(bo, code, "green", "Bo")
    made = play_by_forms([ada, bo], Random(2))
    assert {each.seat for each in made} == {"gold", "green"}
    result = ada.locator("section.over p").inner_text()
    expect(bo.locator("section.over p")).to_have_text(result)


@pytest.mark.parametrize("verb", ["charm", "take", "keep", "discard", "pay", "reorder"])
def test_every_question_of_romans_is_answered_by_a_form(guest: Guest, server: Server, verb: str) -> None:
    match = reach("romans", LIVELY, asks(verb))
    (page,) = holding(guest, server, lay(server, match), asked(match, verb), js=False)
    decide(page, Random(3), by_forms)
    page.wait_for_load_state()  # on a page that is only just coming there is no slip in any case
    expect(page.locator(".slip")).to_have_count(0)


def test_a_sealed_order_is_shown_and_can_be_changed(guest: Guest, server: Server) -> None:
    laid = lay(server, reach("goths", {}, lambda match: len(match.waiting) == 2))
    (page,) = holding(guest, server, laid, "ostrogoth-warchief", js=False)
    for act in ("act:axe", "act:rats"):
        thing(page, act).click()
        page.locator("#act").click()
        expect(radio(page, act)).to_have_attribute("data-sealed", "")
        expect(radio(page, act)).to_be_checked()


def test_a_senseless_line_is_refused_with_a_slip_and_nothing_is_lost(
    guest: Guest, server: Server, complaints: Complaints
) -> None:
    complaints.expect("422")
    (page,) = holding(
        guest, server, lay(server, Match.new("romans", {"players": ["gold", "green"]}, 3)), "gold", js=False
    )
    before = look(page)
    page.locator("#act").click()
    expect(page.locator(".slip")).to_be_visible()
    assert look(page).tag == before.tag


def test_a_curtain_works_by_forms(guest: Guest, server: Server) -> None:
    match = Match.new("romans", {"players": ["gold", "green"]}, 4)
    (page,) = holding(guest, server, lay(server, match, together=[match.seats]), "gold", js=False)
    dice = Random(5)
    for seat in ("gold", "green"):
        with page.expect_navigation():
            page.locator("form[action$=here]", has=page.locator(f'[value="{seat}"]')).locator("button").click()
        expect(page.locator("#table")).to_have_attribute("data-seat", seat)
        assert decide(page, dice, by_forms).seat == seat
    assert look(page).position > 0
    assert look(page).seat == ""


def test_the_language_and_the_theme_are_switched_by_forms(guest: Guest) -> None:
    page = guest("/rules", js=False)
    page.locator("#menu summary").click()
    page.locator("[name=lang][value=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator("#menu summary").click()
    page.locator("[name=theme][value=dark]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/")
    expect(page.locator("html[lang=de][data-theme=dark]")).to_be_visible()
