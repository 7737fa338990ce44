"""The Goths table in the browser: all that may be chosen can be picked, all that was told is told, and no secret."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import chain, pairwise
from random import Random

import pytest
from markupsafe import escape

from meadhall.games.game import Event
from meadhall.games.goths.state import ACTIONS, CARDS, CHARACTERS, Phase
from meadhall.match import SPECTATOR, Match, View
from meadhall.web.goths.board import choice_from, picture
from meadhall.web.goths.story import TURNS_IN_FULL
from meadhall.web.pages.render import render
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.secrets.pairs import two_worlds, worlds_with_fewer_sealed
from tests.variants import GOTHS, Variant, at_random, random_game

PEOPLE = {"ostrogoth-king": "Ann", "visigoth-warchief": "Bo <b>"}
PARTS = ("board", "hand", "story")
VOID = {"input", "br", "path", "use", "circle"}
# Secrets of one's own that the reveal tells everybody: they are told until then.
UNTIL_REVEALED = ("order-front", "sealed")


class Element(dict[str, str]):
    """A tag with its attributes, the text within it, and the classes it stands in."""

    def __init__(self, tag: str, attributes: dict[str, str], around: tuple[str, ...]) -> None:
        super().__init__(attributes)
        self.tag, self.around, self.text = tag, around, ""


class Page(HTMLParser):
    """The elements of a page in order; it refuses tags that are not closed as they were opened."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"{tag} says something twice"
        around = tuple(" ".join(element.get("class", "") for element in self.open).split()) if tag == "input" else ()
        element = Element(tag, {name: value or "" for name, value in attrs}, around)
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def with_class(self, name: str) -> list[Element]:
        return [element for element in self.elements if name in element.get("class", "").split()]

    @property
    def radios(self) -> list[Element]:
        return [element for element in self.elements if element.tag == "input" and element.get("name") == "choice"]


def parts(match: Match, seat: str | None, lang: str = "en") -> dict[str, str]:
    shown = picture(match.view(seat or SPECTATOR), match.events(seat or SPECTATOR), words(lang), PEOPLE)
    return {part: render(f"goths/{part}.html", words(lang), picture=shown) for part in PARTS}


def html(match: Match, seat: str | None, lang: str = "en") -> str:
    return "".join(parts(match, seat, lang).values())


def viewers(match: Match) -> tuple[str | None, ...]:
    return (*match.seats, None)


def moments(variant: Variant, seed: int) -> Iterator[Match]:
    """Some moments of a random game: its start, each decision of each seat when it first comes up, its end."""
    match, met = variant.deal(seed), set()
    yield match
    for _ in at_random(match, Random(f"{variant} {seed}"), 120):
        now = (int(match.state.phase), match.waiting)
        if now not in met:
            met.add(now)
            yield match


def marching(variant: Variant) -> Iterator[Match]:
    """The Ostrogoths march on the objectives while the Visigoths reconnoitre: what either is asked on the way."""
    match, wanted = variant.deal(0), ("order:barbarian", "act:advance", "act:barricade")
    while match.state.phase != Phase.ENTER:
        seat = match.waiting[0]
        mine = wanted if seat.startswith("ostrogoth") else ("order:vulture", "act:reconnoitre", "act:sabotage")
        choices = match.choices(seat)
        first = next((choice for verb in mine for choice in choices if choice.startswith(verb)), choices[0])
        match.commit(seat, first)
        if match.state.phase >= Phase.LOOK:
            yield match


@cache
def some_game(variant: Variant, seed: int = 0, most: int = 60) -> Match:
    return random_game(variant, seed, most)


