"""People at their browsers: they read what they are asked, pick a thing that can be chosen, and press the one button.

With a mouse, with the keys alone, or with the script switched off; and whatever a page complains of fails the test.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, Response, expect

from tests.web.browser import Visit
from tests.web.positions import Laid
from tests.web.server import Server

PATIENCE = 30_000  # milliseconds: a busy machine is no bug
expect.set_options(timeout=PATIENCE)

TO_PLAY = "#table:has([name=choice], [data-plan]):not(:has([data-sealed], .is-sealed))"
LOOK = """(main) => {
  const radios = [...main.querySelectorAll("input[name=choice]:not(.composed)")];
  const plan = main.querySelector("[data-plan]");
  return {
    ...main.dataset,
    kind: main.className.split(" ")[0],
    values: radios.map((radio) => radio.value),
    plan: plan?.dataset.plan ?? "",
    owes: Boolean(radios.length || plan),
    sealed: Boolean(main.querySelector("input[data-sealed], .plan.is-sealed")),
    prompt: main.querySelector(".ask h1, h1")?.textContent ?? "",
  };
}"""
WATCHED = """
addEventListener("securitypolicyviolation", (event) => console.error("CSP", event.violatedDirective, event.blockedURI));
addEventListener("unhandledrejection", (event) => console.error("rejected", String(event.reason)));
"""


@dataclass
class Complaints:
    """What went wrong in any page of a test: errors, refused content, requests that failed."""

    found: list[str] = field(default_factory=list)
    expected: list[re.Pattern[str]] = field(default_factory=list)

    def expect(self, pattern: str) -> None:
        """A test that breaks something on purpose says so."""
        self.expected.append(re.compile(pattern))

    @property
    def unexpected(self) -> list[str]:
        return [each for each in self.found if not any(pattern.search(each) for pattern in self.expected)]

    def listen(self, context: BrowserContext) -> None:
        context.on("console", self._said)
        context.on("weberror", lambda error: self.found.append(f"error: {error.error}"))
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)
        context.add_init_script(WATCHED)

    def _said(self, note: ConsoleMessage) -> None:
        if note.type in ("error", "warning"):
            self.found.append(f"console: {note.text} ({note.location['url']})")

    def _failed(self, request: Request) -> None:
        # A page that is left ends its live stream, and whatever else it was about to fetch.
        if request.method != "GET" or request.failure != "net::ERR_ABORTED":
            self.found.append(f"failed: {request.method} {request.url} {request.failure}")

    def _answered(self, answer: Response) -> None:
        if answer.status >= 400:
            self.found.append(f"status {answer.status}: {answer.request.method} {answer.url}")


Guest = Callable[..., Page]


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Whatever pages complain of; at the end of a test nothing may be left."""
    found = Complaints()
    yield found
    assert not found.unexpected, found.unexpected


@pytest.fixture
def guest(visit: Visit, server: Server, complaints: Complaints) -> Guest:
    """Somebody with a device of their own comes to a page of the server."""

    def come(path: str | None = "/", at: Server = server, speed: str = "off", **device: Any) -> Page:
        context = visit(**({"still": True} | device), base_url=at.url)
        context.add_cookies([{"name": "speed", "value": speed, "url": at.url}])
        context.set_default_timeout(PATIENCE)
        complaints.listen(context)
        page = context.new_page()
        if path is not None:
            page.goto(path)
        return page

    return come


# What a page shows


@dataclass(frozen=True)
class Shown:
    """A table page as its user sees it."""

    kind: str  # table, curtain or page (the lobby)
    prompt: str
    values: tuple[str, ...]
    plan: str
    owes: bool
    sealed: bool
    seat: str = ""
    position: int = -1
    phase: str = ""
    tag: str = ""

    @property
    def to_play(self) -> bool:
        return self.owes and not self.sealed


