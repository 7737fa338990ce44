"""The site is built without a warning, loads nothing from elsewhere, and can be read and searched from a folder."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.docs.blocks import ROOT
from tests.web.browser import Visit

PAGES = ("index", "start", "goths", "romans", "own-bots", "arena", "hosting", "commands", "reference/meadhall")
LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "link": "href"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does it: a warning is an error."""
    found = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(found)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return found


class Loads(HTMLParser):
    """Collects what a page has a browser fetch, and all that it links to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.fetched += [found[LOADING[tag]] or ""] if LOADING.get(tag) in found else []
        self.fetched += (found.get("srcset") or "").split()[::2]
        self.links += [found["href"] or ""] if tag == "a" and "href" in found else []


def foreign(addresses: list[str]) -> Iterator[str]:
    return (address for address in addresses if re.match(r"(?:\w+:)?//", address))


def test_no_page_and_no_sheet_loads_anything_from_elsewhere(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    assert {str(page.relative_to(site)) for page in pages} >= {f"{name}.html" for name in PAGES}
    for page in pages:
        assert [*foreign(Loads(page).fetched)] == [], page
    for sheet in site.rglob("*.css"):
        asked = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s]+)", sheet.read_text(encoding="utf-8"))
        assert [*foreign(asked)] == [], sheet


def test_links_lead_out_of_the_site_only_to_what_we_name_ourselves(site: Path) -> None:
    ours = "".join(page.read_text(encoding="utf-8") for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    for page in site.rglob("*.html"):
        for link in foreign(Loads(page).links):
            assert link in ours, f"{page.name}: {link}"


def test_a_reader_without_a_network_reads_and_searches_it(site: Path, visit: Visit) -> None:
    page = visit((1366, 768)).new_page()
    asked: list[str] = []
    failures: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failures.append(str(error)))
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        assert page.locator("h1").count() == 1
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0, f"{name} is wider than the window"
    page.goto((site / "index.html").as_uri())
    page.click(".md-search__input")
    page.keyboard.type("redeal")
    page.locator(".md-search-result__link", has_text="meadhall.envs").first.wait_for()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert failures == []


def test_pages_fit_a_phone(site: Path, visit: Visit) -> None:
    page = visit((390, 844)).new_page()
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0, f"{name} is wider than the window"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_can_be_read_by_everybody(scheme: str, site: Path, visit: Visit) -> None:
    page = visit((1366, 768), scheme=scheme).new_page()
    for name in ("start", "goths"):
        page.goto((site / f"{name}.html").as_uri())
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], name


def test_the_reference_has_all_that_is_promised(site: Path) -> None:
    import meadhall
    import meadhall.envs

    reference = (site / "reference" / "meadhall.html").read_text()
    for name in meadhall.__all__:
        assert f'id="meadhall.{name}"' in reference, name
    environments = (site / "reference" / "envs.html").read_text()
    for name in meadhall.envs.__all__:
        assert f'id="meadhall.envs.{name}"' in environments, name
