"""Looking back in the browser: by keys, buttons, scrubber and links, at three speeds, through any eyes, everywhere."""

import re
from collections.abc import Iterator
from datetime import datetime
from random import Random

import pytest
from playwright.sync_api import Page, expect

from meadhall.match import SPECTATOR, Match
from meadhall.web.replay import OPEN, Replay
from meadhall.web.telling import hold
from tests.shots.sizes import ALL
from tests.variants import random_choice
from tests.web.browser import PHONE, SMALL_PHONE
from tests.web.playing import PATIENCE, Complaints, Guest, holding
from tests.web.positions import Laid, lay, reach
from tests.web.server import Server
from tests.web.test_browser_access import COLOURS, violations
from tests.web.test_replay import golden

# Counts the pieces that begin to glide: on a busy machine they have arrived before one can look.
GLIDING = """() => {
  const animate = Element.prototype.animate;
  window.glided = 0;
  Element.prototype.animate = function (...how) {
    const motion = animate.apply(this, how);
    if (this.dataset.move && motion.effect.getComputedTiming().duration > 0) window.glided += 1;
    return motion;
  };
}"""
# What a beat shows, without what only the script adds.
SHOWN = """() => [".cloth", ".rail", ".scene", ".tiles", ".at"].map((name) =>
  document.querySelector(name).textContent.replace(/\\s+/g, " ").trim()
).concat([...document.querySelectorAll(".play [data-move]")].map((one) => one.dataset.move + one.dataset.face))"""
# How high the board is as soon as the page, its scrubber and its address show a beat.
HEIGHT_AT = """async ([beat, patience]) => {
  const there = () =>
    document.querySelector("main.replay")?.dataset.number === beat &&
    document.getElementById("scrubber").value === beat &&
    new URLSearchParams(location.search).get("beat") === beat;
  const end = performance.now() + patience;
  while (!there()) {
    if (performance.now() > end) return null;
    await new Promise(requestAnimationFrame);
  }
  return document.querySelector(".cloth").getBoundingClientRect().height;
}"""
SMALLER_SIDES = """(all) => all.map((one) => {
  const { width, height } = one.getBoundingClientRect();
  return Math.min(width, height);
})"""
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def goths(server: Server) -> Laid:
    return lay(server, Match.from_record(golden("goths-plain")))


@pytest.fixture(scope="module")
def romans(server: Server) -> Laid:
    return lay(server, Match.from_record(golden("romans-plain")))


def at(page: Page, beat: int) -> None:
    """The page shows a beat, and so does its address."""
    expect(page.locator("main.replay")).to_have_attribute("data-number", str(beat))
    expect(page.locator("#scrubber")).to_have_value(str(beat))
    expect(page).to_have_url(re.compile(rf"[?&]beat={beat}$"))


def test_keys_go_by_beats_and_turns_and_to_both_ends(guest: Guest, goths: Laid) -> None:
    replay = Replay.of_record(goths.match, OPEN)
    page = guest(f"{goths.path}/replay?beat=20")
    for key, beat in (
        ("ArrowRight", 21),
        ("ArrowLeft", 20),
        ("PageDown", replay.turn_after(20)),
        ("]", replay.turn_after(replay.turn_after(20))),
        ("[", replay.turn_after(20)),
        ("PageUp", replay.turn_of(20)),
        ("End", replay.last),
        ("ArrowRight", replay.last),
        ("Home", 0),
        ("ArrowLeft", 0),
    ):
        page.keyboard.press(key)
        at(page, beat)
    for _ in range(25):  # faster than any server answers
        page.keyboard.press("ArrowRight")
    at(page, 25)
    expect(page.locator("#say")).to_have_text(page.locator("main").get_attribute("data-say") or "")
    stepped = page.evaluate(SHOWN)
    page.reload()
    at(page, 25)
    assert page.evaluate(SHOWN) == stepped


