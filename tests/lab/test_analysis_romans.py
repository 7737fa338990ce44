"""The analysis of Romans: its numbers hold on the real engine, and its curve ends where the game ended."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from meadhall.bots.romans.rollout import default_choice
from meadhall.games.romans.names import VALUES
from meadhall.games.romans.state import REORDER, Phase
from meadhall.lab.analysis import analyse, read, romans_choices, romans_past, written
from meadhall.lab.analysis.report import Analysis, Decision
from meadhall.lab.analysis.romans_found import Line
from meadhall.lab.analysis.romans_rollouts import same_question
from meadhall.match import Match
from meadhall.web.pages.hints import reason
from meadhall.words import words
from meadhall.words.languages import LANGUAGES
from tests.variants import ROMANS, Variant, at_random, random_game

every_variant = pytest.mark.parametrize("variant", ROMANS, ids=str)


@pytest.fixture(autouse=True, scope="module")
def few_worlds() -> Iterator[None]:
    """What holds in many worlds holds in few, and sooner."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(romans_past, "WORLD_COUNT", 64)
        patch.setattr(romans_choices, "SELECTING", 64)
        patch.setattr(romans_choices, "JUDGING", 128)
        patch.setattr(romans_choices, "CHOICE_ROLLOUTS", 500)
        yield


@cache
def game(variant: Variant) -> Match:
    return random_game(variant, 5)


@cache
def analysed(variant: Variant) -> Analysis:
    return analyse(game(variant))


@every_variant
def test_the_curve_has_every_beat_adds_up_to_one_and_ends_with_the_game(variant: Variant) -> None:
    match, found = game(variant), analysed(variant)
    beats = [beat for beats in match.opened_timeline() for beat in beats]
    assert [point.beat for point in found.curve] == list(range(len(beats)))
    for point in found.curve:
        assert len(point.win) == len(found.sides)
        assert sum(point.win) == pytest.approx(1)
        assert min(point.win) >= 0
    assert match.outcome is not None
    assert found.curve[-1].win == tuple(match.outcome.share(side) for side in found.sides)


@every_variant
def test_the_curve_moves_only_when_somebody_has_chosen_or_a_round_is_dealt(variant: Variant) -> None:
    match, found = game(variant), analysed(variant)
    number = 0
    for beats in match.opened_timeline():
        for k, beat in enumerate(beats):
            if k > 0 and beat.kind != "round":
                assert found.curve[number].win == found.curve[number - 1].win
            number += 1


@every_variant
def test_every_choice_is_judged_and_what_was_better_was_legal(variant: Variant) -> None:
    found, again = analysed(variant), Match(game(variant).header)
    choices = game(variant).record()["choices"]
    assert [(each.seat, each.chosen) for each in found.decisions] == [tuple(each) for each in choices]
    first = 0
    for number, (each, beats) in enumerate(zip(found.decisions, game(variant).opened_timeline(), strict=False)):
        first += len(beats)
        assert (each.choice, each.beat) == (number, first)
        assert each.chapter == f"{again.state.round}.{again.state.turn}"
        assert again.is_legal(each.seat, each.better)
        assert 0 <= each.win <= each.best <= 1
        assert (each.better == each.chosen) == (each.lost == 0)
        again.commit(each.seat, each.chosen)


def replayed(match: Match, round_number: int, clan: str, plan: str) -> tuple[dict[int, str], list[str], Match]:
    """The real engine with one plan changed: what the clan captures by turn, what it pays, and how the round ends.

    The others choose as they did where they are asked the same, and all others by the default policy.
    """
    again = Match(match.header)
    real = {}
    twin = Match(match.header)
    for seat, choice in match.record()["choices"]:
        state = twin.state.copy()
        real[state.round, state.shown, state.phase, seat] = state, choice
        twin.commit(seat, choice)
        if again.state.round < round_number:
            again.commit(seat, choice)
    turn, captured, paid = 0, {}, []
    while again.waiting and again.state.round == round_number:
        seat, state = again.waiting[0], again.state
        number = again.seats.index(seat)
        then, choice = real.get((state.round, state.shown, state.phase, seat), (None, ""))
        if seat == clan and state.phase == Phase.PLAN:
            chosen: str | int = plan
        elif then is not None and state.phase == Phase.PLAN:
            chosen = choice
        else:
            secret = choice.startswith("reorder:") and again.is_legal(seat, choice)
            same = seat != clan and then is not None and (secret or same_question(state, then, number))
            chosen = choice if same else default_choice(state, number)
        assert chosen != REORDER or state.phase == Phase.AFTER
        for event in again.commit(seat, chosen):
            if event.code == "turn":
                turn = int(event.args["turn"] or 0)
            elif event.code == "captured" and event.args["clan"] == clan:
                captured[turn] = str(event.args["fort"])
            elif event.code == "paid" and event.args["clan"] == clan:
                paid.append(str(event.args["fort"]))
    return captured, paid, again


@every_variant
def test_lines_take_on_the_real_engine_what_the_analysis_says(variant: Variant) -> None:
    match, found = game(variant), analysed(variant)
    for played in found.detail.rounds:
        for lines in played.lines:
            for line in (lines.then, lines.hindsight):
                if line is not None and line != lines.laid:
                    check_line(match, played.number, lines.clan, line)


def check_line(match: Match, round_number: int, clan: str, line: Line) -> None:
    captured, paid, after = replayed(match, round_number, clan, f"plan:{','.join(line.warriors)}")
    assert line.captures == tuple(captured.get(turn, "") for turn in range(1, 7))
    assert line.paid == tuple(paid)
    assert line.points == sum(VALUES[fort] for fort in captured.values()) - sum(VALUES[fort] for fort in paid)
    if after.outcome is not None:
        assert line.win == after.outcome.share(clan)