def look(page: Page) -> Shown:
    page.wait_for_load_state("domcontentloaded")  # a page that is still coming may lack half of its table
    seen = table(page).evaluate(LOOK)  # which waits for it
    return Shown(
        kind=seen["kind"],
        prompt=seen["prompt"],
        values=tuple(seen["values"]),
        plan=seen["plan"],
        owes=seen["owes"],
        sealed=seen["sealed"],
        seat=seen.get("seat", ""),
        position=int(seen.get("position", -1)),
        phase=seen.get("phase", ""),
        tag=seen["tag"],
    )


def table(page: Page) -> Locator:
    return page.locator("#table")


def moved_on(page: Page, since: Shown) -> None:
    """Wait until the page shows something newer."""
    expect(table(page)).not_to_have_attribute("data-tag", since.tag)


# Choosing

Hand = Callable[[Page, Shown, Random], None]


def radio(page: Page, value: str) -> Locator:
    return page.locator(f'input[name=choice][value="{value}"]')


def thing(page: Page, value: str, dice: Random | None = None) -> Locator:
    """What one clicks to pick a choice: the card or place itself, or the option that stands for it."""
    own = page.locator("label.pick", has=radio(page, value))
    number = radio(page, value).get_attribute("id")
    on_board = page.locator(f'label[for="{number}"]') if number else None
    if on_board is not None and on_board.count() and (dice is None or dice.random() < 0.5):
        return on_board.first
    return own


def by_mouse(page: Page, shown: Shown, dice: Random) -> None:
    """Click a thing, see that the button names it, and press the button."""
    if shown.plan == "plan":
        for number in range(1, 7):
            cards = page.locator(".tray [data-card]")
            cards.nth(dice.randrange(cards.count())).click()
            page.locator(f'[data-slot="{number}"] .hole').click()
    elif not shown.plan:
        value = dice.choice(shown.values)
        thing(page, value, dice).click()
        expect(radio(page, value)).to_be_checked()
        expect(page.locator("#act .label")).to_have_text(radio(page, value).get_attribute("data-act") or "")
    page.locator("#act").click()


def by_keys(page: Page, shown: Shown, dice: Random) -> None:
    """Never touch the mouse: Tab to what can be chosen, arrows to the one wanted, Enter."""
    if shown.plan == "plan":
        tab_to(page, ".tray [data-card]")
        for _ in range(6):
            for _ in range(dice.randrange(3)):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")  # takes the card up and goes to the first free place
            page.keyboard.press("Enter")  # lays it there and goes to the next card, at last to the button
        expect(page.locator("#act")).to_be_focused()
    elif shown.plan:
        tab_to(page, "#act")
    else:
        tab_to(page, "input[name=choice]")
        page.keyboard.press("Space")
        for _ in range(dice.randrange(len(shown.values))):
            page.keyboard.press("ArrowDown")
        expect(page.locator("input[name=choice]:checked")).to_be_focused()
    page.keyboard.press("Enter")


