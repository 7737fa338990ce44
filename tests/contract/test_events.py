"""Events: each has its clause in the rulebook, its arguments by name, and an audience of seats."""

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from meadhall.games.game import Event, game_named
from meadhall.match import SPECTATOR, Match
from tests.variants import VARIANTS, Variant, random_choice, random_game

RULEBOOK = Path(__file__).parents[2] / "rulebook"
GAMES = ("goths", "romans")


@cache
def told(game: str) -> list[Event]:
    """Everything told in some random games of every variant."""
    games = [random_game(variant, seed) for variant in VARIANTS for seed in range(8) if variant.game == game]
    return [event for match in games for event in match.full_events()]


@cache
def clauses(game: str, language: str = "en") -> set[str]:
    text = (RULEBOOK / language / f"{game}.md").read_text(encoding="utf-8")
    return set(re.findall(r"^- \*\*([GR]\d+\.\d+)\*\*", text, re.MULTILINE))


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_that_an_event_names_is_in_the_rulebook(game: str) -> None:
    assert len(clauses(game)) > 30
    assert {event.clause for event in told(game)} <= clauses(game)


@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_the_rules_happens_in_random_games(game: str) -> None:
    assert {event.code for event in told(game)} == {named.code for named in game_named(game).events.values()}


@pytest.mark.parametrize("game", GAMES)
def test_every_argument_of_an_event_has_a_name_and_a_word_or_a_number(game: str) -> None:
    declared = {named.code: tuple(name for name, _ in named.args) for named in game_named(game).events.values()}
    for event in told(game):
        assert tuple(event.args) == declared[event.code]
        assert all(isinstance(value, str | int) and value != "" for value in event.args.values()), event


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_an_audience_is_some_seats_of_the_game_and_a_seat_is_told_what_all_are_and_what_it_alone_is(
    variant: Variant,
) -> None:
    match = random_game(variant, 1)
    everything = match.full_events()
    assert all(event.audience is None or event.audience <= set(match.seats) for event in everything)
    assert match.events() == match.events(SPECTATOR) == [event for event in everything if event.audience is None]
    for seat in match.seats:
        assert match.events(seat) == [e for e in everything if e.audience is None or seat in e.audience]
        assert len(match.events(seat)) > len(match.events())


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_what_each_choice_tells_adds_up_to_all_events(variant: Variant) -> None:
    match, random = variant.deal(2), Random(2)
    heard = match.full_events()
    while match.waiting and len(match.record()["choices"]) < 60:
        seat = random.choice(match.waiting)
        heard += match.commit(seat, random_choice(match, seat, random))
    assert heard == match.full_events()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_an_event_is_named_once_and_what_was_sealed_anew_is_named_anew(variant: Variant) -> None:
    match, random = variant.deal(3), Random(3)
    changed = 0
    while match.waiting and len(match.record()["choices"]) < 40:
        seat = random.choice(match.waiting)
        moment = match.moment
        for _ in range(2):  # a sealed choice may be changed: whatever was kept of it must go
            match.commit(seat, random_choice(match, seat, random))
            first, again = match.full_events(), match.full_events()
            assert all(one is other for one, other in zip(first, again, strict=True))
            assert first == Match.from_record(match.record()).full_events()
            if match.moment != moment:
                break
            changed += 1
    assert changed > 0 or len(match.seats) == 1  # whoever is alone has nobody to wait for
