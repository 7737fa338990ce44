"""Who is asking, and what browsers are told to keep: cookies, the Content-Security-Policy, Origin checks, settings."""

import asyncio
import io
import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from meadhall.languages import LANGUAGES
from meadhall.web.app import create
from meadhall.web.session import SECRET, fingerprint
from meadhall.web.settings import Settings
from tests.variants import variant_named
from tests.web.halls import GOTHS_SEATS
from tests.web.server import Server, client, pick, play_on, refused, seat_players

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
TWO = variant_named("romans, two")


class Browser:
    """Somebody at the pages: a client with cookies that sends the Origin of the page it is on, as browsers do."""

    def __init__(self, server: Server, **headers: str) -> None:
        self.http = client(server.url, headers=headers)
        self.origin = server.url

    def get(self, path: str, **more: str) -> httpx.Response:
        return self.http.get(path, headers=more)

    def post(self, path: str, form: dict[str, str] | None = None, **headers: str) -> httpx.Response:
        return self.http.post(path, data=form or {}, headers={"origin": self.origin} | headers)

    def play(self, game: str) -> str:
        """One click; the code of the table."""
        answer = self.post("/play", {"game": game})
        assert answer.status_code == 303
        return answer.headers["location"].rpartition("/")[2]

    @property
    def secret(self) -> str:
        return self.http.cookies[SECRET]


@pytest.fixture
def browser(server: Server) -> Browser:
    return Browser(server)


def cookies_set(answer: httpx.Response) -> dict[str, set[str]]:
    """The attributes of each cookie, by its name."""
    lines = [line.split("; ") for line in answer.headers.get_list("set-cookie")]
    return {first.partition("=")[0]: {part.lower() for part in rest} for first, *rest in lines}


# Cookies


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
    assert 'data-seat=""' in page.text
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
        assert f'data-seat="{seat or ""}"' in page
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
    assert 'data-seat="green"' in family.get(f"/t/{code}").text
    assert family.post(f"/t/{code}/away").status_code == 303
    assert 'data-seat="green"' not in family.get(f"/t/{code}").text


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


def test_a_failure_inside_is_logged_without_the_secrets_of_whoever_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    app = create(Settings(db=str(tmp_path_factory.mktemp("failing") / "x.sqlite"), rate_limit=0))
    monkeypatch.undo()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    async def ask() -> list[httpx.Response]:
        # Nothing has opened the store, so whatever needs it fails.
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
            return [
                await http.get("/api/tables/BBBBBB", headers={"authorization": "Bearer very-secret-token"}),
                await http.get("/t/BBBBBB", headers={"cookie": f"{SECRET}=very-secret-cookie"}),
            ]

    answers = asyncio.run(ask())
    assert [answer.status_code for answer in answers] == [500, 500]
    assert answers[0].json() == {"status_code": 500, "detail": "something went wrong here; nothing was lost"}
    assert "Traceback" not in answers[1].text
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["request failed"] * 2
    assert all(line["exception"] for line in lines)
    assert "very-secret" not in log.getvalue()


# What browsers are told


LINKS = ("src", "href", "action", "srcset", "poster", "data", "xlink:href", "formaction")


