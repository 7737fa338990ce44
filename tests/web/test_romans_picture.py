"""The Romans table in the browser: all that may be chosen can be picked, every sum adds up, and no secret shows."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import chain
from random import Random
from typing import Any, NamedTuple

import pytest

from meadhall.faults import Fault
from meadhall.games.game import Event
from meadhall.games.romans import rules
from meadhall.games.romans.state import CHARM, WARRIORS
from meadhall.match import SPECTATOR, Match
from meadhall.tables.refusals import Refusal
from meadhall.web.pages.render import render
from meadhall.web.romans.board import Tower, choice_from, picture
from meadhall.web.romans.pieces import Names
from meadhall.web.romans.sums import sums_if, sums_told
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.secrets.pairs import TwoWorlds, two_worlds, worlds_with_fewer_sealed
from tests.variants import ROMANS, Variant, at_random, random_choice, random_game
from tests.web.positions import LIVELY, reach

PEOPLE = {"gold": "Ann", "red": "Bo <b>"}
NAMES = Names(words("en"), {})
PARTS = ("board", "hand", "story")
SIMULTANEOUS = [variant for variant in ROMANS if len(variant.rules["players"]) > 1]
KINDS = {"plan", "reorder", "charm", "take", "keep:axx", "keep:weakest", "discard", "pay"}
LEFT_OVER = re.compile(r"[{}]|\b(romans|ui)\.[a-z]|\bNone\b")


class Tag(NamedTuple):
    name: str
    attributes: dict[str, str]

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


class Page(HTMLParser):
    """The tags of a page in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[Tag] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(Tag(tag, {name: value or "" for name, value in attrs}))

    def all(self, name: str, **attributes: str) -> list[dict[str, str]]:
        wanted = attributes.items()
        return [tag.attributes for tag in self.tags if tag.name == name and wanted <= tag.attributes.items()]


def parts(match: Match, seat: str | None, lang: str = "en", *names: str) -> str:
    shown = picture(match.view(seat or SPECTATOR), match.events(seat or SPECTATOR), words(lang), PEOPLE)
    return "".join(render(f"romans/{name}.html", words(lang), picture=shown) for name in names or PARTS)


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", html)))


def decisions(variant: Variant, seed: int, step: int = 1) -> Iterator[tuple[Match, str]]:
    """Moments of a random game at which a seat owes a choice, and that seat."""
    random, match = Random(f"{variant} {seed}"), variant.deal(seed)
    for k, _ in enumerate(at_random(match, random)):
        if match.waiting and k % step == 0:
            yield match, random.choice(match.waiting)


def pending(match: Match, seat: str) -> Any:
    return match.game.pending(match.rules, match.state, match.seats.index(seat))


def kind_of(match: Match, seat: str) -> str:
    options = pending(match, seat)
    if isinstance(options, dict):
        return "plan" if options["take"] < len(options["arrange"]) else "reorder"
    return options[0] if options[0].startswith("keep") else str(options[0].partition(":")[0])


# Choosing


@cache
def kinds_checked(variant: Variant) -> set[str]:
    """Check the choices of some decisions of each kind in random games; the kinds there were."""
    kinds, random = Counter[str](), Random(str(variant))
    for match, seat in chain(decisions(variant, 1), decisions(variant, 2)):
        kind = kind_of(match, seat)
        kinds[kind] += 1
        if kinds[kind] > 4:
            continue
        page = Page(parts(match, seat, "en", "board", "hand"))
        if isinstance(pending(match, seat), dict):
            check_arranging(match, seat, page, random)
        else:
            check_options(match, seat, page)
    return set(kinds)


def check_options(match: Match, seat: str, page: Page) -> None:
    radios = page.all("input", type="radio")
    assert sorted(radio["value"] for radio in radios) == sorted(match.choices(seat))
    assert all(radio["data-act"] and radio["form"] == "choose" for radio in radios)
    # Every choice but leaving somebody can be made by clicking the thing itself, which is there once.
    things = Counter(label["for"] for label in page.all("label") if "for" in label)
    assert things == Counter(radio["id"] for radio in radios if not radio["value"].startswith("leave"))


