"""Romans Go Home! in the browser, from the home page to the last fort."""

from random import Random

import pytest
from playwright.sync_api import expect

from meadhall.match import Match
from tests.web.playing import (
    Guest,
    against_bots,
    by_keys,
    by_mouse,
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
)
from tests.web.positions import LIVELY, asked, asks, lay, reach
from tests.web.server import Server

TWO = {"players": ["gold", "green"]}


def test_two_people_at_two_browsers_play_from_home_to_the_last_fort_and_again(guest: Guest) -> None:
    ada, bo = guest(), guest()
    code = host(ada, "romans", {"gold": "me", "green": "open", "violet": "nobody", "red": "nobody"}, name="Ada")
    join(bo, code, "green", "Bo")
    for page in (ada, bo):
        expect(table(page)).to_have_attribute("data-phase", "playing")
        expect(table(page)).to_contain_text("Ada")
        expect(table(page)).to_contain_text("Bo")
    made = play_on([ada, bo], Random(1))
    assert [each.plan for each in made].count("plan") in (2, 4, 6)
    result = ada.locator("section.over p").inner_text()
    expect(bo.locator("section.over p")).to_have_text(result)
    bo.locator("section.over .btn.main").click()
    bo.wait_for_url(lambda url: not url.endswith(code))
    ada.locator(f'a[href="{bo.url.removeprefix(bo.url.rpartition("/t/")[0])}"]').click()
    ada.wait_for_url(bo.url)
    assert all(each.to_play and each.plan == "plan" for each in settled([ada, bo]))


def test_play_now_is_one_click_and_then_my_plan(guest: Guest) -> None:
    page = guest(still=False)
    play_now(page, "romans")
    assert my_move(page).plan == "plan"
    made = against_bots(page, Random(3), most=3)
    assert {each.seat for each in made} == {"gold"}
    my_move(page)


def test_a_line_is_planned_by_dragging_and_can_be_changed_until_the_last_is_sealed(
    guest: Guest, server: Server
) -> None:
    match = Match.new("romans", TWO, 5)
    laid = lay(server, match)
    mine, theirs = holding(guest, server, laid, "gold", "green")
    before = look(mine)
    hand = mine.locator(".tray [data-card]")
    warriors = [card.get_attribute("data-warrior") for card in hand.all()]
    for number in range(1, 7):
        expect(mine.locator("#act")).to_be_disabled()
        hand.first.drag_to(mine.locator(f'[data-slot="{number}"]'))
    mine.locator("#act").click()
    moved_on(mine, before)
    expect(mine.locator(".plan.is-sealed")).to_be_visible()
    expect(mine.locator("#act")).to_be_disabled()
    # The warrior put aside takes the place of the first.
    hand.first.drag_to(mine.locator('[data-slot="1"]'))
    before = look(mine)
    mine.locator("#act").click()
    moved_on(mine, before)
    expect(mine.locator(".plan.is-sealed")).to_be_visible()
    before = look(mine)
    decide(theirs, Random(1))
    moved_on(mine, before)
    first = mine.locator(".rail .row > .war, .rail .row > .void, .rail .row > .pair").first
    match.commit("gold", "plan:" + ",".join(str(each) for each in [warriors[6], *warriors[1:6]]))
    name = {"charriott": "Charriott"}.get(str(warriors[6]), str(warriors[6]).capitalize())
    expect(first).to_contain_text(name)


@pytest.mark.parametrize("verb", ["charm", "take", "keep", "discard", "pay"])
def test_what_a_warrior_or_fort_asks_is_answered_by_clicking_it(guest: Guest, server: Server, verb: str) -> None:
    match = reach("romans", LIVELY, asks(verb))
    seat = asked(match, verb)
    (page,) = holding(guest, server, lay(server, match), seat)
    shown = look(page)
    value = next(each for each in shown.values if each.startswith(verb))
    number = radio(page, value).get_attribute("id")
    page.locator(f'label.can[for="{number}"]').first.click()
    expect(radio(page, value)).to_be_checked()
    page.locator("#act").click()
    moved_on(page, shown)
    match.commit(seat, value)
    assert look(page).position == match.moment


def test_hidden_warriors_are_put_in_a_new_order_by_clicking(guest: Guest, server: Server) -> None:
    match = reach("romans", LIVELY, asks("reorder"))
    seat = asked(match, "reorder")
    (page,) = holding(guest, server, lay(server, match), seat)
    shown = look(page)
    cards = page.locator("[data-slot] [data-card]")
    line = [card.get_attribute("data-warrior") for card in cards.all()]
    cards.first.click()
    cards.last.click()
    expect(cards.first).to_have_attribute("data-warrior", str(line[-1]))
    page.locator("#act").click()
    moved_on(page, shown)
    match.commit(seat, "reorder:" + ",".join(str(each) for each in [line[-1], *line[1:-1], line[0]]))
    assert look(page).position == match.moment


def test_a_round_is_played_from_home_with_the_keys_alone(guest: Guest) -> None:
    page = guest()
    tab_to(page, "article:has([value=romans]) .main")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    plans = 0
    while (shown := my_move(page)).phase != "over":
        plans += shown.plan == "plan"
        if plans == 2:
            break
        decide(page, Random(4), by_keys)
    assert plans == 2 or shown.phase == "over"


def test_a_line_can_be_planned_on_a_phone_with_a_finger(guest: Guest, server: Server) -> None:
    (page,) = holding(guest, server, lay(server, Match.new("romans", TWO, 6)), "gold", size=(390, 844), touch=True)
    before = look(page)
    by_mouse(page, before, Random(1))
    moved_on(page, before)
    expect(page.locator(".plan.is-sealed")).to_be_visible()
