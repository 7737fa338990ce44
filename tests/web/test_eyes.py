"""What my partner knows, what everybody knows: the board through other eyes, as far as one's own seat can tell."""

import re

import pytest
from playwright.sync_api import expect

from meadhall.match import SPECTATOR, Match
from meadhall.web.game import board_of
from meadhall.web.goths.eyes import gaps as goths_gaps
from meadhall.web.pages.render import render
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import VARIANTS, Variant, random_game
from tests.web.browser import DESK, PHONE
from tests.web.playing import Guest, host, my_move
from tests.web.sight import holder_of, other_eyes, page, table_of

SEATS = {
    "goths": {
        "ostrogoth-king": "me",
        "ostrogoth-warchief": "random",
        "visigoth-king": "easy",
        "visigoth-warchief": "easy",
    },
    "romans": {"gold": "me", "green": "easy", "violet": "nobody", "red": "nobody"},
}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_board_is_drawn_from_the_other_view_and_the_hand_stays_ones_own(variant: Variant) -> None:
    record = random_game(variant, 3, 11).record()
    table = table_of(record)
    for seat in table.match.seats:
        for other in other_eyes(table.match, seat):
            holder = holder_of(table.match, seat)
            shown = page(table, holder, "en", as_known_by=other, fragment=True)
            if table.phase != "playing" or table.eyes_of(holder) != seat:
                continue
            theirs = table.match.view(seat).seen_by(other)
            heard = [event for event in table.match.events(seat) if event.seen_by(other)]
            face = table.page_face(holder, seat)
            picture = board_of(face.game).picture(theirs, heard, words("en"), face.people)
            assert render("cloth.html", words("en"), face=face, game=face.game, picture=picture) in shown
            rail = re.search(r'<section class="rail".*?</section>', page(table, holder, "en", fragment=True), re.DOTALL)
            assert rail is not None
            assert rail[0] in shown


def ordered() -> Match:
    """A turn of Goths in which both kings have laid their cards, and one warchief has sealed his."""
    match = Match.new("goths", seed=5)
    while len(match.waiting) == 1:
        match.commit(match.waiting[0], match.choices(match.waiting[0])[0])
    match.commit("ostrogoth-warchief", match.choices("ostrogoth-warchief")[0])
    return match


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_said_what_only_one_of_two_partners_knows(lang: str) -> None:
    match, spoken = ordered(), words(lang)
    king, warchief = match.view("ostrogoth-king"), match.view("ostrogoth-warchief")
    meant = spoken.name("goths", "character", match.record()["choices"][0][1].split(":")[1].split("/")[0])
    if match.record()["choices"][0][0] != "ostrogoth-king":
        meant = spoken.name("goths", "character", match.record()["choices"][1][1].split(":")[1].split("/")[0])
    [order] = goths_gaps(king, king.seen_by("ostrogoth-warchief"), spoken)
    assert meant in order
    sealed, theirs = goths_gaps(warchief, warchief.seen_by("ostrogoth-king"), spoken)
    assert sealed == spoken.say("goths.eyes.act")
    assert theirs == spoken.say("goths.eyes.their-order")
    assert goths_gaps(warchief, warchief.seen_by(SPECTATOR), spoken) == [sealed]


def test_who_has_no_seat_or_whose_game_is_over_has_no_switch() -> None:
    table = table_of(random_game(VARIANTS[0], 1, 9).record())
    seat = table.match.seats[0]
    assert 'class="eyes' in page(table, holder_of(table.match, seat), "en")
    assert 'class="eyes' not in page(table, "stranger", "en", as_known_by=seat)
    over = table_of(random_game(VARIANTS[0], 1, 500).record())
    assert over.phase == "over"
    assert 'class="eyes' not in page(over, holder_of(over.match, seat), "en", as_known_by=SPECTATOR)


def test_an_enemys_eyes_are_not_to_be_had() -> None:
    table = table_of(random_game(VARIANTS[0], 1, 9).record())
    me = holder_of(table.match, "ostrogoth-king")
    assert page(table, me, "en", as_known_by="visigoth-king") == page(table, me, "en")


@pytest.mark.parametrize("js", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_switch_changes_the_board_and_keeps_the_pick(game: str, js: bool, guest: Guest) -> None:
    mine = guest("/", js=js, size=DESK)
    host(mine, game, SEATS[game])
    if js:
        my_move(mine)
    switch = mine.locator(".eyes > ul a")
    assert switch.count() == (3 if game == "goths" else 2)
    picked = mine.locator(".rail input[name=choice]:not(.composed)")
    if js and game == "goths":
        mine.locator("label.pick").first.click()
    switch.last.click()
    expect(mine.locator("#table[data-peek]")).to_be_visible()
    expect(mine).to_have_url(re.compile(r"\?eyes=spectator$"))
    expect(mine.locator(".eyes .gaps")).to_have_text(re.compile(r"\w"))
    if js and game == "goths":
        expect(picked.first).to_be_checked()
        expect(switch.last).to_be_focused()
    mine.locator(".eyes > ul a").first.click()
    expect(mine.locator("#table[data-peek]")).to_have_count(0)
    if js:
        expect(mine).to_have_url(re.compile(r"/t/\w{6}$"))


def test_on_a_phone_the_tables_menu_leads_there_and_the_switch_back(guest: Guest) -> None:
    page = guest("/", size=PHONE)
    host(page, "goths", SEATS["goths"])
    my_move(page)
    expect(page.locator(".eyes")).to_be_hidden()
    page.locator("#table-menu > summary").click()
    page.locator("#table-menu a[data-eyes=spectator]").click()
    expect(page.locator(".eyes")).to_be_visible()
    expect(page.locator(".rail")).to_be_hidden()
    page.locator(".eyes > ul a").first.click()
    expect(page.locator(".rail")).to_be_visible()