def check_arranging(match: Match, seat: str, page: Page, random: Random) -> None:
    options = pending(match, seat)
    plan = page.all("div", **{"data-group": "plan"})[0]
    cards = [tag.attributes for tag in page.tags if "data-card" in tag.attributes]
    assert [card["data-warrior"] for card in sorted(cards, key=lambda card: card["data-card"])] == options["arrange"]
    lists = [select["name"] for select in page.all("select")]
    assert lists == [f"place-{7 - options['take'] + k}" for k in range(options["take"])]
    values = [option["value"] for option in page.all("option")[1 : len(options["arrange"]) + 1]]
    chosen = random.sample(values, options["take"])
    composed = choice_from(dict(zip(lists, chosen, strict=True)))
    assert composed == f"{plan['data-plan']}:" + ",".join(value.partition("-")[0] for value in chosen)
    number = match.seats.index(seat)
    assert match.game.allows(match.state, number, match.game.choice_id(match.rules, match.state, number, composed))


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_the_page_offers_exactly_what_may_be_chosen(variant: Variant) -> None:
    assert kinds_checked(variant)


def test_all_kinds_of_decisions_were_among_them() -> None:
    assert set().union(*(kinds_checked(variant) for variant in ROMANS)) == KINDS


def test_a_form_without_a_line_is_told_what_is_missing_or_twice() -> None:
    full = {f"place-{k}": f"{warrior}-{k}" for k, warrior in enumerate(["axx", "qween", "archr"] * 2, 1)}
    assert choice_from(full) == "plan:axx,qween,archr,axx,qween,archr"
    assert choice_from({"choice": "keep:axx", "place-1": ""}) == "keep:axx"
    assert choice_from({"place-5": "axx-1", "place-6": "qween-2"}) == "reorder:axx,qween"
    wrong = [
        ({}, "Nothing was chosen"),
        (full | {"place-4": ""}, "Place 4 has no warrior"),
        (full | {"place-6": "dragon-1"}, "Place 6 has no warrior"),
        (full | {"place-5": "axx-1"}, "at places 1 and 5"),
        ({"place-5": "axx-1"}, "Place 6 has no warrior"),
    ]
    for form, message in wrong:
        with pytest.raises(Fault, match=message) as fault:
            choice_from(form)
        assert isinstance(fault.value, Refusal)
        assert len({fault.value.said(words(lang)) for lang in LANGUAGES}) == 4


@pytest.mark.parametrize("variant", [SIMULTANEOUS[2], SIMULTANEOUS[-1]], ids=str)
def test_what_is_sealed_is_marked_and_can_be_changed(variant: Variant) -> None:
    seen = set()
    for match, seat in decisions(variant, 2):
        if len(match.waiting) < 2 or (kind := kind_of(match, seat)) in seen:
            continue
        seen.add(kind)
        choice = random_choice(match, seat, Random(1))
        sealed = Match.from_record(match.record())
        sealed.commit(seat, choice)
        html = parts(sealed, seat, "en", "hand")
        page = Page(html)
        if kind in ("plan", "reorder"):
            assert any("is-sealed" in tag.classes for tag in page.tags)
            laid = re.findall(r'data-slot="\d">?.*?data-warrior="(\w+)"', html, re.DOTALL)
            assert choice == f"{kind}:" + ",".join(laid)
        else:
            marked = [radio["value"] for radio in page.all("input", type="radio") if "data-sealed" in radio]
            assert marked == [choice]
            check_options(sealed, seat, Page(parts(sealed, seat, "en", "board", "hand")))
    assert {"plan", "discard"} <= seen


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_who_watches_or_waits_is_asked_nothing(variant: Variant) -> None:
    for match, asked in decisions(variant, 3, step=15):
        idle = [seat for k, seat in enumerate(match.seats) if not match.game.may_choose(match.state, k)]
        for seat in (None, *idle):
            page = Page(parts(match, seat))
            controls = [tag for tag in page.tags if tag.name in ("input", "select", "button", "label", "form")]
            assert {tag.attributes.get("id") or tag.attributes.get("for") for tag in controls} == {"unfold"}, (
                seat,
                asked,
            )


# Secrets


def pages(worlds: TwoWorlds) -> tuple[str, str]:
    seat = None if worlds.seat == SPECTATOR else worlds.seat
    one, other = (parts(match, seat) for match in (worlds.match, worlds.there))
    return one, other


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_a_page_is_the_same_in_every_world_its_seat_cannot_rule_out(variant: Variant) -> None:
    for worlds in two_worlds(variant, range(31, 32), moments=1):
        one, other = pages(worlds)
        assert one == other


