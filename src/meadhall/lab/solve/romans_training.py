"""Self-play and training for the solver of Romans, written to be compiled with the search and the rules."""

from math import exp
from typing import Any

import numpy as np

from meadhall.bots.romans.plan_policy import (
    AFTER_WARRIOR,
    AT_FORT,
    AT_PLACE,
    LEFT_OUT,
    NEXT_FORT,
    NO_WARRIOR,
    PLAN_FEATURES,
    fort_kinds_by_place,
    place_scores,
    sample_arrangement,
)
from meadhall.bots.romans.rollout import legions_to_come, play_round
from meadhall.bots.romans.search import draw_policy, evaluate_plans, sample_worlds
from meadhall.engine.bits import at, known_first
from meadhall.engine.rng import reseed
from meadhall.games.romans.rules import begin_round, is_legion, legions, set_up, winners_by_points
from meadhall.games.romans.setup import deal
from meadhall.games.romans.state import ARRANGEMENTS, Phase, RomansState

# ARRANGEMENTS[j] and the one before it begin alike up to this place.
COMMON_PREFIX = np.concatenate(([0], (ARRANGEMENTS[1:] != ARRANGEMENTS[:-1]).argmax(axis=1))).astype(np.int8)


def lay_sampled_plans(s: RomansState, policies: Any, shares: Any, rng: Any) -> None:
    """Every player lays a plan drawn from a policy of the mixture; the first turn comes next."""
    kinds = np.zeros(7, np.int64)
    scores = np.zeros((7, 8), np.float32)
    for clan in range(s.players):
        policy = policies[draw_policy(shares, rng)]
        fort_kinds_by_place(s, clan, kinds)
        place_scores(kinds, policy, scores)
        row = sample_arrangement(int(s.hand[clan]), 0, scores, policy, rng)
        s.line[clan] = known_first(row & 0xFFFFFF, 6)
        s.options[clan] = 0
    s.phase = Phase.REVEAL
    s.asked = 0
    s.owed = 0


def play_games(games: Any, word: int, first: int, policies: Any, shares: Any, starts: Any, winners: Any) -> None:
    """Self-play of whole games; `starts[g, r]` is the position when round r + 1 is planned.

    Rounds that a game did not reach have round 0.
    """
    rng: Any = np.zeros(2, np.int64)
    s = games[0]
    for g in range(len(starts)):
        reseed(rng, word, first + g)
        deal(s, rng)
        set_up(s)
        for r in range(3):
            starts[g, r] = s
            lay_sampled_plans(s, policies, shares, rng)
            play_round(s)
            if s.phase == Phase.OVER:
                break
            if r < 2:
                s.round += 1
                begin_round(s)
        for later in range(int(s.round), 3):
            starts[g, later].round = 0
        winners[g] = s.winners if s.phase == Phase.OVER else winners_by_points(s)


def value_counts(starts: Any, counts: Any) -> None:
    """What the value function's features are made of: [position, clan] points, forts, legions held, legions to come."""
    for n in range(len(starts)):
        s = starts[n]
        to_come = legions_to_come(s)
        for k in range(s.wall_count):  # these were still to come when the round before ended
            to_come += is_legion(at(int(s.wall), k))
        for clan in range(s.clans):
            counts[n, clan, 0] = s.worth[clan]
            counts[n, clan, 1] = s.forts_count[clan]
            counts[n, clan, 2] = min(legions(s, clan), 2)
            counts[n, clan, 3] = min(max(to_come, 0), 4)


def best_responses(
    starts: Any,
    seats: Any,
    word: int,
    first: int,
    worlds: Any,
    policies: Any,
    shares: Any,
    value_weights: Any,
    temperature: float,
    path: Any,
    kinds: Any,
    features: Any,
) -> None:
    """For each position the expected features of a softmax over plans by their values against these policies."""
    plans = np.arange(5040)
    sums = np.zeros(5040)
    probabilities = np.zeros(5040, np.float32)
    rng: Any = np.zeros(2, np.int64)
    for n in range(len(starts)):
        reseed(rng, word, first + n)
        seat = int(seats[n])
        sample_worlds(starts[n : n + 1], worlds, seat, policies, shares, rng)
        sums[:] = 0.0
        hand = int(starts[n].hand[seat])
        evaluate_plans(worlds, seat, hand, plans, path, value_weights, sums)
        for p in range(5040):
            probabilities[p] = sums[p] / (len(worlds) * temperature)
        softmax_in_place(probabilities)
        fort_kinds_by_place(starts[n], seat, kinds[n])
        expected_features(hand, kinds[n], probabilities, features[n])


def score_arrangements(row: int, scores: Any, policy: Any, totals: Any) -> None:
    """The score of every arrangement of seven warriors."""
    so_far = np.zeros(8, np.float32)
    for j in range(5040):
        first = int(COMMON_PREFIX[j])
        before = at(row, int(ARRANGEMENTS[j][first - 1])) if first > 0 else NO_WARRIOR
        for k in range(first, 7):
            warrior = at(row, int(ARRANGEMENTS[j][k]))
            joined = policy[AFTER_WARRIOR + 8 * before + warrior] if k < 6 else 0.0
            so_far[k + 1] = so_far[k] + scores[k, warrior] + joined
            before = warrior
        totals[j] = so_far[7]


def softmax_in_place(scores: Any) -> None:
    """Turn scores of all arrangements into probabilities."""
    highest = scores[0]
    for j in range(5040):
        highest = max(highest, scores[j])
    total = 0.0
    for j in range(5040):
        scores[j] = exp(scores[j] - highest)
        total += scores[j]
    for j in range(5040):
        scores[j] /= total


def add_features(probability: float, row: int, order: Any, kinds: Any, features: Any) -> None:
    """Add the features of one arrangement, times its probability."""
    before = NO_WARRIOR
    for k in range(6):
        warrior = at(row, int(order[k]))
        features[AT_PLACE + 8 * k + warrior] += probability
        features[AT_FORT + 8 * kinds[k] + warrior] += probability
        features[NEXT_FORT + 8 * kinds[k + 1] + warrior] += probability
        features[AFTER_WARRIOR + 8 * before + warrior] += probability
        before = warrior
    features[LEFT_OUT + at(row, int(order[6]))] += probability


def expected_features(row: int, kinds: Any, probabilities: Any, features: Any) -> None:
    """Add the expected features of a distribution over a hand's arrangements."""
    for j in range(5040):
        if probabilities[j] > 1e-6:
            add_features(probabilities[j], row, ARRANGEMENTS[j], kinds, features)


def add_gradient(hands: Any, kinds: Any, targets: Any, policy: Any, gradient: Any) -> float:
    """Add the gradient of the log-likelihood, target minus expected features; gives the sum of their distances."""
    totals = np.zeros(5040, np.float32)
    scores = np.zeros((7, 8), np.float32)
    features = np.zeros(PLAN_FEATURES, np.float64)
    distance = 0.0
    for n in range(len(hands)):
        place_scores(kinds[n], policy, scores)
        score_arrangements(int(hands[n]), scores, policy, totals)
        softmax_in_place(totals)
        features[:] = 0.0
        expected_features(int(hands[n]), kinds[n], totals, features)
        for f in range(PLAN_FEATURES):
            difference = targets[n, f] - features[f]
            gradient[f] += difference
            distance += abs(difference)
    return distance
