"""People who watch, who lose the network, who go and come back: the table is always there, in their seat."""

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Page, expect

from meadhall.match import Match
from tests.web.browser import PHONE
from tests.web.playing import (
    Complaints,
    Guest,
    decide,
    holding,
    host,
    join,
    look,
    moved_on,
    my_move,
    play_on,
    radio,
    settled,
    surely,
    table,
    thing,
)
from tests.web.positions import lay, reach
from tests.web.server import Server

TWO = {"players": ["gold", "green"]}
LONE = {"lone_rulers": ["ostrogoth", "visigoth"], "turn_limit": 2}
NETWORK = "ERR_|Failed to load resource|status 50"


def mark(page: Page) -> None:
    """Something that a page has until it is loaded anew."""
    page.evaluate("document.documentElement.dataset.mark = 'same page'")


def is_the_same(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-mark", "same page")


# Watching


def test_a_spectator_sees_the_moves_live_and_is_asked_nothing(guest: Guest, server: Server) -> None:
    laid = lay(
        server,
        Match.new("goths", LONE, 1),
        together=[[f"{clan}-king", f"{clan}-warchief"] for clan in ("ostrogoth", "visigoth")],
        public=True,
    )
    players = holding(guest, server, laid, "ostrogoth-king", "visigoth-king")
    spectator = guest("/watch")
    spectator.locator(f'a[href="{laid.path}"]').click()
    spectator.wait_for_url(f"**{laid.path}")
    mark(spectator)

    def nothing_to_choose(_: object) -> bool:
        settled([*players, spectator])
        assert not look(spectator).owes
        expect(spectator.locator("#act, #table [name=choice], .hand")).to_have_count(0)
        return False

    made = play_on(players, Random(1), until=nothing_to_choose)
    assert made
    expect(spectator.locator("section.over p")).to_have_text(players[0].locator("section.over p").inner_text())
    expect(spectator.locator("form[action$=again]")).to_have_count(0)
    is_the_same(spectator)


def test_bots_among_themselves_play_for_whoever_watches_at_the_pace_he_chooses(guest: Guest) -> None:
    page = guest("/watch")
    page.locator("form", has=page.locator("[name=seat][value=nobody] ~ *")).locator("button").last.click()
    page.wait_for_url("**/t/*")
    other = guest(page.url)
    expect(page.locator("[name=ms][value='1500']")).to_have_attribute("aria-pressed", "true")
    expect(other.locator("[name=ms]")).to_have_count(0)
    page.locator("[name=ms][value='0']").click()
    for each in (page, other):
        expect(each.locator("section.over")).to_be_visible()
    assert look(page).position == look(other).position


# Losing the table, and finding it again


def test_a_pick_is_kept_through_live_updates_and_a_lost_network(
    guest: Guest, server: Server, complaints: Complaints
) -> None:
    complaints.expect(NETWORK)
    laid = lay(server, Match.new("goths", {}, 3))
    mine, king, rival = holding(guest, server, laid, "ostrogoth-warchief", "ostrogoth-king", "visigoth-king")
    decide(king, Random(1))
    my_move(rival)
    decide(rival, Random(1))
    my_move(mine)
    thing(mine, "act:axe").click()
    mark(mine)
    mine.context.set_offline(True)
    expect(mine.locator("#link")).to_be_visible()
    expect(mine.locator("#act")).to_be_disabled()
    expect(radio(mine, "act:axe")).to_be_checked()
    mine.context.set_offline(False)
    expect(mine.locator("#link")).to_be_hidden()
    expect(radio(mine, "act:axe")).to_be_checked()
    before = look(mine)
    rival.locator("#table-menu > summary").click()
    surely(rival.locator("#table-menu"), "leave")
    moved_on(mine, before)
    expect(radio(mine, "act:axe")).to_be_checked()
    before = look(mine)
    mine.locator("#act").click()
    moved_on(mine, before)
    expect(radio(mine, "act:axe")).to_have_attribute("data-sealed", "")
    is_the_same(mine)


def test_a_page_that_was_offline_catches_up_with_what_happened_meanwhile(
    guest: Guest, server: Server, complaints: Complaints
) -> None:
    complaints.expect(NETWORK)
    laid = lay(server, Match.new("goths", {}, 4))
    mine, king, rival = holding(guest, server, laid, "ostrogoth-warchief", "ostrogoth-king", "visigoth-king")
    mine.context.set_offline(True)
    expect(mine.locator("#link")).to_be_visible()
    decide(king, Random(1))
    my_move(rival)
    decide(rival, Random(1))
    mine.context.set_offline(False)
    assert my_move(mine).position == look(king).position


def test_a_reload_in_mid_decision_shows_the_same_table_in_the_same_seat(guest: Guest, server: Server) -> None:
    match = reach("goths", {}, lambda match: len(match.waiting) == 2)
    (page,) = holding(guest, server, lay(server, match), "visigoth-warchief")
    decide(page, Random(1))
    before = look(page)
    page.reload()
    assert look(page) == before
    assert before.sealed


@pytest.fixture
def restartable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("restartable")) as running:
        running.options = ("--port", running.url.rpartition(":")[2])
        yield running


