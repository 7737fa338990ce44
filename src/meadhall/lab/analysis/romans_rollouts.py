"""Rollouts for the analysis of Romans, written to be compiled: a round played on with all that is known afterwards.

A choice that was really made is made again where the same is asked; other choices are those of the search's default
policy. For chances they are drawn, as nobody's choices are quite foreseeable: now and then any choice (a slip), and
half of the new orders of hidden warriors from the policies of planning.
"""

from typing import Any

import numpy as np

from meadhall.bots.romans.plan_policy import fort_kinds_by_place, place_scores, sample_arrangement
from meadhall.bots.romans.rollout import default_choice, position_value, win_chance
from meadhall.bots.romans.search import draw_policy, line_of_plan
from meadhall.engine.bits import at, count_bits, known_first, nth_bit
from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import reseed, roll
from meadhall.games.romans.rules import allowed, hidden_count, take_effect, take_steps
from meadhall.games.romans.state import ARRANGE, ARRANGEMENTS, CHARM, CHOICE_COUNT, REORDER, Phase, RomansState

OPTIONS = CHOICE_COUNT - CHARM  # the choices within a turn are CHARM + a bit of a clan's options
SLIPS = 15  # of a hundred choices within a turn, those that are made at random
NEW_ORDERS = 50  # of a hundred times that hidden warriors may be reordered, those when they are
NEVER = -60.0  # a score that is hardly ever drawn


def lay_lines(s: RomansState, likely: Any, world: int, rng: Any) -> None:
    """Lay the plans that are sealed, and for whoever has not chosen yet one drawn from the policies for his hand."""
    policies, shares, word = likely
    for clan in range(s.players):
        hand = int(s.hand[clan])
        if s.sealed[clan] != UNKNOWN:
            plan = ARRANGEMENTS[int(s.sealed[clan])]
            s.line[clan] = line_of_plan(hand, plan)
            s.aside[clan] = at(hand, int(plan[6]))
        else:
            reseed(rng, word, 4 * world + clan)  # the same line whatever others have chosen
            kinds = np.zeros(7, np.int64)
            scores = np.zeros((7, 8), np.float32)
            policy = policies[draw_policy(shares, rng)]
            fort_kinds_by_place(s, clan, kinds)
            place_scores(kinds, policy, scores)
            row = sample_arrangement(hand, 0, scores, policy, rng)
            s.line[clan] = known_first(row & 0xFFFFFF, 6)
            s.aside[clan] = at(row, 6)
    for clan in range(4):
        s.sealed[clan] = UNKNOWN
        s.options[clan] = 0
    s.phase = Phase.REVEAL
    s.asked = 0
    s.owed = 0


def same_question(s: RomansState, then: RomansState, clan: int) -> bool:
    """Does a clan face what it faced then: the same options, warriors revealed, forts, and strengths face up?"""
    same = s.options[clan] == then.options[clan] and s.shows == then.shows and s.wall == then.wall
    for other in range(4):
        same = same and s.strength_up[other] == then.strength_up[other]
    return same


def slip(s: RomansState, clan: int, rng: Any) -> int:
    """Any choice that the clan may make within a turn, all equally likely; it has nothing to arrange."""
    options = int(s.options[clan])
    return CHARM + nth_bit(options, roll(rng, count_bits(options)), OPTIONS)


def likely_order(s: RomansState, clan: int, policies: Any, shares: Any, rng: Any) -> int:
    """A new order of the clan's hidden warriors, drawn from the policies as if it planned the rest of its line."""
    shown, kinds, scores = int(s.shown), np.zeros(7, np.int64), np.zeros((7, 8), np.float32)
    row = (int(s.line[clan]) & 0xFFFFFF) | int(s.aside[clan]) << 24
    policy = policies[draw_policy(shares, rng)]
    fort_kinds_by_place(s, clan, kinds)
    place_scores(kinds, policy, scores)
    for warrior in range(8):  # whoever was put aside stays there
        scores[6, warrior] = 0.0 if warrior == s.aside[clan] else NEVER
    line = sample_arrangement(row, shown, scores, policy, rng)
    taken = 0
    number = 0
    for k in range(shown, 6):  # equal warriors keep their order
        smaller = 0
        place = shown
        while at(row, place) != at(line, k) or (taken >> place) & 1:
            smaller += 1 - ((taken >> place) & 1)
            place += 1
        taken |= 1 << place
        number = number * (6 - k) + smaller
    return REORDER + number


