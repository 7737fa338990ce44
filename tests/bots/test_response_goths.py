"""How `hard` meets others in Goths: by what is known of them as far as it is trusted, and by what they lean to."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from meadhall.bots import choose
from meadhall.bots.goths.balance import sensible
from meadhall.bots.goths.cards import ACTION_CHARACTERS, backs_of
from meadhall.bots.goths.minds import STRONG, Beliefs, Circumstances, fair_stand, timeless
from meadhall.bots.goths.recognition import CHAPTER, OPENING, all_alike, beliefs
from meadhall.bots.goths.response import price_of_going_round, think
from meadhall.games.goths.state import Action
from meadhall.match import Match, View

RECRUITER = 1


def start() -> View:
    return Match.new("goths", {}, 3).view("ostrogoth-king")


def of_habit(turns: int, **rules: Any) -> View:
    """The Ostrogoths recruit and the Visigoths reconnoitre for so many turns: soon that changes nothing any more."""
    match = Match.new("goths", rules, 3)
    habits = {"ostrogoth": ("order:recruiter", "act:recruit"), "visigoth": ("order:vulture", "act:reconnoitre", "look")}
    while match.state.turn < turns:
        seat = match.waiting[0]
        clan = seat.partition("-")[0]
        match.commit(seat, next(each for each in match.view(seat).choices if each.startswith(habits[clan])))
    return match.view("ostrogoth-king")


def against(kind: int) -> Beliefs:
    """The belief that the Visigoths are certainly of this kind."""
    kinds = all_alike().kinds.copy()
    kinds[2:] = np.eye(kinds.shape[1], dtype=np.float32)[kind]
    return replace(all_alike(), kinds=kinds, strange_enemies=1.0)


def known_enemies(share: float, worth: np.ndarray) -> Circumstances:
    """Enemies who show every back alike, against whom each of our actions is worth so much, if it gets through."""
    backs = backs_of(int(start().state.deck))
    n = len(backs.bits)
    through = backs.characters[:, None, :, None] == ACTION_CHARACTERS
    acts = np.broadcast_to(through * worth / n, (n, n, 2, 9)).astype(np.float32)
    return Circumstances(share=share, acts=acts.tobytes())


def test_a_clan_that_knows_all_of_its_enemies_does_what_is_best_against_them() -> None:
    worth = np.full(9, 0.3)
    worth[Action.LOAD] = 0.6
    stand = fair_stand(timeless(start()), True, known_enemies(1.0, worth))
    backs = backs_of(int(start().state.deck))
    ordered = (stand.king[0][..., None] * stand.chief[0, :, :, 0].mean(axis=1)[:, None]).sum(axis=(0, 1))
    assert ordered[Action.LOAD] > 0.95
    assert stand.king[0][backs.characters == ACTION_CHARACTERS[Action.LOAD]].sum() > 0.95


def test_what_is_trusted_a_little_changes_a_stand_less_than_what_is_trusted_altogether() -> None:
    worth = np.full(9, 0.3)
    worth[Action.LOAD] = 0.6
    plain = fair_stand(timeless(start()), True)
    changed = [
        float(np.abs(fair_stand(timeless(start()), True, known_enemies(share, worth)).king - plain.king).sum())
        for share in (0.05, 1.0)
    ]
    assert changed[0] < changed[1]


def test_a_king_does_not_order_what_the_warchief_beside_him_never_reads() -> None:
    backs = backs_of(int(start().state.deck))
    policy = np.zeros((len(backs.bits), len(backs.bits), 9), np.float32)
    for back, characters in enumerate(backs.characters):  # he takes every back with a recruiter for one
        meant = RECRUITER if RECRUITER in characters else int(characters[0])
        acts = meant == ACTION_CHARACTERS
        policy[back, :, acts] = 1.0 / acts.sum()
    stand = fair_stand(timeless(start()), True, Circumstances(partner=1, policy=policy.tobytes()))
    through = (policy[:, 0][:, None] * (backs.characters[:, :, None] == ACTION_CHARACTERS)).sum(axis=2)
    assert (stand.king[0] * through).sum() > 0.99


def test_what_somebody_does_again_and_again_is_expected_of_him() -> None:
    found = beliefs(of_habit(7))
    king, warchief = found.leanings[2], found.leanings[3]
    assert king[0] == king[:4].max() > 1.5
    assert warchief[Action.RECONNOITRE] == warchief.max() > 1.5
    assert found.strange_enemies > 0.9


def test_among_bots_like_itself_a_seat_thinks_of_one_stand() -> None:
    view = start()
    thought = think(view, all_alike())
    assert np.array_equal(thought.stand.king, fair_stand(timeless(view), True).king)


@pytest.mark.parametrize(("kind", "foreseen"), [(2, True), (STRONG, False)])
def test_what_strong_enemies_may_do_is_not_counted_on(kind: int, foreseen: bool) -> None:
    view = start()
    plain = fair_stand(timeless(view), True).king
    assert np.array_equal(think(view, against(kind)).stand.king, plain) != foreseen


@pytest.mark.parametrize("limit", [None, 200])
def test_going_round_costs_something_unless_a_limit_ends_it_and_only_strangers_are_met(limit: int | None) -> None:
    view = of_habit(16, turn_limit=limit)
    assert price_of_going_round(view, all_alike()).max() > 0.1
    assert bool(price_of_going_round(view, against(2)).max() > 0.0) == (limit is None)


def test_a_partner_who_was_recognised_stays_so_however_long_nothing_happens() -> None:
    match, rng = Match.new("goths", {}, 5), Random(5)
    while match.state.turn < 7 and match.waiting:
        seat = match.waiting[0]
        match.commit(seat, choose("hard", match.view(seat), rng))
    view = match.view("ostrogoth-warchief")
    waiting = OPENING + 3 * CHAPTER
    later = View(view.game, view.rules, view.seat, view.state, past=view.past + view.past[-1:] * waiting)
    assert beliefs(view).strange_partner < 0.1
    assert beliefs(later).strange_partner < 0.1


def test_nobody_fires_an_empty_catapult_where_loading_it_is_never_worse() -> None:
    worth = np.full((13, 13), 0.5, np.float32)
    worth[Action.LOAD, Action.RECRUIT] = worth[Action.RECRUIT, Action.RECRUIT] = 0.6
    assert [Action(act) for act in np.flatnonzero(~sensible(worth))] == [Action.FIRE]  # of her two, not of others


def test_what_is_worse_at_times_and_better_at_others_stays_a_choice() -> None:
    worth = np.full((13, 13), 0.5, np.float32)
    worth[Action.LOAD, Action.RECRUIT], worth[Action.FIRE, Action.LOAD] = 0.6, 0.6
    assert sensible(worth).all()


def test_a_warchief_who_is_shown_a_catapult_at_the_start_has_it_loaded() -> None:
    for first in (True, False):
        assert fair_stand(timeless(start()), first).chief[..., Action.FIRE].max() == 0.0
