"""One browser goes from state to state, and looks at each on every screen, in every language, by day and by night."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, sync_playwright

from tests.shots.sizes import Size
from tests.shots.states import Place, State
from tests.web.server import Server

PATIENCE = 30_000  # milliseconds


@dataclass(frozen=True)
class View:
    """One way of looking at a state."""

    size: Size
    lang: str = "en"
    theme: str = "light"

    @property
    def name(self) -> str:
        return f"{self.size.name}-{self.lang}-{self.theme}"


@contextmanager
def browsing() -> Iterator[Browser]:
    """Debian's chromium."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path, "pictures are taken by Debian's chromium: install the package chromium-headless-shell, or chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Camera:
    """One window for every picture, of a mouse or of a finger: a page is loaded once for each language.

    What is different under a finger is the style alone, which follows at once, as it does when a window changes size.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self.server = server
        context = browser.new_context(base_url=server.url, reduced_motion="reduce", locale="en")
        context.set_default_timeout(PATIENCE)
        self.window = context.new_page()
        self._device = context.new_cdp_session(self.window)

    def close(self) -> None:
        """Close the window."""
        self.window.context.close()

    def views(self, state: State, views: Sequence[View]) -> Iterator[tuple[View, Page]]:
        """Lay a state, and show it in each of these ways."""
        place = state.lay(self.server)
        loaded, page = "", self.window
        for view in sorted(views, key=lambda each: (each.lang, each.size.touch, each.size.name, each.theme)):
            page.set_viewport_size({"width": view.size.width, "height": view.size.height})
            self._device.send("Emulation.setTouchEmulationEnabled", {"enabled": view.size.touch})
            if loaded != view.lang:
                loaded = view.lang
                self._load(page, place, state, view.lang)
            page.emulate_media(color_scheme="dark" if view.theme == "dark" else "light", reduced_motion="reduce")
            assert page.evaluate("matchMedia('(pointer: coarse)').matches") == view.size.touch
            yield view, page

    def _load(self, page: Page, place: Place, state: State, lang: str) -> None:
        page.context.clear_cookies()
        cookies = {"lang": lang, "speed": "off"} | dict(place.cookies)
        page.context.add_cookies(
            [{"name": name, "value": value, "url": self.server.url} for name, value in cookies.items()]
        )
        page.mouse.move(0, 0)
        page.goto(place.path)
        page.locator("#table:not(.curtain), #table.curtain, #main").first.wait_for()
        if page.locator("script[src*='table.js']").count():
            page.locator("html.js").wait_for()
        state.prepare(page)
        page.mouse.move(0, 0)
        page.evaluate("document.fonts.ready")
