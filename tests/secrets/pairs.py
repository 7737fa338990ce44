"""Pairs of worlds that a seat must not be able to tell apart, out of random games."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from meadhall.match import SPECTATOR
from tests.secrets.lived import Moment, changes, first_difference, lived
from tests.secrets.worlds import Record, another_world, blocks, prefix, seats_of, without_sealed_choices
from tests.variants import Variant, random_game

LENGTHS = (20, 45, 90)


class TwoWorlds(NamedTuple):
    """A record, a seat, what it lived through, and another record that must look the same to it."""

    record: Record
    seat: str
    life: list[Moment]
    other: Record

    def difference(self) -> str | None:
        """How the seat can tell the two worlds apart; None if it cannot."""
        other = lived(self.other, self.seat)[self.seat]
        if len(other) < len(self.life):
            return first_difference(changes(self.life), changes(other))
        return first_difference(self.life, other)


def two_worlds(variant: Variant, games: range, moments: int = 2) -> Iterator[TwoWorlds]:
    """Random games, each at some moments and its end, for every seat and for spectators."""
    for seed in games:
        random, record, lives = _game(variant, seed)
        length = len(record["choices"])
        for seat, life in lives.items():
            for at in (*random.sample(range(length), min(moments, length)), length):
                now = prefix(record, at)
                yield TwoWorlds(now, seat, life[: at + 1], another_world(now, seat, random))


def worlds_with_fewer_sealed(variant: Variant, games: range, moments: int = 2) -> Iterator[TwoWorlds]:
    """Moments at which others have sealed choices, and worlds in which they have not all done so."""
    for seed in games:
        random, record, lives = _game(variant, seed)
        together = blocks(record)
        for seat, life in lives.items():
            own = seats_of(seat, record)
            open_at = [
                k + 1
                for block in together
                for k in block[:-1]
                if any(record["choices"][j][0] not in own for j in range(block.start, k + 1))
            ]
            for at in random.sample(open_at, min(moments, len(open_at))):
                now = prefix(record, at)
                yield TwoWorlds(now, seat, life[: at + 1], without_sealed_choices(now, seat, random))


def _game(variant: Variant, seed: int) -> tuple[Random, Record, dict[str, list[Moment]]]:
    random = Random(f"{variant} {seed}")
    match = random_game(variant, seed, random.choice(LENGTHS))
    return random, match.record(), lived(match.record(), *match.seats, SPECTATOR)
