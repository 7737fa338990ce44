"""A turn valued at a stroke, and written in one way for all that is alike, is worth what the rules make of it."""

import numpy as np
import pytest

from meadhall.bots.goths.belief import knows_more
from meadhall.bots.goths.easy import face_up_characters
from meadhall.bots.goths.equilibrium import FAILED
from meadhall.bots.goths.outcomes import ends_of, estimates, worths
from meadhall.bots.goths.positions import NOTHING, ORDERS, results, worlds_with
from meadhall.bots.goths.public import from_first, plainly, public, worths_to_seat
from meadhall.games.goths.state import GothsState, Phase
from meadhall.match import View
from tests.variants import GOTHS, random_game


def positions() -> list[View]:
    """Views of all seats, of all variants, somewhere in random games."""
    found = []
    for number, variant in enumerate(GOTHS):
        for length in (0, 7, 16, 29, 41):
            match = random_game(variant, number, length)
            found += [match.view(seat) for seat in match.seats if match.state.phase != Phase.OVER]
    return found


def one_by_one(s: GothsState, a: int, b: int) -> float:
    """What a pair of outcomes is worth, the rules played out and every end looked at by itself."""
    start = s.copy()
    start.phase = Phase.ACTS
    acts = tuple(min(each, NOTHING) for each in (a, b))
    up = [0 if each < FAILED else face_up_characters(s, clan) | 1 << each - FAILED for clan, each in enumerate((a, b))]
    ends = list(results(start, [ORDERS[n] for n in worlds_with(s.objectives)], (acts[0], acts[1])))
    return sum(chance * float(estimates(ends_of([end]), (up[0],), (up[1],))[0, 0, 0]) for end, chance in ends)


def test_a_turn_valued_at_a_stroke_is_worth_what_its_ends_are_one_by_one() -> None:
    for view in positions()[::7]:
        s = public(view)
        s.turn = 1  # nobody is impatient yet
        whole = worths(s, estimates)
        for a, b in ((0, 0), (3, 6), (6, 6), (6, 9), (10, 4), (12, 11), (8, 7)):
            assert whole[a, b] == pytest.approx(one_by_one(s, a, b), abs=1e-5)


def test_it_does_not_matter_which_clan_is_called_the_first() -> None:
    for view in positions():
        s = public(view)
        mirrored = from_first(s)
        assert mirrored.initiative == 0
        whole = worths(s, estimates)
        seen = whole if s.initiative == 0 else 1.0 - whole.T
        assert np.allclose(worths(mirrored, estimates), seen, atol=1e-5)


def test_what_a_warchief_has_seen_counts_the_same_however_the_objectives_are_numbered() -> None:
    tried = 0
    for view in positions():
        if not knows_more(view.state):
            continue
        tried += 1
        direct = public(view)
        for k in range(3):
            direct.objectives[k] = view.state.objectives[k]
        found = worths_to_seat(view, estimates)
        assert np.allclose(found, worths(from_first(direct), estimates), atol=1e-5)
    assert tried > 5


def test_positions_that_differ_only_in_the_number_of_an_objective_are_written_alike() -> None:
    view = random_game(GOTHS[0], 1, 0).view("ostrogoth-warchief")
    written = set()
    for looked in (1, 2, 4):
        view.state.seen[0] = looked
        written.add(bytes(plainly(view)[0]))
    assert len(written) == 1