def test_buttons_tiles_and_the_scrubber_lead_to_every_beat(guest: Guest, romans: Laid) -> None:
    replay = Replay.of_record(romans.match, OPEN)
    page = guest(f"{romans.path}/replay")
    for name, beat in (
        ("next", 1),
        ("turn-next", replay.turn_after(1)),
        ("back", replay.turn_after(1) - 1),
        ("last", replay.last),
        ("turn-back", replay.turn_before(replay.last)),
        ("first", 0),
    ):
        button = page.locator(f'[data-go="{name}"]')
        button.click()
        at(page, beat)
        expect(button).to_be_focused()
    page.set_viewport_size({"width": 1280, "height": 560})
    page.goto(f"{romans.path}/replay?beat={replay.last}")
    expect(page.locator(".tiles [aria-current]")).to_be_in_viewport(ratio=0.9)
    page.locator(".tiles a").nth(7).click()
    at(page, replay.starts[7])
    expect(page.locator("a[href*=film]")).to_have_attribute("href", re.compile(r"turn=2\.2&"))
    expect(page.locator(".tiles [aria-current]")).to_have_text(re.compile(r"^\s*2\.2"))
    scrubber = page.locator("#scrubber")
    scrubber.fill("50")
    at(page, 50)
    scrubber.focus()
    for key, beat in (("ArrowLeft", 49), ("PageDown", replay.turn_after(49)), ("Home", 0), ("End", replay.last)):
        page.keyboard.press(key)
        at(page, beat)
        expect(scrubber).to_be_focused()
    expect(scrubber).to_have_attribute("aria-valuetext", re.compile("Round 3"))


def test_it_plays_at_three_speeds_and_stops_where_one_says(guest: Guest, romans: Laid) -> None:
    beats = Replay.of_record(romans.match, OPEN).beats
    page = guest(None, speed="normal", still=False)
    page.clock.install(time=datetime(2026, 1, 1))
    page.goto(f"{romans.path}/replay?beat=5")
    page.clock.pause_at(datetime(2026, 1, 2))
    play = page.locator("#play")
    expect(play).to_have_accessible_name("Play")
    page.keyboard.press(" ")
    expect(play).to_have_accessible_name("Pause")
    for beat, (speed, factor) in enumerate((("normal", 1), ("slow", 1.7), ("fast", 0.45)), 5):
        page.locator(".speeds label", has_text=speed).click()
        expect(page.locator("html")).to_have_attribute("data-speed", speed)
        time = hold(beats[beat]) * factor
        page.clock.run_for(int(time * 0.9))
        at(page, beat)
        page.clock.run_for(int(time * 0.1) + 20)
        at(page, beat + 1)
    play.click()
    expect(play).to_have_accessible_name("Play")
    page.clock.run_for(60_000)
    at(page, 8)
    page.keyboard.press("End")
    at(page, len(beats) - 1)
    play.click()  # from the end it begins anew
    at(page, 0)
    page.keyboard.press("ArrowRight")  # who takes a step himself has stopped it
    expect(play).to_have_accessible_name("Play")


def test_pieces_glide_between_neighbours_unless_nothing_is_to_move(guest: Guest, goths: Laid) -> None:
    replay = Replay.of_record(goths.match, OPEN)
    moved = next(number for number, beat in enumerate(replay.beats) if beat.kind == "move")
    for device, glides in (({"speed": "normal", "still": False}, True), ({"speed": "normal"}, False), ({}, False)):
        page = guest(f"{goths.path}/replay?beat={moved - 1}", **device)
        page.evaluate(GLIDING)
        for key, beat in (("ArrowRight", moved), ("ArrowLeft", moved - 1)):
            page.evaluate("window.glided = 0")
            page.keyboard.press(key)
            page.locator(f"main[data-number='{beat}']").wait_for()
            assert (page.evaluate("window.glided") > 0) == glides


