"""What a page gets to play: a frame for each beat that it has not seen, small, in order, and never a question."""

import re
from itertools import pairwise

import pytest

from meadhall.games.game import game_named
from meadhall.match import SPECTATOR
from meadhall.tables.table import Table
from meadhall.web.pages.frames import MOST
from meadhall.web.telling import chapter, hold, is_public, seconds
from tests.variants import VARIANTS, Variant, random_game
from tests.web.server import Server
from tests.web.sight import holder_of, page, table_of
from tests.web.visitor import Browser

FRAME = re.compile(r'<template\s+class="frame"(.*?)>(.*?)</template>', re.DOTALL)
LONG = next(variant for variant in VARIANTS if "seven" not in str(variant) and "lone ostrogoth" in str(variant))
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def frames(table: Table, seat: str, since: int, lang: str = "en") -> list[tuple[dict[str, str], str]]:
    """The frames that a seat gets: what each says of itself, and its parts."""
    text = page(table, holder_of(table.match, seat), lang, fragment=True, since=since)
    before, _, main = text.partition("<main")
    assert main.count('id="table"') == 1
    return [(dict(re.findall(r'data-([a-z]+)="([^"]*)"', head)), body) for head, body in FRAME.findall(before)]


@every_variant
def test_there_is_a_frame_for_every_beat_that_all_could_see_and_none_asks_for_anything(variant: Variant) -> None:
    match = random_game(variant, 2, 40)
    table = table_of(match.record())
    for seat in (match.seats[0], SPECTATOR):
        since = max(0, match.moment - 60)
        beats = [beat for beat in match.timeline(seat, since) if is_public(beat) and beat.moment >= since]
        got = frames(table, seat, since)
        assert [(int(each["beat"]), each["kind"]) for each, _ in got] == [(beat.moment, beat.kind) for beat in beats]
        assert [int(each["hold"]) for each, _ in got] == [hold(beat) for beat in beats]
        assert all(each["say"] and each["heading"] for each, _ in got)
        assert not any('name="choice"' in body or "<form" in body for _, body in got)


@every_variant
def test_only_what_has_not_been_seen_is_sent(variant: Variant) -> None:
    table = table_of(random_game(variant, 3, 30).record())
    seat = table.match.seats[0]
    assert frames(table, seat, table.position) == []
    every = frames(table, seat, 0)
    half = int(every[len(every) // 2][0]["beat"])
    assert [each["beat"] for each, _ in frames(table, seat, half)] == [
        each["beat"] for each, _ in every if int(each["beat"]) >= half
    ]


def test_a_part_that_stays_as_it_is_is_not_sent_again() -> None:
    table = table_of(random_game(VARIANTS[0], 1, 60).record())
    for (_, one), (_, other) in pairwise(frames(table, table.match.seats[0], 0)):
        for part in ("cloth", "rail", "scene"):
            pattern = rf'<section class="{part}".*?</section>\s*(?=<section class="(?:rail|scene)"|<i|$)'
            here, there = (re.search(pattern, body, re.DOTALL) for body in (one, other))
            assert here is None or there is None or here[0] != there[0]


def test_of_a_very_long_absence_the_oldest_beats_are_told_by_a_sentence_alone() -> None:
    table = table_of(random_game(LONG, 1, 400).record())
    found = frames(table, table.match.seats[0], 0)
    assert len(found) > MOST
    whole = ["<section" in body for _, body in found]
    assert whole == [False] * (len(found) - MOST) + [True] * MOST
    assert all(each["say"] for each, _ in found)


@every_variant
def test_every_kind_of_beat_has_its_time_and_turns_have_names_of_their_own(variant: Variant) -> None:
    match = random_game(variant, 5, 400)
    beats = [beat for beat in match.timeline() if is_public(beat)]
    assert all(400 <= hold(beat) <= 12_000 for beat in beats)
    names = [chapter(beat) for beat in beats]
    assert [name for k, name in enumerate(names) if k == 0 or names[k - 1] != name] == list(dict.fromkeys(names))
    assert seconds(match, 0) == pytest.approx(sum(hold(beat) for beat in beats) / 1000)
    kinds = set(game_named(variant.game).state_type.beats.values())
    assert {beat.kind for beat in beats} <= kinds


def test_sums_and_misread_orders_stay_longer_than_other_beats_of_their_kind() -> None:
    romans = next(variant for variant in VARIANTS if variant.game == "romans" and len(variant.rules["players"]) == 4)
    sums = [beat for beat in random_game(romans, 1, 400).timeline() if beat.kind == "sums"]
    by_terms = sorted(sums, key=lambda beat: len(beat.events))
    assert hold(by_terms[-1]) > hold(by_terms[0])
    reading = [beat for beat in random_game(VARIANTS[0], 1, 400).timeline() if beat.kind == "reading"]
    misread = [hold(beat) for beat in reading if any(event.code == "misread" for event in beat.events)]
    understood = [hold(beat) for beat in reading if all(event.code == "understood" for event in beat.events)]
    assert min(misread) > max(understood)


@pytest.mark.parametrize("since", ["x", "-1", "1e3", "99999999999", "0 0"])
def test_a_position_that_is_none_is_as_good_as_no_wish(server: Server, since: str) -> None:
    browser = Browser(server)
    answer = browser.get(f"/t/{browser.play('goths')}", **{"x-fragment": "table", "x-since": since})
    assert answer.status_code == 200
    assert "<template" not in answer.text


def test_a_whole_page_tells_nothing_a_fragment_does(server: Server) -> None:
    browser = Browser(server)
    path = f"/t/{browser.play('romans')}"
    assert "<template" not in browser.get(path, **{"x-since": "0"}).text
    assert 'data-kind="round"' in browser.get(path, **{"x-fragment": "table", "x-since": "0"}).text
