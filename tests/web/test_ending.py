"""The end of a game on the page: to each his own words, everything opened, and what can be done next."""

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from meadhall.faults import Fault
from meadhall.games.game import Outcome, game_named
from meadhall.match import SPECTATOR, Match
from meadhall.tables.entries import Bot, Chose, Ended, Header, Sat
from meadhall.tables.table import Table
from meadhall.web.edge.session import Shown
from meadhall.web.pages.ending import ending
from meadhall.web.pages.screens import screen
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import VARIANTS, Variant, at_random, random_game
from tests.web.sight import holder_of, page, table_of

EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS, ids=str)
FOUR = {"players": ["gold", "green", "violet", "red"]}


def finished(game: str, rules: dict[str, object], wanted: object = None, seeds: range = range(200)) -> Match:
    """The first of some random games that ends as wanted."""
    for seed in seeds:
        match = Match.new(game, rules, seed)
        for _ in at_random(match, Random(seed), 500):
            pass
        if match.outcome and (wanted is None or wanted(match.outcome)):  # type: ignore[operator]
            return match
    raise AssertionError("no game ends so")


def seated(match: Match, sitters: dict[str, str], names: Mapping[str, str] = {}) -> Table:
    """A finished table: a seat's sitter is a person's name in records, or a bot."""
    header = Header(match.game.name, dict(match.header.rules), match.header.setup, "host")
    sat = [
        Bot(seat, "easy") if who == "bot" else Sat(seat, who, names.get(seat))
        for seat, who in ((seat, sitters.get(seat, f"holder of {seat}")) for seat in match.seats)
    ]
    return Table(1, "BBBBBB", header, [*sat, *(Chose(*choice) for choice in match.record()["choices"])])


def title(table: Table, holder: str, seat: str | None, lang: str = "en") -> tuple[str, str]:
    told = ending(table.page_face(holder, seat), words(lang))
    assert told is not None
    return told.mood, told.title


# Words


def test_each_of_two_clans_is_told_its_own_end_and_a_spectator_who_won() -> None:
    match = finished("goths", {}, lambda outcome: outcome.winners == ("visigoth",))
    table = seated(match, {"visigoth-warchief": "bot"}, {"ostrogoth-king": "Ada", "ostrogoth-warchief": "Bo"})
    told = {seat: title(table, f"holder of {seat}", seat) for seat in match.seats[:3]}
    assert told["ostrogoth-king"] == told["ostrogoth-warchief"] == ("lost", "You lost")
    assert told["visigoth-king"] == ("won", "You won, with a bot")
    assert title(table, "stranger", None) == ("watched", "The Visigoths won")


def test_who_won_with_a_partner_reads_his_name() -> None:
    match = finished("goths", {}, lambda outcome: outcome.winners == ("ostrogoth",))
    table = seated(match, {}, {"ostrogoth-king": "Ada", "ostrogoth-warchief": "Bo"})
    assert title(table, "holder of ostrogoth-king", "ostrogoth-king") == ("won", "You won, with Bo")
    assert title(table, "holder of ostrogoth-warchief", "ostrogoth-warchief", "de") == (
        "won",
        "Du hast gewonnen, mit Ada",
    )
    nameless = seated(match, {})
    assert title(nameless, "holder of ostrogoth-king", "ostrogoth-king") == ("won", "You won")


def test_people_of_several_sides_at_one_device_are_told_who_won() -> None:
    match = finished("goths", {}, lambda outcome: outcome.winners == ("ostrogoth",))
    family = seated(match, dict.fromkeys(match.seats, "family"))
    assert title(family, "family", None) == ("watched", "The Ostrogoths won")
    assert title(family, "family", "visigoth-king") == ("lost", "You lost")
    partners = seated(match, {"ostrogoth-king": "pair", "ostrogoth-warchief": "pair"})
    assert title(partners, "pair", None) == ("won", "You won")


def test_a_draw_is_a_draw_to_everybody() -> None:
    match = finished("goths", {"turn_limit": 1}, lambda outcome: not outcome.winners)
    table = seated(match, {})
    for seat in (*match.seats, None):
        assert title(table, f"holder of {seat}", seat) == ("draw", "A draw")


