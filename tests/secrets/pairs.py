"""Pairs of worlds that a seat must not be able to tell apart, out of random games."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from meadhall.match import SPECTATOR, Match
from tests.secrets.lived import Moment, changes, first_difference, lived
from tests.secrets.worlds import Played, Record, all_played, another_world, seats_of, without_sealed_choices
from tests.variants import Variant, random_game

LENGTHS = (20, 45, 90)


class Game:
    """A random game, as it was after each choice; what its seats lived through is found out if somebody asks."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.random = Random(f"{variant} {seed}")
        match = random_game(variant, seed, self.random.choice(LENGTHS))
        self.record: Record = match.record()
        self.seats = (*match.seats, SPECTATOR)
        self.played = all_played(self.record)

    @cached_property
    def lives(self) -> dict[str, list[Moment]]:
        return lived(self.record, *self.seats)[0]


@dataclass
class TwoWorlds:
    """A moment of a game, a seat, and another record that must look the same to it."""

    game: Game
    here: Played
    seat: str
    other: Record

    @property
    def record(self) -> Record:
        return self.here.record

    @property
    def match(self) -> Match:
        """The match of the record; it is everybody's, so nothing may be chosen in it."""
        return self.here.match

    @cached_property
    def there(self) -> Match:
        """The match of the other world."""
        return Match.from_record(self.other)

    def difference(self) -> str | None:
        """How the seat can tell the two worlds apart; None if it cannot."""
        life = self.game.lives[self.seat][: len(self.record["choices"]) + 1]
        lives, self.there = lived(self.other, self.seat)
        other = lives[self.seat]
        if len(other) < len(life):
            return first_difference(changes(life), changes(other))
        return first_difference(life, other)


def two_worlds(variant: Variant, games: range, moments: int = 2) -> Iterator[TwoWorlds]:
    """Random games, each at some moments and its end, for every seat and for spectators."""
    for game in (Game(variant, seed) for seed in games):
        random, length = game.random, len(game.record["choices"])
        for seat in game.seats:
            for at in (*random.sample(range(length), min(moments, length)), length):
                here = game.played[at]
                yield TwoWorlds(game, here, seat, another_world(here.record, seat, random, here))


def worlds_with_fewer_sealed(variant: Variant, games: range, moments: int = 2) -> Iterator[TwoWorlds]:
    """Moments at which others have sealed choices, and worlds in which they have not all done so."""
    for game in (Game(variant, seed) for seed in games):
        random, record = game.random, game.record
        for seat in game.seats:
            own = seats_of(seat, record)
            open_at = [
                k + 1
                for block in game.played[-1].blocks
                for k in block[:-1]
                if any(record["choices"][j][0] not in own for j in range(block.start, k + 1))
            ]
            for at in random.sample(open_at, min(moments, len(open_at))):
                here = game.played[at]
                yield TwoWorlds(game, here, seat, without_sealed_choices(here.record, seat, random, here))