def by_forms(page: Page, shown: Shown, dice: Random) -> None:
    """Without the script: radios and lists, and the form's button."""
    if shown.plan:
        lists = page.locator("select[name^=place-]")
        values = lists.first.locator("option").evaluate_all("(all) => all.map((one) => one.value)")
        for number, warrior in enumerate(dice.sample([value for value in values if value], lists.count())):
            lists.nth(number).select_option(warrior)
    else:
        thing(page, dice.choice(shown.values), dice).click()
    page.locator("#act").click()


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Press Tab until the focus is on such a thing, as it may be already."""
    for _ in range(most):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{most} times Tab, and never on {selector}")


def decide(page: Page, dice: Random, hand: Hand = by_mouse) -> Shown:
    """Make the choice that a page asks for; what it was asked."""
    shown = look(page)
    assert shown.to_play, shown
    hand(page, shown, dice)
    moved_on(page, shown)
    return shown


def play_on(
    pages: Sequence[Page],
    dice: Random,
    hand: Hand = by_mouse,
    until: Callable[[Sequence[Shown]], bool] = lambda _: False,
) -> list[Shown]:
    """Play to the end, or until something holds: everybody at a table has a page here, and all keep up live."""
    made: list[Shown] = []
    while True:
        seen = settled(pages)
        if until(seen) or all(each.phase == "over" for each in seen):
            return made
        owing = [page for page, each in zip(pages, seen, strict=True) if each.to_play]
        assert owing, f"nobody is to play: {seen}"
        made.append(decide(dice.choice(owing), dice, hand))


def play_by_forms(pages: Sequence[Page], dice: Random) -> list[Shown]:
    """Play to the end without the script: everybody reloads now and then, and plays when asked."""
    made: list[Shown] = []
    while not all(look(page).phase == "over" for page in pages):
        before = len(made)
        for page in pages:
            page.reload()
            while look(page).to_play:
                made.append(decide(page, dice, by_forms))
        assert len(made) > before or look(pages[0]).phase == "over", "nobody is to play"
    return made


def settled(pages: Sequence[Page]) -> list[Shown]:
    """What all pages show once every one of them shows the newest position."""
    newest = max(look(page).position for page in pages)
    for page in pages:
        expect(table(page)).to_have_attribute("data-position", str(newest))
    return [look(page) for page in pages]


def my_move(page: Page) -> Shown:
    """Wait until the page asks for a choice, or the game is over."""
    expect(page.locator(f"{TO_PLAY}, #table[data-phase=over]")).to_be_visible()
    return look(page)


def against_bots(page: Page, dice: Random, hand: Hand = by_mouse, most: int = 200) -> list[Shown]:
    """Play alone against bots to the end, or so many choices."""
    made: list[Shown] = []
    while len(made) < most and my_move(page).phase != "over":
        made.append(decide(page, dice, hand))
    return made


# Opening and joining tables


def play_now(page: Page, game: str) -> None:
    """One click on the home page."""
    page.goto("/")
    page.locator("form", has=page.locator(f'[name=game][value="{game}"]')).locator("button").click()
    page.wait_for_url("**/t/*")


def holding(guest: "Guest", server: Server, laid: Laid, *seats: str, **device: Any) -> list[Page]:
    """A page at a laid table for each of these seats."""
    pages = []
    for seat in seats:
        page = guest(None, at=server, **device)
        laid.give(page.context, server, seat)
        page.goto(laid.path)
        pages.append(page)
    return pages


def surely(where: Page | Locator, act: str) -> None:
    """Do what all at a table feel: open its question, read it, and say yes."""
    page = where.page if isinstance(where, Locator) else where
    question = where.locator("details.sure", has=page.locator(f"form[action$={act}]"))
    answer = question.locator("form button")
    expect(answer).to_be_hidden()
    question.locator("summary").click()
    answer.click()


def host(page: Page, game: str, seats: dict[str, str], name: str = "", **options: str) -> str:
    """Open a table from the home page; its code."""
    page.goto("/")
    page.locator(f'a[href="/host?game={game}"]').click()
    for seat, role in seats.items():
        page.locator(f'[name="seat-{seat}"]').select_option(role)
    if name:
        page.locator("form.sheet [name=name]").fill(name)
    for option, value in options.items():
        control = page.locator(f'[name="{option.replace("_", "-")}"]')
        if value == "on":
            page.locator(f'label[for="{control.get_attribute("id")}"]').click()  # which is what a finger hits
            expect(control).to_be_checked()
        elif control.evaluate("(it) => it.localName") == "select":
            control.select_option(value)
        else:
            control.fill(value)
    page.locator("form.sheet .btn.big").click()
    page.wait_for_url("**/t/*")
    return page.url.rpartition("/")[2]


def join(page: Page, code: str, seat: str, name: str) -> None:
    """Type the code, and take a seat."""
    page.goto("/")
    page.locator("#code").fill(code.lower())
    page.locator("form.code button").click()
    page.wait_for_url(f"**/t/{code}")
    page.locator("#name").fill(name)
    page.locator(f'button[name=seat][value="{seat}"]').first.click()
    expect(page.locator("#table:not(:has(#sit))")).to_be_visible()  # and not only the page that asked gone
    page.wait_for_load_state()
