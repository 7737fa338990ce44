"""The browser script, in a real chromium, with a server that can change, refuse and vanish: choosing, staying live."""

from playwright.sync_api import expect

from tests.web.browser import Visit
from tests.web.playhouse import Enter, pick, radio, tag_is, until
from tests.web.stage import STATIC, Beat, Stage

SIZE = 60_000  # of all pages together: tables, lessons, replays, the search of the rules


# Choosing


def test_the_button_names_the_pick_and_waits_for_one(enter: Enter) -> None:
    page = enter()
    act = page.locator("#act")
    expect(act).to_be_disabled()
    expect(act).to_have_text("Seal an order")
    pick(page, "act:rats")
    expect(act).to_be_enabled()
    expect(act).to_have_text("Seal 2, rats")
    pick(page, "act:axe")
    expect(act).to_have_text("Seal 1, axe")
    pick(page, "act:axe")  # a second click keeps it
    expect(act).to_be_enabled()


def test_digits_pick_and_enter_sends(enter: Enter, stage: Stage) -> None:
    page = enter()
    page.keyboard.press("3")
    expect(radio(page, "act:march")).to_be_checked()
    page.keyboard.press("Control+1")
    page.keyboard.press("9")
    expect(radio(page, "act:march")).to_be_checked()
    page.locator("body").dispatch_event("keydown", {"key": "é", "code": "Digit2"})  # a French keyboard
    expect(radio(page, "act:rats")).to_be_checked()
    page.keyboard.press("Enter")
    until(page, lambda: len(stage.posts) == 1)
    assert stage.posts == [{"seat": "gold", "position": "4", "choice": "act:rats"}]


def test_enter_sends_when_nothing_has_focus(enter: Enter, stage: Stage) -> None:
    page = enter()
    page.keyboard.press("Enter")  # nothing is picked: nothing to send
    pick(page, "act:axe")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    tag_is(page, "t2")
    assert [post["choice"] for post in stage.posts] == ["act:axe"]


def test_digits_typed_in_a_field_pick_nothing(enter: Enter, stage: Stage) -> None:
    stage.extra = '<input name="who">'
    page = enter()
    page.locator("[name=who]").press_sequentially("123")
    expect(page.locator(":checked")).to_have_count(0)


def test_sending_swaps_in_the_answer_and_the_sealed_choice_can_be_changed(enter: Enter, stage: Stage) -> None:
    page = enter()
    pick(page, "act:rats")
    page.locator("#act").click()
    tag_is(page, "t2")
    expect(radio(page, "act:rats")).to_be_checked()
    expect(page.locator("#act")).to_be_disabled()
    assert stage.pages == 1
    pick(page, "act:march")
    expect(page.locator("#act")).to_be_enabled()
    page.locator("#act").click()
    tag_is(page, "t3")
    assert [post["choice"] for post in stage.posts] == ["act:rats", "act:march"]


def test_a_refusal_is_shown_and_keeps_the_pick(enter: Enter, stage: Stage) -> None:
    page = enter()
    pick(page, "act:rats")
    stage.put(slip="That cannot be chosen now.", take=False, post_status=422)
    page.locator("#act").click()
    expect(page.locator(".slip")).to_have_text("That cannot be chosen now.")
    expect(radio(page, "act:rats")).to_be_checked()
    expect(page.locator("#act")).to_be_enabled()


def test_a_choice_that_resolves_the_turn_leaves_no_pick_for_the_next(enter: Enter, stage: Stage) -> None:
    page = enter()
    pick(page, "act:rats")
    stage.put(position=9, take=False)
    page.locator("#act").click()
    tag_is(page, "t2")
    expect(page.locator(":checked")).to_have_count(0)
    expect(page.locator("#act")).to_be_disabled()


def test_focus_on_the_button_goes_to_the_sealed_card(enter: Enter) -> None:
    page = enter()
    page.keyboard.press("2")
    page.locator("#act").focus()
    page.keyboard.press("Enter")
    tag_is(page, "t2")
    expect(radio(page, "act:rats")).to_be_focused()


# Losing and finding the table