def test_another_viewpoint_shows_the_same_moment_and_can_be_linked_to(guest: Guest, goths: Laid) -> None:
    everything, king = (Replay.of_record(goths.match, eyes) for eyes in (OPEN, "visigoth-king"))
    page = guest(f"{goths.path}/replay?beat=40")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    eyes = page.locator("#eyes")
    eyes.focus()
    eyes.select_option("visigoth-king")
    beat = everything.counterpart(40, king)
    at(page, beat)
    expect(page).to_have_url(re.compile(rf"\?as=visigoth-king&beat={beat}$"))
    expect(page.locator("main")).to_have_attribute("data-last", str(king.last))
    expect(page.locator("#scrubber")).to_have_attribute("max", str(king.last))
    expect(page.locator("#eyes")).to_be_focused()
    page.locator(".story").focus()
    page.keyboard.press("ArrowRight")
    at(page, beat + 1)
    page.locator('[data-go="copy"]').click()
    expect(page.locator('[data-go="copy"]')).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"{goths.path}/replay?as=visigoth-king&beat={beat + 1}")
    seen = page.evaluate(SHOWN)
    page.goto(link)
    assert page.evaluate(SHOWN) == seen
    page.locator("#eyes").select_option(OPEN)
    expect(page).to_have_url(re.compile(r"/replay\?beat=\d+$"))


def test_without_a_script_there_are_links_and_forms(guest: Guest, goths: Laid) -> None:
    replay = Replay.of_record(goths.match, OPEN)
    page = guest(f"{goths.path}/replay", js=False)
    expect(page.locator("#play, .speeds")).to_have_count(2)
    for hidden in ("#play", ".speeds"):
        expect(page.locator(hidden)).to_be_hidden()
    for name, beat in (("next", 1), ("turn-next", replay.turn_after(1)), ("last", replay.last), ("first", 0)):
        page.locator(f'[data-go="{name}"]').click()
        at(page, beat)
    page.locator(".tiles a").nth(3).click()
    at(page, replay.starts[3])
    page.locator("#scrubber").fill("33")
    page.locator(".reel button").click()
    at(page, 33)
    page.locator("#eyes").select_option(SPECTATOR)
    page.locator(".seen-as button").click()
    expect(page).to_have_url(re.compile(r"as=spectator&beat=\d+$"))
    page.locator("#scrubber").fill("3")
    page.locator(".reel button").click()
    expect(page).to_have_url(re.compile(r"\?as=spectator&beat=3$"))


# Screens


@pytest.fixture
def screens(guest: Guest, goths: Laid, romans: Laid) -> Iterator[tuple[str, Page]]:
    page = guest(None)

    def each() -> Iterator[tuple[str, Page]]:
        for path in (f"{goths.path}/replay?as=ostrogoth-king&beat=30", f"{romans.path}/replay?beat=23"):
            page.goto(path)
            for size in ALL:
                page.set_viewport_size({"width": size.width, "height": size.height})
                yield f"{path} on {size.name}", page

    return each()


def test_a_replay_fills_every_screen_and_its_controls_are_always_at_hand(screens: Iterator[tuple[str, Page]]) -> None:
    for where, page in screens:
        size = page.viewport_size
        assert size
        assert page.evaluate(OVERFLOW) <= 0, where
        for part in (".cloth", "#play", '[data-go="next"]', "#scrubber"):
            expect(page.locator(part), where).to_be_in_viewport(ratio=0.9)
        targets = page.locator(".way:visible, .tiles a:visible, .looks a, #eyes, .speeds label").evaluate_all(
            SMALLER_SIDES
        )
        assert targets, where
        assert min(targets[:12]) >= 43.5, where
        if size["width"] > 700 and size["height"] > 500:
            assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, where


@pytest.mark.parametrize("viewpoint", [OPEN, "seat"])
@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_board_stands_still_while_one_steps(
    guest: Guest, game: str, viewpoint: str, request: pytest.FixtureRequest
) -> None:
    laid: Laid = request.getfixturevalue(game)
    eyes = OPEN if viewpoint == OPEN else laid.match.seats[0]
    page = guest(f"{laid.path}/replay?as={eyes}&beat=0", size=(1366, 768))
    boxes = set()
    for beat in range(40):
        boxes.add(page.evaluate(HEIGHT_AT, [str(beat), PATIENCE]))
        page.keyboard.press("ArrowRight")
    assert None not in boxes, "it never came to a beat"
    assert len(boxes) == 1


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE, (844, 390)])
def test_on_a_phone_the_board_and_the_controls_stay_while_the_story_is_read(
    guest: Guest, romans: Laid, size: tuple[int, int]
) -> None:
    page = guest(f"{romans.path}/replay?beat=23", size=size, touch=True)
    page.mouse.move(200, 600)
    page.mouse.wheel(0, 300)
    expect(page.locator(".cloth")).to_be_in_viewport(ratio=0.9)
    page.locator('[data-go="next"]').tap()
    at(page, 24)
    expect(page.locator("#play")).to_be_in_viewport(ratio=1)


