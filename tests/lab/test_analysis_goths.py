"""The analysis of Goths: its numbers follow the game, what it calls better was possible, its orders are the rules'."""

from random import Random

import pytest

from meadhall import bots
from meadhall.lab.analysis import analyse, read, written
from meadhall.lab.analysis.goths_chances import Turns
from meadhall.match import Match
from meadhall.web.pages.hints import reason
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.lab.goths_games import analysed, every_variant
from tests.variants import GOTHS, Variant


def after(choices: str) -> Match:
    """A short game after some choices of kings and warchiefs, in order of their asking; the queen is objective-1."""
    dealt = (Match.new("goths", {"turn_limit": 6}, seed) for seed in range(99))
    match = next(each for each in dealt if queen_of(each) == 1)
    for choice in choices.split():
        match.commit(match.waiting[0], choice)
    return match


def queen_of(match: Match) -> int:
    return [each["card"] for each in match.position()["objectives"]].index("queen") + 1


def finished(match: Match) -> Match:
    rng = Random(1)
    while match.outcome is None:
        for seat in match.waiting:
            match.commit(seat, bots.choose("easy", match.view(seat), rng))
    return match


@every_variant
def test_the_curve_has_a_point_for_each_beat_and_ends_as_the_game_did(variant: Variant) -> None:
    match, analysis = analysed(variant)
    beats = sum(len(each) for each in match.opened_timeline())
    assert [point.beat for point in analysis.curve] == list(range(beats))
    for point in analysis.curve:
        assert sum(point.win) == pytest.approx(1.0)
        assert all(0.0 <= chance <= 1.0 for chance in point.win)
    assert match.outcome is not None
    won = [0.5 if not analysis.winners else float(side in analysis.winners) for side in analysis.sides]
    assert list(analysis.curve[-1].win) == won


@every_variant
def test_every_choice_stands_beside_one_that_was_possible_and_no_worse(variant: Variant) -> None:
    match, analysis = analysed(variant)
    game = Match(match.header)
    by_choice = {decision.choice: decision for decision in analysis.decisions}
    beat = len(match.opened_timeline()[0])
    for number, (seat, choice) in enumerate(match.record()["choices"]):
        assert (number in by_choice) == (len(game.choice_ids(seat)) > 1)
        if number in by_choice:
            decision = by_choice[number]
            assert (decision.seat, decision.chosen, decision.beat) == (seat, choice, beat)
            assert decision.chapter == str(game.position()["turn"])
            assert game.is_legal(seat, decision.better)
            assert 0.0 <= decision.win <= decision.best <= 1.0
            assert (decision.better == choice) == (decision.lost == 0.0)
        game.commit(seat, choice)
        beat += len(match.opened_timeline()[number + 1])


@every_variant
def test_the_orders_are_those_of_the_rules(variant: Variant) -> None:
    match, analysis = analysed(variant)
    events = match.full_events()
    for clan, pair in zip(analysis.sides, analysis.detail.pairs, strict=True):
        understood = [
            event.code == "understood" for event in events if event.args.get("clan") == clan and is_read(event)
        ]
        orders = [order for order in analysis.detail.orders if order.clan == clan]
        assert [order.understood for order in orders] == understood
        assert (pair.orders, pair.understood) == (len(understood), sum(understood))
        assert 0.0 <= pair.likely <= pair.orders
    revealed = [(event.args["clan"], event.args["card"], event.args["action"]) for event in events if is_shown(event)]
    assert [(order.clan, order.meant, order.action) for order in analysis.detail.orders] == revealed


def is_read(event: object) -> bool:
    return getattr(event, "code", "") in ("understood", "misread")


def is_shown(event: object) -> bool:
    return getattr(event, "code", "") == "revealed"


@every_variant
def test_what_was_meant_is_among_what_a_back_could_mean(variant: Variant) -> None:
    match, analysis = analysed(variant)
    beats = [beat for each in match.opened_timeline() for beat in each]
    for order in analysis.detail.orders:
        assert sum(reading.chance for reading in order.readings) == pytest.approx(1.0)
        assert order.meant in [reading.card for reading in order.readings]
        assert all(set(reading.card.split("/")) == set(order.back) for reading in order.readings)
        assert bool(order.misread_by) == (not order.understood)
        assert 0.0 <= order.likely <= 1.0
        assert any(event.code == "revealed" for event in beats[order.beat].events) or not beats[order.beat].kind


