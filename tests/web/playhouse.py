"""What the tests of the browser script share: a stage, a page opened on it, and its small everyday acts."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.web.browser import DESK
from tests.web.stage import Stage, open_stage

NETWORK = re.compile("Failed to load resource|ERR_|status of [45]")

Enter = Callable[..., Page]


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    server = open_stage(stage)
    yield stage
    stage.held.set()
    stage.cut()
    server.shutdown()
    server.server_close()


@pytest.fixture
def troubles() -> Iterator[list[str]]:
    """Whatever a page complains of, other than the network failures a test makes on purpose."""
    found: list[str] = []
    yield found
    assert [line for line in found if not NETWORK.search(line)] == []


@pytest.fixture(scope="module")
def desk(chromium: Browser) -> Iterator[BrowserContext]:
    """The device most tests use: the stage knows no cookies, so one does for all."""
    context = chromium.new_context(viewport={"width": DESK[0], "height": DESK[1]})
    context.set_default_timeout(8000)
    yield context
    context.close()


@pytest.fixture
def enter(stage: Stage, desk: BrowserContext, troubles: list[str]) -> Enter:
    """Opens the table and waits until it is live."""

    def go(context: BrowserContext | None = None) -> Page:
        page = (context or desk).new_page()
        page.clock.install()  # time passes as ever, but can be made to pass faster
        page.clock.resume()  # the device's clock may stand still since an earlier test
        page.on("console", lambda note: troubles.append(note.text) if note.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (e) => console.error('CSP', e.violatedDirective));"
            "addEventListener('unhandledrejection', (e) => console.error('rejected', String(e.reason)));"
        )
        page.goto(stage.address)
        expect(page.locator("html.js")).to_have_count(1)
        if stage.live_status == 200:
            until(page, lambda: len(stage.streams) > 0)
        return page

    return go


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Waits for something on the server's side, letting the browser go on meanwhile."""
    for _ in range(800):
        if holds():
            return
        page.wait_for_timeout(10)
    raise AssertionError("waited 8 s in vain")


def radio(page: Page, choice: str) -> Locator:
    return page.locator(f'input[value="{choice}"]')


def tag_is(page: Page, tag: str) -> None:
    expect(page.locator("#table")).to_have_attribute("data-tag", tag)


def pick(page: Page, choice: str) -> None:
    page.locator(".pick", has=radio(page, choice)).click()
    expect(radio(page, choice)).to_be_checked()
