"""How `hard` meets others in Goths: by what is known of them as far as it is trusted, and by what they lean to."""

import numpy as np

from meadhall.bots.goths.cards import ACTION_CHARACTERS, backs_of
from meadhall.bots.goths.minds import Circumstances, fair_stand, timeless
from meadhall.bots.goths.recognition import all_alike, beliefs
from meadhall.bots.goths.response import think
from meadhall.games.goths.state import Action
from meadhall.match import Match, View

RECRUITER = 1


def start() -> View:
    return Match.new("goths", {}, 3).view("ostrogoth-king")


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
    match = Match.new("goths", {}, 3)
    habits = {"ostrogoth": ("order:recruiter", "act:recruit"), "visigoth": ("order:vulture", "act:reconnoitre", "look")}
    while match.state.turn < 7:
        seat = match.waiting[0]
        clan = seat.partition("-")[0]
        match.commit(seat, next(each for each in match.view(seat).choices if each.startswith(habits[clan])))
    found = beliefs(match.view("ostrogoth-king"))
    king, warchief = found.leanings[2], found.leanings[3]
    assert king[0] == king[:4].max() > 1.5
    assert warchief[Action.RECONNOITRE] == warchief.max() > 1.5
    assert found.strange_enemies > 0.9


def test_among_bots_like_itself_a_seat_thinks_of_one_stand() -> None:
    view = start()
    thought = think(view, all_alike())
    assert np.array_equal(thought.stand.king, fair_stand(timeless(view), True).king)
