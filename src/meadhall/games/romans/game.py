"""Romans Go Home!, as the rest of the program sees it."""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from meadhall.engine.layout import UNKNOWN, Log
from meadhall.engine.rng import seeded
from meadhall.games.game import Game, Outcome, Rules, Seat, Setup, shared_returns
from meadhall.games.romans import names, rules, setup, view
from meadhall.games.romans.options import OPTIONS, RomansRules, check_clans
from meadhall.games.romans.state import CHARM, CHOICE_COUNT, REORDER, Phase, RomansState


class Romans(Game):
    """One to four clans line up six warriors along Hadrian's Wall, in secret."""

    name = "romans"
    state_type = RomansState
    choice_count = CHOICE_COUNT
    events = names.EVENTS
    options = OPTIONS
    roles = ("player",)
    smallest_rules: ClassVar[dict[str, Any]] = {"players": ["gold", "green"]}
    usual_rules: ClassVar[dict[str, Any]] = {"players": ["gold", "green", "violet"]}
    variants: ClassVar[tuple[dict[str, Any], ...]] = (
        {"players": ["gold", "green"]},
        {"players": ["violet"], "neutrals": ["red"]},
        {"players": ["gold", "green", "red"], "neutrals": ["violet"], "qween": "replaces"},
        {"players": ["gold", "green", "violet", "red"], "original_rules": True},
    )
    choice_forms = names.FORMS
    rules_type = RomansRules
    setup_type = setup.RomansSetup
    view_type = view.RomansView

    def check_together(self, given: Rules) -> None:
        check_clans(given)

    def check_setup(self, given: Rules, dealt: Setup) -> None:
        setup.check(given, dealt)

    def deal(self, given: Rules, seed: int | str) -> dict[str, Any]:
        state = setup.blank(given)
        setup.deal(state, seeded(seed))
        return setup.write(given, state)

    def sides(self, given: Rules) -> dict[str, tuple[Seat, ...]]:
        return {clan: (clan,) for clan in given["players"]}

    def blank(self, given: Rules) -> RomansState:
        return setup.blank(given)

    def start(self, given: Rules, dealt: Setup) -> RomansState:
        state = setup.read(given, dealt)
        state.log = Log()
        rules.set_up(state)
        return state

    def missing(self, state: RomansState) -> str | None:
        if state.phase == Phase.PLAN and state.round > state.dealt:
            return f"setup.hands lacks round {state.round}, which the choices reach"
        return None

    def owes(self, state: RomansState, seat: int) -> bool:
        return rules.owes(state, seat)

    def asking_order(self, state: RomansState) -> Sequence[int]:
        return range(state.players)

    def turn(self, state: RomansState) -> int:
        return 6 * (int(state.round) - 1) + int(state.turn)

    def choice_ids(self, state: RomansState, seat: int) -> Sequence[int]:
        options = state.options[seat]
        if rules.arranging(state, seat):
            return _arrangements(state.phase == Phase.PLAN, rules.arrangement_count(state), rules.pair_to_keep(options))
        return [number for number in range(CHARM, CHOICE_COUNT) if options >> (number - CHARM) & 1]

    def may_choose(self, state: RomansState, seat: int) -> bool:
        return bool(state.options[seat] != 0)

    def arranges(self, state: RomansState, seat: int) -> bool:
        return rules.arranging(state, seat)

    def allows(self, state: RomansState, seat: int, choice: int) -> bool:
        return rules.allowed(state, seat, choice)

    def commit(self, state: RomansState, seat: int, choice: int) -> None:
        rules.commit(state, seat, choice)

    def outcome(self, given: Rules, state: RomansState) -> Outcome | None:
        if state.phase != Phase.OVER:
            return None
        record = view.describe_outcome(state, setup.clans_of(given))
        # R7.2: a player alone has the neutrals for rivals.
        rivals = state.clans if state.players == 1 else state.players
        returns = shared_returns(self.sides(given), record["winners"], rivals)
        return Outcome(tuple(record["winners"]), record["by"], returns, record, self._places(given, state))

    def _places(self, given: Rules, state: RomansState) -> dict[str, int]:
        """First, second and so on (R7.1), winners first however they won; neutrals are ranked by R7.2 alone."""
        ranked = range(state.clans if state.players == 1 else state.players)

        def above(one: int, other: int) -> bool:
            won = (state.winners >> one & 1) - (state.winners >> other & 1)
            return won > 0 or (won == 0 and rules.compare(state, one, other) > 0)

        clans = setup.clans_of(given)
        return {clans[one]: 1 + sum(above(other, one) for other in ranked) for one in ranked}

    def reveal(self, state: RomansState, seat: int) -> RomansState:
        seen = type(state)()
        view.reveal(state, seat, seen)
        return seen

    def redeal(self, seen: RomansState, seat: int, rng: list[int]) -> None:
        view.redeal(seen, seat, rng)

    def choice_name(self, given: Rules, state: RomansState, seat: int, choice: int) -> str:
        return names.choice_name(state, seat, setup.clans_of(given), choice)

    def choice_id(self, given: Rules, state: RomansState, seat: int, name: str) -> int:
        return names.choice_id(state, seat, setup.clans_of(given), name)

    def pending(self, given: Rules, state: RomansState, seat: int) -> Any:
        if rules.arranging(state, seat):
            pool = names.to_arrange(state, seat)
            return {"arrange": pool, "take": 6 if state.phase == Phase.PLAN else len(pool)}
        return sorted(self.choice_name(given, state, seat, k) for k in self.choice_ids(state, seat))

    def describe(self, given: Rules, state: RomansState) -> dict[str, Any]:
        return view.describe(state, setup.clans_of(given))

    def own(self, given: Rules, seen: RomansState, seat: int) -> str | None:
        if seat < 0 or seen.sealed[seat] == UNKNOWN:
            return None
        return self.choice_name(given, seen, seat, seen.sealed[seat])

    def vocabulary(self, given: Rules, kind: str) -> Sequence[str]:
        return setup.clans_of(given) if kind == "clan" else names.VOCABULARY[kind]


@cache
def _arrangements(plan: bool, count: int, pair: int) -> Sequence[int]:
    """The numbers of all arrangements, less those that exchange two charriotts, whose places are the pair's (-1: none).

    There are few different cases, and going through thousands of numbers takes milliseconds.
    """
    first = 0 if plan else REORDER
    return tuple(first + number for number in range(count) if rules.in_order(plan, number, pair))


GAME = Romans()
