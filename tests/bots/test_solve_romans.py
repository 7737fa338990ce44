"""How the tables of Romans are made: habits that lay the lines they promise, the same tables for the same seed."""

from dataclasses import replace
from itertools import islice
from random import Random

import numpy as np
import pytest

from meadhall.bots.romans.compiled import engine, prepare
from meadhall.bots.romans.habits import (
    AFTER,
    ASIDE,
    FIRST,
    FORT,
    HABIT_SIZE,
    LEGION,
    LEGION_IN_VAIN,
    LEGION_TO_STOP,
    NEXT,
    NO_FORT,
    PLACE,
    imagine_line,
    kinds_along_the_wall,
    weights_by_place,
)
from meadhall.bots.romans.medium import greedy, mind
from meadhall.bots.romans.solved import COMPANIES
from meadhall.bots.romans.thinking import imagined
from meadhall.bots.solved import load
from meadhall.engine.bits import at, row_of
from meadhall.engine.rng import seeded
from meadhall.games.romans.state import ARRANGEMENTS, NINE, Warrior
from meadhall.lab.exploit.romans import exploit
from meadhall.lab.solve.romans import finished, steps
from meadhall.lab.solve.romans_training import as_chances, score_lines
from meadhall.match import Match
from tests.rules.romans_positions import before_plans, clash
from tests.variants import FOUR

KINDS = np.array([3, 0, 8, 5, 1, 7, NO_FORT])


def some_habit() -> np.ndarray:
    return np.random.default_rng(3).normal(size=HABIT_SIZE).astype(np.float32)


def test_a_line_scores_the_sum_of_its_weights() -> None:
    habit, row = some_habit(), row_of([0, 7, 3, 7, 5, 1, 2])
    here, scores = np.zeros((7, 8), np.float32), np.zeros(5040, np.float32)
    weights_by_place(KINDS, habit, here)
    score_lines(row, here, habit, scores)
    for number in (0, 1, 777, 5039):
        line = [at(row, int(place)) for place in ARRANGEMENTS[number]]
        score = habit[ASIDE + line[6]]
        for k, warrior in enumerate(line[:6]):
            before = line[k - 1] if k else FIRST
            score += habit[PLACE + 8 * k + warrior] + habit[AFTER + 8 * before + warrior]
            score += habit[FORT + 8 * KINDS[k] + warrior] + habit[NEXT + 8 * KINDS[k + 1] + warrior]
        assert scores[number] == pytest.approx(score, abs=1e-4)
    as_chances(scores)
    assert scores.sum() == pytest.approx(1.0, abs=1e-3)


def test_lines_are_drawn_as_often_as_their_scores_say() -> None:
    habit, row, draws = 0.5 * some_habit(), row_of([0, 7, 3, 6, 5, 1, 2]), 4000
    here, scores = np.zeros((7, 8), np.float32), np.zeros(5040, np.float32)
    weights_by_place(KINDS, habit, here)
    score_lines(row, here, habit, scores)
    as_chances(scores)
    prepare()
    dice, lay = np.array(seeded("drawn")), engine().laid_by_habit
    lines = [lay(row, 0, here, habit, dice) for _ in range(draws)]
    for place in range(7):
        for slot in range(7):
            wanted = float(scores[ARRANGEMENTS[:, place] == slot].sum())
            found = sum(at(line, place) == at(row, slot) for line in lines) / draws
            assert found == pytest.approx(wanted, abs=4 * (wanted * (1 - wanted) / draws) ** 0.5 + 1e-3)
    fixed = {lay(row, 5, here, habit, dice) for _ in range(50)}
    assert {line & 0xFFFFF for line in fixed} == {row & 0xFFFFF}
    assert len(fixed) <= 2