@every_variant
def test_turning_points_are_few_and_where_the_curve_moves_their_way(variant: Variant) -> None:
    _, analysis = analysed(variant)
    assert len(analysis.turning_points) <= 6
    for point in analysis.turning_points:
        side = analysis.sides.index(point.side)
        moved = analysis.curve[point.beat].win[side] - analysis.curve[point.beat - 1].win[side]
        assert moved == pytest.approx(point.swing)
        assert moved > 0
        if point.decision is not None:
            assert not analysis.decisions[point.decision].seat.startswith(point.side), (
                "nobody is blamed for his own good"
            )


@every_variant
def test_all_that_is_found_has_words_in_every_language_and_can_be_kept(variant: Variant) -> None:
    _, analysis = analysed(variant)
    found = [*analysis.decisions, *analysis.turning_points, *analysis.detail.orders]
    for language in LANGUAGES:
        spoken = words(language)
        for each in found:
            sentence = reason(each.why, "goths", spoken)
            assert sentence.endswith(".")
            assert "{" not in sentence
            assert "goths." not in sentence
    assert read(written(analysis)) == analysis


def test_the_same_game_gets_the_same_analysis_and_its_progress_is_told() -> None:
    match = analysed(GOTHS[0]).match
    told: list[float] = []
    again = analyse(Match.from_record(match.record()), told.append)
    assert again == analysed(GOTHS[0]).analysis
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 4


CLEAR = "order:recruiter/vulture order:recruiter/vulture"  # with one unit less than three, all know what that means


def test_an_order_that_all_would_have_read_and_one_misread_is_the_warchiefs_loss() -> None:
    match = finished(after(f"{CLEAR} act:recruit act:reconnoitre"))
    analysis = analyse(match)
    ours, theirs = analysis.detail.orders[:2]
    assert ours.understood
    assert theirs.misread_by == "warchief"
    decision = next(each for each in analysis.decisions if each.choice == 3)
    assert decision.better == "act:recruit"
    assert decision.lost > 0.03
    side = analysis.sides.index("visigoth")
    assert analysis.curve[decision.beat].win[side] < analysis.curve[decision.beat - 1].win[side] - 0.03
    assert ours.readings[0].card == "recruiter/vulture"
    assert ours.readings[0].chance > 0.8


def test_a_back_that_looks_like_something_else_is_the_kings_doing() -> None:
    analysis = analyse(finished(after("order:vulture/recruiter order:recruiter/vulture act:recruit act:recruit")))
    order = analysis.detail.orders[0]
    assert (order.understood, order.misread_by) == (False, "king")
    assert order.readings[0].card == "recruiter/vulture"
    assert order.likely < 0.5
    king = analysis.decisions[0]
    assert king.better != king.chosen
    assert king.lost > 0.03
    before, then = analysis.curve[0].win[0], analysis.curve[king.beat].win[0]
    assert then < before, "a king's card counts by how it will be read"


def test_a_card_that_lies_face_up_gets_an_order_through() -> None:
    turns = f"{CLEAR} act:load act:recruit order:catapult/recruiter order:catapult/recruiter act:load act:recruit"
    analysis = analyse(finished(after(turns)))
    order = next(each for each in analysis.detail.orders if (each.turn, each.clan) == (2, "ostrogoth"))
    assert order.face_up == ("recruiter/vulture",)
    assert order.by_face_up
    assert order.understood


def test_whoever_knows_where_the_queen_is_and_goes_elsewhere_chose_worse() -> None:
    turns = "order:vulture/recruiter order:vulture/recruiter act:sabotage act:reconnoitre look:objective-1"
    for _ in range(3):
        turns += " order:barbarian/vulture order:barbarian/vulture act:advance act:advance"
    match = after(turns)
    assert match.waiting == ("visigoth-warchief",)
    match.commit("visigoth-warchief", "enter:objective-2")
    analysis = analyse(finished(match))
    decision = next(each for each in analysis.decisions if each.chosen.startswith("enter:"))
    assert (decision.better, decision.best) == ("enter:objective-1", 1.0)
    assert decision.why.key == "goths.analysis.enter.queen"


def test_a_position_is_worth_the_same_however_long_the_game_has_lasted() -> None:
    early = after(f"{CLEAR} act:recruit act:recruit")
    late = early.state.copy()
    late.turn, late.turn_limit = early.state.turn + 80, early.state.turn_limit + 80
    turns = Turns(early.rules)
    assert turns.at(late).chance() == turns.at(early.state).chance()
