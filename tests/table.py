"""A position to try a rule on, at either speed: state it, make one choice, look at one consequence."""

from typing import Any

from meadhall.games.game import game_named
from meadhall.match import Match

SPEEDS = ("interpreted", "compiled")
GOTHS_SETUP = {"objectives": ["trap", "plains", "queen"]}


class Table:
    """A match whose choices go through the interpreted or the compiled rules; both work on the same bytes."""

    def __init__(self, speed: str, game: str, rules: dict[str, Any], setup: dict[str, Any]) -> None:
        record = {"format": "meadhall/1", "game": game, "rules": rules, "setup": setup, "choices": []}
        self.match = Match.from_record(record)
        self.game = game_named(game)
        self.speed = speed

    @property
    def state(self) -> Any:
        """The position as it is now: a match replaces it with every choice."""
        return self.match.state

    def choose(self, *choices: tuple[str, str]) -> "Table":
        """Make choices by name, each checked to be owed; fails as a player would on an illegal one."""
        for seat, name in choices:
            assert seat in self.match.waiting, f"{seat} owes nothing; waiting for {self.match.waiting}"
            if self.speed == "interpreted":
                self.match.commit(seat, name)
            else:
                from meadhall.engine.compiling import compiled

                number = self.match.seats.index(seat)
                choice = self.game.choice_id(self.match.rules, self.state, number, name)
                compiled(self.game.name).commit(self.state.array()[0], number, choice)
        return self

    @property
    def position(self) -> dict[str, Any]:
        return self.match.position()

    def clan(self, name: str) -> dict[str, Any]:
        return self.position["clans"][name]

    @property
    def waiting(self) -> tuple[str, ...]:
        return self.match.waiting

    def options(self, seat: str) -> Any:
        return self.position["pending"].get(seat)