def test_after_a_crash_of_the_server_the_page_comes_back_by_itself_in_the_same_seat(
    guest: Guest, restartable: Server, complaints: Complaints
) -> None:
    complaints.expect(NETWORK)
    laid = lay(restartable, Match.new("romans", TWO, 2))
    mine, theirs = holding(guest, restartable, laid, "gold", "green")
    for page in (mine, theirs):
        mark(page)
    decide(mine, Random(1))
    restartable.kill()
    for page in (mine, theirs):
        expect(page.locator("#link")).to_be_visible()
        expect(page.locator("#act")).to_be_disabled()
    restartable.start()
    for page, seat in ((mine, "gold"), (theirs, "green")):
        expect(page.locator("#link")).to_be_hidden()
        expect(table(page)).to_have_attribute("data-seat", seat)
    expect(mine.locator(".plan.is-sealed")).to_be_visible()
    decide(theirs, Random(2))
    settled([mine, theirs])
    assert look(mine).position > 0
    for page in (mine, theirs):
        is_the_same(page)


def test_a_choice_made_while_the_server_is_down_is_sent_until_it_is_answered(
    guest: Guest, restartable: Server, complaints: Complaints
) -> None:
    complaints.expect(NETWORK)
    laid = lay(restartable, reach("goths", {}, lambda match: len(match.waiting) == 2))
    (page,) = holding(guest, restartable, laid, "visigoth-warchief")
    thing(page, "act:fire").click()
    restartable.kill()
    page.locator("#act").click()
    restartable.start()
    expect(radio(page, "act:fire")).to_have_attribute("data-sealed", "")


# People who have gone


@pytest.fixture
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("impatient"), "--grace", "2") as running:
        yield running


def test_a_player_who_has_gone_is_replaced_by_a_bot_and_gets_the_seat_back(guest: Guest, impatient: Server) -> None:
    ada, bo, cy = (guest(at=impatient) for _ in range(3))
    code = host(ada, "romans", {"violet": "open", "red": "nobody"}, name="Ada")
    join(bo, code, "green", "Bo")
    join(cy, code, "violet", "Cy")
    settled([ada, bo, cy])
    cy.goto("about:blank")
    slip = bo.locator(".slip", has_text="Cy")
    expect(slip).to_be_visible()
    expect(ada.locator(".slip", has_text="Cy")).to_be_visible()
    with bo.expect_navigation():  # on a page that is only just coming there is no slip in any case
        surely(slip, "bot")
    expect(slip).to_have_count(0)
    expect(ada.locator(".slip")).to_have_count(0)
    cy.goto(f"/t/{code}")
    assert look(cy).seat == ""
    with cy.expect_navigation():
        cy.locator(".slip form[action$=sit] button").click()
    expect(table(cy)).to_have_attribute("data-seat", "violet")
    expect(cy.locator(".slip")).to_have_count(0)


def test_the_others_may_wait_for_a_player_who_has_gone_or_end_the_table(guest: Guest, impatient: Server) -> None:
    ada, bo = (guest(at=impatient) for _ in range(2))
    code = host(ada, "romans", {"violet": "nobody", "red": "nobody"}, name="Ada")
    join(bo, code, "green", "Bo")
    settled([ada, bo])
    ada.goto("about:blank")
    slip = bo.locator(".slip", has_text="Ada")
    expect(slip).to_be_visible()
    slip.locator("button").first.click()
    expect(slip).to_be_hidden()
    assert look(bo).to_play
    bo.reload()
    surely(slip, "end")
    expect(table(bo)).to_have_attribute("data-phase", "ended")
    expect(bo.locator("#over h1")).to_have_text("This table was ended.")