def test_the_form_of_goths_is_its_choice() -> None:
    assert choice_from({"seat": "ostrogoth-king", "choice": "act:axe"}) == "act:axe"
    assert choice_from({"seat": "ostrogoth-king"}) == ""


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_every_decision_offers_exactly_what_may_be_chosen(variant: Variant) -> None:
    asked = set()
    for match in chain(moments(variant, 0), marching(variant)):
        asked.add(Phase(match.state.phase))
        for seat in match.waiting or match.seats:
            view, shown = match.view(seat), parts(match, seat)
            page = Page(shown["board"] + shown["hand"])
            assert Counter(radio["value"] for radio in page.radios) == Counter(view.choices)
            acts = {radio["data-act"] for radio in page.radios}
            assert "" not in acts
            assert len(acts) == len(view.choices)
            buttons = [element for element in page.elements if element.tag == "button"]
            assert [button["id"] for button in buttons] == (["act"] if view.choices else [])
            keys = [radio["data-key"] for radio in page.radios if "data-key" in radio]
            assert len(set(keys)) == len(keys)
    assert {Phase.FIRST_ORDER, Phase.SECOND_ORDER, Phase.ACTS, Phase.LOOK, Phase.ENTER} <= asked


@pytest.mark.parametrize("variant", GOTHS[:2], ids=str)
def test_who_is_not_asked_has_nothing_to_pick(variant: Variant) -> None:
    for match in moments(variant, 6):
        for seat in viewers(match):
            if not match.view(seat or SPECTATOR).choices:
                shown = parts(match, seat)
                assert "<input" not in shown["board"] + shown["hand"]
                assert "<button" not in shown["hand"]


@pytest.mark.parametrize("variant", [v for v in GOTHS if v.rules.get("fog_of_war")], ids=str)
def test_building_and_clearing_the_fog_are_clicked_where_they_happen(variant: Variant) -> None:
    """On its own ground an army builds by a click on the ground; away from it there is nothing but words to click."""
    anywhere = variant.rules.get("fog_discard") == "anywhere"
    wanted = {True, False} if anywhere else {True}
    met: set[bool] = set()
    for seed in range(200):
        match = variant.deal(seed)
        for _ in at_random(match, Random(seed), 200):
            if match.state.phase != Phase.TOKEN:
                continue
            (seat,) = match.waiting
            at_home = match.position()["clans"][seat.partition("-")[0]]["place"] == "terrain-3"
            if at_home not in met:
                met.add(at_home)
                around = {radio["value"]: radio.around for radio in Page(html(match, seat)).radios}
                assert "tok" in around["disperse"]
                assert ("tile" if at_home else "opt") in around["build"]
        if met == wanted:
            break
    assert met == wanted


def warchiefs_choose(variant: Variant, seed: int = 3) -> Match:
    """A match some turns old in which neither warchief has sealed an order."""
    match = variant.deal(seed)
    for _ in at_random(match, Random(seed), 60):
        if match.state.turn > 3 and len(match.waiting) == 2:
            break
    assert match.state.phase == Phase.ACTS
    return match


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_the_sealed_choice_is_marked_and_may_still_be_changed(variant: Variant) -> None:
    match = warchiefs_choose(variant)
    seat = match.waiting[0]
    assert not [radio for radio in Page(html(match, seat)).radios if "data-sealed" in radio]
    choice = match.choices(seat)[-1]
    match.commit(seat, choice)
    page = Page(html(match, seat))
    assert [radio["value"] for radio in page.radios if "data-sealed" in radio] == [choice]
    assert {radio["value"] for radio in page.radios} == set(match.choices(seat))
    assert len(page.with_class("wax")) == 1
    assert sum("instead" in radio["data-act"] for radio in page.radios) == len(page.radios) - 1


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_no_byte_of_a_page_changes_when_another_seals_or_changes_his_choice(variant: Variant) -> None:
    match = warchiefs_choose(variant)
    chooser = match.waiting[0]
    lone = match.rules["lone_rulers"]
    strangers = [
        seat
        for seat in viewers(match)
        if seat != chooser and not (seat and seat.partition("-")[0] == chooser.partition("-")[0] and lone)
    ]
    before = {seat: html(match, seat) for seat in strangers}
    for choice in match.choices(chooser)[:2]:
        match.commit(chooser, choice)
        assert {seat: html(match, seat) for seat in strangers} == before


