"""Debian's chromium for the tests of pages: one browser for the whole run, a fresh context for each visitor.

Where many pages are looked at and nothing hangs on who looks, one window is kept for all tests of a file: a page that
comes in a new context takes four times as long as in a window that has seen our files and scripts before.

The headless shell is the same engine without the windows of a desktop, and opens a context in a third of the time.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

DESK = (1280, 800)
PHONE = (390, 844)
SMALL_PHONE = (360, 740)

Visit = Callable[..., BrowserContext]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a run."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path, "these tests drive Debian's chromium: install the package chromium-headless-shell, or chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def open_context(
    browser: Browser,
    size: tuple[int, int] = DESK,
    lang: str = "en",
    *,
    js: bool = True,
    scheme: str = "light",
    touch: bool = False,
    still: bool = False,
    **more: Any,
) -> BrowserContext:
    """A device of its own, with its own cookies."""
    return browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=lang,
        java_script_enabled=js,
        color_scheme=scheme,  # type: ignore[arg-type]
        has_touch=touch,
        reduced_motion="reduce" if still else "no-preference",
        **more,
    )


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Makes contexts (one is one person's device, with cookies of its own) and closes them after the test."""
    with ExitStack() as guests:

        def make(*how: Any, **device: Any) -> BrowserContext:
            context = open_context(chromium, *how, **device)
            context.set_default_timeout(8000)
            guests.callback(context.close)
            return context

        yield make


@contextmanager
def window(browser: Browser, url: str, listen: Callable[[BrowserContext], None], **device: Any) -> Iterator[Page]:
    """A window that is kept for many pages of a server; whoever comes next clears the cookies."""
    context = open_context(browser, **{"still": True} | device, base_url=url)
    context.set_default_timeout(30_000)
    listen(context)
    yield context.new_page()
    context.close()