def test_a_choice_sent_into_a_dead_network_is_kept_and_sent_again(enter: Enter, stage: Stage) -> None:
    page = enter()
    pick(page, "act:rats")
    stage.fall()
    page.locator("#act").click()
    until(page, lambda: "POST" in stage.refused)
    page.clock.fast_forward(2000)
    expect(page.locator("#link")).to_be_visible()
    expect(page.locator("html.lost")).to_have_count(1)
    expect(page.locator("#act")).to_be_disabled()
    expect(radio(page, "act:rats")).to_be_checked()
    stage.down = False
    page.clock.fast_forward(8000)
    tag_is(page, "t2")
    assert stage.posts == [{"seat": "gold", "position": "4", "choice": "act:rats"}]
    expect(page.locator("#link")).to_be_hidden()
    expect(page.locator("html.lost")).to_have_count(0)
    assert stage.pages == 1


def test_a_server_that_is_starting_is_asked_again(enter: Enter, stage: Stage) -> None:
    page = enter()
    pick(page, "act:axe")
    stage.put(post_status=503, take=False)
    page.locator("#act").click()
    until(page, lambda: len(stage.posts) == 1)
    stage.put(post_status=200, take=True)
    expect(page.locator("#act")).to_be_disabled()
    expect(radio(page, "act:axe")).to_have_attribute("data-sealed", "")
    assert stage.pages == 1


def test_a_lost_table_is_said_so_and_found_again_as_it_stands(enter: Enter, stage: Stage) -> None:
    page = enter()
    pick(page, "act:march")
    stage.fall()
    until(page, lambda: "GET" in stage.refused)
    page.clock.fast_forward(2000)
    expect(page.locator("#link")).to_be_visible()
    expect(page.locator("#act")).to_be_disabled()
    stage.put(slip="Somebody came in.")
    stage.down = False
    page.clock.fast_forward(9000)
    expect(page.locator(".slip")).to_be_visible()
    expect(page.locator("#link")).to_be_hidden()
    expect(radio(page, "act:march")).to_be_checked()
    expect(page.locator("#act")).to_be_enabled()
    expect(page.locator("#act")).to_have_text("Seal 3, march")


