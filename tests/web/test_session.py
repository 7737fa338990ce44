"""Who is asking: cookies, shared devices, secrets that are in no other place, and settings."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from meadhall.lab.analysis import VERSION
from meadhall.web.edge.session import SECRET, fingerprint
from meadhall.words.languages import LANGUAGES
from tests.variants import random_game, variant_named
from tests.web.positions import lay
from tests.web.server import Server, client, pick, play_on, seat_players, until
from tests.web.visitor import Browser, cookies_set

TWO = variant_named("romans, two")


@pytest.fixture
def browser(server: Server) -> Browser:
    return Browser(server)


# Cookies


def seat_shown(page: str) -> str | None:
    """The seat through whose eyes a page shows a table; none where there is no table."""
    found = re.search(r"""data-seat=["']([a-z-]*)["']""", page)
    return found and found[1]


def test_a_seat_is_held_by_a_cookie_that_no_script_can_read_and_no_other_site_can_send(browser: Browser) -> None:
    answer = browser.post("/play", {"game": "goths"})
    made = cookies_set(answer)
    assert set(made) == {SECRET, "tables"}
    for attributes in made.values():
        assert {"httponly", "samesite=lax", "path=/"} <= attributes
        assert "secure" not in attributes
        assert not any(part.startswith("domain") for part in attributes)
    assert len(browser.secret) >= 43


def test_over_https_every_cookie_is_for_https_alone(server: Server) -> None:
    behind_a_proxy = Browser(server, **{"x-forwarded-proto": "https", "host": "meadhall.example"})
    behind_a_proxy.origin = "https://meadhall.example"
    opened = behind_a_proxy.post("/play", {"game": "romans"})
    settings = behind_a_proxy.post("/settings", {"lang": "fr", "theme": "dark", "speed": "fast"})
    code = opened.headers["location"].rpartition("/")[2]
    curtain = behind_a_proxy.post(f"/t/{code}/away")
    made = cookies_set(opened) | cookies_set(settings) | cookies_set(curtain)
    assert set(made) == {SECRET, "tables", "lang", "theme", "speed", f"shown_{code}"}
    for attributes in made.values():
        assert {"secure", "httponly"} <= attributes
    assert {"samesite=strict", f"path=/t/{code}".lower()} <= made[f"shown_{code}"]


def test_two_visitors_have_two_secrets_and_one_keeps_his(server: Server) -> None:
    one, other = Browser(server), Browser(server)
    one.play("goths")
    other.play("goths")
    assert one.secret != other.secret
    kept = one.secret
    one.play("romans")
    assert one.secret == kept


def test_the_cookie_holds_the_seat_on_the_pages_and_in_the_json_interface_alike(
    browser: Browser, server: Server
) -> None:
    code = browser.play("goths")
    assert browser.get(f"/api/tables/{code}").json()["seat"] == "ostrogoth-warchief"
    assert server.player(browser.secret).table(code)["seat"] == "ostrogoth-warchief"
    assert Browser(server).get(f"/api/tables/{code}").json()["seat"] is None


def test_a_code_lets_one_watch_but_never_act_for_another(browser: Browser, server: Server) -> None:
    code = browser.play("romans")
    stranger = Browser(server)
    page = stranger.get(f"/t/{code}")
    assert page.status_code == 200
    assert seat_shown(page.text) == ""
    position = str(browser.get(f"/api/tables/{code}").json()["position"])
    plan = pick(browser.get(f"/api/tables/{code}").json(), Random(1))
    for path, form in (
        ("choose", {"seat": "gold", "position": position, "choice": plan}),
        ("leave", {"seat": "gold"}),
        ("bot", {"seat": "gold", "level": "easy"}),
        ("here", {"seat": "gold"}),
        ("end", {}),
        ("pace", {"ms": "0"}),
        ("again", {}),
    ):
        assert stranger.post(f"/t/{code}/{path}", form).status_code == 403, path
    assert stranger.post(f"/t/{code}/sit", {"seat": "gold"}).status_code == 409
    table = browser.get(f"/api/tables/{code}").json()
    assert (table["seat"], table["phase"], table["view"]["own"]) == ("gold", "playing", None)


# A shared device


def test_the_cookie_of_a_shared_device_shows_no_seat_that_one_does_not_hold(server: Server) -> None:
    code, players = seat_players(server, variant_named("romans, three"))
    play_on(code, players, Random(1), 2)
    for seat, token in (("red", players["red"].token), (None, None)):
        plain = {"cookie": f"{SECRET}={token}"} if token else {}
        page = client(server.url).get(f"/t/{code}", headers=plain).text
        assert seat_shown(page) == (seat or "")
        for shown in ("violet.", "violet.0", "green.99", "nonsense.x", ".", "violet.9999999999999", "a;b", '"', "=="):
            odd = {"cookie": f"shown_{code}={shown}" + (f"; {SECRET}={token}" if token else "")}
            assert client(server.url).get(f"/t/{code}", headers=odd).text == page


def test_two_people_on_one_device_see_neither_the_other_nor_a_third(server: Server) -> None:
    family = Browser(server)
    form = {"game": "romans", "seat-gold": "me", "seat-green": "device", "seat-red": "open", "seat-violet": "nobody"}
    opened = family.post("/host", form)
    code = opened.headers["location"].rpartition("/")[2]
    guest = server.player()
    guest.sit(code)
    curtain = family.get(f"/t/{code}").text
    assert 'class="curtain' in curtain
    assert family.post(f"/t/{code}/here", {"seat": "red"}).status_code == 403
    forged = {"cookie": f"shown_{code}=red.; {SECRET}={family.secret}"}
    assert client(server.url).get(f"/t/{code}", headers=forged).text == curtain
    assert family.post(f"/t/{code}/here", {"seat": "green"}).status_code == 303
    assert seat_shown(family.get(f"/t/{code}").text) == "green"
    assert family.post(f"/t/{code}/away").status_code == 303
    assert seat_shown(family.get(f"/t/{code}").text) != "green"


# Secrets in no other place


def test_no_secret_is_in_any_url_page_json_or_line_of_the_log(server: Server) -> None:
    browser = Browser(server)
    code, players = seat_players(server, TWO)
    tokens = [player.token or "" for player in players.values()]
    host_token = tokens[0]
    bodies = [
        server.player(token).ask("GET", f"/tables/{code}{path}").text for token in tokens for path in ("", "/events")
    ]
    play_on(code, players, Random(2))
    for game in ("goths", "romans"):
        at = browser.play(game)
        browser.post("/settings", {"lang": "de", "back": f"/t/{at}"})
        paths = (f"/t/{at}", f"/t/{at}/record", f"/api/tables/{at}", "/", "/host", "/join", "/watch", "/rules")
        bodies += [browser.get(path).text for path in paths]
        bodies.append(browser.get(f"/t/{at}", **{"x-fragment": "table"}).text)
        bodies.append(browser.post(f"/t/{at}/choose", {"choice": "nonsense", "position": "1"}).text)
        bodies.append(browser.post("/host", {"game": game, "name": "x" * 99}).text)
    bodies.append(server.player(host_token).ask("GET", f"/tables/{code}/record").text)
    secrets = [*tokens, browser.secret]
    known = [*secrets, *map(fingerprint, secrets)]
    log = server.log
    assert f'"path": "/t/{code}' in log or f"/tables/{code}" in log
    for text in (*bodies, log):
        assert not any(secret in text for secret in known)
    links = [link for body in bodies for link in re.findall(r'(?:href|action|src|value)="([^"]*)"', body)]
    assert links
    assert not any(secret in link for link in links for secret in known)


def answers_of(failing: Server, code: str) -> list[httpx.Response]:
    """What is said to requests that carry secrets, at a server in which something fails."""
    return [
        failing.http.get(f"/api/tables/{code}", headers={"authorization": "Bearer very-secret-token"}),
        failing.http.get(f"/t/{code}", headers={"cookie": f"{SECRET}=very-secret-cookie"}),
        failing.http.get(f"/t/{code}", headers={"authorization": "Bearer very-secret"}),
    ]


def check_log(failing: Server, count: int) -> None:
    """So many failures were logged, and no secret of whoever asked."""
    failed = [each for each in map(json.loads, failing.log.splitlines()) if each["event"] == "request failed"]
    assert len(failed) == count
    assert all(each["exception"] for each in failed)
    assert "very-secret" not in failing.log
    assert fingerprint("very-secret-cookie") not in failing.log


def test_a_failure_inside_is_logged_without_the_secrets_of_whoever_asked(tmp_path: Path) -> None:
    with Server(tmp_path) as failing:
        code = lay(failing, random_game(variant_named("goths, seven turns"), 1, 500)).code
        with closing(sqlite3.connect(failing.db)) as connection:
            kept = "id, ?, 'maker', 0, 0, 'no key of ours', NULL"
            connection.execute(f"INSERT INTO analyses SELECT {kept} FROM tables", (VERSION,))
            connection.commit()
        token, *others = answers_of(failing, f"{code}/analysis")
        assert [answer.status_code for answer in (token, *others)] == [500] * 3
        assert token.json() == {"status_code": 500, "detail": "something went wrong here; nothing was lost"}
        assert not any(word in answer.text for answer in others for word in ("Traceback", "sqlite", "SELECT"))
        check_log(failing, 3)


def test_while_the_store_is_away_everybody_is_told_to_come_back_soon(tmp_path: Path) -> None:
    with Server(tmp_path) as failing:
        with closing(sqlite3.connect(failing.db)) as connection:
            connection.execute("ALTER TABLE tables RENAME TO elsewhere")
        token, *others = answers_of(failing, "BBBBBB")
        made = failing.http.post("/api/tables", json={"game": "goths"})
        assert [answer.status_code for answer in (token, made, *others)] == [503] * 4
        assert all(answer.headers["retry-after"] == "5" for answer in (token, made, *others))
        assert token.json()["status_code"] == made.json()["status_code"] == 503
        assert "try again" in token.json()["detail"]
        assert "out of reach" in others[0].text
        assert failing.http.get("/healthz").status_code == 503
        check_log(failing, 0)
        with closing(sqlite3.connect(failing.db)) as connection:
            connection.execute("ALTER TABLE elsewhere RENAME TO tables")
        assert answers_of(failing, "BBBBBB")[0].status_code == 404
        # A new table could not be written: that it answers again is said after the next write, which health asks for.
        until(lambda: failing.http.get("/healthz").status_code == 200 and "answers again" in failing.log)
        told = [each["event"] for each in map(json.loads, failing.log.splitlines()) if "database" in each["event"]]
        assert [re.sub(r"\d+\.\d", "N", event) for event in told] == [
            "the database does not answer: no such table: tables",
            "the database answers again, after N s and 5 failures",
        ], "once, and not for each request"


# Settings


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.1, es-MX;q=0.5", "es"),
        ("pt, it;q=0.9, fr;q=0.2", "fr"),
        ("ja", "en"),
        ("*", "en"),
        ("fr;q=nonsense, de", "de"),
        ("de; q=0.9", "de"),
        ("fr ; q=0.2 , es; q=0.5", "es"),
        ("en;q=0.3,\tde ;\tQ=0.8", "de"),
        ("fr;level=1;q=0.5, es;q=0.1", "fr"),
        (",;q=,,--,;q=1;q=2", "en"),
        ("x" * 5000, "en"),
        ("fr;q=nan, de;q=0.5", "de"),
        ("fr;q=0, es;q=0.1", "es"),
    ],
)
def test_the_language_is_the_browsers_at_first(accepted: str, lang: str, server: Server) -> None:
    page = Browser(server).get("/", **{"accept-language": accepted})
    assert f'<html lang="{lang}"' in page.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_that_was_chosen_is_remembered(lang: str, browser: Browser) -> None:
    answer = browser.post("/settings", {"lang": lang, "theme": "dark", "speed": "fast", "back": "/rules"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules")
    page = browser.get("/", **{"accept-language": "ja"})
    assert f'<html lang="{lang}" data-theme="dark" data-speed="fast"' in page.text
    assert f'<html lang="{lang}"' in browser.get("/nothing").text


def test_settings_that_make_no_sense_are_not_kept(browser: Browser) -> None:
    answer = browser.post("/settings", {"lang": "xx", "theme": "<script>", "speed": "warp", SECRET: "mine"})
    assert cookies_set(answer) == {}
    browser.http.cookies.update({"lang": "../../etc", "theme": '"><script>', "speed": "warp"})
    assert re.search(r'<html lang="en"\s+data-speed="normal">', browser.get("/").text)


@pytest.mark.parametrize(
    "back",
    [
        "https://evil.example/",
        "//evil.example/",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "\t//evil.example",
        " //evil.example",
        "http:evil.example",
        "javascript:alert(1)",
        "/%0d%0aset-cookie:x=y",
        "/\r\nset-cookie: x=y",
        "/.//evil.example",
        "/..//evil.example",
        "",
        "evil.example",
        "/ok\u2028//evil.example",
    ],
)
def test_settings_lead_back_to_our_own_pages_only(back: str, browser: Browser) -> None:
    answer = browser.post("/settings", {"lang": "en", "back": back})
    assert answer.status_code == 303
    assert set(cookies_set(answer)) == {"lang"}
    location = answer.headers["location"]
    # As a browser reads it: blanks around and tabs and line ends inside do not count, a backslash is a slash.
    read = re.sub(r"[\t\r\n]", "", location.strip()).replace("\\", "/")
    assert urlsplit(urljoin(f"{browser.origin}/settings", read)).netloc == urlsplit(browser.origin).netloc
    assert not read.startswith("//")


# Play now


@pytest.mark.parametrize(
    ("form", "mine"),
    [
        ({"game": "goths"}, ["ostrogoth-warchief"]),
        ({"game": "goths", "seat": "king", "level": "medium"}, ["ostrogoth-king"]),
        ({"game": "goths", "seat": "both"}, ["ostrogoth-king", "ostrogoth-warchief"]),
        ({"game": "romans", "rivals": "3", "level": "hard"}, ["gold"]),
    ],
)
def test_play_now_gives_the_seat_one_asked_for(browser: Browser, form: dict[str, str], mine: list[str]) -> None:
    code = browser.post("/play", form).headers["location"].rpartition("/")[2]
    table = browser.get(f"/api/tables/{code}").json()
    assert table["phase"] == "playing"
    assert table["mine"] == mine
    levels = {seat["level"] for seat in table["seats"] if seat["seat"] not in mine}
    assert levels == ({form["level"]} if "level" in form else {"easy", "random"})


@pytest.mark.parametrize(
    "form",
    [
        {"game": "goths", "seat": "queen"},
        {"game": "goths", "level": "<b>"},
        {"game": "romans", "rivals": "0"},
        {"game": "romans", "level": "random"},
    ],
)
def test_play_now_with_nonsense_opens_nothing_and_says_what_would_be_right(
    browser: Browser, form: dict[str, str]
) -> None:
    answer = browser.post("/play", form)
    assert answer.status_code == 422
    assert "That game cannot start." in answer.text
    assert "choose one of these" in answer.text
    assert "set-cookie" not in answer.headers


def test_a_preset_is_a_page_and_an_unknown_one_is_not_found(browser: Browser) -> None:
    page = browser.get("/host?game=goths&preset=device").text
    assert page.count('<option value="device" selected>') == 3
    assert browser.get("/host?game=romans&preset=couples").status_code == 404
