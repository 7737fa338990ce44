"""Debian's chromium for the tests of pages: one browser for the whole run, a fresh context for each visitor.

The headless shell is the same engine without the windows of a desktop, and opens a context in a third of the time.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

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


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Makes contexts (one is one person's device, with cookies of its own) and closes them after the test."""
    with ExitStack() as guests:

        def make(
            size: tuple[int, int] = DESK,
            lang: str = "en",
            *,
            js: bool = True,
            scheme: str = "light",
            touch: bool = False,
            still: bool = False,
            **more: Any,
        ) -> BrowserContext:
            context = chromium.new_context(
                viewport={"width": size[0], "height": size[1]},
                locale=lang,
                java_script_enabled=js,
                color_scheme=scheme,  # type: ignore[arg-type]
                has_touch=touch,
                reduced_motion="reduce" if still else "no-preference",
                **more,
            )
            context.set_default_timeout(8000)
            guests.callback(context.close)
            return context

        yield make
