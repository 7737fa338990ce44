"""At a real table somebody who looks elsewhere is called for his own choice, and by nothing that a partner does."""

import pytest
from playwright.sync_api import Page, expect

from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.web.playing import Guest, holding, moved_on, radio, thing
from tests.web.playing import look as seen
from tests.web.positions import lay, reach
from tests.web.server import Server
from tests.web.visitor import Browser

AWAY = "document.hasFocus = () => false"


def seal(page: Page, value: str) -> None:
    thing(page, value).click()
    page.locator("#act").click()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_warchief_is_called_when_both_kings_have_laid_and_not_before(lang: str, guest: Guest, server: Server) -> None:
    match = reach("goths", {}, lambda match: len(match.waiting) == 1 and match.moment > 10)
    (first,) = match.waiting
    clan = "visigoth" if first.startswith("ostrogoth") else "ostrogoth"
    laid = lay(server, match)
    king, other, chief = holding(guest, server, laid, first, f"{clan}-king", f"{clan}-warchief", lang=lang)
    chief.evaluate(AWAY)
    plain = chief.title()
    for page in (king, other):
        before = seen(chief)
        expect(page.locator("#table[data-asks]")).to_be_visible()
        assert chief.title() == plain
        seal(page, seen(page).values[0])
        moved_on(chief, before)
    expect(chief).to_have_title(f"● {words(lang).say('ui.table.turn', game=words(lang).title('goths'))}")
    expect(chief.locator("link[rel=icon]")).to_have_attribute("href", f"/static/{_version(chief)}/favicon-called.svg")


def _version(page: Page) -> str:
    return str(page.locator("link[rel=icon]").get_attribute("data-called")).split("/")[2]


def test_what_a_partner_seals_calls_nobody_and_ones_own_seal_ends_the_call(guest: Guest, server: Server) -> None:
    laid = lay(server, reach("goths", {}, lambda match: len(match.waiting) == 2))
    mine, other = holding(guest, server, laid, "ostrogoth-warchief", "visigoth-warchief")
    plain = mine.title()
    mine.evaluate(AWAY)
    seal(other, "act:axe")
    expect(radio(other, "act:axe")).to_have_attribute("data-sealed", "")
    expect(other.locator("#table[data-asks]")).to_have_count(0)
    assert mine.title() == plain
    expect(mine.locator("#table[data-asks]")).to_have_count(1)


def test_how_one_is_called_is_remembered_and_without_a_script_harmless(guest: Guest, server: Server) -> None:
    laid = lay(server, reach("goths", {}, lambda match: len(match.waiting) == 2))
    (page,) = holding(guest, server, laid, "ostrogoth-warchief", js=False)
    for name, before, after in (("sound", "true", "false"), ("notice", "false", "true"), ("sign", "true", "false")):
        page.locator("#menu > summary").click()
        expect(page.locator(f"#call [name={name}]")).to_have_attribute("aria-pressed", before)
        page.locator(f"#call [name={name}]").click()
        expect(page.locator(f"#call [name={name}]")).to_have_attribute("aria-pressed", after)
    assert page.locator("link[rel=icon]").get_attribute("data-ways") == "notice"


def test_nonsense_is_not_remembered_as_a_way_to_be_called(server: Server) -> None:
    browser = Browser(server)
    answer = browser.post("/settings", {"sound": "loud", "sign": "", "notice": "1", "back": "/"})
    assert not answer.headers.get_list("set-cookie")
