"""Pictures that a server sends: what links to it are shown with, and what can be kept of a finished game."""

import asyncio
import re
from html import unescape
from io import BytesIO
from random import Random
from xml.etree import ElementTree

import httpx
import pytest
from PIL import Image

from meadhall.match import SPECTATOR, Match
from meadhall.tables.entries import Left
from meadhall.web.drawing.canvas import Drawing
from meadhall.web.drawing.cover import cover
from meadhall.web.pages.pictures import Pictures, table_drawing
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.secrets.worlds import another_world, prefix, without_sealed_choices
from tests.variants import random_game, variant_named
from tests.web.server import Server, play_on, seat_players
from tests.web.sight import Record, table_of

CASES = [
    ("goths, fog", 23),
    ("goths, base", 26),
    ("romans, four", 3),
    ("romans, two and two", 9),
    ("romans, three", 20),
]


def tags(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in found}


def opened(answer: httpx.Response) -> Image.Image:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    image = Image.open(BytesIO(answer.content))
    image.load()
    assert len(image.convert("RGB").resize((120, 63)).getcolors(120 * 63) or []) > 50
    return image


def drawn(record: Record) -> Drawing:
    return table_drawing(table_of(record), words("en"))()


@pytest.mark.parametrize(("name", "choices"), CASES)
def test_the_picture_of_a_link_is_the_same_in_every_world_a_spectator_cannot_rule_out(name: str, choices: int) -> None:
    record = random_game(variant_named(name), 4, choices).record()
    here = drawn(record).svg()
    for k in range(3):
        assert drawn(another_world(record, SPECTATOR, Random(k))).svg() == here
    assert drawn(without_sealed_choices(record, SPECTATOR, Random(1))).svg() == here


def test_the_picture_of_a_link_tells_more_once_the_game_is_over() -> None:
    record = random_game(variant_named("romans, two"), 4).record()
    last = drawn(record).svg()
    assert last != drawn(prefix(record, len(record["choices"]) - 1)).svg()
    match = Match.from_record(record)
    assert match.outcome is not None
    assert words("en").outcome("romans", match.outcome.record) in last


def test_a_table_that_waits_for_its_company_is_shown_by_its_game_alone() -> None:
    for lang in LANGUAGES:
        for games in (("goths",), ("romans",), ("goths", "romans")):
            ElementTree.fromstring(cover(words(lang), games).svg())
    record = random_game(variant_named("goths, base"), 4, 0).record()
    table = table_of(record)
    table.apply(Left(table.match.seats[0]))
    table.started = False
    table.phase = "open"
    assert table_drawing(table, words("en"))().svg() == cover(words("en"), ("goths",)).svg()


def test_pages_name_a_picture_by_its_whole_address_and_it_is_there(server: Server) -> None:
    with httpx.Client(base_url=server.url, headers={"accept-language": "de"}, timeout=60) as web:
        for path in ("/", "/join", "/rules", "/rules/goths", "/learn/goths/3", "/replay", "/art", "/no-such-page"):
            found = tags(web.get(path).text)
            assert found["og:title"]
            assert found["og:description"] == words("de").say("ui.home.what")
            assert found["twitter:card"] == "summary_large_image"
            assert found["og:image"].startswith(f"{server.url}/preview")
            assert opened(web.get(found["og:image"])).size == (1200, 630)
        assert web.get("/preview/chess.png").status_code == 404
        assert web.get("/preview/goths").status_code == 404
        assert web.get("/preview.png?lang=la").status_code == 422


def test_a_tables_picture_is_sent_once_and_anew_when_it_moves_on(server: Server) -> None:
    code, players = seat_players(server, variant_named("goths, base"))
    with httpx.Client(base_url=server.url, headers={"accept-language": "en"}, timeout=60) as web:
        found = tags(web.get(f"/t/{code}").text)
        assert found["og:description"] == words("en").say("ui.draw.about.running")
        assert re.fullmatch(rf"{server.url}/t/\w+/preview\.png\?at=\d+&lang=en", found["og:image"])
        first = web.get(found["og:image"])
        assert opened(first).size == (1200, 630)
        has = {"if-none-match": first.headers["etag"]}
        assert web.get(found["og:image"], headers=has).status_code == 304
        play_on(code, players, Random(1), 1)
        assert opened(web.get(found["og:image"], headers=has)).size == (1200, 630)
        assert tags(web.get(f"/t/{code}").text)["og:image"] != found["og:image"]
        for kept in ("picture.png", "picture.svg?at=1", "film"):
            refused = web.get(f"/t/{code}/{kept}")
            assert refused.status_code == 409
            assert words("en").say("ui.draw.refused.running") in unescape(refused.text)
        assert web.get("/t/NOSUCH/preview.png").status_code == 404


