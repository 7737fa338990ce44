"""What pages, words and terminal say of a game is what its rules said: sums, captors, chances, pieces that leave."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from io import StringIO
from random import Random
from typing import NamedTuple, TypeVar

import pytest
from rich.console import Console

from meadhall.games.game import Event
from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CHARACTERS
from meadhall.games.romans.names import POINTS, VALUES
from meadhall.match import SPECTATOR, Match
from meadhall.terminal import goths as goths_terminal
from meadhall.terminal import romans as romans_terminal
from meadhall.web.goths import board as goths_board
from meadhall.web.romans import board as romans_board
from meadhall.web.romans.hand import Option
from meadhall.web.romans.story import Story
from meadhall.words import words
from meadhall.words.text import minus
from tests.variants import GOTHS, ROMANS, Variant, random_choice

ENGLISH = words("en")
MARKS = {"full": "surely", "half": "perhaps", "none": "no"}


Seen = TypeVar("Seen")
Look = Callable[[Match, str, str], Seen]


def played(variant: Variant, seed: int, look: Look[Seen]) -> Iterator[tuple[Seen, str, str, list[Event]]]:
    """A random game, choice by choice: what was seen just before it, the seat, its choice, what the rules then said."""
    match, random = variant.deal(seed), Random(f"{variant} {seed}")
    while match.waiting:
        seat = random.choice(match.waiting)
        choice = random_choice(match, seat, random)
        seen = look(match, seat, choice)
        yield seen, seat, choice, list(match.commit(seat, choice))


def one(events: list[Event], *codes: str) -> Event | None:
    return next((event for event in events if event.code in codes), None)


def on_terminal(match: Match, seat: str) -> str:
    console = Console(width=100, file=StringIO())
    with console.capture() as shown:
        console.print(romans_terminal.hand(match.view(seat), ENGLISH))
    return shown.get()


def romans_story(match: Match, seat: str) -> Story:
    return romans_board.picture(match.view(seat), match.events(seat or SPECTATOR), ENGLISH, {}).story


# Romans


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_sums_and_captors_are_told_by_pages_and_words_as_by_the_rules(variant: Variant) -> None:
    match = variant.deal(1)
    random, fights = Random(str(variant)), 0
    while match.waiting:
        seat = random.choice(match.waiting)
        said = list(match.commit(seat, random_choice(match, seat, random)))
        turns = [k for k, event in enumerate(said) if event.code == "turn"]
        latest = said[turns[-1] :] if turns else said
        totals = {str(event.args["clan"]): event for event in latest if event.code == "total"}
        if not totals:
            continue
        fights += 1
        story = romans_story(match, SPECTATOR)
        assert story.latest is not None
        shown = {row.sum.clan: row.sum for row in story.latest.sums}
        assert {clan: each.total for clan, each in shown.items()} == {
            clan: event.args["total"] for clan, event in totals.items()
        }
        lines = ENGLISH.story("romans", match.events())
        for clan, event in totals.items():
            terms = [each.args for each in latest if each.code == "term" and each.args["clan"] == clan]
            assert [(term.warrior, term.points) for term in shown[clan].terms] == [
                (args["warrior"], args["points"]) for args in terms
            ]
            counted = [args for args in terms if args["counts"] in ("counts", "got")]
            end = f"= {event.args['total']}" if counted else f": {event.args['total']}"
            name = ENGLISH.name("romans", "clan", clan)
            assert any(line.startswith(f"  {name}: ") and end in line for line in lines)
        verdict = one(latest, "highest", "tie-broken")
        highest = {clan for clan, each in shown.items() if each.highest}
        if verdict is not None:
            assert verdict.args["clan"] in highest
            taken = one(latest, "captured")
            assert taken is None or taken.args["clan"] == verdict.args["clan"]
        assert bool(highest) == (one(latest, "nobody-can") is None)
    assert fights > 0


class Before(NamedTuple):
    """What a page and the terminal showed of a choice that was the last one owed, and the sums of the game then."""

    picture: romans_board.Picture
    terminal: str
    worth: int
    strength: int

    def option(self, choice: str) -> Option:
        return next(option for option in self.picture.hand.options if option.value == choice)


def before(match: Match, seat: str, choice: str) -> Before | None:
    if choice.startswith(("plan:", "reorder:")) or len(match.waiting) > 1:
        return None
    number = match.seats.index(seat)
    shown = romans_board.picture(match.view(seat), match.events(seat or SPECTATOR), ENGLISH, {})
    terminal = on_terminal(match, seat) if choice == "keep:weakest" else ""
    return Before(shown, terminal, match.state.worth[number], match.state.strength_up[number])


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_what_an_option_promises_is_what_the_rules_then_do(variant: Variant) -> None:
    checked = 0
    for seed in range(3):
        for seen, seat, choice, said in played(variant, seed, before):
            if seen is not None:
                check_promise(seen, seat, choice, said)
                checked += 1
    assert checked > 0


def check_promise(seen: Before, seat: str, choice: str, said: list[Event]) -> None:
    option, say = seen.option(choice), ENGLISH.say
    mine = {event.code: event.args for event in reversed(said) if event.args.get("clan") == seat}  # the first of each
    match choice.partition(":")[0]:
        case "take" if "legions" in mine:
            assert option.outcome == say("romans.table.outcome.legions")
        case "take":
            total = seen.worth + VALUES[str(mine["captured"]["fort"])]
            assert option.outcome == say("romans.table.outcome.forts", total=minus(total))
        case "pay":
            total = seen.worth - VALUES[str(mine["paid"]["fort"])]
            assert option.outcome == say("romans.table.outcome.forts", total=minus(total))
        case "discard":
            left = seen.strength - POINTS[str(mine["discarded"]["warrior"])]
            assert option.outcome == say("romans.table.outcome.left", total=left)
        case "charm":
            assert str(mine["total"]["total"]) in option.outcome
            assert ("nobody" in option.outcome) == (said[first(said, "highest", "tie-broken", "tie")].code == "tie")
        case "keep" if choice == "keep:weakest":
            kept = next(e.args for e in said if e.code == "kept" and e.args["why"] == "unwary")
            assert option.symbol == kept["warrior"]
            named = ENGLISH.name("romans", "warrior", option.symbol)
            assert f"({POINTS[option.symbol]} {named})" in seen.terminal


def first(events: list[Event], *codes: str) -> int:
    return next(k for k, event in enumerate(events) if event.code in codes)


@pytest.mark.parametrize("variant", ROMANS[::3], ids=str)
def test_the_piece_that_a_page_offers_is_the_piece_that_leaves(variant: Variant) -> None:
    for seen, seat, choice, said in played(variant, 5, before):
        if seen is None or not choice.startswith(("discard:", "pay:")):
            continue
        pick, own = seen.option(choice).number, seen.picture.own
        assert own is not None
        if choice.startswith("pay:"):
            paid = said[first(said, "paid")].args
            move = f"fort-{paid['round']}-{paid['laid']}"
            assert [fort.move for fort in own.forts if fort.pick == pick] == [move]
        else:
            gone = next(e.args for e in said if e.code == "discarded" and e.args["clan"] == seat)
            place = f"warrior-{seat}-{gone['place']}"
            assert [card.move for card in own.cards if card.pick == pick] == [place]


@pytest.mark.parametrize("variant", ROMANS[::2], ids=str)
def test_the_terminal_shows_the_totals_that_the_game_counts(variant: Variant) -> None:
    def look(match: Match, seat: str, _: str) -> None:
        view = match.view(seat)
        for number, (clan, state) in enumerate(view.json()["clans"].items()):
            text = " ".join(str(line) for line in romans_terminal.clan_label(view, state, clan, ENGLISH))
            worth, strength = match.state.worth[number], match.state.strength_up[number]
            assert re.search(rf"♜[^⚔]*(?<!\d){minus(worth)}(?!\d)", text)
            assert re.search(rf"⚔.*(?<!\d){strength}\s*$", text)

    assert len(list(played(variant, 2, look))) > 5


# Goths


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_chances_on_page_and_terminal_agree_and_come_true(variant: Variant) -> None:
    def look(match: Match, seat: str, choice: str) -> str:
        if not choice.startswith("act:"):
            return ""
        view = match.view(seat)
        marks = goths_terminal.chances(view)
        groups = goths_board.picture(view, match.events(seat), ENGLISH).hand.groups
        assert {group.icons[0]: MARKS[group.odds.mark] for group in groups if group.odds} == marks
        assert {group.icons[0]: group.odds.word for group in groups if group.odds} == marks
        return marks[CHARACTERS[ACTION_CHARACTER[ACTIONS.index(choice.partition(":")[2])]]]

    promised: dict[str, str] = {}
    came = Counter[str]()
    for seen, seat, _, said in (each for seed in range(2) for each in played(variant, seed, look)):
        if seen:
            promised[seat.partition("-")[0]] = seen
        for event in said:
            if event.code in ("understood", "misread"):
                mark = promised.pop(str(event.args["clan"]))
                came[mark] += 1
                assert mark != ("no" if event.code == "understood" else "surely")
    assert came["no"] > 0
    assert came["surely"] > 0
