"""The same random games as in a simulation, with every choice written down; compiled with the batch of each game.

The functions named in GIVEN are those of `lab/simulate/NAME.py`, so games are played by the very code that counts them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from meadhall.engine.rng import RngState, reseed

GIVEN = ("deal", "set_up", "next_seat", "pick", "commit", "count_choice", "count_game")
deal: Any = None
set_up: Any = None
next_seat: Any = None
pick: Any = None
commit: Any = None
count_choice: Any = None
count_game: Any = None


def record_games(
    states: Any,
    rngs: list[RngState],
    word: int,
    first: int,
    dealt: Any,
    ended: Any,
    tallies: Any,
    ends: Any,
    seats: Any,
    choices: Any,
) -> bool:
    """Play as many games as `ends` has places, from number `first` of a seed on; False if the choices do not fit.

    A game's position is written down when it is dealt and when it is over, and its choices up to its place in `ends`.
    """
    s = states[0]
    rng = rngs[0].words
    made = 0
    for game in range(len(ends)):
        reseed(rng, word, first + game)
        deal(s, rng)
        dealt[game] = s
        set_up(s)
        begun = made
        seat = next_seat(s)
        while seat >= 0:
            if made == len(choices):
                return False
            choice = pick(s, seat, rng)
            phase = s.phase
            commit(s, seat, choice)
            count_choice(s, phase, choice, tallies[game])
            seats[made] = seat
            choices[made] = choice
            made += 1
            seat = next_seat(s)
        count_game(s, made - begun, tallies[game])
        ended[game] = s
        ends[game] = made
    return True


@dataclass
class Recorded:
    """Some games of a seed, number `first` and on: what was dealt, how it ended, and all that was chosen on the way."""

    first: int
    dealt: Any
    ended: Any
    tallies: Any
    ends: Any  # where each game's choices end
    seats: Any
    choices: Any


class Recorder:
    """Records games of one kind; nobody knows how long they will be, so there is more room each time it was too little.

    Several threads may use it at once.
    """

    def __init__(self, record: Any, start: Any, word: int, tally_size: int) -> None:
        self._record, self._start, self._word, self._tally_size = record, start, word, tally_size
        self._room = 64  # for choices, a game

    def record(self, first: int, games: int) -> Recorded:
        """Play and record so many games."""
        while True:
            room = self._room
            kept = Recorded(
                first,
                dealt=np.zeros(games, self._start.dtype),
                ended=np.zeros(games, self._start.dtype),
                tallies=np.zeros((games, self._tally_size), np.int64),
                ends=np.zeros(games, np.int64),
                seats=np.empty(room * games, np.uint8),
                choices=np.empty(room * games, np.uint16),
            )
            rngs = np.zeros(1, RngState.dtype())
            arrays = (kept.dealt, kept.ended, kept.tallies, kept.ends, kept.seats, kept.choices)
            if self._record(self._start.copy(), rngs, self._word, first, *arrays):
                made = int(kept.ends[-1]) if games else 0
                kept.seats, kept.choices = kept.seats[:made], kept.choices[:made]
                return kept
            self._room = max(self._room, 2 * room)  # the same games come out again