def test_a_link_to_a_beat_is_shown_with_that_beat_as_its_viewpoint_saw_it(server: Server) -> None:
    code, players = seat_players(server, variant_named("goths, base"))
    with httpx.Client(base_url=server.url, headers={"accept-language": "en"}, timeout=60) as web:
        running = tags(web.get(f"/t/{code}/replay").text)["og:image"]
        assert running == f"{server.url}/t/{code}/preview.png?lang=en"
        assert web.get(f"/t/{code}/replay.png?beat=0").status_code == 409
        play_on(code, players, Random(3))
        pictures = set()
        for query in ("?beat=2", "?beat=9", "?as=visigoth-king&beat=9"):
            shown = tags(web.get(f"/t/{code}/replay{query}").text)["og:image"]
            assert shown == f"{server.url}/t/{code}/replay.png{query}&lang=en"
            found = web.get(shown)
            assert opened(found).size == (1200, 630)
            pictures.add(found.content)
        assert len(pictures) == 3
        for amiss in ("beat=9999", "beat=x", "as=nobody&beat=1", "beat=1&lang=la"):
            assert web.get(f"/t/{code}/replay.png?{amiss}").status_code == 422


def test_pictures_of_a_finished_game_can_be_kept(server: Server) -> None:
    code, players = seat_players(server, variant_named("goths, base"))
    play_on(code, players, Random(3))
    with httpx.Client(base_url=server.url, headers={"accept-language": "fr"}, timeout=60) as web:
        page = web.get(f"/t/{code}")
        assert f'href="/t/{code}/picture.png"' in page.text
        assert tags(page.text)["og:description"].startswith(words("fr").title("goths"))
        for more in ("/replay", "/analysis"):
            named = tags(web.get(f"/t/{code}{more}").text)["og:image"]
            assert named == f"{server.url}/t/{code}/preview.png?lang=fr"
        kept = web.get(f"/t/{code}/picture.png")
        assert opened(kept).size == (1200, 630)
        assert f'filename="meadhall-{code}-' in kept.headers["content-disposition"]
        assert web.get(f"/t/{code}/picture.png", headers={"if-none-match": kept.headers["etag"]}).status_code == 304
        svgs = [
            web.get(f"/t/{code}/picture.svg{more}")
            for more in ("", "?at=3", "?at=3&seat=spectator", "?at=3&seat=ostrogoth-king", "?theme=dark", "?lang=de")
        ]
        assert all(each.headers["content-type"].startswith("image/svg+xml") for each in svgs)
        assert len({each.text for each in svgs}) == len(svgs)
        for wrong in ("at=9999", "at=x", "at=-1", "seat=gold", "theme=grey", "lang=la"):
            answer = web.get(f"/t/{code}/picture.svg?{wrong}")
            assert answer.status_code == 422, wrong
        assert f'href="/t/{code}/film"' in page.text
        moving = web.get(f"/t/{code}/film")
        assert moving.headers["content-type"] == "image/webp"
        assert re.search(rf'filename="meadhall-{code}-\d+\.webp"', moving.headers["content-disposition"])
        with Image.open(BytesIO(moving.content)) as image:
            assert image.n_frames > 1
        assert len(moving.content) < 600_000
        for wrong in ("turn=99", "turn=x", "seat=gold", "theme=grey", "lang=la"):
            assert web.get(f"/t/{code}/film?{wrong}").status_code == 422, wrong


def test_what_several_ask_for_at_once_is_drawn_once_and_little_is_kept() -> None:
    asyncio.run(_ask_for_pictures())


async def _ask_for_pictures() -> None:
    pictures = Pictures(kept=2)
    made: list[str] = []

    async def make(name: str) -> bytes:
        made.append(name)
        if name == "bad":
            raise ValueError(name)
        return name.encode()

    assert set(await asyncio.gather(*(pictures.get("a", lambda: make("a")) for _ in range(5)))) == {b"a"}
    assert made == ["a"]
    for name in "bc":
        await pictures.get(name, lambda name=name: make(name))
    await pictures.get("a", lambda: make("a"))
    assert made == ["a", "b", "c", "a"]
    for _ in range(2):
        with pytest.raises(ValueError):
            await pictures.get("bad", lambda: make("bad"))
    assert made.count("bad") == 2
