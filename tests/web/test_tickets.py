"""One's own tables on the home page: whose turn it is as far as one may know, and how they ended."""

from random import Random

import pytest

from meadhall.match import Match
from meadhall.tables.entries import Bot, Chose, Ended, Header, Sat
from meadhall.tables.table import Table
from meadhall.web.pages.tickets import FINISHED, OwnTicket, own_tickets
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.web.lobbies import GOTHS_SEATS
from tests.web.server import Server
from tests.web.visitor import Browser

EN = words("en")
TWO = {"players": ["gold", "green"]}


def laid(match: Match, holders: dict[str, str], code: str = "BBBBBB") -> Table:
    """A table at which a match has come so far; whoever is not named is a bot."""
    record = match.record()
    header = Header(match.game.name, dict(record["rules"]), record["setup"], "host")
    seats = [
        Sat(seat, holders[seat], holders[seat].title()) if seat in holders else Bot(seat, "easy")
        for seat in match.seats
    ]
    return Table(1, code, header, [*seats, *(Chose(seat, choice) for seat, choice in record["choices"])])


def played(game: str, rules: dict[str, object], seed: int) -> Match:
    """A whole game of random choices."""
    match, dice = Match.new(game, rules, seed), Random(seed)
    while match.outcome is None:
        seat = dice.choice(match.waiting)
        match.commit(seat, dice.choice(match.choice_ids(seat)))
    return match


def ticket_of(table: Table, holder: str) -> OwnTicket:
    (found,) = own_tickets([table], holder, EN)
    return found


def test_it_is_my_turn_when_my_own_seat_owes_a_choice_and_else_that_of_others() -> None:
    match = Match.new("goths", {}, 3)
    (first,) = match.waiting
    holders = dict(zip(GOTHS_SEATS, ("anna", "ben", "carl", "dora"), strict=True))
    table = laid(match, holders)
    for seat, holder in holders.items():
        found = ticket_of(table, holder)
        assert found.said == ("Your turn" if seat == first else "Waiting for others")
        assert (found.seat, found.seats) == (seat, EN.seat("goths", seat))
        assert holder.title() not in found.people
        assert len(found.people.split(", ")) == 3


def test_a_ticket_does_not_tell_whether_anybody_else_has_chosen() -> None:
    for seed in range(4):
        match = Match.new("goths", {}, seed)
        for _ in range(2):
            (king,) = match.waiting
            match.commit(king, match.choices(king)[0])
        before = laid(match, dict(zip(GOTHS_SEATS, "abcd", strict=True)))
        assert len(match.waiting) > 1
        chosen = match.waiting[0]
        match.commit(chosen, match.choices(chosen)[0])
        after = laid(match, dict(zip(GOTHS_SEATS, "abcd", strict=True)))
        for seat, holder in zip(GOTHS_SEATS, "abcd", strict=True):
            if seat != chosen:
                assert ticket_of(before, holder) == ticket_of(after, holder)


def test_a_finished_table_says_how_it_ended_for_me() -> None:
    match = next(each for each in (played("romans", TWO, seed) for seed in range(9)) if len(_winners(each)) == 1)
    (winner,) = _winners(match)
    loser = "gold" if winner == "green" else "green"
    table = laid(match, {winner: "anna", loser: "ben"})
    won, lost = ticket_of(table, "anna"), ticket_of(table, "ben")
    assert (won.standing, won.said) == ("won", "You won")
    assert (lost.standing, lost.said) == ("lost", "You lost")
    assert won.detail == lost.detail == EN.outcome("romans", match.outcome.record if match.outcome else {})
    assert "Points: " in won.detail
    both = ticket_of(laid(match, {winner: "anna", loser: "anna"}), "anna")
    assert both.said == "It is over"


def _winners(match: Match) -> tuple[str, ...]:
    assert match.outcome is not None
    return match.outcome.winners


def test_a_draw_is_a_draw_and_an_ended_table_was_ended() -> None:
    drawn = next(
        each for each in (played("goths", {"turn_limit": 1}, seed) for seed in range(30)) if not _winners(each)
    )
    assert ticket_of(laid(drawn, {GOTHS_SEATS[0]: "anna"}), "anna").said == "A draw"
    table = laid(Match.new("goths", {}, 1), {GOTHS_SEATS[0]: "anna"})
    table.apply(Ended())
    assert ticket_of(table, "anna").said == "Was ended"


def test_my_turn_comes_first_then_what_is_played_then_a_few_that_are_over() -> None:
    over = [laid(played("romans", TWO, seed), {"gold": "anna"}, f"OVER{seed}") for seed in range(FINISHED + 2)]
    match = Match.new("goths", {}, 3)
    (first,) = match.waiting
    turn = laid(match, {first: "anna"}, "TURN")
    waiting = laid(match, {next(seat for seat in GOTHS_SEATS if seat != first): "anna"}, "WAIT")
    strangers = laid(match, {first: "ben"}, "OTHER")
    found = own_tickets([over[0], waiting, strangers, *over[1:], turn], "anna", EN)
    assert [each.code for each in found] == ["TURN", "WAIT", *(f"OVER{k}" for k in range(FINISHED))]
    assert own_tickets([turn], None, EN) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_home_page_leads_back_to_my_tables_in_my_language(server: Server, lang: str) -> None:
    browser = Browser(server, **{"accept-language": lang})
    assert words(lang).say("ui.home.yours") not in browser.get("/").text
    codes = [browser.play("goths"), browser.play("romans")]
    page = browser.get("/").text
    assert [f'href="/t/{code}"' in page for code in codes] == [True, True]
    assert words(lang).say("ui.yours.turn") in page


def test_where_a_company_plays_on_is_noted_when_one_looks_there(server: Server) -> None:
    anna, ben = Browser(server), Browser(server)
    seats = {"seat-gold": "me", "seat-green": "open", "seat-violet": "nobody", "seat-red": "nobody"}
    code = anna.post("/host", {"game": "romans", **seats}).headers["location"].rpartition("/")[2]
    ben.post(f"/t/{code}/sit", {"seat": "green"})
    anna.post(f"/t/{code}/end", {"sure": "yes"})
    following = anna.post(f"/t/{code}/again").headers["location"]
    assert f'href="{following}"' not in ben.get("/").text
    assert "tables=" in ben.get(following).headers["set-cookie"]
    assert "set-cookie" not in ben.get(following).headers
    assert f'href="{following}"' in ben.get("/").text
    assert "set-cookie" not in Browser(server).get(following).headers