def test_a_stream_cut_for_a_moment_is_nobodys_business(enter: Enter, stage: Stage) -> None:
    page = enter()
    page.evaluate("new MutationObserver(() => document.body.append('lost')).observe(document.documentElement,"
                  " {attributes: true, attributeFilter: ['class']})")  # fmt: skip
    first = stage.streams[0]
    stage.cut()
    until(page, lambda: len(stage.streams) == 1 and stage.streams[0] is not first)
    stage.change(slip="Still here.")
    expect(page.locator(".slip")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("lost")


def test_a_stream_refused_is_tried_again(enter: Enter, stage: Stage) -> None:
    stage.live_status = 503
    page = enter()
    stage.put(slip="Open again.")
    stage.live_status = 200
    expect(page.locator(".slip")).to_be_visible()


def test_a_page_that_gets_no_stream_looks_for_itself_and_can_be_played(enter: Enter, stage: Stage) -> None:
    stage.live_status = 429
    page = enter()
    for news in ("Somebody came in.", "Somebody left."):
        stage.put(slip=news)
        page.clock.fast_forward(12_000)
        expect(page.locator(".slip")).to_contain_text(news)
        expect(page.locator("#link")).to_be_hidden()
    pick(page, "act:rats")
    page.locator("#act").click()
    tag_is(page, "t4")
    assert stage.posts == [{"seat": "gold", "position": "4", "choice": "act:rats"}]
    assert stage.pages == 1


def test_an_offline_device_says_so_and_comes_back(enter: Enter, stage: Stage, visit: Visit) -> None:
    context = visit()
    page = enter(context)
    context.set_offline(True)
    page.clock.fast_forward(2000)
    expect(page.locator("#link")).to_be_visible()
    stage.put(slip="While you were away.")
    context.set_offline(False)
    expect(page.locator(".slip")).to_be_visible()
    expect(page.locator("#link")).to_be_hidden()


def test_a_page_taken_out_of_the_browsers_memory_is_brought_up_to_date(enter: Enter, stage: Stage) -> None:
    page = enter()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    stage.put(slip="Meanwhile.")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(page.locator(".slip")).to_be_visible()


def test_a_table_that_is_no_more_loads_the_page(enter: Enter, stage: Stage) -> None:
    page = enter()
    stage.fragment_status = 404
    stage.change()
    until(page, lambda: stage.pages == 2)
    tag_is(page, "t2")


# Live updates


def test_a_live_update_keeps_pick_focus_folds_fields_and_scrolling(enter: Enter, stage: Stage) -> None:
    stage.extra = '<form><input name="who" value=""><select name="place-1"><option>a<option>b</select></form>'
    stage.extra += '<input type="checkbox" id="unfold">'
    page = enter()
    page.locator("[name=who]").fill("Ann")
    page.locator("[name=place-1]").select_option("b")
    page.locator("#unfold").check()
    page.locator("summary", has_text="Turn 2").click()
    page.keyboard.press("2")
    page.evaluate("document.querySelector('.scroller').scrollTop = 70; scrollTo(0, 120)")
    stage.change(slip="Bob came in.", title="Your move")
    expect(page.locator(".slip")).to_be_visible()
    expect(page).to_have_title("Your move")
    expect(radio(page, "act:rats")).to_be_checked()
    expect(radio(page, "act:rats")).to_be_focused()
    expect(page.locator("#act")).to_have_text("Seal 2, rats")
    expect(page.locator("[name=who]")).to_have_value("Ann")
    expect(page.locator("[name=place-1]")).to_have_value("b")
    expect(page.locator("#unfold")).to_be_checked()
    assert page.evaluate("[...document.querySelectorAll('details')].map((d) => d.open)") == [False, True]
    assert page.evaluate("[document.querySelector('.scroller').scrollTop, scrollY]") == [70, 120]
    expect(page.locator("#tip")).to_be_hidden()  # focus put back is nobody's question


def test_focus_in_the_board_and_in_a_field_stays(enter: Enter, stage: Stage) -> None:
    stage.extra = '<input name="who">'
    page = enter()
    page.locator("#forest").focus()
    page.keyboard.press("ArrowRight")
    stage.change()
    tag_is(page, "t2")
    expect(page.locator("#plain")).to_be_focused()
    page.locator("[name=who]").fill("Ann")
    stage.change()
    tag_is(page, "t3")
    page.keyboard.type("e")
    expect(page.locator("[name=who]")).to_have_value("Anne")


def test_a_sealed_pick_is_not_carried_into_the_next_turn(enter: Enter, stage: Stage) -> None:
    page = enter()
    pick(page, "act:rats")
    page.locator("#act").click()
    tag_is(page, "t2")
    stage.change(position=8, sealed="")
    tag_is(page, "t3")
    expect(page.locator(":checked")).to_have_count(0)


def test_a_curtain_takes_everything_of_the_other_seat_away(enter: Enter, stage: Stage) -> None:
    page = enter()
    stage.change(beats=[Beat(4, "Gold looked: a trap.", 10)], position=5)
    expect(page.locator("#say")).to_contain_text("a trap")
    expect(page.locator("#table")).to_have_attribute("data-position", "5")
    page.locator("#forest").hover()
    expect(page.locator("#tip")).to_be_visible()
    pick(page, "act:rats")
    stage.change(kind="curtain")
    expect(page.locator("#table")).to_have_text("Are you alone?")
    expect(page.locator("#say")).to_have_text("")
    expect(page.locator("#tip")).to_have_text("")
    expect(page.locator("#tip")).to_be_hidden()
    stage.change(kind="table goths", seat="red")
    tag_is(page, "t4")
    expect(page.locator(":checked")).to_have_count(0)


def test_a_burst_of_changes_is_few_fetches(enter: Enter, stage: Stage) -> None:
    page = enter()
    stage.held.clear()
    for _ in range(20):
        stage.change()
    until(page, lambda: stage.fragments == 1)
    stage.held.set()
    tag_is(page, "t21")
    assert stage.fragments <= 3


def test_a_part_with_a_script_of_its_own_is_wired_by_it(enter: Enter, stage: Stage) -> None:
    page = enter()
    stage.change(extra='<div data-script="/static/game/part.js"></div>')
    expect(page.locator("[data-script]")).to_have_attribute("data-wired", "t2")
    page.reload()
    expect(page.locator("[data-script]")).to_have_attribute("data-wired", "t2")


# The whole


def test_the_script_is_small_and_in_small_parts() -> None:
    parts = [part for part in STATIC.iterdir() if part.name.endswith(".js")]
    assert sum(len(part.read_bytes()) for part in parts) < SIZE
    assert all(len(part.read_text().splitlines()) <= 150 for part in parts)
