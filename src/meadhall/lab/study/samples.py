"""What is played for a study: games of one kind between the same bots, in shards that any worker can play."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from meadhall.bots import LEVELS, RANDOM
from meadhall.games.game import game_named

QUICK = 1 / 40  # of the games of a full study
# How many games of each kind a full study plays: by compiled code, by bots that choose at once, and by bots that think.
COMPILED, PLAIN, THINKING, COUPLES = 200_000, 2_000, 400, 200
SHARD = {COMPILED: 20_000, PLAIN: 200, THINKING: 20, COUPLES: 20}
Side = tuple[str, ...]  # the bots of a side, by role


@dataclass(frozen=True)
class Sample:
    """Games by one set of rules: the first side's bots, and those of every other side.

    The first side sits elsewhere every game. Of compiled games only the last position is known.
    """

    name: str
    game: str
    rules: dict[str, Any]
    first: Side
    others: Side
    kind: int  # how many games a full study plays, which says also what a shard is
    compiled: bool = False

    def games(self, scale: float) -> int:
        """How many games to play, if a full study is 1."""
        return max(2, round(self.kind * scale))

    def shards(self, scale: float) -> Iterator["Shard"]:
        """The games in parts, the same ones whoever plays them."""
        games, size = self.games(scale), SHARD[self.kind]
        for number, begin in enumerate(range(0, games, size)):
            yield Shard(self, number, begin, min(size, games - begin))

    @property
    def full_rules(self) -> dict[str, Any]:
        """With every default, and with what ends games that strong players could keep up for ever."""
        game = game_named(self.game)
        stalls = {name: value for name, value in game.stalls.items() if self.rules.get(name) is None}
        return game.check_rules(self.rules | stalls)

    @property
    def key(self) -> dict[str, Any]:
        """What must be the same for games on disk to be these."""
        return {"game": self.game, "rules": self.full_rules, "first": self.first, "others": self.others}


class Shard(NamedTuple):
    """Some games of a sample, by number."""

    sample: Sample
    number: int
    begin: int
    games: int


def by_level(game: str, name: str, rules: dict[str, Any], compiled: bool = True) -> list[Sample]:
    """Every level with itself; random players by compiled code, unless what happens on the way counts."""
    return [
        against(game, name, rules, level, level, PLAIN if level in ("easy", RANDOM) else THINKING)
        if level != RANDOM or not compiled
        else at_random(game, name, rules)
        for level in LEVELS
    ]


def at_random(game: str, name: str, rules: dict[str, Any]) -> Sample:
    """Very many random games, of which only the last position is known."""
    side = (RANDOM,) * len(game_named(game).roles)
    return Sample(f"{game}-{name}-random-compiled", game, rules, side, side, COMPILED, compiled=True)


def against(game: str, name: str, rules: dict[str, Any], first: str, others: str, kind: int) -> Sample:
    """A level against another, or with itself; KING+WARCHIEF is a pair of two kinds."""
    roles = len(game_named(game).roles)
    sides = [tuple(each.split("+")) if "+" in each else (each,) * roles for each in (first, others)]
    bots = first if first == others else f"{first}-against-{others}"
    return Sample(f"{game}-{name}-{bots}", game, rules, sides[0], sides[1], kind)