def page_of(match: Match, seat: str) -> str:
    return html(match, seat if seat in match.seats else None)


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_a_page_is_the_same_in_every_world_its_seat_cannot_rule_out(variant: Variant) -> None:
    pairs = [*two_worlds(variant, range(2)), *worlds_with_fewer_sealed(variant, range(20, 21))]
    different = 0
    for worlds in pairs[::2]:
        different += bytes(worlds.match.state) != bytes(worlds.there.state)
        assert page_of(worlds.match, worlds.seat) == page_of(worlds.there, worlds.seat)
    assert different > len(pairs) / 4


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_a_spectator_is_told_what_the_table_waits_for_and_asked_nothing(variant: Variant) -> None:
    for match in moments(variant, 1):
        shown = parts(match, None)
        page = Page(shown["board"] + shown["hand"])
        assert not [element for element in page.elements if element.tag in ("input", "button", "label")]
        for secret in ("peek", "know", "hand"):
            assert not page.with_class(secret)
        asked = [element for element in page.elements if element.tag == "h1" and element.text]
        assert len(asked) == (0 if match.outcome else 1)


# Every page is sound


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_are_well_formed_in_every_language(lang: str) -> None:
    for variant in GOTHS:
        match = some_game(variant)
        for seat in viewers(match)[1::2]:
            text = html(match, seat, lang)
            page = Page(text)
            assert not [element for element in page.elements if {"style", "onclick"} & set(element)]
            assert not re.search(r"[{}]|goths\.[a-z]|\bNone\b", text)
            moves = [element["data-move"] for element in page.elements if "data-move" in element]
            assert len(set(moves)) == len(moves)
            ids = [element["id"] for element in page.elements if "id" in element]
            assert len(set(ids)) == len(ids)
            for element in page.elements:
                if element.get("role") == "img":
                    assert element.get("aria-label")
                if "title" in element:
                    assert element["title"]
                    assert element.tag == "label" or element.get("role") == "img"


def test_all_pieces_lie_on_the_board_and_explain_themselves() -> None:
    for variant in GOTHS[:2]:
        for match in moments(variant, 2):
            page = Page(parts(match, match.seats[1])["board"])
            moves = {element.get("data-move", "") for element in page.elements}
            assert {f"unit-{clan}-{k}" for clan in ("ostrogoth", "visigoth") for k in (1, 2, 3)} <= moves
            assert "torch" in moves
            kinds = ("tile", "obj", "engine", "resv")
            counts = [len(page.with_class(kind)) for kind in kinds]
            assert counts == [6, 3, 2, 2]
            assert len(page.with_class("tok")) == (2 if variant.rules.get("fog_of_war") else 0)
            for kind in (*kinds, "tok", "kback", "kfront"):
                assert all(element.get("title") for element in page.with_class(kind))
            built = sum(bits.bit_count() for bits in match.state.barricades)
            assert len(page.with_class("stakes")) == built


def test_names_of_people_are_shown_as_text() -> None:
    board = parts(some_game(GOTHS[0]), None)["board"]
    assert "Ann" in board
    assert "Bo &lt;b&gt;" in board
    assert "Bo <b>" not in board


@pytest.mark.parametrize("seat", ["ostrogoth-king", "visigoth-warchief"])
def test_ones_own_clan_is_on_the_left(seat: str) -> None:
    left, right = picture(some_game(GOTHS[0]).view(seat), [], words("en")).sides
    assert seat.startswith(left.clan)
    assert left.clan != right.clan
    assert [tile.land for tile in left.tiles] == [tile.land for tile in right.tiles] == ["forest", "plain-2", "plain-3"]


# What the hand says


def odds_of(view: View) -> dict[str, str]:
    """The mark of each character's orders in a warchief's hand."""
    groups = picture(view, [], words("en")).hand.groups
    return {group.icons[0]: group.odds.mark for group in groups if group.odds}


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_chances_are_what_all_can_see_and_a_lone_ruler_knows_what_he_meant(variant: Variant) -> None:
    match = warchiefs_choose(variant)
    for clan, seat in enumerate(("ostrogoth-warchief", "visigoth-warchief")):
        position = match.position()
        lying = {card.split("/")[0] for card in position["clans"][seat.partition("-")[0]]["face_up"]}
        back = set(position["backs"][seat.partition("-")[0]])
        marks = {character: "half" if character in back else "none" for character in CHARACTERS}
        if match.state.lone[clan]:
            marks = dict.fromkeys(CHARACTERS, "none")
            marks[CARDS[match.state.order[clan]].split("/")[0]] = "full"
        assert odds_of(match.view(seat or SPECTATOR)) == marks | dict.fromkeys(lying, "full")


