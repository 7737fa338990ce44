"""The payoffs of a turn, computed for all pairs at once and in canonical form, are what the rules make of each pair."""

import numpy as np
import pytest

from meadhall.bots.goths.belief import has_private_knowledge
from meadhall.bots.goths.cards import face_up_characters
from meadhall.bots.goths.equilibrium import FAILED
from meadhall.bots.goths.objectives import OBJECTIVE_ORDERS, possible_orders
from meadhall.bots.goths.outcomes import heuristic_values, leaves_of, payoffs
from meadhall.bots.goths.positions import NO_ACTION, successors
from meadhall.bots.goths.public import canonical, initiative_first, private_payoffs, public_state
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
    """What a pair of outcomes is worth, the rules played out and every leaf looked at by itself."""
    start = s.copy()
    start.phase = Phase.ACTS
    acts = tuple(min(each, NO_ACTION) for each in (a, b))
    up = [0 if each < FAILED else face_up_characters(s, clan) | 1 << each - FAILED for clan, each in enumerate((a, b))]
    leaves = list(successors(start, [OBJECTIVE_ORDERS[n] for n in possible_orders(s.objectives)], (acts[0], acts[1])))
    return sum(
        chance * float(heuristic_values(leaves_of([leaf]), (up[0],), (up[1],))[0, 0, 0]) for leaf, chance in leaves
    )


def test_the_payoffs_of_a_turn_are_what_its_leaves_are_worth_one_by_one() -> None:
    for view in positions()[::7]:
        s = public_state(view)
        s.turn = 1  # nobody is impatient yet
        whole = payoffs(s, heuristic_values)
        for a, b in ((0, 0), (3, 6), (6, 6), (6, 9), (10, 4), (12, 11), (8, 7)):
            assert whole[a, b] == pytest.approx(one_by_one(s, a, b), abs=1e-5)


def test_it_does_not_matter_which_clan_is_called_the_first() -> None:
    for view in positions():
        s = public_state(view)
        mirrored = initiative_first(s)
        assert mirrored.initiative == 0
        whole = payoffs(s, heuristic_values)
        seen = whole if s.initiative == 0 else 1.0 - whole.T
        assert np.allclose(payoffs(mirrored, heuristic_values), seen, atol=1e-5)


def test_what_a_warchief_has_seen_counts_the_same_however_the_objectives_are_numbered() -> None:
    tried = 0
    for view in positions():
        if not has_private_knowledge(view.state):
            continue
        tried += 1
        direct = public_state(view)
        for k in range(3):
            direct.objectives[k] = view.state.objectives[k]
        found = private_payoffs(view, heuristic_values)
        assert np.allclose(found, payoffs(initiative_first(direct), heuristic_values), atol=1e-5)
    assert tried > 5


def test_positions_that_differ_only_in_the_number_of_an_objective_have_the_same_canonical_form() -> None:
    view = random_game(GOTHS[0], 1, 0).view("ostrogoth-warchief")
    written = set()
    for looked in (1, 2, 4):
        view.state.seen[0] = looked
        written.add(bytes(canonical(view)[0]))
    assert len(written) == 1
