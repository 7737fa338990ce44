"""One position held twice: moved on by the rules as they stand, and by the same rules compiled."""

from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import numpy as np

from meadhall.engine.compiling import compiled
from meadhall.match import Match
from tests.variants import Variant, random_choice

SPECTATOR = -1


def module(game: str, name: str) -> Any:
    return import_module(f"meadhall.games.{game}.{name}")


def fast_dice(dice: list[int]) -> Any:
    """The same dice for compiled rules."""
    return np.array(dice, np.int64)


def same_dice(dice: list[int], fast: Any) -> bool:
    return bool(dice == fast.tolist())


class Pair:
    """A match and a second record of its state that only compiled rules touch."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.match: Match = variant.deal(seed)
        self.game = self.match.game
        self.random = Random(f"{variant} {seed}")
        self.fast_state = self.match.state.copy()
        self.fast = compiled(variant.game)
        self.cell = self.fast_state.array()[0]  # the same bytes, as compiled code takes them

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def same(self) -> bool:
        return bytes(self.state) == bytes(self.fast_state)

    @property
    def seats(self) -> range:
        return range(len(self.match.seats))

    def play(self, most: int | None = None) -> Iterator[tuple[int, int]]:
        """Make random choices, each at both speeds, stopping after each: the seat's and the choice's number."""
        made = 0
        while self.match.waiting and (most is None or made < most):
            seat = self.random.choice(self.match.waiting)
            name = random_choice(self.match, seat, self.random)
            number = self.match.seats.index(seat)
            choice = self.game.choice_id(self.match.rules, self.state, number, name)
            self.match.commit(seat, name)
            self.fast.commit(self.cell, number, choice)
            made += 1
            yield number, choice
