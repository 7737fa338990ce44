"""The index of the public positions of Goths, and the transitions that the rules make between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meadhall.bots.goths.positions import LOST, NO_ACTION, POSITIONS, WON, best_entry, position_number, successors
from meadhall.engine.layout import UNKNOWN
from meadhall.games.game import game_named
from meadhall.games.goths.state import Action, GothsState, Objective, Phase
from meadhall.lab.solve.goths_positions import exists, set_up_position, start_turn

EXISTING = [number for number in range(POSITIONS) if exists(number)]
ARMY = st.integers(0, 41)


def blank() -> GothsState:
    game = game_named("goths")
    s = game.blank(game.check_rules({}))
    assert isinstance(s, GothsState)
    start_turn(s)
    return s


def at(first: int, second: int, knowledge: int = 0) -> int:
    return (first * 42 + second) * 10 + knowledge


def test_there_are_as_many_positions_as_armies_and_knowledge_can_make() -> None:
    assert len(EXISTING) == 36 * 36 * 10 + 2 * 36 * 6 * 9 + 6 * 6


@given(st.sampled_from(EXISTING))
def test_a_position_set_up_has_the_number_it_was_set_up_from(number: int) -> None:
    s = blank()
    for order in set_up_position(s, number):
        for k in range(3):
            s.objectives[k] = order[k]
        s.phase = Phase.FIRST_ORDER
        assert position_number(s) == number


@given(st.sampled_from(EXISTING), st.integers(0, 9), st.integers(0, 9))
def test_every_turn_leads_to_positions_that_exist_with_chances_that_add_up(number: int, a: int, b: int) -> None:
    s = blank()
    total = 0.0
    for after, chance in successors(s, set_up_position(s, number), (a, b)):
        where = position_number(after)
        assert where >= POSITIONS or exists(where)
        total += chance
    assert total == pytest.approx(1.0)


def test_a_stone_on_two_units_in_the_open_wins_and_a_barricade_saves() -> None:
    loaded, two_units = (0 * 3 + 2) * 2 + 1, (0 * 3 + 1) * 2
    s = blank()
    ends = list(successors(s, set_up_position(s, at(loaded, two_units)), (Action.FIRE, NO_ACTION)))
    assert [position_number(after) for after, _ in ends] == [WON]
    ends = list(successors(s, set_up_position(s, at(two_units, loaded)), (NO_ACTION, Action.FIRE)))
    assert [position_number(after) for after, _ in ends] == [LOST]
    behind = (1 * 3 + 1) * 2
    ends = list(successors(s, set_up_position(s, at(loaded, behind)), (Action.FIRE, NO_ACTION)))
    assert all(position_number(after) < POSITIONS for after, _ in ends)


@pytest.mark.parametrize(("knowledge", "chance"), [(0, 1 / 3), (3, 2 / 3), (7, 1.0)])
def test_who_has_looked_at_more_finds_the_queen_more_often(knowledge: int, chance: float) -> None:
    ready = (4 * 3 + 2) * 2
    s = blank()
    ends = successors(s, set_up_position(s, at(ready, 0, knowledge)), (Action.ADVANCE, NO_ACTION))
    assert sum(share for after, share in ends if position_number(after) == WON) == pytest.approx(chance)


def test_a_warchief_who_knows_the_trap_does_not_walk_into_it() -> None:
    s = blank()
    set_up_position(s, at((4 * 3 + 2) * 2, 0, 3))
    assert best_entry(s, 0, [Objective.TRAP, UNKNOWN, UNKNOWN]) != 0
    assert best_entry(s, 0, [UNKNOWN, Objective.QUEEN, UNKNOWN]) == 1