def test_among_four_everybody_learns_his_place() -> None:
    def all_different(outcome: Outcome) -> bool:
        return sorted(outcome.places.values()) == [1, 2, 3, 4]

    match = finished("romans", FOUR, all_different)
    table, said = seated(match, {}), ["You won", "You came second", "You came third", "You came fourth"]
    assert match.outcome
    for clan, place in match.outcome.places.items():
        assert title(table, f"holder of {clan}", clan)[1] == said[place - 1]
        for lang in LANGUAGES:
            assert title(table, f"holder of {clan}", clan, lang)[0] == ("won" if place == 1 else "lost")


def test_of_two_the_second_has_lost() -> None:
    match = finished("romans", {"players": ["gold", "green"]}, lambda outcome: outcome.winners == ("gold",))
    assert title(seated(match, {}), "holder of green", "green") == ("lost", "You lost")


def test_a_player_alone_wins_or_loses_against_neutrals() -> None:
    rules = {"players": ["violet"], "neutrals": ["red"]}
    for winner, said in (("violet", ("won", "You won")), ("red", ("lost", "You lost"))):
        match = finished("romans", rules, lambda outcome, winner=winner: outcome.winners == (winner,))
        assert title(seated(match, {}), "holder of violet", "violet") == said


def test_a_shared_victory_names_those_who_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished("romans", FOUR)
    record = {"winners": ["gold", "red"], "by": "points", "points": dict.fromkeys(FOUR["players"], 3)}
    shared = Outcome(("gold", "red"), "points", {}, record, {"gold": 1, "red": 1})
    monkeypatch.setattr(type(match.game), "outcome", lambda *_: shared)
    table = seated(finished("romans", FOUR), {})
    assert title(table, "holder of gold", "gold") == ("won", "You won, together with Red")
    assert title(table, "nobody", None) == ("watched", "Gold and Red won")


@EVERY_VARIANT
def test_the_reason_stands_once_on_a_page(variant: Variant) -> None:
    match = random_game(variant, 3)
    table = table_of(match.record())
    for seat in (match.seats[0], SPECTATOR):
        for lang in LANGUAGES:
            text = page(table, holder_of(match, seat), lang)
            assert match.outcome
            reason = words(lang).reason(variant.game, match.outcome)
            beside = text.partition('data-text="')[0] + text.partition("</textarea>")[2]
            assert beside.count(str(reason).replace("'", "&#39;")) == 1


# Everything opened


@EVERY_VARIANT
def test_nothing_can_be_opened_before_the_end(variant: Variant) -> None:
    match = variant.deal(4)
    for _ in at_random(match, Random(4), 900):
        if match.outcome is None:
            for seat in (*match.seats, SPECTATOR):
                with pytest.raises(Fault):
                    match.opened(seat)
    assert match.outcome
    for seat in (*match.seats, SPECTATOR):
        shown = match.opened(seat)
        assert (shown.seat, bytes(shown.state)) == (seat, bytes(match.state))
        assert not shown.may_choose
    with pytest.raises(Fault):
        match.opened("nobody")


def phases(variant: Variant) -> Iterator[Table]:
    record = random_game(variant, 5).record()
    yield table_of(record | {"choices": record["choices"][:-1]})
    ended = table_of(record | {"choices": record["choices"][:-1]})
    ended.apply(Ended())
    yield ended
    yield table_of(record)


@EVERY_VARIANT
def test_a_page_is_made_from_the_open_table_when_the_game_is_over_and_not_a_choice_before(variant: Variant) -> None:
    before, ended, over = phases(variant)
    assert (before.phase, ended.phase, over.phase) == ("playing", "ended", "over")
    for seat in (*over.match.seats, SPECTATOR):
        holder, eyes = holder_of(over.match, seat), None if seat == SPECTATOR else seat
        for table in (before, ended):
            assert table.page_face(holder, eyes).view._key() == table.match.view(seat)._key()
        assert over.page_face(holder, eyes).view == over.match.opened(seat)
    everybody = {bytes(over.page_face("", seat).view.state) for seat in (*over.match.seats, None)}
    assert len(everybody) == 1