class Suspect(HTMLParser):
    """Everything in a page that a strict policy would block, or that leads away from our site."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("style", "iframe", "object", "embed", "base"):
            self.found.append(f"<{tag}>")
        if tag == "script":
            self.in_script = True
            if not (given.get("src") or "").startswith("/static/"):
                self.found.append(f"<script src={given.get('src')}>")
        for name, value in attrs:
            if name == "style" or name.startswith("on"):
                self.found.append(f'{tag} {name}="{value}"')
            if name in LINKS and not re.match(r"(/(?!/)|#|data:image/)", value or ""):
                self.found.append(f'{tag} {name}="{value}"')

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.in_script = False

    def handle_endtag(self, tag: str) -> None:
        self.in_script = False

    def handle_data(self, data: str) -> None:
        if self.in_script and data.strip():
            self.found.append(f"inline script: {data[:40]}")


def pages(server: Server) -> Iterator[tuple[str, httpx.Response]]:
    """Every kind of page there is."""
    browser = Browser(server)
    for path in (
        "/",
        "/host?game=goths",
        "/host?game=romans",
        "/join",
        "/watch",
        "/rules",
        "/rules/goths",
        "/rules/romans",
    ):
        yield path, browser.get(path)
    for path in ("/nothing", "/t/BBBBBB", "/rules/chess", "/host?game=chess"):
        yield path, browser.get(path)
    yield "a form with faults", browser.post("/host", {"game": "romans", "name": "<script>alert(1)</script>" * 9})
    yield "an unknown code", browser.post("/join", {"code": '"><script>'})
    for game in ("goths", "romans"):
        code = browser.play(game)
        yield f"{game} at play", browser.get(f"/t/{code}")
        yield f"{game} fragment", browser.get(f"/t/{code}", **{"x-fragment": "table"})
        yield f"{game} watched", Browser(server).get(f"/t/{code}")
        yield f"{game} refused", browser.post(f"/t/{code}/choose", {"choice": "<b>", "position": "0"})
        seats = dict.fromkeys(GOTHS_SEATS, "me") if game == "goths" else {"gold": "me", "green": "me"}
        device = server.player(browser.secret)
        shared = device.open_table(game, seats, rules=TWO.rules if game == "romans" else {"turn_limit": 1})
        yield f"{game} curtain", browser.get(f"/t/{shared}")
        host = server.player(browser.secret)
        yield f"{game} lobby", browser.get(f"/t/{host.open_table(game, name='<img src=x onerror=alert(1)>')}")
        play_on(shared, dict.fromkeys(seats, device), Random(4))
        yield f"{game} over", browser.get(f"/t/{shared}")
        browser.post(f"/t/{code}/end")
        yield f"{game} ended", browser.get(f"/t/{code}")


def test_no_page_holds_anything_inline_or_from_elsewhere(server: Server) -> None:
    for name, answer in pages(server):
        assert answer.headers["content-type"].startswith("text/html; charset=utf-8"), name
        suspect = Suspect()
        suspect.feed(answer.text)
        assert suspect.found == [], name
        assert "onerror" not in answer.text or "&lt;img" in answer.text


def test_a_page_a_style_and_a_script_name_their_encoding_once(browser: Browser) -> None:
    page = browser.get("/")
    links = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:css|js))"', page.text + browser.get("/t/BBBBBB").text)
    for answer in (page, *(browser.get(link) for link in links)):
        assert answer.headers["content-type"].count("charset") == 1


def every_kind_of_answer(server: Server) -> Iterator[httpx.Response]:
    browser = Browser(server)
    page = browser.get("/")
    yield page
    for link in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text):
        yield browser.get(link)
    for path in ("/healthz", "/metrics", "/api/games", "/api/openapi.json", "/api/tables/BBBBBB", "/nothing", "/api/x"):
        yield browser.get(path)
    yield browser.get("/static/x/nothing.js")
    yield browser.http.put("/api/tables", headers={"origin": server.url})
    yield browser.http.options("/api/tables")
    yield browser.http.head("/healthz")
    yield browser.post("/play", {"game": "goths"})
    yield browser.post("/play", {"game": "chess"})
    yield browser.post("/play", {"game": "goths"}, origin="https://evil.example")
    yield browser.http.post("/api/tables", content=b"{", headers={"origin": server.url})
    yield browser.http.post("/api/tables", content=b"x" * 100_000, headers={"origin": server.url})


def test_every_answer_carries_the_same_strict_headers(server: Server) -> None:
    statuses = set()
    for answer in every_kind_of_answer(server):
        statuses.add(answer.status_code)
        policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
        assert policy == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["permissions-policy"]
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers
        kept = answer.url.path.startswith("/static/") and answer.status_code == 200
        assert ("immutable" in answer.headers["cache-control"]) == kept
        assert kept or answer.headers["cache-control"] == "no-store"
    assert {200, 303, 400, 403, 404, 405, 413} <= statuses


# Where changes come from


def changing_routes() -> list[tuple[str, str]]:
    """The method and path of everything that changes something."""
    app = create(Settings(db="/nowhere/x.sqlite"))
    return sorted(
        (method, re.sub(r"\{(\w+):str\}", r"{\1}", route.path_format if hasattr(route, "path_format") else route.path))
        for route in app.routes
        for method in getattr(route, "methods", ())
        if method not in ("GET", "HEAD", "OPTIONS")
    )


def test_every_change_is_known_to_these_tests() -> None:
    assert len(changing_routes()) >= 18
    assert {method for method, _ in changing_routes()} == {"POST", "DELETE"}


@pytest.mark.parametrize(("method", "path"), changing_routes())
def test_a_change_that_another_site_sends_is_refused(method: str, path: str, server: Server) -> None:
    host = server.player()
    code = host.open_table("romans", {"gold": "me", "green": "me"}, rules=TWO.rules)
    before = host.table(code)
    where = path.replace("{code}", code).replace("{seat}", "gold")
    cookie = {"cookie": f"{SECRET}={host.token}"}
    port = urlsplit(server.url).port
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://["},
        {"origin": f"{server.url}.evil.example"},
        {"origin": f"http://127.0.0.1:{port}@evil.example"},
        {"origin": "http://127.0.0.1"},
        {"origin": f"http://localhost:{port}"},
        {"origin": f"ftp://127.0.0.1:{port}"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {},
    ):
        answer = server.http.request(method, where, headers=cookie | headers)
        assert answer.status_code == 403, headers
        assert "another site" in answer.text
        assert "set-cookie" not in answer.headers
    assert host.table(code) == before


@pytest.mark.parametrize("headers", [{"origin": "SAME"}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}])
def test_a_change_from_our_own_pages_is_let_in(headers: dict[str, str], server: Server) -> None:
    ours = {name: value.replace("SAME", server.url) for name, value in headers.items()}
    answer = server.http.post("/play", data={"game": "goths"}, headers={"cookie": f"{SECRET}=x"} | ours)
    assert answer.status_code == 303


def test_a_program_without_cookies_needs_no_origin_but_must_not_send_a_foreign_one(server: Server) -> None:
    assert server.http.post("/api/tables", json={"game": "goths"}).status_code == 201
    answer = server.http.post("/api/tables", json={"game": "goths"}, headers={"origin": "https://evil.example"})
    refused(answer, 403, "another site")


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
    assert '<html lang="en" data-speed="normal">' in browser.get("/").text


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
