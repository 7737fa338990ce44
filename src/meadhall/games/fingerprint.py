"""A fingerprint of a game's rules, by which solved values know whether they were made for these rules."""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from meadhall.engine.rng import roll, seeded
from meadhall.games.game import Game, game_named

GAMES_PLAYED = 3  # of each variant, for the hash


@cache
def rules_hash(game: str) -> str:
    """A name for what the rules do: it changes with any state they lead to, and with nothing else.

    It is made of fixed random games of every variant, so neither the Python version nor the way the rules are
    written has a part in it.
    """
    chosen = game_named(game)
    digest = hashlib.blake2b(digest_size=16)
    for rules in chosen.variants:
        full = chosen.check_rules(rules)
        for number in range(GAMES_PLAYED):
            for position in _random_game(chosen, full, number):
                digest.update(json.dumps(position, sort_keys=True).encode())
    return digest.hexdigest()


def _random_game(game: Game, rules: dict[str, Any], number: int) -> Iterator[object]:
    """Every position of a random game, with what may be chosen there."""
    state = game.start(rules, game.deal(rules, number))
    state.log = None
    rng = seeded(number)
    while waiting := [seat for seat in game.asking_order(state) if game.owes(state, seat)]:
        seat = waiting[roll(rng, len(waiting))]
        yield [game.describe(rules, state), seat, game.pending(rules, state, seat)]
        ids = game.choice_ids(state, seat)
        game.commit(state, seat, ids[roll(rng, len(ids))])
    yield game.describe(rules, state)
