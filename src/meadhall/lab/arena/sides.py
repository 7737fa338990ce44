"""What an arena has to know of a game's sides: who sits together, and what a side's part of the victory is."""

from typing import Any

from meadhall.games.game import Game, game_named


def sides_of(game: Game, rules: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """The sides by name, each with its seats in the order of their roles."""
    sides: dict[str, tuple[str, ...]] = {}
    for seat in game.seats(rules):
        side = seat.partition("-")[0]
        sides[side] = (*sides.get(side, ()), seat)
    return sides


def roles_of(name: str) -> int:
    """How many people play a side."""
    game = game_named(name)
    return max(len(seats) for seats in sides_of(game, game.check_rules(game.smallest_rules)).values())


def share(game: Game, rules: dict[str, Any], state: Any, side: str, sides: int) -> float:
    """A side's part of the victory, from 0 to 1; a draw is an equal part for all."""
    outcome = game.outcome(rules, state)
    assert outcome is not None
    return outcome.share(side) if outcome.winners else 1 / sides