# An ended table


@EVERY_VARIANT
def test_a_table_that_was_ended_asks_nothing_any_more(variant: Variant) -> None:
    match = random_game(variant, 6, 1)
    asked = match.waiting
    for lang in LANGUAGES:
        table = table_of(match.record())
        table.apply(Ended())
        for seat in (*asked, SPECTATOR):
            text = page(table, holder_of(match, seat), lang)
            for sign in ('name="choice"', "data-plan", 'id="act"', "ask-hint", 'class="ask'):
                assert sign not in text
            assert words(lang).say("ui.ended.title") in text
            assert 'href="/"' in text
            assert ('action="/t/BBBBBB/again"' in text) == (seat != SPECTATOR)


def test_a_closed_view_knows_the_same_and_may_do_nothing() -> None:
    match = Match.new("romans", {"players": ["gold", "green"]}, 1)
    view, closed = match.view("gold"), match.view("gold").closed()
    assert (view.may_choose, view.owes, view.arranges) == (True, True, True)
    assert (closed.may_choose, closed.owes, closed.arranges, len(closed.choices)) == (False, False, False, 0)
    assert not closed.is_legal(view.choices[0])
    assert closed.state == view.state or bytes(closed.state) == bytes(view.state)


# What next


def test_partners_change_roles_and_rivals_without_partners_go_round() -> None:
    def exchanged(game: str, rules: dict[str, object]) -> dict[str, str]:
        chosen = game_named(game)
        return chosen.exchanged(chosen.check_rules(rules))

    king, chief = "ostrogoth-king", "ostrogoth-warchief"
    both = exchanged("goths", {})
    assert (both[king], both[chief], both["visigoth-king"]) == (chief, king, "visigoth-warchief")
    one = exchanged("goths", {"lone_rulers": ["visigoth"]})
    assert (one[king], one["visigoth-king"]) == (chief, "visigoth-king")
    none = exchanged("goths", {"lone_rulers": ["ostrogoth", "visigoth"]})
    assert none[king] == "visigoth-king"
    assert none["visigoth-warchief"] == chief
    assert exchanged("romans", FOUR) == {"gold": "green", "green": "violet", "violet": "red", "red": "gold"}
    assert exchanged("romans", {"players": ["red"], "neutrals": ["gold"]}) == {"red": "red"}


@EVERY_VARIANT
def test_an_exchange_of_seats_is_one_to_one_and_keeps_who_plays_together(variant: Variant) -> None:
    match = variant.deal(0)
    moves = match.game.exchanged(match.rules)
    assert sorted(moves) == sorted(moves.values()) == sorted(match.seats)
    for seat in match.seats:
        together = match.game.played_together(match.rules, seat)
        assert {moves[each] for each in together} == set(match.game.played_together(match.rules, moves[seat]))


def test_the_end_offers_all_that_can_be_done_next_and_only_that() -> None:
    match = finished("goths", {})
    table = seated(match, {})
    king = page(table, "holder of ostrogoth-king", "en")
    for sign in ('/again"', "/again?seats=exchanged", "/replay", "/record", 'class="share"'):
        assert sign in king
    watched = page(table, "stranger", "en")
    assert "/again" not in watched
    assert "/replay" in watched
    alone = finished("romans", {"players": ["violet"], "neutrals": ["red"]})
    lone = page(seated(alone, {}), "holder of violet", "en")
    assert "/again?seats=exchanged" not in lone
    assert '/again"' in lone


def test_the_result_can_be_sent_on_as_a_text_with_the_link() -> None:
    match = finished("romans", FOUR)
    table = seated(match, {})
    shown = screen(table, "holder of gold", Shown(), frozenset())
    text = shown.html(words("en"), None, "http://hall/t/BBBBBB", theme="", speed="normal", path="/")
    field = text.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
    assert match.outcome
    assert field == f"Romans Go Home!: {words('en').outcome('romans', match.outcome.record)} http://hall/t/BBBBBB"
