"""Focus can be seen: whatever has it looks different from how it looked without, by day and by night."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from tests.web.browser import DESK, PHONE, window
from tests.web.playing import Complaints
from tests.web.server import Server
from tests.web.test_browser_access import state

STATES = ["king", "warchief, sealed", "look", "planning", "charm", "pay"]
SCREENS = {"desk by day": (DESK, "light"), "phone by night": (PHONE, "dark")}
ENOUGH = 100  # pixels that change by 3:1 or more
# Of a kind, by its own classes and those it stands in, the first, the last and one between.
FOCUSABLE = """() => {
  const kinds = {};
  const kind = (one) => [one, one.parentElement, one.parentElement.parentElement]
    .map((each) => `${each.localName} ${each.getAttribute("class")}`).join();
  const all = [...document.querySelectorAll(
    "a[href], button, summary, input:not([type=hidden]), select, [tabindex]:not(#table)"
  )].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
  .filter((one) => !one.matches(".skip, [aria-hidden=true], .clause") || one === document.querySelector(".clause"));
  for (const one of all) (kinds[kind(one)] ??= []).push(one);
  window.focusable = Object.values(kinds).flatMap(
    (alike) => [...new Set([alike[0], alike[alike.length >> 1], alike.at(-1)])]
  );
  window.scrollers = [...document.querySelectorAll("*")].filter(
    (one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth
  );
  window.scrolled = null;
  return focusable.length;
}"""
# A bubble that explains it is no sign of focus: it could as well be hovered.
FOCUS = """(number) => {
  focusable[number].focus({ preventScroll: true });
  document.getElementById("tip").style.visibility = "hidden";
}"""
# Where a thing lies: what is chosen stands around its hidden radio, or behind it. It has focus now, unless anything had
# to be scrolled to bring it into the middle: then nothing has, for a picture of how the window looks without.
BRING = f"""(number) => {{
  const one = focusable[number];
  one.scrollIntoView({{ block: "center" }});
  const now = scrollers.map((each) => `${{each.scrollLeft}} ${{each.scrollTop}}`).join();
  const moved = now !== window.scrolled;
  window.scrolled = now;
  const shown = one.closest(".pick") ?? (one.matches("#unfold") ? one.nextElementSibling : one);
  const {{ left, top, right, bottom }} = shown.getBoundingClientRect();
  const [x, y] = [left, top].map((from) => Math.max(0, Math.floor(from - 12)));
  const width = Math.min(innerWidth, Math.ceil(right + 12)) - x;
  const height = Math.min(innerHeight, Math.ceil(bottom + 12)) - y;
  if (moved) document.activeElement.blur();
  else ({FOCUS})(number);
  return {{ name: one.outerHTML.slice(0, 120), moved, box: {{ x, y, width, height }}, from: [scrollX, scrollY] }};
}}"""
# How many points of each thing change: `without` are pictures of the window, `focused` of what lies in a box of it.
CHANGED = """async ({ without, focused }) => {
  const painted = async (picture) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context;
  };
  const linear = (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const linears = Array.from({ length: 256 }, (_, value) => linear(value));
  const light = (data, at) =>
    0.05 + 0.2126 * linears[data[at]] + 0.7152 * linears[data[at + 1]] + 0.0722 * linears[data[at + 2]];
  const windows = await Promise.all(without.map(painted));
  return Promise.all(focused.map(async ({ picture, window, box: { x, y, width, height } }) => {
    const before = windows[window].getImageData(x, y, width, height).data;
    const after = (await painted(picture)).getImageData(0, 0, width, height).data;
    let changed = 0;
    for (let at = 0; at < before.length; at += 4) {
      const ratio = light(before, at) / light(after, at);
      if (Math.max(ratio, 1 / ratio) >= 3) changed += 1;
    }
    return changed;
  }));
}"""


@pytest.fixture(scope="module")
def windows(chromium: Browser, server: Server) -> Iterator[dict[str, Page]]:
    """A desk by day, a phone by night, and an empty page that compares: new ones for each state take long."""
    noticed = Complaints()
    with ExitStack() as open_ones:
        pages = {
            name: open_ones.enter_context(window(chromium, server.url, noticed.listen, size=size, scheme=scheme))
            for name, (size, scheme) in SCREENS.items()
        }
        yield pages | {"judge": pages["desk by day"].context.new_page()}
    assert not noticed.unexpected, noticed.unexpected


def picture(camera: CDPSession, box: dict[str, float] | None = None) -> str:
    """The window, or what lies in a box of the page: playwright's own way prepares the page anew for each picture."""
    clip = {"clip": box | {"scale": 1}} if box else {}
    taken = camera.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True, **clip})
    return str(taken["data"])


def unseen(page: Page, judge: Page) -> list[str]:
    """The things on which focus does not show; where nothing scrolls, one picture without focus does for all."""
    without: list[str] = []
    focused: list[dict[str, Any]] = []
    names: list[str] = []
    camera = page.context.new_cdp_session(page)
    page.keyboard.press("Tab")  # from here on focus is the keyboard's
    for number in range(page.evaluate(FOCUSABLE)):
        thing = page.evaluate(BRING, number)
        if thing["moved"]:
            without.append(picture(camera))
            page.evaluate(FOCUS, number)
        box, (left, top) = thing["box"], thing["from"]
        here = picture(camera, box | {"x": box["x"] + left, "y": box["y"] + top})
        focused.append({"picture": here, "window": len(without) - 1, "box": box})
        names.append(thing["name"])
    page.evaluate("document.activeElement.blur()")
    whole = {"x": 0, "y": 0} | dict(page.viewport_size or {})
    focused.append({"picture": picture(camera), "window": len(without) - 1, "box": whole})
    camera.detach()
    *changed, left = judge.evaluate(CHANGED, {"without": without, "focused": focused})
    assert left == 0, "without focus the window does not look as it did at first"
    return [name for name, points in zip(names, changed, strict=True) if points < ENOUGH]


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("screen", SCREENS)
def test_focus_shows_on_every_card_and_thing(name: str, screen: str, windows: dict[str, Page], server: Server) -> None:
    state(name, windows[screen], server)
    assert unseen(windows[screen], windows["judge"]) == []
