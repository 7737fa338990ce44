"""Several people at one device: a curtain between them, and nothing of one person's secrets on another's screen."""

from copy import deepcopy
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from meadhall.match import Match
from tests.web.playing import Guest, decide, holding, host, look, table
from tests.web.positions import Laid, lay
from tests.web.server import Server

SEATS = ("ostrogoth-king", "ostrogoth-warchief", "visigoth-king", "visigoth-warchief")
TWO = {"players": ["gold", "green"]}


def here(page: Page, laid: Laid, seat: str) -> None:
    """Somebody has the device, asked or not."""
    page.request.post(f"{laid.path}/here", form={"seat": seat}, headers={"origin": _origin(page)})
    page.goto(laid.path)
    expect(table(page)).to_have_attribute("data-seat", seat)


def _origin(page: Page) -> str:
    return str(page.evaluate("location.origin"))


def press(button: Locator) -> None:
    """Press a button that brings a new page, and wait until all of it is there."""
    with button.page.expect_navigation():
        button.click()


def nobody(page: Page) -> None:
    """The page shows nobody's side."""
    expect(page.locator("#table:not([data-seat]), #table[data-seat='']")).to_be_visible()


def curtained(page: Page) -> None:
    """The curtain hangs, and there is nothing behind it."""
    expect(page.locator("#table.curtain")).to_be_visible()
    for part in (".board", ".grid", ".story", ".rail", "[name=choice]", "[data-at]", "[title]", "[data-tip]"):
        expect(page.locator(f"#table {part}")).to_have_count(0)


def test_a_whole_game_at_one_device_shows_each_person_only_their_own_side(guest: Guest) -> None:
    page = guest()
    people = dict(zip(SEATS, ("Anna", "Ben", "Carl", "Dora"), strict=True))
    names = {f"name_{seat}": people[seat] for seat in SEATS[1:]}
    seats = {seat: "me" if seat == SEATS[0] else "device" for seat in SEATS}
    host(page, "goths", seats, name="Anna", turn_limit="1", **names)
    dice, played = Random(1), []
    while page.locator("#table[data-phase=over]").count() == 0:
        if page.locator("#table.curtain").count() == 0:
            # What all may see: the table after a choice. Nobody is asked anything there, and one button goes on.
            assert look(page).seat == ""
            assert not look(page).owes
            press(page.locator(".strip form[action$=away] button"))
        curtained(page)
        button = page.locator("form[action$=here] button.seal:not(.quiet)")
        asked = page.locator("form[action$=here] [name=seat]").first.input_value()
        expect(button).to_have_text(f"I am {people[asked]}")
        expect(page.locator("h1")).to_have_text(f"{people[asked]}, are you alone?")
        press(button)
        expect(table(page)).to_have_attribute("data-seat", asked)
        expect(page.locator(".strip b")).to_have_text(people[asked])
        assert look(page).to_play, "only those who owe a choice are asked"
        played.append(decide(page, dice).seat)
    assert set(played) == set(SEATS)
    expect(page.locator("section.over")).to_be_visible()


def test_the_public_table_is_shown_while_nobody_at_the_device_owes_anything(guest: Guest, server: Server) -> None:
    match = Match.new("goths", {}, 3)
    (first,) = match.waiting
    partner = first.replace("king", "warchief")
    others = [seat for seat in SEATS if seat not in (first, partner)]
    laid = lay(server, match, together=[[first, partner], others])
    page, other = holding(guest, server, laid, first, others[0])
    expect(other.locator("#table.curtain")).to_have_count(0)
    expect(other.locator(".strip form")).to_have_count(0)
    curtained(page)
    press(page.locator("form[action$=here] button"))
    expect(table(page)).to_have_attribute("data-seat", first)
    decide(page, Random(1))
    nobody(page)
    expect(page.locator("#table.curtain")).to_have_count(0)
    expect(page.locator(".strip form, #table #act")).to_have_count(0)
    # Whoever sealed may look at his side, and change his mind, from the menu of the table.
    expect(page.locator("#table-menu form[action$=here]")).to_have_count(2)


def shared(guest: Guest, server: Server, match: Match) -> tuple[Page, Laid]:
    """A device at which everybody sits."""
    laid = lay(server, match, together=[match.seats])
    (page,) = holding(guest, server, laid, match.seats[0])
    return page, laid