@pytest.mark.parametrize("variant", SIMULTANEOUS, ids=str)
def test_a_page_does_not_show_who_has_sealed(variant: Variant) -> None:
    for worlds in worlds_with_fewer_sealed(variant, range(32, 33), moments=1):
        one, other = pages(worlds)
        assert one == other


# What is drawn


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_pages_are_clean_and_pieces_have_names_of_their_own(variant: Variant) -> None:
    for match, seat in decisions(variant, 4, step=7):
        html = parts(match, seat)
        page = Page(html)
        assert not re.search(r"\s(style|on\w+)=|<script|<style", html)
        moves = Counter(tag.attributes["data-move"] for tag in page.tags if "data-move" in tag.attributes)
        ids = Counter(tag.attributes["id"] for tag in page.tags if "id" in tag.attributes)
        assert moves
        assert set((moves + ids).values()) == {1}
        assert all(label["for"] in ids for label in page.all("label") if "for" in label)
        assert "Bo <b>" not in html


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_every_fort_keeps_its_own_name_from_the_wall_to_its_captor(variant: Variant) -> None:
    match = variant.deal(5)
    drawn: dict[str, str] = {}
    for _ in at_random(match, Random(5)):
        round_number = 0
        for event in match.events():
            round_number = int(event.args["round"] or 0) if event.code == "round" else round_number
            if event.code == "fort-drawn":
                drawn[f"fort-{round_number}-{event.args['place']}"] = NAMES.fort(str(event.args["fort"]))
        shown = picture(match.view(), match.events(), words("en"), {})
        standing = [tower for tower in shown.board.towers if isinstance(tower, Tower)]
        won = [fort for row in shown.board.rows for fort in row.forts]
        assert all(drawn[fort.move] in fort.label for fort in (*standing, *won))
        gone = [card for row in shown.board.rows for card in row.cards if card.look == "gone"]
        piles = match.view().json()["clans"].values()
        assert len(gone) == sum(len(state["discarded"]) for state in piles)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_state_is_said_in_every_language(lang: str) -> None:
    for variant in ROMANS[2::3]:
        for match, seat in decisions(variant, 6, step=11):
            text = text_of(parts(match, seat, lang))
            assert not LEFT_OVER.search(text), LEFT_OVER.search(text)
        over = random_game(variant, 6)
        shown = picture(over.opened(), over.events(SPECTATOR), words(lang), PEOPLE)
        text = text_of(render("romans/over.html", words(lang), picture=shown))
        assert not LEFT_OVER.search(text), LEFT_OVER.search(text)
        assert all(score.name in text and score.total in text for score in shown.scores)
        assert len(shown.scores) == over.state.clans


# The story


def told_lines(match: Match, seat: str | None) -> Iterator[tuple[str, str]]:
    """All that was told as lines of text, each with its clause."""
    for line in words("en").story("romans", match.events(seat or SPECTATOR)):
        found = re.fullmatch(r"  (.*) \[(R[\d.]+)\]", line)
        if found:
            yield found[1], found[2]


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_all_that_was_told_is_in_the_story_with_its_clause(variant: Variant) -> None:
    match = random_game(variant, 7)
    for seat in (match.seats[0], None):
        shown = picture(match.view(seat or SPECTATOR), match.events(seat or SPECTATOR), words("en"), {})
        text = text_of(render("romans/story.html", words("en"), picture=shown))
        latest = max(k for k, event in enumerate(match.events(seat or SPECTATOR)) if event.code == "turn")
        sums = [words("en").name("romans", "clan", clan) for clan in match.view(seat or SPECTATOR).json()["clans"]]
        for line, clause in told_lines(match, seat):
            if f"{line} {clause}" in text:
                continue
            if clause in ("R7.1", "R5.4") and line not in text:
                continue  # who won, and the final score, are said once, by the end itself
            # The sums of the latest turn are drawn.
            of_latest = any(line.startswith(f"{clan}: ") for clan in sums)
            assert of_latest, line
            assert clause in text
        assert match.events(seat or SPECTATOR)[latest:]


def test_a_choice_of_ones_own_that_is_sealed_is_told_until_it_takes_effect() -> None:
    match = ROMANS[0].deal(8)
    match.commit("gold", random_choice(match, "gold", Random(8)))
    assert "The choice of Gold is sealed. R6.3" in text_of(parts(match, "gold", "en", "story"))
    assert "sealed" not in text_of(parts(match, None, "en", "story"))
    match.commit("green", random_choice(match, "green", Random(8)))
    assert "The choice of Gold is sealed" not in text_of(parts(match, "gold", "en", "story"))


