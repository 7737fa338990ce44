"""Matching pennies with a hidden coin, as the rest of the program sees it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from meadhall.games.pennies import rules, setup, view
from meadhall.games.pennies.names import EVENTS, VOCABULARY
from meadhall.games.pennies.options import OPTIONS
from meadhall.games.pennies.state import CHOICES, FACES, NOBODY, SEATS, PenniesState

from meadhall.engine.layout import Log
from meadhall.engine.rng import seeded
from meadhall.games.game import Game, Outcome, Rules, Seat, Setup, no_such_choice, shared_returns


class Pennies(Game):
    """Two seats, two faces, one coin that only even has seen."""

    name = "pennies"
    state_type = PenniesState
    choice_count = len(CHOICES)
    events = EVENTS
    options = OPTIONS
    roles = ("player",)
    smallest_rules: ClassVar[dict[str, Any]] = {}
    usual_rules: ClassVar[dict[str, Any]] = {}
    variants: ClassVar[tuple[dict[str, Any], ...]] = ({}, {"swapped": True})
    view_type = view.PenniesView

    def check_setup(self, given: Rules, dealt: Setup) -> None:
        setup.check(dealt)

    def deal(self, given: Rules, seed: int | str) -> dict[str, Any]:
        state = setup.blank(given)
        setup.deal(state, seeded(seed))
        return {"coin": FACES[state.coin]}

    def sides(self, given: Rules) -> dict[str, tuple[Seat, ...]]:
        return {seat: (seat,) for seat in SEATS}

    def blank(self, given: Rules) -> PenniesState:
        return setup.blank(given)

    def start(self, given: Rules, dealt: Setup) -> PenniesState:
        state = setup.blank(given)
        state.coin = FACES.index(dealt["coin"])
        state.log = Log()
        rules.set_up(state)
        return state

    def owes(self, state: PenniesState, seat: int) -> bool:
        return rules.owes(state, seat)

    def asking_order(self, state: PenniesState) -> Sequence[int]:
        return (0, 1)

    def choice_ids(self, state: PenniesState, seat: int) -> Sequence[int]:
        return (0, 1) if state.winner == NOBODY else ()

    def allows(self, state: PenniesState, seat: int, choice: int) -> bool:
        return rules.allowed(state, choice)

    def commit(self, state: PenniesState, seat: int, choice: int) -> None:
        rules.commit(state, seat, choice)

    def outcome(self, given: Rules, state: PenniesState) -> Outcome | None:
        if state.winner == NOBODY:
            return None
        winners = (SEATS[state.winner],)
        return Outcome(winners, "pennies", shared_returns(self.sides(given), winners, 2), {"winner": winners[0]})

    def reveal(self, state: PenniesState, seat: int) -> PenniesState:
        seen = type(state)()
        view.reveal(state, seat, seen)
        return seen

    def redeal(self, seen: PenniesState, seat: int, rng: list[int]) -> None:
        view.redeal(seen, seat, rng)

    def choice_name(self, given: Rules, state: PenniesState, seat: int, choice: int) -> str:
        return CHOICES[choice]

    def choice_id(self, given: Rules, state: PenniesState, seat: int, name: str) -> int:
        if name not in CHOICES:
            raise no_such_choice(name, "show:heads, show:tails")
        return CHOICES.index(name)

    def pending(self, given: Rules, state: PenniesState, seat: int) -> list[str]:
        return [CHOICES[choice] for choice in self.choice_ids(state, seat)]

    def describe(self, given: Rules, state: PenniesState) -> dict[str, Any]:
        return view.describe(state)

    def own(self, given: Rules, seen: PenniesState, seat: int) -> str | None:
        return view.own(seen, seat)

    def vocabulary(self, given: Rules, kind: str) -> Sequence[str]:
        return VOCABULARY[kind]


GAME = Pennies()
