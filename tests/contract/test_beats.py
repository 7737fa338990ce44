"""Beats: the position kept at each shows exactly what its events say, and no seat sees more than it may."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from meadhall.engine.bits import at, count_bits
from meadhall.engine.layout import UNKNOWN
from meadhall.faults import Fault
from meadhall.games.goths.state import CARDS, CLANS
from meadhall.games.romans import rules as romans
from meadhall.games.romans.state import NOBODY, WARRIORS
from meadhall.match import SPECTATOR, Beat, Match
from tests.secrets.pairs import two_worlds, worlds_with_fewer_sealed
from tests.variants import GOTHS, ROMANS, VARIANTS, Variant, random_game

SEEDS = range(2)


@cache
def game(variant: Variant, seed: int) -> Match:
    return random_game(variant, seed, 400)


def timelines(variant: Variant) -> Iterator[tuple[Match, str, list[Beat]]]:
    """Random games, as every seat and a spectator saw them."""
    for seed in SEEDS:
        match = game(variant, seed)
        for seat in (*match.seats, SPECTATOR):
            yield match, seat, timeline(variant, seed, seat)


@cache
def timeline(variant: Variant, seed: int, seat: str) -> list[Beat]:
    return game(variant, seed).timeline(seat)


def codes(beat: Beat) -> Counter[str]:
    return Counter(event.code for event in beat.events)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_beats_hold_all_that_a_seat_may_know_in_order_and_end_where_the_match_is(variant: Variant) -> None:
    for match, seat, beats in timelines(variant):
        assert [event for beat in beats for event in beat.events] == match.events(seat)
        assert beats[-1].view.json() == match.view(seat).json()
        assert bytes(beats[-1].view.state) == bytes(match.game.reveal(match.state, match._seat_number(seat)))
        assert [beat.moment for beat in beats] == sorted(beat.moment for beat in beats)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_nobody_is_asked_while_a_turn_is_being_carried_out(variant: Variant) -> None:
    asking = {"", "turn", "order", "round"}
    for _, _, beats in timelines(variant):
        for beat in beats:
            assert beat.kind in asking or not beat.view.owes, beat
            assert beat.kind in asking or beat.view.json()["own"] is None


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_beat_tells_two_worlds_apart_no_better_than_the_seat_can(variant: Variant) -> None:
    seen = 0
    for pair in (*two_worlds(variant, range(1), 1), *worlds_with_fewer_sealed(variant, range(1), 1)):
        lived = [match.timeline(pair.seat) for match in (pair.match, pair.there)]
        one, other = ([(b.kind, b.moment, b.events, bytes(b.view.state)) for b in beats] for beats in lived)
        assert one == other
        seen += len(one)
    assert seen > 50


# Romans


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_all_warriors_of_a_turn_lie_face_up_for_everybody_when_they_are_shown(variant: Variant) -> None:
    for match, _, beats in timelines(variant):
        clans = match.game.vocabulary(match.rules, "clan")
        for beat in beats:
            if beat.kind == "reveal":
                s = beat.view.state
                shown = {str(event.args["clan"]): event.args["warrior"] for event in beat.events}
                assert shown == {clan: WARRIORS[romans.shown_now(s, k)] for k, clan in enumerate(clans)}
                assert all(s.up[k] >> (s.shown - 1) & 1 for k in range(s.clans))


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_the_sums_and_the_captor_that_are_told_are_those_of_the_position_then(variant: Variant) -> None:
    for match, _, beats in timelines(variant):
        clans = match.game.vocabulary(match.rules, "clan")
        for beat in beats:
            s = beat.view.state
            charmed = int(s.charmed)
            if beat.kind == "sums":
                totals = {event.args["clan"]: event.args["total"] for event in beat.events if event.code == "total"}
                assert totals == {clan: romans.total(s, k, charmed) for k, clan in enumerate(clans)}
            elif beat.kind == "verdict":
                captor = romans.verdict(s, charmed)[1]
                assert captor == s.captor
                told_clan = beat.events[0].args.get("clan")
                assert told_clan == (None if captor == NOBODY else clans[captor])


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_pieces_leave_at_the_beat_that_says_so_and_at_no_other(variant: Variant) -> None:
    for match, _, beats in timelines(variant):
        clans = match.game.vocabulary(match.rules, "clan")
        for before, beat in pairwise(beats):
            old, new, said = before.view.state, beat.view.state, codes(beat)
            if beat.kind == "round":
                assert new.wall_count == 6
                continue
            assert old.wall_count - new.wall_count == said["captured"] + said["fort-discarded"] == (beat.kind == "fort")
            assert new.lost_count - old.lost_count == said["fort-discarded"] + said["paid"]
            for k, clan in enumerate(clans):
                mine = Counter(event.code for event in beat.events if event.args.get("clan") == clan)
                left = mine["left"] + mine["discarded"] + mine["wrecked"]
                assert count_bits(old.up[k]) - count_bits(new.up[k]) == left - mine["shown"]
                assert new.forts_count[k] - old.forts_count[k] == mine["captured"] - mine["paid"]


def warriors(row: int, count: int) -> list[str]:
    return [WARRIORS[at(row, k)] for k in range(count)]


def told(beat: Beat, code: str) -> list[str]:
    return [str(event.args["warrior"]) for event in beat.events if event.code == code]


@pytest.mark.parametrize("variant", ROMANS, ids=str)
def test_plans_and_hands_lie_there_when_they_are_told(variant: Variant) -> None:
    for match, seat, beats in timelines(variant):
        for beat in beats:
            s = beat.view.state
            if beat.kind == "round":
                assert codes(beat)["fort-drawn"] == s.wall_count == 6
                drawn = [event.args["warrior"] for event in beat.events if event.code == "dealt"]
                assert drawn == (
                    [] if seat == SPECTATOR else [WARRIORS[at(s.hand[beat.view.number], k)] for k in range(7)]
                )
            elif beat.kind == "plans":
                laid = [event.args["warrior"] for event in beat.events if event.code == "laid"]
                assert laid == (
                    [] if seat == SPECTATOR else [WARRIORS[at(s.line[beat.view.number], k)] for k in range(6)]
                )
                assert codes(beat)["planned"] == len(match.seats)


# Goths


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_all_four_cards_lie_open_for_everybody_when_they_are_turned(variant: Variant) -> None:
    for _, _, beats in timelines(variant):
        for beat in beats:
            s = beat.view.state
            if beat.kind == "reveal":
                assert UNKNOWN not in [*s.order, *s.act]
                assert list(s.back) == [0, 0]
                lying = {clan: CARDS[s.order[k]] for k, clan in enumerate(CLANS)}
                turned = [event.args for event in beat.events if event.code == "revealed"]
                assert len(turned) == 2
                assert all(args["card"] == lying[str(args["clan"])] for args in turned)
            elif beat.kind == "order":
                assert any(s.back[k] for k in range(2))


@pytest.mark.parametrize("variant", GOTHS, ids=str)
def test_units_cards_and_machines_change_at_the_beat_that_says_so_and_at_no_other(variant: Variant) -> None:
    for _, _, beats in timelines(variant):
        for before, beat in pairwise(beats):
            old, new = before.view.state, beat.view.state
            for k, clan in enumerate(CLANS):
                mine = [event for event in beat.events if event.args.get("clan") == clan]
                lost = sum(int(event.args["units"] or 0) for event in mine if event.code == "lost")
                joined = sum(event.code == "recruited" for event in mine)
                assert new.units[k] - old.units[k] == joined - lost
                said = Counter(event.code for event in mine)
                moved = said["advanced"] + said["entered"]
                assert (new.place[k] != old.place[k]) == bool(moved)
                assert (new.barricades[k] != old.barricades[k]) == bool(said["barricaded"])
                if said["cards-back"]:
                    assert new.face_up_count[k] == 0
                else:
                    assert new.face_up_count[k] - old.face_up_count[k] == said["misread"]
            assert new.turn - old.turn == codes(beat)["turn"]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_opened_timeline_tells_every_secret_choice_by_choice_and_only_after_the_end(variant: Variant) -> None:
    match = game(variant, 0)
    assert match.outcome is not None
    by_choice = match.opened_timeline()
    record = match.record()
    assert len(by_choice) == 1 + len(record["choices"])
    assert [event for beats in by_choice for beat in beats for event in beat.events] == match.full_events()
    replayed = Match.from_record({**record, "choices": []})
    with pytest.raises(Fault, match="not over"):
        replayed.opened_timeline()
    for index, (choice, beats) in enumerate(zip(record["choices"], by_choice[1:], strict=True)):
        replayed.replay_choice(choice, index)
        assert beats, "every choice changes something when all is open"
        assert bytes(beats[-1].view.state) == bytes(replayed.state)
