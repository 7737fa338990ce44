"""Matching pennies with a hidden coin: random play, made to be compiled, and what it counts."""

from collections.abc import Sequence
from typing import Any

from meadhall.games.pennies.rules import commit, next_seat, set_up
from meadhall.games.pennies.setup import deal
from meadhall.games.pennies.state import SEATS, PenniesState

from meadhall.engine.rng import RngState, reseed, roll

GAMES, DECISIONS, WON = 0, 1, 2
MAXIMA = ()
TALLY_SIZE = 4


def play_games(
    states: list[PenniesState], rngs: list[RngState], word: int, first: int, games: int, tally: list[int]
) -> None:
    """Play games number `first` to `first + games - 1` of a seed, each from its own random numbers."""
    s = states[0]
    rng = rngs[0].words
    for game in range(first, first + games):
        reseed(rng, word, game)
        deal(s, rng)
        set_up(s)
        seat = next_seat(s)
        while seat >= 0:
            commit(s, seat, roll(rng, 2))
            tally[DECISIONS] += 1
            seat = next_seat(s)
        tally[GAMES] += 1
        tally[WON + s.winner] += 1


def report(tally: Sequence[int], rules: dict[str, Any]) -> dict[str, Any]:
    """The figures of a simulation beside those that all games have."""
    wins = {seat: {"pennies": int(tally[WON + k])} for k, seat in enumerate(SEATS)}
    return {"wins": wins, "draws": 0, "share": {seat: wins[seat]["pennies"] / max(tally[GAMES], 1) for seat in SEATS}}


FACTS = ()
UNDECIDED = ("draws", "draws")
BY_SIDE: tuple[str, ...] = ()
CHART = ("Games won", "share", "{:.1%}")