def test_nothing_stands_in_anybodys_way_by_day_or_by_night(guest: Guest, goths: Laid, romans: Laid) -> None:
    page = guest(None, lang="de")
    for path in (f"{goths.path}/replay?beat=30", f"{romans.path}/replay?as=gold&beat=20", "/replay"):
        page.emulate_media(color_scheme="light")
        page.goto(path)
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        assert violations(page, *COLOURS) == []


# While the game goes on


def test_who_looks_back_is_called_when_it_is_their_turn_and_the_way_grows(guest: Guest, server: Server) -> None:
    match = reach("goths", {}, lambda match: match.waiting == ("visigoth-king",) and match.moment > 20)
    laid = lay(server, match)
    order = random_choice(match, "visigoth-king", Random(1))
    warchief, king = holding(guest, server, laid, "visigoth-warchief", "visigoth-king")
    assert match.copy().commit("visigoth-king", order)
    warchief.locator("#table-menu > summary").click()
    warchief.locator("#table-menu a[href$=replay]").click()
    warchief.wait_for_url("**/replay")  # and until its script is there
    last = len(match.timeline("visigoth-warchief")) - 1
    at_number = warchief.locator("main.replay")
    expect(at_number).to_have_attribute("data-number", str(last))
    expect(warchief.locator(".strip")).to_contain_text("The game goes on")
    for _ in range(5):
        warchief.keyboard.press("ArrowLeft")
    at(warchief, last - 5)
    answer = king.request.post(
        f"{laid.path}/choose",
        form={"seat": "visigoth-king", "position": str(match.moment), "choice": order},
        headers={"origin": server.url},
    )
    assert answer.ok
    after = match.copy()
    after.commit("visigoth-king", order)
    asked = "visigoth-warchief" in after.waiting
    expect(at_number).to_have_attribute("data-last", str(len(after.timeline("visigoth-warchief")) - 1))
    expect(warchief.locator(".strip")).to_contain_text("It is your turn" if asked else "The game goes on")
    at(warchief, last - 5)
    warchief.locator(".strip a").click()
    expect(warchief.locator("#table")).to_have_attribute("data-seat", "visigoth-warchief")


def test_at_a_shared_device_one_looks_back_as_all_may_until_somebody_says_that_he_is_alone(
    guest: Guest, server: Server, complaints: Complaints
) -> None:
    complaints.expect("403")
    match = reach("romans", {"players": ["gold", "green"]}, lambda match: match.moment > 30)
    laid = lay(server, match, together=[match.seats])
    (page,) = holding(guest, server, laid, "gold")
    page.goto(f"{laid.path}/replay")
    expect(page.locator("main.replay")).to_have_attribute("data-viewpoint", SPECTATOR)
    expect(page.locator(".strip")).to_contain_text("The game goes on")
    seat = match.waiting[0]
    page.goto(laid.path)
    page.locator("form[action$=here]", has=page.locator(f'[value="{seat}"]')).locator("button").click()
    expect(page.locator("#table")).to_have_attribute("data-seat", seat)
    page.goto(f"{laid.path}/replay")
    expect(page.locator("main.replay")).to_have_attribute("data-viewpoint", seat)
    page.locator(".strip form[action$=away] button").click()
    expect(page.locator("#table.curtain")).to_be_visible()
    answer = page.goto(f"{laid.path}/replay?as={seat}")
    assert answer
    assert answer.status == 403
    expect(page.locator("main")).to_contain_text("only through your own eyes")