def dom(page: Page, laid: Laid) -> str:
    """All the browser has of a page once the script has dressed it, whichever table it is."""
    expect(page.locator("html.js:not(:has(#table [title], .composed:disabled))")).to_have_count(1)
    page.wait_for_load_state()
    return page.content().replace(laid.code, "CODE")


def sights(page: Page, laid: Laid, seats: tuple[str, ...]) -> dict[str, str]:
    """What is shown with the curtain up, and to each person; the log and the set-up are in it."""
    seen = {"first": dom(page, laid)}
    for seat in seats:
        here(page, laid, seat)
        seen[seat] = dom(page, laid)
        press(page.locator("form[action$=away] button"))
        nobody(page)
        seen[f"after {seat}"] = dom(page, laid)
    return seen


@pytest.mark.parametrize(
    ("choices", "owner"),
    [
        ([[("ostrogoth-king", "order:vulture/recruiter")], [("ostrogoth-king", "order:recruiter/vulture")]], SEATS[0]),
        (
            [
                [*[(f"{clan}-king", "order:vulture/recruiter") for clan in ("ostrogoth", "visigoth")], (SEATS[1], act)]
                for act in ("act:axe", "act:rats")
            ],
            SEATS[1],
        ),
    ],
    ids=["a king's card", "a warchief's order"],
)
def test_in_goths_no_page_of_anybody_else_depends_on_what_one_has_chosen(
    guest: Guest, server: Server, choices: list[list[tuple[str, str]]], owner: str
) -> None:
    worlds = []
    for made in choices:
        match = Match.new("goths", {"fog_of_war": True}, 7)
        for seat, choice in made:
            match.commit(seat, choice)
        page, laid = shared(guest, server, match)
        worlds.append(sights(page, laid, SEATS))
    one, other = worlds
    assert {name for name in one if one[name] != other[name]} == {owner}


def test_in_romans_no_page_of_anybody_else_depends_on_what_one_was_dealt_and_has_planned(
    guest: Guest, server: Server
) -> None:
    worlds = []
    for swapped in (False, True):
        match = Match.new("romans", TWO, 7)
        record = match.record()
        if swapped:
            record = deepcopy(record)
            record["setup"]["hands"][0]["gold"].reverse()
            record["setup"]["hands"][0]["gold"][0] = _left_out(record["setup"]["hands"][0]["gold"])
        match = Match.from_record(record)
        match.commit("gold", "plan:" + ",".join(record["setup"]["hands"][0]["gold"][:6]))
        page, laid = shared(guest, server, match)
        worlds.append(sights(page, laid, ("gold", "green")))
    one, other = worlds
    assert {name for name in one if one[name] != other[name]} == {"gold"}


def _left_out(hand: list[str]) -> str:
    """A warrior that was not dealt."""
    return next(name for name in ("qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie") if name not in hand)


@pytest.mark.parametrize("js", [True, False], ids=["with the script", "without the script"])
def test_the_back_button_does_not_show_what_the_person_before_saw(guest: Guest, server: Server, js: bool) -> None:
    match = Match.new("goths", {}, 8)
    laid = lay(server, match, together=[match.seats])
    (page,) = holding(guest, server, laid, "ostrogoth-king", js=js)
    curtained(page)
    press(page.locator("form[action$=here] button.seal:not(.quiet)"))
    page.locator("label.pick").first.click()
    page.locator("#act").click()
    nobody(page)
    page.goto("/rules")
    for step in (page.go_back, page.go_back, page.go_forward, page.go_forward):
        step()
        expect(page.locator("[data-seat=ostrogoth-king], [name=choice]")).to_have_count(0)


def test_the_other_person_cannot_be_asked_for_what_is_behind_the_curtain(guest: Guest, server: Server) -> None:
    page, laid = shared(guest, server, Match.new("romans", TWO, 9))
    curtained(page)
    page.reload()
    curtained(page)
    answer = page.request.get(laid.path, headers={"X-Fragment": "table"})
    assert 'class="curtain' in answer.text()
    assert "data-plan" not in answer.text()
    assert answer.headers["cache-control"] == "no-store"
