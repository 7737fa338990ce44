"""Goths Save the Queen: random play over and over, made to be compiled, and what it counts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from meadhall.engine.rng import RngState, reseed, roll
from meadhall.games.goths.rules import clan_of, commit, legal, next_seat, set_up
from meadhall.games.goths.setup import deal
from meadhall.games.goths.state import (
    ACT,
    ACTIONS,
    BUILD,
    CLANS,
    DISPERSE,
    DRAW,
    ENTER,
    LOOK,
    Ending,
    GothsState,
    Phase,
)
from meadhall.lab.simulate.counts import share

# What a batch counts; the last ones by clan, by action and by choice.
GAMES, DECISIONS, TURNS, LONGEST, ORDERS, DRAWS = range(6)
THROUGH, QUEEN, ELIMINATION, CARRIED_OUT, CHOSEN = 6, 8, 10, 12, 21
MAXIMA = (LONGEST,)
TALLY_SIZE = CHOSEN + DISPERSE + 1


# For every set of King cards, its cards in order: compiled code finds the n-th one without a loop.
CARD_OF_HAND = np.array(
    [([card for card in range(12) if hand >> card & 1] + [0] * 8)[:8] for hand in range(1 << 12)], dtype=np.int8
)


def pick(s: GothsState, seat: int, rng: list[int]) -> int:
    """One of the seat's legal choices, each equally likely."""
    options = legal(s, seat)
    if s.phase <= Phase.SECOND_ORDER:
        return int(CARD_OF_HAND[options][roll(rng, 8 - s.face_up_count[clan_of(seat)])])
    first = ACT
    count = 9
    if s.phase == Phase.LOOK:
        first = LOOK
        count = 4
    elif s.phase == Phase.ENTER:
        first = ENTER
        count = 3
    elif s.phase == Phase.TOKEN:
        first = BUILD
        count = 2
    # Drawing again until it is a legal one is fair, and faster than counting the legal ones.
    choice = first + roll(rng, count)
    while (options >> choice) & 1 == 0:
        choice = first + roll(rng, count)
    return choice


def count_choice(s: GothsState, phase: int, choice: int, tally: list[int]) -> None:
    """Count a choice that was just made in this phase."""
    tally[CHOSEN + choice] += 1
    if phase == Phase.ACTS and s.phase != Phase.ACTS:
        tally[ORDERS] += 2
        for clan in range(2):
            tally[THROUGH + clan] += s.through[clan]
            tally[CARRIED_OUT + s.last_act[clan]] += s.through[clan]


def count_game(s: GothsState, decisions: int, tally: list[int]) -> None:
    """Count a game that is over, and how many choices were made in it."""
    tally[GAMES] += 1
    tally[DECISIONS] += decisions
    tally[TURNS] += s.turn
    tally[LONGEST] = max(tally[LONGEST], s.turn)
    if s.winner == DRAW:
        tally[DRAWS] += 1
    else:
        tally[(QUEEN if s.by == Ending.QUEEN else ELIMINATION) + s.winner] += 1


def play_out(s: GothsState, rng: list[int], tally: list[int]) -> int:
    """Play from here to the end at random; gives the number of choices made."""
    decisions = 0
    while s.phase != Phase.OVER:
        seat = next_seat(s)
        choice = pick(s, seat, rng)
        phase = s.phase
        commit(s, seat, choice)
        decisions += 1
        count_choice(s, phase, choice, tally)
    return decisions


def play_games(
    states: list[GothsState], rngs: list[RngState], word: int, first: int, games: int, tally: list[int]
) -> None:
    """Play games number `first` to `first + games - 1` of a seed, each from its own random numbers."""
    s = states[0]
    rng = rngs[0].words
    for game in range(first, first + games):
        reseed(rng, word, game)
        deal(s, rng)
        set_up(s)
        count_game(s, play_out(s, rng, tally), tally)


# One compiled game in the hands of a Python loop: arrays cross the border ten times faster than single records.


def next_seat_at(states: list[GothsState], place: int) -> int:
    """The first seat that owes a choice in a state of the array, -1 at the end."""
    return next_seat(states[place])


def pick_at(states: list[GothsState], place: int, seat: int, rngs: list[RngState]) -> int:
    """One of the seat's legal choices in a state of the array, each equally likely."""
    return pick(states[place], seat, rngs[0].words)


def commit_at(states: list[GothsState], place: int, seat: int, choice: int) -> None:
    """Make a choice in a state of the array."""
    commit(states[place], seat, choice)


# What was counted, by name


def report(tally: Sequence[int], rules: dict[str, Any]) -> dict[str, Any]:
    """The figures of a simulation beside those that all games have."""
    games = tally[GAMES]
    chosen = {name: int(tally[CHOSEN + ACT + k]) for k, name in enumerate(ACTIONS)}
    through = int(tally[THROUGH] + tally[THROUGH + 1])
    carried_out = {name: int(tally[CARRIED_OUT + k]) for k, name in enumerate(ACTIONS)}
    return {
        "turns_per_game": share(tally[TURNS], games),
        "longest_game": int(tally[LONGEST]),
        "wins": {
            clan: {"queen": int(tally[QUEEN + k]), "elimination": int(tally[ELIMINATION + k])}
            for k, clan in enumerate(CLANS)
        },
        "draws": int(tally[DRAWS]),
        "orders": int(tally[ORDERS]),
        "orders_through": through,
        "share_through": share(through, tally[ORDERS]),
        "actions_chosen": {name: share(count, sum(chosen.values())) for name, count in chosen.items()},
        "actions_carried_out": {name: share(count, sum(carried_out.values())) for name, count in carried_out.items()},
    }


def counted(tallies: Any) -> dict[str, Any]:
    """What a table of games says that no position does, from the tallies of single games."""
    through = {f"through_{clan}": tallies[:, THROUGH + k] for k, clan in enumerate(CLANS)}
    return {"orders": tallies[:, ORDERS] // 2, **through}


FACTS = (
    ("length", "{turns_per_game:.1f} turns on average, {longest_game:,} at most"),
    ("orders that got through", "{share_through:.1%} of {orders:,}"),
)
UNDECIDED = ("draws", "draws")
BY_SIDE: tuple[str, ...] = ()
CHART = ("Actions carried out", "actions_carried_out", "{:.1%}")