def test_a_lone_ruler_sees_which_order_he_may_not_give_again() -> None:
    match = warchiefs_choose(GOTHS[3])
    cards = [
        card
        for group in picture(match.view("ostrogoth-warchief"), [], words("en")).hand.groups
        for card in group.orders
    ]
    assert [card.number for card in cards] == list(range(1, 10))
    assert [card.action for card in cards if card.note] == [ACTIONS[match.state.last_act[0]]]


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_a_king_sees_all_his_cards_by_their_backs_and_where_each_of_them_is(variant: Variant) -> None:
    for match in moments(variant, 4):
        if match.state.phase == Phase.OVER:
            continue
        hand = picture(match.view("ostrogoth-king"), [], words("en")).hand
        cards = [(f"{card.character}/{card.bluff}", card, group.icons) for group in hand.groups for card in group.cards]
        deck = [card for number, card in enumerate(CARDS) if match.state.deck >> number & 1]
        assert sorted(name for name, _, _ in cards) == sorted(deck)
        for name, card, back in cards:
            assert set(back) == set(name.split("/"))
            assert bool(card.note) == (not match.state.hand[0] >> CARDS.index(name) & 1)
            lies_back_up = match.state.back[0] != 0 and CARDS[match.state.order[0]] == name
            assert card.laid == lies_back_up


# What was told


def told_in_full(match: Match, seat: str | None) -> list[Event]:
    """What the story must tell: everything but secrets that have become public, of turns not too long ago."""
    told = match.events(seat or SPECTATOR)
    turns = [k for k, event in enumerate(told) if event.code == "turn"]
    recent = told[turns[-TURNS_IN_FULL - 1] if len(turns) > TURNS_IN_FULL else 0 :]
    opened = max((k for k, event in enumerate(recent) if event.code == "revealed"), default=-1)
    return [event for k, event in enumerate(recent) if event.code not in UNTIL_REVEALED or k > opened]


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_everything_told_is_in_the_story_with_its_clause(variant: Variant) -> None:
    english = words("en")
    match = random_game(variant, 5, 90)
    for seat in viewers(match):
        pieces = parts(match, seat)["story"].split('class="clause"')
        followed = [(before, after.partition(">")[2].partition("<")[0]) for before, after in pairwise(pieces)]
        for event in told_in_full(match, seat):
            if event.code in ("won", "drawn"):
                continue  # that is said once, by the end itself
            if event.code == "turn":
                sentence = f"Initiative: {english.name('goths', 'clan', str(event.args['initiative']))}"
            else:
                sentence = english.event("goths", event)
            told = str(escape(sentence))
            assert any(told in before and clause == event.clause for before, clause in followed), sentence


def test_lines_of_the_last_turn_know_their_moment() -> None:
    match = some_game(GOTHS[1])
    told = match.events("ostrogoth-warchief")
    start = max(k for k, event in enumerate(told) if event.code == "turn")
    page = Page(parts(match, "ostrogoth-warchief")["story"])
    moments_shown = {int(element["data-at"]) for element in page.elements if "data-at" in element}
    assert {event.moment for event in told[start:] if event.code not in ("won", "drawn")} <= moments_shown


def test_neither_story_nor_rail_says_again_who_won_and_why() -> None:
    for variant in GOTHS:
        match = random_game(variant, 1)
        assert match.outcome
        shown = parts(match, match.seats[0])
        assert "h1" not in shown["hand"]
        for sentence in (
            words("en").outcome("goths", match.outcome.record),
            words("en").reason("goths", match.outcome),
        ):
            assert str(escape(sentence)) not in shown["story"] + shown["hand"]


