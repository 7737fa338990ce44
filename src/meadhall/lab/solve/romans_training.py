"""Romans, made to be compiled: what players of some habits make of whole games, and the best answers to them."""

from math import exp
from typing import Any

import numpy as np

from meadhall.bots.romans.habits import (
    AFTER,
    ASIDE,
    FIRST,
    FORT,
    HABIT_SIZE,
    NEXT,
    PLACE,
    kinds_along_the_wall,
    laid_by_habit,
    weights_by_place,
)
from meadhall.bots.romans.search import drawn_habit, imagine, weigh_plans
from meadhall.bots.romans.turns import legions_to_come, play_round
from meadhall.engine.bits import at, known_first
from meadhall.engine.rng import shake
from meadhall.games.romans.rules import begin_round, legions, set_up, winners_by_points
from meadhall.games.romans.setup import deal
from meadhall.games.romans.state import ARRANGEMENTS, Phase, RomansState

# ARRANGEMENTS[j] and the one before it begin alike up to this place.
ALIKE = np.concatenate(([0], (ARRANGEMENTS[1:] != ARRANGEMENTS[:-1]).argmax(axis=1))).astype(np.int8)


def lay_by_habits(s: RomansState, habits: Any, shares: Any, dice: Any) -> None:
    """Every player lays a plan by some habit; the first turn comes next."""
    kinds = np.zeros(7, np.int64)
    here = np.zeros((7, 8), np.float32)
    for clan in range(s.players):
        habit = habits[drawn_habit(shares, dice)]
        kinds_along_the_wall(s, clan, kinds)
        weights_by_place(kinds, habit, here)
        row = laid_by_habit(int(s.hand[clan]), 0, here, habit, dice)
        s.line[clan] = known_first(row & 0xFFFFFF, 6)
        s.options[clan] = 0
    s.phase = Phase.REVEAL
    s.asked = 0
    s.owed = 0


def play_by_habits(games: Any, word: int, first: int, habits: Any, shares: Any, starts: Any, winners: Any) -> None:
    """Whole games of such players; `starts[g, r]` is the position when round r + 1 is planned.

    Rounds that a game did not reach have round 0.
    """
    dice: Any = np.zeros(2, np.int64)
    s = games[0]
    for g in range(len(starts)):
        shake(dice, word, first + g)
        deal(s, dice)
        set_up(s)
        for r in range(3):
            starts[g, r] = s
            lay_by_habits(s, habits, shares, dice)
            play_round(s)
            if s.phase == Phase.OVER:
                break
            if r < 2:
                s.round += 1
                begin_round(s)
        for later in range(int(s.round), 3):
            starts[g, later].round = 0
        winners[g] = s.winners if s.phase == Phase.OVER else winners_by_points(s)


def standings(starts: Any, features: Any) -> None:
    """What a standing's promise is reckoned from: [position, clan] points, forts, legions held, legions to come."""
    for n in range(len(starts)):
        s = starts[n]
        to_come = legions_to_come(s)
        for k in range(s.wall_count):  # these were still to come when the round before ended
            fort = at(int(s.wall), k)
            to_come += fort >= 3 and fort <= 5
        for clan in range(s.clans):
            features[n, clan, 0] = s.worth[clan]
            features[n, clan, 1] = s.forts_count[clan]
            features[n, clan, 2] = min(legions(s, clan), 2)
            features[n, clan, 3] = min(max(to_come, 0), 4)


def best_answers(
    starts: Any,
    seats: Any,
    word: int,
    first: int,
    worlds: Any,
    habits: Any,
    shares: Any,
    weights: Any,
    heat: float,
    ladder: Any,
    kinds: Any,
    wanted: Any,
) -> None:
    """For each position the features of the lines a seat lays who knows these habits, good ones more often."""
    plans = np.arange(5040)
    sums = np.zeros(5040)
    chances = np.zeros(5040, np.float32)
    dice: Any = np.zeros(2, np.int64)
    for n in range(len(starts)):
        shake(dice, word, first + n)
        seat = int(seats[n])
        imagine(starts[n : n + 1], worlds, seat, habits, shares, dice)
        sums[:] = 0.0
        hand = int(starts[n].hand[seat])
        weigh_plans(worlds, seat, hand, plans, ladder, weights, sums)
        for p in range(5040):
            chances[p] = sums[p] / (len(worlds) * heat)
        as_chances(chances)
        kinds_along_the_wall(starts[n], seat, kinds[n])
        features_expected(hand, kinds[n], chances, wanted[n])


def score_lines(row: int, here: Any, habit: Any, scores: Any) -> None:
    """The score of every order of seven warriors."""
    so_far = np.zeros(8, np.float32)
    for j in range(5040):
        first = int(ALIKE[j])
        before = at(row, int(ARRANGEMENTS[j][first - 1])) if first > 0 else FIRST
        for k in range(first, 7):
            warrior = at(row, int(ARRANGEMENTS[j][k]))
            joined = habit[AFTER + 8 * before + warrior] if k < 6 else 0.0
            so_far[k + 1] = so_far[k] + here[k, warrior] + joined
            before = warrior
        scores[j] = so_far[7]


def as_chances(scores: Any) -> None:
    """Scores become chances that add up to 1."""
    highest = scores[0]
    for j in range(5040):
        highest = max(highest, scores[j])
    total = 0.0
    for j in range(5040):
        scores[j] = exp(scores[j] - highest)
        total += scores[j]
    for j in range(5040):
        scores[j] /= total


def add_features(order_chance: float, row: int, order: Any, kinds: Any, features: Any) -> None:
    """Count what a line scores by, as often as it is laid."""
    before = FIRST
    for k in range(6):
        warrior = at(row, int(order[k]))
        features[PLACE + 8 * k + warrior] += order_chance
        features[FORT + 8 * kinds[k] + warrior] += order_chance
        features[NEXT + 8 * kinds[k + 1] + warrior] += order_chance
        features[AFTER + 8 * before + warrior] += order_chance
        before = warrior
    features[ASIDE + at(row, int(order[6]))] += order_chance


def features_expected(row: int, kinds: Any, chances: Any, features: Any) -> None:
    """The features of a hand's lines, each counted as often as it is laid."""
    for j in range(5040):
        if chances[j] > 1e-6:
            add_features(chances[j], row, ARRANGEMENTS[j], kinds, features)


def learn(hands: Any, kinds: Any, wanted: Any, habit: Any, slopes: Any) -> float:
    """How a habit should change to lay lines with the wanted features; gives how far off it is."""
    scores = np.zeros(5040, np.float32)
    here = np.zeros((7, 8), np.float32)
    features = np.zeros(HABIT_SIZE, np.float64)
    off = 0.0
    for n in range(len(hands)):
        weights_by_place(kinds[n], habit, here)
        score_lines(int(hands[n]), here, habit, scores)
        as_chances(scores)
        features[:] = 0.0
        features_expected(int(hands[n]), kinds[n], scores, features)
        for f in range(HABIT_SIZE):
            difference = wanted[n, f] - features[f]
            slopes[f] += difference
            off += abs(difference)
    return off
