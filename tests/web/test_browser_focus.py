"""Focus can be seen: whatever has it looks different from how it looked without, by day and by night."""

from base64 import b64encode

import pytest
from playwright.sync_api import Page

from tests.web.browser import DESK, PHONE
from tests.web.playing import Guest
from tests.web.server import Server
from tests.web.test_browser_access import state

STATES = ["king", "warchief, sealed", "look", "planning", "charm", "pay"]
ENOUGH = 100  # pixels that change by 3:1 or more
FOCUSABLE = """() => [...document.querySelectorAll(
  "a[href], button, summary, input:not([type=hidden]), select, [tabindex]:not(#table)"
)].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
.filter((one) => !one.matches(".skip, [aria-hidden=true], .clause") || one === document.querySelector(".clause"))"""
# Without focus: where a thing lies. What is chosen stands around its hidden radio, or behind it.
BEFORE = f"""(number) => {{
  document.activeElement.blur();
  const one = ({FOCUSABLE})()[number];
  one.scrollIntoView({{ block: "center" }});
  const shown = one.closest(".pick") ?? (one.matches("#unfold") ? one.nextElementSibling : one);
  const {{ left, top, right, bottom }} = shown.getBoundingClientRect();
  const [x, y] = [Math.max(0, left - 12), Math.max(0, top - 12)];
  const width = Math.min(innerWidth, right + 12) - x;
  return {{ x, y, width, height: Math.min(innerHeight, bottom + 12) - y, name: one.outerHTML.slice(0, 120) }};
}}"""
# A bubble that explains it is no sign of focus: it could as well be hovered.
AFTER = f"""(number) => {{
  ({FOCUSABLE})()[number].focus({{ preventScroll: true }});
  document.getElementById("tip").style.visibility = "hidden";
}}"""
CHANGED = """async (pictures) => {
  const [before, after] = await Promise.all(pictures.map(async (picture) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  }));
  const linear = (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = (data, at) =>
    0.05 + 0.2126 * linear(data[at]) + 0.7152 * linear(data[at + 1]) + 0.0722 * linear(data[at + 2]);
  let changed = 0;
  for (let at = 0; at < before.length; at += 4) {
    const ratio = light(before, at) / light(after, at);
    if (Math.max(ratio, 1 / ratio) >= 3) changed += 1;
  }
  return changed;
}"""


def unseen(page: Page, judge: Page) -> list[str]:
    """The things on which focus does not show."""
    found = []
    page.keyboard.press("Tab")  # from here on focus is the keyboard's
    for number in range(page.evaluate(f"({FOCUSABLE})().length")):
        box = page.evaluate(BEFORE, number)
        name = box.pop("name")
        pictures = [page.screenshot(clip=box)]
        page.evaluate(AFTER, number)
        pictures.append(page.screenshot(clip=box))
        if judge.evaluate(CHANGED, [b64encode(picture).decode() for picture in pictures]) < ENOUGH:
            found.append(name)
    return found


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk by day", "phone by night"])
def test_focus_shows_on_every_card_and_thing(
    name: str, size: tuple[int, int], scheme: str, guest: Guest, server: Server
) -> None:
    page, judge = guest(None, size=size, scheme=scheme), guest(None)
    state(name, page, server)
    assert unseen(page, judge) == []
