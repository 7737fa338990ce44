"""The page of all drawings: nothing is missing, everything has a name, in both themes and three sizes."""

import re
from html import unescape
from xml.etree import ElementTree

import httpx
import pytest

from meadhall.games.goths.state import ACTIONS, OBJECTIVES, TOKENS
from meadhall.games.romans.state import CLANS, FORTS, WARRIORS
from meadhall.web.art import art_of, shared_signs, sheet
from meadhall.web.drawing import art
from meadhall.web.romans.pieces import Names
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.web.browser import DESK, PHONE, Visit
from tests.web.server import Server

GAMES = ("goths", "romans")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_drawing_has_a_name_of_its_own(lang: str) -> None:
    told = words(lang)
    kinds = [shared_signs(told), *(kind for game in GAMES for kind in art_of(game).signs(told))]
    shown = [sign for kind in kinds for sign in kind.signs]
    assert sorted(art.symbols()) == sorted(sign.symbol for sign in shown)
    for kind in kinds:
        names = [sign.name for sign in kind.signs]
        assert len(set(names)) == len(names), names


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_piece_lies_on_its_games_sheet(lang: str) -> None:
    told = words(lang)
    titles = {}
    for game in GAMES:
        root = ElementTree.fromstring(sheet(game, told, "dark").svg())
        titles[game] = [each.text for each in root.iter("{http://www.w3.org/2000/svg}title")]
    goths, romans = titles["goths"], titles["romans"]
    for number, action in enumerate(ACTIONS, 1):
        assert goths.count(f"{number} {told.name('goths', 'action', action)}") == 2
    for kind, values in (("objective", OBJECTIVES), ("token", TOKENS)):
        for value in values:
            assert told.name("goths", kind, value) in goths
    names = Names(told, {})
    for warrior in WARRIORS:
        assert romans.count(names.warrior(warrior)) == len(CLANS)
    for fort in FORTS:
        assert names.fort(fort) in romans


def test_the_page_shows_all_of_them_in_three_sizes_by_day_and_by_night(server: Server) -> None:
    with httpx.Client(base_url=server.url, headers={"accept-language": "de"}, timeout=60) as web:
        page = web.get("/art")
        assert page.status_code == 200
        assert len(page.content) < 150_000
        for name in art.symbols():
            assert page.text.count(f'<use href="#{name}" />') >= 6, name
        sheets = re.findall(r'src="(/art/[^"]+)"', page.text)
        assert len(sheets) == 4
        for address in map(unescape, sheets):
            found = web.get(address)
            assert found.headers["content-type"].startswith("image/svg+xml")
            ElementTree.fromstring(found.text)
        for missing in ("/art/chess.svg", "/art/goths", "/art/goths.png"):
            assert web.get(missing).status_code == 404
        assert web.get("/art/goths.svg?theme=grey").status_code == 422
        assert 'href="/art"' in web.get("/").text


@pytest.mark.parametrize(("scheme", "size"), [("light", DESK), ("dark", PHONE)])
def test_both_themes_are_there_whichever_one_the_reader_has(
    visit: Visit, server: Server, scheme: str, size: tuple[int, int]
) -> None:
    page = visit(size, scheme=scheme).new_page()
    page.goto(f"{server.url}/art")
    grounds = {
        name: page.locator(f".by-{name}").first.evaluate("it => getComputedStyle(it).backgroundColor")
        for name in ("light", "dark")
    }
    assert grounds == {"light": "rgb(230, 216, 188)", "dark": "rgb(34, 27, 21)"}
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for sheet_ in page.locator(".sheets img").all():
        sheet_.scroll_into_view_if_needed()
        sheet_.evaluate("it => it.decode()")
        drawn, room = sheet_.evaluate("it => [[it.naturalWidth, it.naturalHeight], [it.width, it.height]]")
        assert drawn[0] == 1200
        assert abs(drawn[1] / drawn[0] - room[1] / room[0]) < 0.01
        assert sheet_.get_attribute("height") == str(drawn[1])
    sizes = page.locator(".sizes").first.locator("svg").all()
    widths = [each.evaluate("it => it.getBoundingClientRect().width") for each in sizes]
    assert widths == sorted(set(widths))
    assert len(widths) == 3
