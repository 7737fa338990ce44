"""The rules in a real browser: search with and without a script, pictures that fit, a summary on one sheet."""

import re

import pytest
from playwright.sync_api import Page, expect

from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.web.playing import Guest
from tests.web.server import Server


def search(page: Page, text: str) -> None:
    page.get_by_role("searchbox").fill(text)


def test_search_filters_as_one_types_and_a_result_leads_to_its_clause(guest: Guest) -> None:
    page = guest("/rules/goths")
    search(page, "axe FOREST")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"Rules found: \d+"))
    expect(page.locator("#G6\\.8")).to_be_visible()
    expect(page.locator("#G6\\.1")).to_be_hidden()
    shown = page.locator(".rule:visible .number").all_inner_texts()
    assert page.locator(".results b").all_inner_texts() == shown
    assert page.evaluate("CSS.highlights.get('found').size") >= 2 * len(shown)
    page.locator(".results a", has_text="G6.8").click()
    expect(page.locator("#G6\\.1")).to_be_visible()
    expect(page.locator("#G6\\.8")).to_be_in_viewport()
    search(page, "")
    expect(page.locator(".results li")).to_have_count(0)
    search(page, "xylophone")
    expect(page.get_by_role("status")).to_contain_text("Nothing found for “xylophone”")
    expect(page.locator("#G6\\.1")).to_be_visible()


def test_search_needs_no_script_and_no_accents(guest: Guest) -> None:
    page = guest("/rules/goths", js=False, lang="fr")
    search(page, "FORET catapulte")
    page.get_by_role("button", name="Chercher").click()
    page.wait_for_url("**/rules/goths?q=FORET+catapulte")
    found = page.locator(".results a")
    assert "G6.5" in found.locator("b").all_inner_texts()
    assert {text.lower() for text in page.locator("#G6\\.5 mark").all_inner_texts()} == {"forêt", "catapulte"}
    expect(page.locator("#G6\\.1")).to_be_visible()
    search(page, "<b>rien")
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Rien trouvé pour «\xa0<b>rien\xa0»")


def test_the_address_of_a_clause_leads_to_it_and_contents_stay_in_sight(guest: Guest) -> None:
    page = guest("/rules/romans#R5.4", size=(1366, 768))
    expect(page.locator("#R5\\.4")).to_be_in_viewport()
    expect(page.get_by_role("searchbox")).to_be_in_viewport()
    page.locator("#R1\\.2 .ours").click()
    expect(page.locator("#why-R1\\.2")).to_be_in_viewport()
    page.locator("#why-R1\\.2 .number").click()
    expect(page.locator("#R1\\.2")).to_be_in_viewport()


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_no_picture_is_wider_than_its_place(guest: Guest, game: str) -> None:
    page = guest(None, lang="de")
    over = """() => [...document.querySelectorAll(".shown .cell, .one-page li")].filter((cell) => {
        const place = cell.closest(".shown").getBoundingClientRect();
        return [...cell.querySelectorAll(".war, .wcard, .kback, .kfront, .tile, .obj, .fort, .sum-row")].some(
            (piece) => piece.getBoundingClientRect().right > place.right + 1);
    }).map((cell) => cell.closest("[id]").id)"""
    for path in (f"/rules/{game}", f"/rules/{game}/summary"):
        page.goto(path)
        for width in (360, 820, 1366, 2560):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(over) == [], width


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_summary_prints_on_one_sheet_in_every_language(guest: Guest, server: Server, game: str) -> None:
    page = guest(None)
    for lang in LANGUAGES:
        page.context.add_cookies([{"name": "lang", "value": lang, "url": server.url}])
        page.goto(f"/rules/{game}/summary")
        expect(page.get_by_role("heading", name=words(lang).say("ui.summary.turn"))).to_be_visible()
        for paper in ("A4", "Letter"):
            printed = page.pdf(format=paper, print_background=True)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, (lang, paper)


def test_the_button_prints(guest: Guest) -> None:
    page = guest(None)
    page.add_init_script("window.print = () => { document.title = 'printed'; }")
    page.goto("/rules/goths")
    page.get_by_role("link", name="The rules on one page").click()
    page.wait_for_url("**/rules/goths/summary")  # and until its script is there
    page.get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    page.get_by_role("link", name="All rules").click()
    page.wait_for_url("**/rules/goths")


def test_there_is_no_summary_of_what_is_no_game(guest: Guest) -> None:
    assert guest(None, js=False).request.get("/rules/chess/summary").status == 404
