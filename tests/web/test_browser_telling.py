"""Watching a game in the browser: every turn is on the screen, board and story at one beat, in bounded time."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.playing import TO_PLAY, Guest, by_keys, by_mouse, look, play_now

# What a page shows, taken down at every change of it while something is told; times are those of the page's clock.
RECORDER = """
window.told = [];
window.endings = [];
const count = (main, what) => main.querySelectorAll(what).length;
const text = (main, what) => main.querySelector(what)?.textContent.replace(/\\s+/g, " ").trim() ?? "";
let telling = false;
function note() {
  const main = document.getElementById("table");
  const now = document.documentElement.classList.contains("telling");
  if (telling && !now) window.endings.push(performance.now());
  telling = now;
  if (!now || !main?.dataset.beat) return;
  const { beat, kind, chapter } = main.dataset;
  const last = window.told.at(-1);
  const facts = {
    beat, kind, chapter,
    parts: [...main.querySelectorAll(".cloth, .scene")].map((part) => part.dataset.beat),
    board: text(main, ".turns, .wallname p"),
    story: text(main, ".scene"),
    prompt: text(main, ".rail h1"),
    cards: count(main, ".kfront[data-piece]") + count(main, ".wcard[data-face=up]"),
    sums: [...main.querySelectorAll(".scene .tot:not(.unsaid)")].map((one) => one.textContent),
    asked: count(main, "input[name=choice]"),
    at: last?.beat === beat ? last.at : performance.now(),
  };
  if (last?.beat === beat) window.told.pop();
  window.told.push(facts);
}
new MutationObserver(note).observe(document, {
  subtree: true, childList: true, attributes: true, attributeFilter: ["data-beat", "class"],
});
"""
Told = list[dict[str, Any]]
STEP = 4000  # milliseconds by the page's clock; the recorder takes down every change within, at its own time


def watch(page: Page) -> None:
    """Have everything taken down, by a clock that the test can wind on."""
    page.clock.install()
    page.add_init_script(RECORDER)


def let_tell(page: Page) -> None:
    """Let the page tell all it has to, however long that takes by its clock, until it asks or the game is over."""
    asks = page.locator(f"{TO_PLAY}, #table[data-phase=over]")
    for _ in range(400):
        if page.locator("html.telling").count():
            page.clock.run_for(STEP)
        elif asks.count():
            return
        else:
            page.wait_for_timeout(20)
    raise AssertionError("the page neither asks nor tells")


def play(page: Page, dice: Random, choices: int) -> None:
    """Play so many choices at random, and see all that comes of them."""
    for _ in range(choices):
        let_tell(page)
        shown = look(page)
        if shown.phase == "over":
            return
        if shown.plan == "reorder":
            page.locator("#act").click()
        else:
            by_mouse(page, shown, dice)
        expect(page.locator(f"#table[data-tag='{shown.tag}']:not(html.telling *)")).to_have_count(0)
    let_tell(page)


def check_steps(told: Told) -> None:
    """Board and story were at one beat all the time, in order, and nothing was asked meanwhile."""
    assert told
    assert all(each["parts"] == [each["beat"]] * 2 for each in told)
    assert [int(each["beat"]) for each in told] == sorted({int(each["beat"]) for each in told})
    assert not any(each["asked"] for each in told)
    assert all(each["prompt"] for each in told)


def check_times(page: Page, told: Told, longest: int) -> None:
    """Each beat stayed for as long as it takes to take in, and no telling of a turn was longer than so many ms."""
    chapters: dict[str, list[float]] = {}
    for one, following in pairwise(told):
        stayed = following["at"] - one["at"]
        if one["chapter"] == following["chapter"] and stayed < longest:  # what comes after a question comes later
            assert stayed > 300, one
            chapters.setdefault(one["chapter"], []).append(stayed)
    assert max(sum(times) for times in chapters.values()) < longest


def test_goths_every_turn_is_on_screen_with_its_four_cards(guest: Guest) -> None:
    page = guest(None, speed="normal", still=False)
    watch(page)
    play_now(page, "goths")
    play(page, Random(5), 12)
    told: Told = page.evaluate("window.told")
    check_steps(told)
    turns = sorted({int(each["chapter"]) for each in told})
    assert turns == list(range(turns[0], turns[-1] + 1))
    assert len(turns) > 1
    revealed = {each["chapter"]: each for each in told if each["kind"] == "reveal"}
    # The first turn may have begun before the page came, the last one may still be going on.
    assert set(map(str, turns[1:-1])) <= set(revealed)
    assert all(each["cards"] == 4 for each in revealed.values())
    for each in told:
        assert each["board"].startswith(f"Turn {each['chapter']}"), each
        if each["kind"] != "order":
            assert f"Turn {each['chapter']}" in each["story"], each
    kinds = {each["kind"] for each in told}
    assert {"turn", "order", "reveal", "reading"} <= kinds
    check_times(page, told, 25_000)


@pytest.mark.parametrize("rivals", ["1", "3"])
def test_romans_every_turn_of_every_round_is_on_screen_with_its_sums(guest: Guest, rivals: str) -> None:
    page = guest(None, speed="normal", still=False)
    watch(page)
    page.goto("/")
    form = page.locator("form", has=page.locator('[name=game][value="romans"]'))
    form.locator(f'input[type=radio][value="{rivals}"]').first.check(force=True)
    form.locator("button").last.click()
    page.wait_for_url("**/t/*")
    play(page, Random(3), 20 if rivals == "1" else 5)
    told: Told = page.evaluate("window.told")
    check_steps(told)
    clans = int(rivals) + 1
    counted = [each for each in told if each["kind"] == "sums"]
    chapters = [each["chapter"] for each in counted]
    last = chapters[-1]
    wanted = [f"{number}.{turn}" for number in (1, 2, 3) for turn in range(1, 7)]
    assert chapters == wanted[: wanted.index(last) + 1]
    assert chapters
    assert all(len(each["sums"]) == clans for each in counted)
    assert [each["chapter"] for each in told if each["kind"] == "verdict"] == chapters
    begun = {each["chapter"][0] for each in told}
    summed_up = [each["chapter"] for each in told if each["kind"] == "summary"]
    assert summed_up == [chapter for chapter, later in (("1.6", "2"), ("2.6", "3")) if later in begun]
    for each in told:
        number, _, turn = each["chapter"].partition(".")
        assert each["board"].startswith(f"Round {number} of 3"), each
        if each["kind"] not in ("round", "plans", "score", "summary"):
            assert each["board"].endswith(f"Turn {turn}"), each
            assert f"Round {number} · Turn {turn}" in each["story"], each
    check_times(page, told, 30_000)


def test_somebody_who_looks_on_sees_every_turn_of_bots_among_themselves(guest: Guest) -> None:
    page = guest(None, speed="fast")
    watch(page)
    page.goto("/watch")
    page.locator("form", has=page.locator("[name=seat][value=nobody]")).locator("[value=goths]").click()
    page.wait_for_url("**/t/*")
    with page.expect_navigation():
        page.locator("[name=ms][value='600']").click()
    for _ in range(600):
        told: Told = page.evaluate("window.told")
        if len({each["chapter"] for each in told if each["kind"] == "reveal"}) > 1:
            break
        page.clock.run_for(1000) if page.locator("html.telling").count() else page.wait_for_timeout(50)
    check_steps(told)
    turns = sorted({int(each["chapter"]) for each in told})
    assert turns == list(range(turns[0], turns[-1] + 1))
    assert all(each["cards"] == 4 for each in told if each["kind"] == "reveal")


def test_by_keys_alone_one_goes_on_step_by_step_and_plays(guest: Guest) -> None:
    page = guest(None, speed="step")
    watch(page)
    play_now(page, "romans")
    expect(page.locator(TO_PLAY)).to_be_visible()
    by_keys(page, look(page), Random(1))
    expect(page.locator("html.telling")).to_have_count(1)
    for _ in range(200):
        if not page.locator("html.telling").count():
            break
        page.keyboard.press(" ")
    told: Told = page.evaluate("window.told")
    check_steps(told)
    assert {"plans", "turn", "reveal"} <= {each["kind"] for each in told}  # then a Qween may ask whom to charm
