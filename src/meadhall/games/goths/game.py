"""Goths Save the Queen, as the rest of the program sees it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from meadhall.engine.layout import Log
from meadhall.engine.rng import seeded
from meadhall.games.game import Game, Outcome, Rules, Seat, Setup, no_such_choice, shared_returns
from meadhall.games.goths import rules, setup, view
from meadhall.games.goths.names import EVENTS, FORMS, NUMBERS, VOCABULARY
from meadhall.games.goths.options import OPTIONS, GothsRules
from meadhall.games.goths.state import ACT, CHOICES, CLANS, SEATS, GothsState, Phase


class Goths(Game):
    """Two clans of two: a king's ambiguous order, a warchief's guess."""

    name = "goths"
    state_type = GothsState
    choice_count = len(CHOICES)
    events = EVENTS
    options = OPTIONS
    roles = ("king", "warchief")
    smallest_rules: ClassVar[dict[str, Any]] = {}
    usual_rules: ClassVar[dict[str, Any]] = {}
    stalls: ClassVar[dict[str, Any]] = {"turn_limit": 200}
    variants: ClassVar[tuple[dict[str, Any], ...]] = (
        {"turn_limit": 40},
        {"turn_limit": 40, "fog_of_war": True},
        {"turn_limit": 40, "fog_of_war": True, "fog_discard": "anywhere", "lone_rulers": ["visigoth"]},
    )
    choice_forms = FORMS
    rules_type = GothsRules
    setup_type = setup.GothsSetup
    view_type = view.GothsView

    def check_setup(self, given: Rules, dealt: Setup) -> None:
        setup.check(given, dealt)

    def deal(self, given: Rules, seed: int | str) -> dict[str, Any]:
        state = setup.blank(given)
        setup.deal(state, seeded(seed))
        return setup.write(given, state)

    def sides(self, given: Rules) -> dict[str, tuple[Seat, ...]]:
        return {clan: SEATS[2 * k : 2 * k + 2] for k, clan in enumerate(CLANS)}

    def seats(self, given: Rules) -> tuple[Seat, ...]:
        return SEATS

    def played_together(self, given: Rules, seat: Seat) -> tuple[Seat, ...]:
        clan = self.side_of(given, seat)
        return self.sides(given)[clan] if clan in given["lone_rulers"] else (seat,)  # G9.1

    def blank(self, given: Rules) -> GothsState:
        return setup.blank(given)

    def start(self, given: Rules, dealt: Setup) -> GothsState:
        state = setup.read(given, dealt)
        state.log = Log()
        rules.set_up(state)
        return state

    def owes(self, state: GothsState, seat: int) -> bool:
        return rules.owes(state, seat)

    def asking_order(self, state: GothsState) -> Sequence[int]:
        return (0, 1, 2, 3) if state.initiative == 0 else (2, 3, 0, 1)

    def orders_revealed(self, state: GothsState, phase: int) -> Sequence[int] | None:
        return (state.through[0], state.through[1]) if phase == Phase.ACTS != state.phase else None

    def remembered(self, state: GothsState, seat: int, choice: int) -> bytes | None:
        """The position at which a turn's four cards are turned, with all four (G4.1)."""
        clan = seat >> 1
        if state.phase != Phase.ACTS or rules.owes(state, seat ^ 2):
            return None
        shown: GothsState = self.reveal(state, -1)
        for each in range(2):
            shown.order[each], shown.act[each] = state.order[each], state.act[each]
        shown.act[clan] = choice - ACT
        return bytes(shown)

    def choice_ids(self, state: GothsState, seat: int) -> Sequence[int]:
        options = rules.legal(state, seat)
        return [number for number in range(len(CHOICES)) if options >> number & 1]

    def may_choose(self, state: GothsState, seat: int) -> bool:
        return rules.legal(state, seat) != 0

    def allows(self, state: GothsState, seat: int, choice: int) -> bool:
        return rules.legal(state, seat) >> choice & 1 != 0

    def commit(self, state: GothsState, seat: int, choice: int) -> None:
        rules.commit(state, seat, choice)

    def outcome(self, given: Rules, state: GothsState) -> Outcome | None:
        if state.phase != Phase.OVER:
            return None
        record = view.describe_outcome(state)
        winners = () if record["winner"] is None else (record["winner"],)
        return Outcome(winners, record["by"], shared_returns(self.sides(given), winners, 2), record)

    def reveal(self, state: GothsState, seat: int) -> GothsState:
        seen = type(state)()
        view.reveal(state, seat, seen)
        return seen

    def redeal(self, seen: GothsState, seat: int, rng: list[int]) -> None:
        view.redeal(seen, seat, rng)

    def choice_name(self, given: Rules, state: GothsState, seat: int, choice: int) -> str:
        return CHOICES[choice]

    def choice_id(self, given: Rules, state: GothsState, seat: int, name: str) -> int:
        if name not in NUMBERS:
            raise no_such_choice(name, FORMS)
        return NUMBERS[name]

    def pending(self, given: Rules, state: GothsState, seat: int) -> list[str]:
        return sorted(CHOICES[number] for number in self.choice_ids(state, seat))

    def describe(self, given: Rules, state: GothsState) -> dict[str, Any]:
        return view.describe(state)

    def own(self, given: Rules, seen: GothsState, seat: int) -> str | None:
        return view.own(seen, seat)

    def vocabulary(self, given: Rules, kind: str) -> Sequence[str]:
        return VOCABULARY[kind]


GAME = Goths()
