"""Goths Save the Queen in the browser, from the home page to the last card."""

from random import Random

import pytest
from playwright.sync_api import expect

from meadhall.match import Match
from tests.web.browser import DESK, PHONE
from tests.web.playing import (
    Guest,
    against_bots,
    by_keys,
    decide,
    holding,
    host,
    join,
    look,
    moved_on,
    my_move,
    play_now,
    play_on,
    radio,
    settled,
    tab_to,
    table,
    thing,
)
from tests.web.positions import asked, asks, lay, reach
from tests.web.server import Server

SEATS = ("ostrogoth-king", "ostrogoth-warchief", "visigoth-king", "visigoth-warchief")


def test_four_people_at_four_browsers_play_from_home_to_the_last_card_and_again(guest: Guest) -> None:
    pages = [guest() for _ in SEATS]
    seats = {"ostrogoth-king": "me", "ostrogoth-warchief": "open"}
    code = host(pages[0], "goths", seats, name="Ada", turn_limit="2")
    for seat, name, page in zip(SEATS[1:], ("Bo", "Cy", "Di"), pages[1:], strict=True):
        join(page, code, seat, name)
    for page in pages:
        expect(table(page)).to_have_attribute("data-phase", "playing")
        for name in ("Ada", "Bo", "Cy", "Di"):
            expect(page.locator(".board")).to_contain_text(name)
    made = play_on(pages, Random(1))
    assert {each.seat for each in made} == set(SEATS)
    assert len({page.locator("section.over p").inner_text() for page in pages}) == 1
    pages[2].locator("section.over .btn.main").click()
    pages[2].wait_for_url(lambda url: not url.endswith(code))
    following = pages[2].url.rpartition("/")[2]
    for page in (pages[0], pages[1], pages[3]):
        page.locator(f'a[href="/t/{following}"]').click()
        page.wait_for_url(f"**/t/{following}")
    seen = settled(pages)
    assert [each.seat for each in seen] == list(SEATS)
    assert sum(each.to_play for each in seen) == 1


def test_play_now_is_one_click_and_then_my_move_again_and_again(guest: Guest) -> None:
    page = guest(still=False)
    play_now(page, "goths")
    made = against_bots(page, Random(1), most=3)
    assert made
    assert {each.seat for each in made} == {"ostrogoth-warchief"}
    my_move(page)


def test_an_order_can_be_changed_until_the_last_is_sealed(guest: Guest, server: Server) -> None:
    laid = lay(server, reach("goths", {}, lambda match: len(match.waiting) == 2))
    mine, theirs = holding(guest, server, laid, "ostrogoth-warchief", "visigoth-warchief")
    for act in ("act:axe", "act:rats"):
        before = look(mine)
        thing(mine, act).click()
        mine.locator("#act").click()
        moved_on(mine, before)
        expect(radio(mine, act)).to_have_attribute("data-sealed", "")
        expect(mine.locator("#act")).to_be_disabled()
        expect(mine.locator("label.pick .wax")).to_be_visible()
    expect(mine.locator(".ask h1")).to_have_text("Sealed: 9, Rats.")
    before = look(mine)
    decide(theirs, Random(1))
    moved_on(mine, before)
    for page in (mine, theirs):
        expect(page.locator(".story .tale.goths-ostrogoth")).to_contain_text("9 Rats")


@pytest.mark.parametrize("verb", ["look", "enter", "disperse"])
def test_what_an_order_asks_is_answered_by_clicking_the_thing_on_the_board(
    guest: Guest, server: Server, verb: str
) -> None:
    match = reach("goths", {"fog_of_war": True}, asks(verb))
    seat = asked(match, verb)
    (page,) = holding(guest, server, lay(server, match), seat)
    shown = look(page)
    value = next(each for each in shown.values if each.startswith(verb))
    page.locator(".board label.pick", has=radio(page, value)).click()
    page.locator("#act").click()
    moved_on(page, shown)
    match.commit(seat, value)
    assert look(page).position == match.moment


def test_a_short_game_is_played_from_home_with_the_keys_alone(guest: Guest) -> None:
    page = guest()
    tab_to(page, 'a[href="/host?game=goths"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/host?game=goths")
    tab_to(page, "[name=turn-limit]")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    tab_to(page, "form[action$=fill] button")
    page.keyboard.press("Enter")
    made = against_bots(page, Random(2), by_keys)
    assert made
    expect(page.locator("section.over")).to_be_visible()
    tab_to(page, "form[action$=again] button")
    over = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != over)
    assert my_move(page).phase == "playing"


def test_a_digit_picks_an_order_and_enter_seals_it(guest: Guest, server: Server) -> None:
    laid = lay(server, reach("goths", {}, lambda match: len(match.waiting) == 2))
    (page,) = holding(guest, server, laid, "visigoth-warchief")
    before = look(page)
    page.keyboard.press("7")
    expect(page.locator("#act .label")).to_contain_text("7")
    page.keyboard.press("Enter")
    moved_on(page, before)
    expect(radio(page, "act:advance")).to_have_attribute("data-sealed", "")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_armies_march_towards_each_other(guest: Guest, server: Server, size: tuple[int, int]) -> None:
    (page,) = holding(guest, server, lay(server, Match.new("goths", {}, 1)), "visigoth-king", size=size)
    at = page.locator(".board .ground").evaluate_all("all => all.map((one) => one.getBoundingClientRect().x)")
    mine, theirs = at[:3], at[3:]
    assert mine == sorted(mine)
    assert theirs == sorted(theirs, reverse=True)
    assert mine[-1] < theirs[-1]
    goals = page.locator(".board .obj").evaluate_all("all => all.map((one) => one.getBoundingClientRect())")
    assert len({goal["x"] for goal in goals}) == 1
    assert mine[-1] < goals[0]["x"] < theirs[-1]
    assert [goal["y"] for goal in goals] == sorted(goal["y"] for goal in goals)
    assert page.locator(".board .ground").nth(0).bounding_box()["y"] == goals[1]["y"]
