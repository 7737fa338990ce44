"""The policy of planning in Romans: arrangements drawn as often as their features say, and lines of rivals sampled."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from meadhall.bots.romans.compiled import compiled_search, prepare
from meadhall.bots.romans.medium import model, uniform_and_greedy
from meadhall.bots.romans.monte_carlo import sampled_worlds
from meadhall.bots.romans.plan_policy import (
    AFTER_WARRIOR,
    AT_FORT,
    AT_PLACE,
    LEFT_OUT,
    LEGION,
    LEGION_TO_BLOCK,
    NEXT_FORT,
    NO_FORT,
    NO_WARRIOR,
    PLAN_FEATURES,
    USELESS_LEGION,
    fort_kinds_by_place,
    place_scores,
    sample_line,
)
from meadhall.engine.bits import at, row_of
from meadhall.engine.rng import seeded
from meadhall.games.romans.state import ARRANGEMENTS, NINE, Warrior
from meadhall.lab.solve.romans_training import score_arrangements, softmax_in_place
from meadhall.match import Match
from tests.rules.romans_positions import before_plans, clash
from tests.variants import FOUR

KINDS = np.array([3, 0, 8, 5, 1, 7, NO_FORT])
GREEDY = uniform_and_greedy()[1]


def some_policy() -> np.ndarray:
    return np.random.default_rng(3).normal(size=PLAN_FEATURES).astype(np.float32)


def test_an_arrangement_scores_the_sum_of_its_weights() -> None:
    policy, row = some_policy(), row_of([0, 7, 3, 7, 5, 1, 2])
    scores, totals = np.zeros((7, 8), np.float32), np.zeros(5040, np.float32)
    place_scores(KINDS, policy, scores)
    score_arrangements(row, scores, policy, totals)
    for number in (0, 1, 777, 5039):
        line = [at(row, int(place)) for place in ARRANGEMENTS[number]]
        score = policy[LEFT_OUT + line[6]]
        for k, warrior in enumerate(line[:6]):
            before = line[k - 1] if k else NO_WARRIOR
            score += policy[AT_PLACE + 8 * k + warrior] + policy[AFTER_WARRIOR + 8 * before + warrior]
            score += policy[AT_FORT + 8 * KINDS[k] + warrior] + policy[NEXT_FORT + 8 * KINDS[k + 1] + warrior]
        assert totals[number] == pytest.approx(score, abs=1e-4)
    softmax_in_place(totals)
    assert totals.sum() == pytest.approx(1.0, abs=1e-3)


def test_arrangements_are_drawn_as_often_as_their_scores_say() -> None:
    policy, row, draws = 0.5 * some_policy(), row_of([0, 7, 3, 6, 5, 1, 2]), 4000
    scores, totals = np.zeros((7, 8), np.float32), np.zeros(5040, np.float32)
    place_scores(KINDS, policy, scores)
    score_arrangements(row, scores, policy, totals)
    softmax_in_place(totals)
    prepare()
    rng, draw = np.array(seeded("drawn")), compiled_search().sample_arrangement
    lines = [draw(row, 0, scores, policy, rng) for _ in range(draws)]
    for place in range(7):
        for slot in range(7):
            wanted = float(totals[ARRANGEMENTS[:, place] == slot].sum())
            found = sum(at(line, place) == at(row, slot) for line in lines) / draws
            assert found == pytest.approx(wanted, abs=4 * (wanted * (1 - wanted) / draws) ** 0.5 + 1e-3)
    fixed = {draw(row, 5, scores, policy, rng) for _ in range(50)}
    assert {line & 0xFFFFF for line in fixed} == {row & 0xFFFFF}
    assert len(fixed) <= 2


def test_a_legion_fort_is_of_the_kind_that_its_number_held_makes_it() -> None:
    clans = {"gold": "axx", "green": "druhid"}
    wall = "legion-3 ordinary-6 ordinary-1"
    for forts, wanted in (
        ({}, LEGION),
        ({"gold": "legion-1"}, LEGION + 1),
        ({"gold": "legion-1 legion-2"}, LEGION + 2),
        ({"green": "legion-1 legion-2"}, LEGION_TO_BLOCK),
        ({"gold": "legion-1", "green": "legion-2 legion-2"}, LEGION_TO_BLOCK),
    ):
        table = before_plans("interpreted", wall, **dict.fromkeys(clans, "axx archr druhid zvord horsie filchy"))
        state = table.state
        for clan, held in forts.items():
            number = 0 if clan == "gold" else 1
            for place, fort in enumerate(held.split()):
                state.forts[number][place] = {"legion-1": 3, "legion-2": 4}[fort]
            state.forts_count[number] = len(held.split())
        kinds = np.zeros(7, np.int64)
        fort_kinds_by_place(state, 0, kinds)
        place = next(k for k in range(6) if at(int(state.wall), k) == 5)
        assert kinds[place] == wanted
        assert kinds[6] == NO_FORT


def test_legions_that_nobody_can_win_by_are_useless() -> None:
    held = {"gold": "legion-1 legion-2", "green": "legion-2"}
    table = clash("interpreted", "tax-8 ordinary-6", forts=held, gold="charriott", green="archr")
    kinds = np.zeros(7, np.int64)
    fort_kinds_by_place(table.state, 0, kinds)
    assert USELESS_LEGION not in kinds
    table.state.wall = row_of([5])
    table.state.fort_deck[4] = 1  # as if one of the legions had never been there
    table.state.wall_count = 1
    table.state.forts_count[0] = 1
    fort_kinds_by_place(table.state, 1, kinds)
    assert kinds[5] == USELESS_LEGION


def test_sampled_lines_begin_with_what_was_shown_and_hold_a_clans_warriors_once() -> None:
    table = clash("interpreted", "ordinary-3 ordinary-1 ordinary-6", gold="qween", green="axx", violet="horsie")
    view = table.match.view("gold")
    rng = seeded(1)
    for _ in range(20):
        row = sample_line(view.state, 1, GREEDY, rng)
        line = [at(row, k) for k in range(7)]
        assert line[:4] == [at(view.state.line[1], k) for k in range(4)]
        assert all(line.count(warrior) <= NINE.count(warrior) for warrior in line)


def test_a_greedy_rival_is_sampled_with_strong_warriors_at_valuable_forts() -> None:
    prepare()
    view = Match.new("romans", {"players": FOUR[:2]}, 5).view("gold")
    worlds = sampled_worlds(view, replace(model(), shares=np.array([0, 1000])), 200, Random(1))
    last = [at(int(world["line"][1]), 5) for world in worlds]
    assert last.count(Warrior.CHARRIOTT) + last.count(Warrior.HORSIE) > 1.4 * 200 * 3 / 9  # three of nine by chance
