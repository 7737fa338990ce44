"""Romans Go Home!: random play over and over, made to be compiled, and what it counts."""

from collections.abc import Sequence
from typing import Any

from meadhall.engine.bits import count_bits, only_bit
from meadhall.engine.rng import RngState, reseed, roll
from meadhall.games.romans.rules import arrangement_count, arranging, commit, keeps_order, next_seat, set_up
from meadhall.games.romans.setup import clans_of, deal
from meadhall.games.romans.state import (
    ARRANGED_BACKWARD,
    CHARM,
    REORDER,
    Ending,
    Phase,
    RomansState,
)
from meadhall.lab.simulate.counts import share

# What a batch counts; the last ones by clan, by warrior and by phase.
GAMES, DECISIONS, TURNS, SHARED, UNCAPTURED = range(5)
WON_BY_POINTS, WON_BY_LEGIONS, POINTS, FORTS_HELD, ASKED = 5, 9, 13, 17, 21
MAXIMA = ()
TALLY_SIZE = ASKED + Phase.OVER


def pick(s: RomansState, clan: int, rng: list[int]) -> int:
    """One of the clan's legal choices, each equally likely."""
    if arranging(s, clan):
        arrangement = roll(rng, arrangement_count(s))
        # Turned round, an arrangement has its charriotts in the other order.
        if s.phase == Phase.PLAN:
            return arrangement if keeps_order(s, clan, arrangement) else int(ARRANGED_BACKWARD[arrangement])
        while not keeps_order(s, clan, arrangement):
            arrangement = roll(rng, arrangement_count(s))
        return REORDER + arrangement
    options = int(s.options[clan])
    for _ in range(roll(rng, count_bits(options))):
        options &= options - 1
    return CHARM + only_bit(options & -options)


def count_choice(s: RomansState, phase: int, choice: int, tally: list[int]) -> None:
    """Count a choice that was just made in this phase."""
    tally[ASKED + phase] += 1


def count_game(s: RomansState, decisions: int, tally: list[int]) -> None:
    """Count a game that is over, and how many choices were made in it."""
    tally[DECISIONS] += decisions
    tally[GAMES] += 1
    tally[TURNS] += 6 * (s.round - 1) + s.turn
    tally[UNCAPTURED] += s.lost_count
    count = 0
    for clan in range(s.clans):
        won = (int(s.winners) >> clan) & 1
        count += won
        tally[(WON_BY_POINTS if s.by == Ending.POINTS else WON_BY_LEGIONS) + clan] += won
        tally[POINTS + clan] += s.worth[clan]
        tally[FORTS_HELD + clan] += s.forts_count[clan]
    tally[SHARED] += count > 1


def play_out(s: RomansState, rng: list[int], tally: list[int]) -> int:
    """Play from here to the end at random; gives the number of choices made."""
    decisions = 0
    while s.phase != Phase.OVER:
        clan = next_seat(s)
        choice = pick(s, clan, rng)
        phase = s.phase
        commit(s, clan, choice)
        decisions += 1
        count_choice(s, phase, choice, tally)
    return decisions


def play_games(
    states: list[RomansState], rngs: list[RngState], word: int, first: int, games: int, tally: list[int]
) -> None:
    """Play games number `first` to `first + games - 1` of a seed, each from its own random numbers."""
    s = states[0]
    rng = rngs[0].words
    for game in range(first, first + games):
        reseed(rng, word, game)
        deal(s, rng)
        set_up(s)
        count_game(s, play_out(s, rng, tally), tally)


# What was counted, by name


def report(tally: Sequence[int], rules: dict[str, Any]) -> dict[str, Any]:
    """The figures of a simulation beside those that all games have."""
    games = tally[GAMES]
    clans = clans_of(rules)
    return {
        "turns_per_game": share(tally[TURNS], games),
        "wins": {
            clan: {"points": int(tally[WON_BY_POINTS + k]), "legions": int(tally[WON_BY_LEGIONS + k])}
            for k, clan in enumerate(clans)
        },
        "shared_wins": int(tally[SHARED]),
        "mean_points": {clan: share(tally[POINTS + k], games) for k, clan in enumerate(clans)},
        "mean_forts": {clan: share(tally[FORTS_HELD + k], games) for k, clan in enumerate(clans)},
        "forts_lost_per_game": share(tally[UNCAPTURED], games),
        "questions_per_game": {
            phase.name.lower().replace("_", "-"): share(tally[ASKED + phase], games)
            for phase in Phase
            if phase <= Phase.TAX
        },
    }


def counted(tallies: Any) -> dict[str, Any]:
    """What a table of games says that no position does: nothing here."""
    return {}


FACTS = (
    ("length", "{turns_per_game:.1f} turns on average, of 18"),
    ("forts lost to nobody or to tax", "{forts_lost_per_game:.1f} a game"),
)
UNDECIDED = ("shared", "shared_wins")
BY_SIDE: tuple[str, ...] = ("mean_points", "mean_forts")
CHART = ("Questions asked, a game", "questions_per_game", "{:.2f}")