def test_legions_are_seen_for_what_they_mean_to_a_planner() -> None:
    clans = {"gold": "axx", "green": "druhid"}
    wall = "legion-3 ordinary-6 ordinary-1"
    for forts, wanted in (
        ({}, LEGION),
        ({"gold": "legion-1"}, LEGION + 1),
        ({"gold": "legion-1 legion-2"}, LEGION + 2),
        ({"green": "legion-1 legion-2"}, LEGION_TO_STOP),
        ({"gold": "legion-1", "green": "legion-2 legion-2"}, LEGION_TO_STOP),
    ):
        table = before_plans("interpreted", wall, **dict.fromkeys(clans, "axx archr druhid zvord horsie filchy"))
        state = table.state
        for clan, held in forts.items():
            number = 0 if clan == "gold" else 1
            for place, fort in enumerate(held.split()):
                state.forts[number][place] = {"legion-1": 3, "legion-2": 4}[fort]
            state.forts_count[number] = len(held.split())
        kinds = np.zeros(7, np.int64)
        kinds_along_the_wall(state, 0, kinds)
        place = next(k for k in range(6) if at(int(state.wall), k) == 5)
        assert kinds[place] == wanted
        assert kinds[6] == NO_FORT


def test_legions_that_nobody_can_win_by_are_in_vain() -> None:
    held = {"gold": "legion-1 legion-2", "green": "legion-2"}
    table = clash("interpreted", "tax-8 ordinary-6", forts=held, gold="charriott", green="archr")
    kinds = np.zeros(7, np.int64)
    kinds_along_the_wall(table.state, 0, kinds)
    assert LEGION_IN_VAIN not in kinds
    table.state.wall = row_of([5])
    table.state.fort_deck[4] = 1  # as if one of the legions had never been there
    table.state.wall_count = 1
    table.state.forts_count[0] = 1
    kinds_along_the_wall(table.state, 1, kinds)
    assert kinds[5] == LEGION_IN_VAIN


def test_imagined_lines_begin_with_what_was_shown_and_hold_a_clans_warriors_once() -> None:
    table = clash("interpreted", "ordinary-3 ordinary-1 ordinary-6", gold="qween", green="axx", violet="horsie")
    view = table.match.view("gold")
    dice = seeded(1)
    for _ in range(20):
        row = imagine_line(view.state, 1, greedy(), dice)
        line = [at(row, k) for k in range(7)]
        assert line[:4] == [at(view.state.line[1], k) for k in range(4)]
        assert all(line.count(warrior) <= NINE.count(warrior) for warrior in line)


def test_a_greedy_rival_is_imagined_with_strong_warriors_before_dear_forts() -> None:
    prepare()
    view = Match.new("romans", {"players": FOUR[:2]}, 5).view("gold")
    worlds = imagined(view, replace(mind(), shares=np.array([0, 1000])), 200, Random(1))
    last = [at(int(world["line"][1]), 5) for world in worlds]
    assert last.count(Warrior.CHARRIOTT) + last.count(Warrior.HORSIE) > 1.4 * 200 * 3 / 9  # three of nine by chance


def test_solving_gives_the_same_tables_again_and_can_be_taken_up_where_it_was_left() -> None:
    start, first, second = islice(steps(None, 1, games=60), 3)
    assert (start.done, first.done, second.done) == (0, 1, 2)
    assert 0.0 < second.figure < 1.0
    taken_up = list(islice(steps(first.arrays, 1, cores=1, games=60), 2))[1]
    assert (taken_up.done, taken_up.figure) == (2, second.figure)
    for name, array in second.arrays.items():
        np.testing.assert_array_equal(taken_up.arrays[name], array)
    assert np.abs(second.arrays["habits"][0, 1]).max() > 0.0
    other = list(islice(steps(None, 2, games=60), 2))[1]
    assert np.abs(other.arrays["habits"] - first.arrays["habits"]).max() > 0.0
    assert set(finished(second.arrays)) == {"habits", "standings"}


def test_the_shipped_table_makes_points_and_legions_worth_having() -> None:
    arrays = load("romans").arrays
    assert arrays["habits"].shape[0] == 3
    for players, clans in COMPANIES:
        weights = arrays["standings"][players - 1, clans - 2]
        assert (weights[:, 0] > 0.03).all()
        two_of_three = weights[:, 2 + 5 * 2 + 1]
        assert (two_of_three > weights[:, 2 + 1]).all()


def test_an_adversary_who_knows_the_bot_is_measured() -> None:
    found = exploit("easy", 2, "short")
    assert (found["level"], found["games"]) == ("easy", 2)
    assert 0.0 <= found["adversary"] <= 1.0