def test_what_lay_face_down_is_opened_when_the_game_is_over() -> None:
    opened = set()
    for variant in GOTHS:
        match = random_game(variant, 1)
        sides = picture(match.opened(), match.events(), words("en")).sides
        goals = picture(match.opened(), match.events(), words("en")).goals
        assert sorted(goal.card for goal in goals) == ["plains", "queen", "trap"]
        for goal, card in zip(goals, match.view().json()["objectives"], strict=True):
            assert bool(goal.was) == (not card["revealed"])
            assert goal.was in goal.name
            assert (goal.saw, goal.secret, goal.label) == ("", False, "")
            opened.add((bool(goal.was), "card"))
        for side in sides:
            for tile in side.tiles:
                if tile.token:
                    hidden = match.view().json()["clans"][side.clan]["fog"]["state"] == "hidden"
                    assert (bool(tile.token.was), bool(tile.token.forbids)) == (hidden, True)
                    opened.add((hidden, "token"))
    assert opened == {(True, "card"), (False, "card"), (True, "token"), (False, "token")}


def test_at_the_end_one_reads_how_many_orders_were_understood() -> None:
    match = random_game(GOTHS[0], 1)
    shown = picture(match.opened(), match.events(), words("en"), PEOPLE)
    told = [(event.code, event.args.get("clan")) for event in match.events()]
    for score in shown.scores:
        through, torn = told.count(("understood", score.clan)), told.count(("misread", score.clan))
        assert score.understood == f"{through} of {through + torn} orders understood"
    assert match.outcome
    assert [score.clan for score in shown.scores if score.won] == list(match.outcome.winners)
    assert picture(GOTHS[0].deal(1).view(), [], words("en")).scores == ()


def test_the_track_strikes_lost_orders_and_puts_the_lower_number_first() -> None:
    seen: set[tuple[bool, ...]] = set()
    for seed in range(10):
        match = random_game(GOTHS[0], seed, 25)
        story = picture(match.view(), match.events(), words("en")).story
        assert story.last
        for turn in (story.last, *story.past):
            numbers = [int(order.text.split()[0]) for order in turn.summary if not order.lost]
            assert numbers == sorted(numbers)
            assert [order.lost for order in turn.summary] == sorted(order.lost for order in turn.summary)
        lost = {tale.clan for tale in story.last.tales if not tale.whole}
        assert {mark.clan for cell in story.last.track for mark in cell.marks if mark.lost} == lost
        assert {order.clan for order in story.last.summary if order.lost} == lost
        seen.add(tuple(order.lost for order in story.last.summary))
    assert seen == {(False, False), (False, True), (True, True)}


def test_of_equal_numbers_the_clan_with_the_initiative_stands_first() -> None:
    match = GOTHS[0].deal(0)
    for turn in range(2):
        for _ in range(2):
            match.commit(match.waiting[0], "order:recruiter/vulture")
        for seat in match.waiting:
            match.commit(seat, "act:recruit")
        last = picture(match.view(), match.events(), words("en")).story.last
        assert last
        first = ("ostrogoth", "visigoth")[turn]
        assert next(mark.clan for cell in last.track for mark in cell.marks) == first
        assert last.summary[0].clan == first


def test_the_last_turns_unfold_and_older_ones_are_a_line_each() -> None:
    match = next(match for seed in range(100) if (match := random_game(GOTHS[1], seed, 350)).state.turn > 20)
    shown = picture(match.view(), match.events(), words("en"))
    told = render("goths/story.html", words("en"), picture=shown).partition('class="past"')[2]
    assert told.count("<details") == TURNS_IN_FULL
    assert "<details open" not in told
    assert told.count("<p>") == len(shown.story.past) - TURNS_IN_FULL > 0


def test_a_long_game_makes_no_long_page() -> None:
    match = next(match for seed in range(100) if (match := random_game(GOTHS[1], seed, 350)).state.turn > 60)
    for lang in LANGUAGES:
        assert len(html(match, "visigoth-warchief", lang).encode()) < 75_000
