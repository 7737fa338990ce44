"""What browsers are told, and where changes may come from: Content-Security-Policy, other headers, Origin checks."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random
from urllib.parse import urlsplit

import httpx
import pytest

from meadhall.web.app import create
from meadhall.web.edge.session import SECRET
from meadhall.web.settings import Settings
from tests.variants import variant_named
from tests.web.lobbies import GOTHS_SEATS
from tests.web.server import Server, play_on, refused
from tests.web.visitor import Browser

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


@pytest.fixture
def browser(server: Server) -> Browser:
    return Browser(server)


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
        yield f"{game} question", browser.post(f"/t/{code}/end")
        browser.post(f"/t/{code}/end", {"sure": "yes"})
        yield f"{game} ended", browser.get(f"/t/{code}")


def test_no_page_holds_anything_inline_or_from_elsewhere(server: Server) -> None:
    for name, answer in pages(server):
        assert answer.headers["content-type"].startswith("text/html; charset=utf-8"), name
        suspect = Suspect()
        suspect.feed(answer.text)
        assert suspect.found == [], name
        assert "onerror" not in answer.text or "&lt;img" in answer.text


def static_links(text: str) -> list[str]:
    return re.findall(r"""(?:src|href)=["'](/static/[^"']+)["']""", text)


def test_a_page_a_style_and_a_script_name_their_encoding_once(browser: Browser) -> None:
    page = browser.get("/")
    text = page.text + browser.get("/t/BBBBBB").text
    links = [link for link in static_links(text) if link.endswith((".css", ".js"))]
    assert links
    for answer in (page, *(browser.get(link) for link in links)):
        assert answer.headers["content-type"].count("charset") == 1


def every_kind_of_answer(server: Server) -> Iterator[httpx.Response]:
    browser = Browser(server)
    page = browser.get("/")
    yield page
    for link in static_links(page.text):
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