def turns(events: list[Event]) -> list[list[Event]]:
    cut = [k for k, event in enumerate(events) if event.code == "turn"]
    return [events[start:end] for start, end in zip(cut, [*cut[1:], len(events)], strict=True)]


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_the_terms_that_count_add_up_to_the_total_that_was_told(variant: Variant) -> None:
    for events in turns(random_game(variant, 9).events()):
        totals = {e.args["clan"]: (e.args["total"], e.args["barred"] == "barred") for e in events if e.code == "total"}
        sums = sums_told(events)
        assert {each.clan: (each.total, each.barred) for each in sums} == totals
        for each in sums:
            assert sum(term.points for term in each.terms if term.fate in ("", "got")) == each.total


@pytest.mark.parametrize("variant", ROMANS[::3], ids=str)
def test_the_sums_on_the_page_add_up(variant: Variant) -> None:
    seen = 0
    for match, seat in decisions(variant, 10, step=3):
        story = parts(match, seat, "en", "story")
        for row, total in re.findall(r'(class="sum-row.*?)<b class="tot"[^>]*>(\d+)</b>', story, re.DOTALL):
            terms = re.findall(r'class=.term (\w*)[^"\']*..*?</svg>\s*(\d+)', row, re.DOTALL)
            assert sum(int(points) for fate, points in terms if fate not in ("lost", "silent")) == int(total)
            seen += 1
    assert seen > 0


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_what_a_charm_would_bring_is_what_it_brings(variant: Variant) -> None:
    for seed in range(4):
        for match, seat in decisions(variant, seed):
            if kind_of(match, seat) == "charm":
                for number in match.choice_ids(seat):
                    check_charm(match, seat, number)


def check_charm(match: Match, seat: str, number: int) -> None:
    view = match.view(seat or SPECTATOR)
    sums = sums_if(view, number - CHARM)
    told = Match.from_record(match.record()).commit(seat, number)
    end = next(
        k
        for k, event in enumerate(told)
        if event.code in ("captured", "fort-discarded", "swapped") or k + 1 == len(told)
    )
    totals = {event.args["clan"]: event.args["total"] for event in told[: end + 1] if event.code == "total"}
    assert {each.clan: each.total for each in sums} == totals
    shown = picture(view, match.events(seat), words("en"), {}).story.what_ifs
    verdict = shown[match.choice_ids(seat).index(number) + 1].verdict
    captured = [event for event in told[: end + 1] if event.code == "highest" or event.code == "tie-broken"]
    assert ("nobody" in verdict.lower()) == (told[end].code == "fort-discarded") == (not captured)
    assert not captured or NAMES.clan(str(captured[0].args["clan"])) in verdict


def test_a_charmed_warrior_bears_its_owners_emblem_and_is_struck_for_the_loser() -> None:
    def event(code: str, **args: str | int) -> Event:
        return Event(code, args, "R4.5", None)

    told = [
        event("charmed", clan="gold", target="violet", warrior="horsie"),
        event("term", clan="gold", warrior="qween", owner="gold", counts="silent", points=1),
        event("term", clan="gold", warrior="horsie", owner="violet", counts="got", points=7),
        event("term", clan="violet", warrior="horsie", owner="violet", counts="away", points=7),
        event("total", clan="gold", total=7, barred="free"),
        event("total", clan="violet", total=0, barred="barred"),
    ]
    gold, violet = sums_told(told)
    assert [(term.warrior, term.fate, term.other) for term in gold.terms] == [
        ("qween", "silent", ""),
        ("horsie", "got", "violet"),
    ]
    assert [(term.warrior, term.fate, term.other) for term in violet.terms] == [("horsie", "lost", "gold")]
    assert (gold.total, violet.total, violet.barred) == (7, 0, True)


# Who one is, and what threatens


def holding_legions() -> Match:
    """Green holds two legions, and somebody is asked something."""
    return reach("romans", LIVELY, lambda match: bool(match.waiting) and rules.near_legion_victory(match.state, 1))