def test_the_host_cannot_remove_who_is_there_but_may_end_the_table(guest: Guest, server: Server) -> None:
    ada, bo = guest(), guest()
    code = host(ada, "romans", {"violet": "nobody", "red": "nobody"}, name="Ada")
    join(bo, code, "green", "Bo")
    settled([ada, bo])
    ada.locator("#table-menu > summary").click()
    expect(ada.locator("form[action$=bot]")).to_have_count(0)
    surely(ada.locator("#table-menu"), "end")
    for page in (ada, bo):
        expect(table(page)).to_have_attribute("data-phase", "ended")


def test_a_bot_plays_for_who_leaves_in_mid_game_and_he_alone_comes_back_once(guest: Guest) -> None:
    ada, bo, cy = guest(), guest(), guest()
    code = host(ada, "romans", {"violet": "nobody", "red": "nobody"}, name="Ada")
    join(bo, code, "green", "Bo")
    settled([ada, bo])
    bo.locator("#table-menu > summary").click()
    surely(bo.locator("#table-menu"), "leave")
    expect(table(bo)).to_have_attribute("data-seat", "")
    expect(ada.locator("#table-menu", has_text="bot (medium)")).to_have_count(1)
    cy.goto(f"/t/{code}")
    expect(table(cy)).to_have_attribute("data-seat", "")
    expect(cy.locator("form[action$=sit]")).to_have_count(0)
    bo.reload()
    with bo.expect_navigation():
        bo.locator(".slip form[action$=sit] button").click()
    expect(table(bo)).to_have_attribute("data-seat", "green")
    bo.locator("#table-menu > summary").click()
    surely(bo.locator("#table-menu"), "leave")
    expect(table(bo)).to_have_attribute("data-seat", "")
    bo.reload()
    expect(bo.locator("form[action$=sit]")).to_have_count(0)


# What one has opened


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_story_unfolded_on_a_phone_stays_so_through_a_live_update(guest: Guest, server: Server, game: str) -> None:
    rules = {} if game == "goths" else TWO
    match = reach(game, rules, lambda match: match.moment > 20 and len(match.waiting) == 1)
    (seat,) = match.waiting
    laid = lay(server, match)
    (player,) = holding(guest, server, laid, seat)
    spectator = guest(laid.path, size=PHONE, touch=True)
    tale = spectator.locator(".story .book, .story .tale").first
    expect(tale).to_be_hidden()
    spectator.locator(".story .last").click()
    expect(tale).to_be_visible()
    before = look(spectator)
    decide(player, Random(1))
    moved_on(spectator, before)
    expect(tale).to_be_visible()


# The end


def test_at_the_end_one_looks_back_shares_and_plays_again_on_another_seat(guest: Guest, server: Server) -> None:
    match = reach("goths", {}, lambda match: match.outcome is not None)
    laid = lay(server, match, names={"ostrogoth-king": "Ada", "ostrogoth-warchief": "Bo"})
    ada, bo = holding(guest, server, laid, "ostrogoth-king", "ostrogoth-warchief")
    assert match.outcome
    won = match.outcome.winners == ("ostrogoth",)
    expect(ada.locator("#over h1")).to_have_text("You won, with Bo" if won else "You lost")
    expect(ada.locator(".board .obj.up")).to_have_count(3)
    expect(ada.locator("#act, .ask")).to_have_count(0)
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    ada.locator(".share summary").click()
    expect(ada.locator(".share summary")).to_have_text("Copied")
    sent = ada.evaluate("navigator.clipboard.readText()")
    assert sent.startswith("Goths Save the Queen: ")
    assert sent.endswith(laid.path)
    ada.locator("#over a[href$=replay]").click()
    expect(ada.locator("main.replay")).to_have_attribute("data-number", "0")
    ada.locator(f'header a[href="{laid.path}"]').click()
    ada.locator("#over form[action$=exchanged] button").click()
    ada.wait_for_url(lambda url: not url.partition("?")[0].endswith(laid.code))
    bo.reload()
    bo.locator("#over a.main").click()
    bo.wait_for_url(ada.url)
    assert (look(ada).seat, look(bo).seat) == ("ostrogoth-warchief", "ostrogoth-king")


@pytest.mark.parametrize("size", [(1366, 768), (1366, 650)], ids=["desk", "laptop"])
def test_at_the_end_of_romans_ones_own_line_and_rank_are_in_sight(
    size: tuple[int, int], guest: Guest, server: Server
) -> None:
    four = {"players": ["gold", "green", "violet", "red"]}
    laid = lay(server, reach("romans", four, lambda match: match.outcome is not None))
    (page,) = holding(guest, server, laid, "green", size=size)
    expect(page.locator("#over .ranks li")).to_have_count(4)
    for part in ("#over .ranks .mine", "#over h1", ".rail .row"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
