"""Played by a test in a process of its own: games of every variant, every index checked by the compiler.

    NUMBA_BOUNDSCHECK=1 XDG_CACHE_HOME=... python -m tests.twins.bounds_checked goths

Prints how many choices were made. An index out of bounds ends it with an IndexError.
"""

import sys

import numpy as np

from meadhall.engine.rng import RngState, seed_word, seeded
from meadhall.lab.simulate import batch_module, compiled_batch
from tests.twins.pair import SPECTATOR, Pair, fast_dice
from tests.variants import VARIANTS, Variant

BATCH, WATCHED = 200, 1


def play_batch(variant: Variant) -> int:
    """Random games from deal to end, all of it compiled."""
    pair, batch = Pair(variant, 0), batch_module(variant.game)
    play_games = compiled_batch(variant.game).play_games
    tally = np.zeros(batch.TALLY_SIZE, np.int64)
    play_games(pair.fast_state.array(), RngState().array(), seed_word(variant.name), 0, BATCH, tally)
    return int(tally[batch.DECISIONS])


def play_watched(variant: Variant) -> int:
    """Games in which every seat's view is made and redealt after every choice."""
    choices = 0
    for seed in range(WATCHED):
        pair, dice = Pair(variant, seed), fast_dice(seeded(seed))
        for _ in pair.play():
            choices += 1
            for seat in (*pair.seats, SPECTATOR):
                view = pair.game.state_type()
                pair.fast.reveal(pair.cell, seat, view.array()[0])
                pair.fast.redeal(view.array()[0], seat, dice)
    return choices


def checks_bounds(game: str) -> bool:
    """Is the check really compiled in? There is no clan 40."""
    pair = Pair(next(variant for variant in VARIANTS if variant.game == game), 0)
    try:
        if game == "goths":
            pair.fast.own_seats(pair.cell, 40, 0)
        else:
            pair.fast.arranging(pair.cell, 40)
    except IndexError:
        return True
    return False


def main(game: str) -> None:
    if not checks_bounds(game):
        raise SystemExit("indices are not checked: this proves nothing")
    print(sum(play_batch(v) + play_watched(v) for v in VARIANTS if v.game == game))


if __name__ == "__main__":
    main(sys.argv[1])