@every_variant
def test_the_line_that_was_laid_took_what_it_took(variant: Variant) -> None:
    match, found = game(variant), analysed(variant)
    for played in found.detail.rounds:
        taken: dict[str, list[str]] = {lines.clan: [] for lines in played.lines}
        here = 0
        for event in match.full_events():
            here = int(event.args["round"] or 0) if event.code == "round" else here
            if here == played.number and event.code == "captured":
                taken[str(event.args["clan"])].append(str(event.args["fort"]))
        for lines in played.lines:
            assert [fort for fort in lines.laid.captures if fort] == taken[lines.clan]
        forts = [fort for fort in played.forts if fort.captor]
        assert sorted((fort.captor, fort.fort) for fort in forts) == sorted(
            (clan, fort) for clan, won in taken.items() for fort in won
        )


@every_variant
def test_no_line_is_better_in_hindsight_than_the_best_and_the_best_is_no_worse_than_the_real_one(
    variant: Variant,
) -> None:
    random = Random(f"{variant}")
    match, found = game(variant), analysed(variant)
    for played in found.detail.rounds[-1:]:
        for lines in played.lines:
            if lines.hindsight is not None and lines.then is not None:
                assert lines.hindsight.win >= lines.laid.win
                assert lines.hindsight.win >= lines.then.win
                assert lines.then.expected >= lines.laid.expected
                hand = [*lines.laid.warriors, lines.laid.aside]
                plan = f"plan:{','.join(random.sample(hand, 6))}"
                *_, after = replayed(match, played.number, lines.clan, plan)
                assert after.outcome is not None
                assert after.outcome.share(lines.clan) <= lines.hindsight.win


@every_variant
def test_everything_found_can_be_said_in_every_language_and_read_again(variant: Variant) -> None:
    found = analysed(variant)
    assert read(written(found)) == found
    for language in LANGUAGES:
        for each in (*found.decisions, *found.turning_points):
            said = reason(each.why, "romans", words(language))
            assert said
            assert "{" not in said


def test_what_is_said_of_a_better_charm_or_fort_happens_on_the_real_engine() -> None:
    told = 0
    for variant in ROMANS:
        again = Match(game(variant).header)
        for each in analysed(variant).decisions:
            kind = each.why.key.rpartition(".")[2]
            if kind in ("charm-takes", "charm-stops", "third-legion", "fort") and each.better.startswith(
                ("charm", "take")
            ):
                told += 1
                check_reason(again.copy(), each, kind)
            again.commit(each.seat, each.chosen)
    assert told


def check_reason(match: Match, each: Decision, kind: str) -> None:
    events = list(match.commit(each.seat, each.better))
    this_turn = events[: next((k for k, event in enumerate(events) if event.code == "turn"), len(events))]
    winners = [event.args["clan"] for event in this_turn if event.code in ("highest", "tie-broken")]
    if kind == "charm-takes":
        assert winners == [each.seat]
    elif kind == "charm-stops":
        assert each.why.args["clan_other"] not in winners
    elif kind == "fort":
        assert [event.args["fort"] for event in this_turn if event.code == "captured"] == [each.why.args["fort"]]
    else:
        assert match.outcome is not None
        assert match.outcome.winners == (each.seat,)


def test_a_turning_point_names_who_gained_and_a_decision_to_look_at() -> None:
    points = [(found, point) for found in map(analysed, ROMANS) for point in found.turning_points]
    assert len(points) > len(ROMANS)
    for found, point in points:
        assert point.side in found.sides
        assert point.swing >= 0.06
        if point.decision is None:
            assert point.why.key in ("romans.analysis.turn.deal", "romans.analysis.turn.all")
        else:
            decision = found.decisions[point.decision]
            assert decision.seat in (point.side, point.why.args.get("clan_other"))


def test_a_better_line_that_would_have_held_the_winner_back_does_so_on_the_real_engine() -> None:
    told = 0
    for variant in ROMANS:
        match, found = game(variant), analysed(variant)
        last = len(found.detail.rounds)
        for point in found.turning_points:
            weak = point.why.key == "romans.analysis.turn.plan-weak" and point.why.args["round"] == last
            if weak and point.side in found.winners and point.decision is not None:
                blamed = found.decisions[point.decision]
                *_, after = replayed(match, last, blamed.seat, blamed.better)
                assert after.outcome is None or after.outcome.share(point.side) < 1 / len(found.winners)
                told += 1
    assert told


def test_the_same_game_gets_the_same_analysis_and_progress_goes_up_to_one() -> None:
    variant, told = ROMANS[0], []
    assert analyse(random_game(variant, 5), told.append) == analysed(variant)
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_victory_by_legions_is_what_the_third_legion_was_worth() -> None:
    variant = next(each for each in ROMANS if each.name == "romans, four, own deck")
    for seed in range(200):
        match = variant.deal(seed)
        for _ in at_random(match, Random(seed)):
            pass
        if match.outcome is not None and match.outcome.reason == "legions":
            break
    found = analyse(match)
    winner = found.winners[0]
    last = max(found.detail.rounds[-1].forts, key=lambda fort: fort.turn)
    assert (last.captor, last.side) == (winner, winner)
    assert last.fort.startswith("legion")
    assert 0 < last.worth <= 1
    assert found.curve[-1].win[found.sides.index(winner)] == 1
