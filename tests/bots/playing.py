"""Whole games between bots, the same for the same seed."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from meadhall.bots import choose
from meadhall.games.game import game_named
from meadhall.match import Match

# Far more choices than any game of these bots takes: a test that gets here has found one that never ends.
MOST = 4000


def played(match: Match, levels: Sequence[str], dice: Random) -> Match:
    """The match played to its end, a bot on every seat; an illegal choice fails as it would for a person."""
    for _ in range(MOST):
        if not match.waiting:
            return match
        seat = match.waiting[0]
        match.commit(seat, choose(levels[match.seats.index(seat)], match.view(seat), dice))
    raise AssertionError(f"no end after {MOST} choices")


def share_of_wins(game: str, rules: dict[str, Any], deals: range) -> float:
    """How often easy beats random, every deal played once for each side it can take; a shared win counts in part."""
    wins, sides = 0.0, list(game_named(game).sides(game_named(game).check_rules(rules)).items())
    for deal in deals:
        for side, seats in sides:
            match = Match.new(game, rules, deal)
            levels = ["easy" if seat in seats else "random" for seat in match.seats]
            outcome = played(match, levels, Random(f"{deal} {side}")).outcome
            assert outcome is not None
            wins += outcome.share(side)
    return wins / (len(sides) * len(deals))


def answers(match: Match, seat: str, seeds: range = range(40)) -> Counter[str]:
    """What easy chooses on a seat, with many seeds."""
    view = match.view(seat)
    return Counter(choose("easy", view, Random(seed)) for seed in seeds)