def answer(s: RomansState, clan: int, likely: Any, made: Any, asked: Any, world: int, rng: Any) -> int:
    """The clan's choice: the real one (`made` by turn, phase and clan) if it was asked the same, or else a likely one.

    A new order of hidden warriors is a secret matter: it is the real one whatever the others show. World -1 is the one
    in which all go by the default policy.
    """
    turn = int(s.shown) - 1
    choice = int(made[turn, s.phase, clan])
    if choice >= 0 and allowed(s, clan, choice) and (choice < CHARM or same_question(s, asked[turn, s.phase], clan)):
        return choice
    if world >= 0:
        policies, shares, word = likely
        reseed(rng, word, ((world * 8 + int(s.shown)) * 16 + int(s.phase)) * 4 + clan)
        if s.options[clan] >= ARRANGE:
            if roll(rng, 100) < NEW_ORDERS:
                return likely_order(s, clan, policies, shares, rng)
        elif roll(rng, 100) < SLIPS:
            return slip(s, clan, rng)
    return default_choice(s, clan)


def play_a_turn(s: RomansState, likely: Any, made: Any, asked: Any, world: int, rng: Any) -> None:
    """Play from the reveal, or from choices that are owed, to the end of the turn; see `rollout` for turn 0."""
    s.turn = 0
    answered = s.phase != Phase.REVEAL
    while True:
        if answered:
            choice = 0
            for clan in range(s.clans):
                if (int(s.asked) >> clan) & 1:
                    if s.sealed[clan] == UNKNOWN:
                        s.sealed[clan] = answer(s, clan, likely, made, asked, world, rng)
                    choice = int(s.sealed[clan])
            s.asked = 0
            s.owed = 0
            take_effect(s, choice)
        if s.phase != Phase.OVER:
            take_steps(s)
        answered = s.asked != 0
        if not answered:
            return


def play_on(s: RomansState, likely: Any, made: Any, asked: Any, world: int, rng: Any) -> None:
    """Play the rest of the round."""
    if s.phase != Phase.REVEAL and s.phase != Phase.OVER:
        play_a_turn(s, likely, made, asked, world, rng)
    while s.phase != Phase.OVER and hidden_count(s) > 0:
        play_a_turn(s, likely, made, asked, world, rng)


def add_chances(
    start: Any, scratch: Any, worlds: int, likely: Any, made: Any, asked: Any, weights: Any, rng: Any, sums: Any
) -> None:
    """Add up, over so many worlds, each clan's chance to win after the rest of the round.

    What is `likely` are policies, the share of each, and the number of a seed.
    """
    for world in range(worlds):
        scratch[0] = start[0]
        s = scratch[0]
        if s.phase == Phase.PLAN:
            lay_lines(s, likely, world, rng)
        play_on(s, likely, made, asked, world, rng)
        for clan in range(len(sums)):
            sums[clan] += win_chance(s, clan, weights)


def evaluate_lines(
    start: Any,
    seat: int,
    hand: int,
    plans: Any,
    path: Any,
    likely: Any,
    made: Any,
    asked: Any,
    weights: Any,
    rng: Any,
    values: Any,
) -> None:
    """The value of each plan against the lines that the others really laid; plans are in increasing order.

    A plan shares its first turns with the one before: `path` holds the position after each turn.
    """
    path[0] = start[0]
    before = 0
    for p in range(len(plans)):
        line = line_of_plan(hand, ARRANGEMENTS[plans[p]])
        first = 0
        while p != 0 and first < 6 and at(line, first) == at(before, first):
            first += 1
        before = line
        for k in range(first, 6):
            path[k + 1] = path[k]
            if path[k].phase != Phase.OVER:
                path[k + 1].line[seat] = line
                play_a_turn(path[k + 1], likely, made, asked, -1, rng)
        values[p] = position_value(path[6], seat, weights)