def test_a_rival_with_two_legions_is_marked_by_his_forts_and_warned_of_by_the_prompt() -> None:
    match = holding_legions()
    seat = next(seat for seat in match.seats if seat != "green")
    warning = words("en").say("romans.table.danger.clan", clan="Green")
    assert warning in text_of(parts(match, seat, "en", "hand"))
    assert f'class="near" role="img" aria-label="{warning}"' in re.sub(r"\s+", " ", parts(match, seat, "en", "board"))
    assert words("en").say("romans.table.danger.you") in text_of(parts(match, "green", "en", "hand"))
    begun = parts(Match.new("romans", LIVELY, 1), "gold", "en", "board", "hand")
    assert "alarm" not in begun
    assert 'class="near"' not in begun


@pytest.mark.parametrize("lang", LANGUAGES)
def test_on_the_first_turn_the_story_says_the_goal_who_one_is_and_what_the_pieces_do(lang: str) -> None:
    match, say = Match.new("romans", LIVELY, 1), words(lang).say
    first = parts(match, "violet", lang, "story")
    told = text_of(first)
    assert text_of(say("romans.table.goal")) in told
    assert say("romans.table.who-you", clan=words(lang).name("romans", "the-clan", "violet")) in told
    effects = [words(lang).name("romans", "effect", each)[1:] for each in (*WARRIORS, "unwary", "tax")]
    assert all(text_of(effect) in told for effect in effects)
    assert say("romans.table.who-watch") in text_of(parts(match, None, lang, "story"))
    assert '<details class="who-does" open>' in first
    for seat, _ in zip(match.seats, range(4), strict=True):
        match.commit(seat, random_choice(match, seat, Random(1)))
    assert '<details class="who-does" >' in parts(match, "violet", lang, "story")


def test_lines_of_turns_that_are_over_are_kept_and_told_in_each_language() -> None:
    match = random_game(ROMANS[2], 7)
    for lang in LANGUAGES:
        first = picture(match.view(), match.events(), words(lang), {}).story
        again = picture(match.view(), match.events(), words(lang), {}).story
        assert first == again
        assert all(
            one.lines is other.lines
            for before, after in zip(first.rounds, again.rounds, strict=True)
            for one, other in zip(before.turns, after.turns, strict=True)
        )
    texts = {
        picture(match.view(), match.events(), words(lang), {}).story.rounds[0].turns[0].lines for lang in LANGUAGES
    }
    assert len(texts) == len(LANGUAGES)


# The end


def test_what_lay_face_down_is_opened_when_the_game_is_over() -> None:
    match = next(
        match
        for variant in ROMANS
        for seed in range(40)
        if (match := random_game(variant, seed)).outcome and match.state.shown < 6 and match.state.players > 1
    )
    before = picture(match.view(), match.events(), words("en"), {})
    assert [card.look for row in before.board.rows for card in row.cards].count("back") > 0
    shown = picture(match.opened(), match.events(), words("en"), {})
    cards = [card for row in shown.board.rows for card in row.cards]
    assert {card.look for card in cards} <= {"up", "gone", "opened"}
    hidden = 6 - match.state.shown
    for row in shown.board.rows:
        assert [card.look == "opened" for card in row.cards] == [False] * (6 - hidden) + [True] * hidden
        assert all((card.look == "opened") == bool(card.was) for card in row.cards)
        known = match.position()["clans"][row.clan]
        assert [card.warrior for card in row.cards[6 - hidden :]] == known["hidden"]
        if known["aside"]:
            assert words("en").name("romans", "warrior", known["aside"]) in row.aside


def test_the_final_score_has_the_best_first_and_places_for_all_who_can_win() -> None:
    ties = 0
    for variant in ROMANS:
        for seed in range(6):
            match = random_game(variant, seed)
            if not match.outcome:
                continue
            shown = picture(match.opened(match.seats[0]), match.events(), words("en"), PEOPLE).scores
            assert [score.clan for score in shown if score.mine] == [match.seats[0]]
            assert {score.clan for score in shown if score.won} == set(match.outcome.winners)
            places = [match.outcome.places[score.clan] for score in shown if score.place]
            assert places == sorted(places)
            assert places.count(1) == len(match.outcome.winners)
            ties += len(set(places)) < len(places)
            ranked = match.state.clans if match.state.players == 1 else match.state.players
            assert len(places) == ranked
            for score in shown:
                values = [int(fort.value.replace("\u2212", "-")) for fort in score.forts]
                assert (
                    sum(values) == int(score.total.replace("\u2212", "-")) == match.outcome.record["points"][score.clan]
                )
