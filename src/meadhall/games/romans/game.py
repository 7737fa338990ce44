"""Romans Go Home!, as the rest of the program sees it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from meadhall.engine import rng as chance
from meadhall.engine.bits import at, row_of
from meadhall.engine.layout import UNKNOWN
from meadhall.faults import MalformedChoice, show
from meadhall.games.game import Game, Rules, Setup, no_such_choice
from meadhall.games.romans import options as header
from meadhall.games.romans import rules, view
from meadhall.games.romans import setup as dealing
from meadhall.games.romans.names import EVENTS
from meadhall.games.romans.state import (
    CHARM,
    CHOICE_COUNT,
    CLANS,
    DISCARD,
    ENDINGS,
    FORTS,
    KEEP_AXX,
    KEEP_WEAKEST,
    LEAVE_AXX,
    LEAVE_WEAKEST,
    PAY,
    REORDER,
    TAKE,
    WARRIORS,
    Counts,
    Phase,
    RomansState,
    Why,
)

_FIXED = {
    "keep:axx": KEEP_AXX,
    "leave:axx": LEAVE_AXX,
    "keep:weakest": KEEP_WEAKEST,
    "leave:weakest": LEAVE_WEAKEST,
    **{f"take:{place + 1}": TAKE + place for place in range(6)},
    **{f"discard:{warrior}": DISCARD + k for k, warrior in enumerate(WARRIORS)},
    **{f"pay:{fort}": PAY + k for k, fort in enumerate(FORTS)},
}
_FIXED_NAMES = {number: name for name, number in _FIXED.items()}
_FORMS = (
    "plan:W,W,W,W,W,W, charm:CLAN, take:N, keep:axx, leave:axx, keep:weakest, leave:weakest, discard:W, "
    "reorder:W,..., pay:FORT"
)
_VOCABULARY: dict[str, Sequence[str]] = {
    "warrior": WARRIORS,
    "fort": FORTS,
    "ending": ENDINGS,
    "barred": ("free", "barred"),
    "counts": tuple(counts.name.lower() for counts in Counts if counts != Counts.NOTHING),
    "why": tuple(why.name.lower() for why in Why),
}


class Romans(Game):
    """One to four clans line up six warriors along Hadrian's Wall, in secret."""

    name = "romans"
    state_type = RomansState
    choice_count = CHOICE_COUNT
    told = EVENTS
    smallest_rules: ClassVar[dict[str, Any]] = {"players": ["gold", "green"]}

    def check_rules(self, given: Rules) -> dict[str, Any]:
        return header.check_rules(given)

    def check_setup(self, given: Rules, setup: Setup) -> None:
        header.check_setup(given, setup)

    def deal(self, given: Rules, seed: int | str) -> dict[str, Any]:
        state = self.blank(given)
        dealing.deal(state, chance.seeded(seed))
        hands = [
            {
                name: view.names(WARRIORS, state.deals[later_round][clan], 0, 7 if clan < state.players else 6)
                for clan, name in enumerate(self.clans(given))
            }
            for later_round in range(3)
        ]
        return {"forts": [FORTS[fort] for fort in state.draw_pile], "hands": hands}

    def clans(self, given: Rules) -> tuple[str, ...]:
        """Players and neutrals in the order of the table."""
        return (*given["players"], *given["neutrals"])

    def seats(self, given: Rules) -> tuple[str, ...]:
        return tuple(given["players"])

    def blank(self, given: Rules) -> RomansState:
        state = RomansState()
        view.blank(state)
        state.players = len(given["players"])
        state.clans = len(self.clans(given))
        state.original = given["original_rules"]
        state.replaces = given["qween"] == "replaces"
        for fort in given["fort_deck"]:
            state.fort_deck[FORTS.index(fort)] += 1
        return state

    def start(self, given: Rules, setup: Setup) -> RomansState:
        state = self.blank(given)
        for place, fort in enumerate(setup["forts"]):
            state.draw_pile[place] = FORTS.index(fort)
        for later_round, hands in enumerate(setup["hands"]):
            for clan, name in enumerate(self.clans(given)):
                state.deals[later_round][clan] = row_of([WARRIORS.index(warrior) for warrior in hands[name]])
        state.dealt = len(setup["hands"])
        state.log = []
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
        if rules.arranging(state, seat):
            first = 0 if state.phase == Phase.PLAN else REORDER
            return [
                first + number
                for number in range(rules.arrangement_count(state))
                if rules.keeps_order(state, seat, number)
            ]
        options = state.options[seat]
        return [number for number in range(CHARM, CHOICE_COUNT) if options >> (number - CHARM) & 1]

    def may_choose(self, state: RomansState, seat: int) -> bool:
        return bool(state.options[seat] != 0)

    def arranges(self, state: RomansState, seat: int) -> bool:
        return rules.arranging(state, seat)

    def allows(self, state: RomansState, seat: int, choice: int) -> bool:
        return rules.allowed(state, seat, choice)

    def commit(self, state: RomansState, seat: int, choice: int) -> None:
        rules.commit(state, seat, choice)

    def choice_name(self, given: Rules, state: RomansState, seat: int, choice: int) -> str:
        if choice in _FIXED_NAMES:
            return _FIXED_NAMES[choice]
        if choice >= CHARM:
            return f"charm:{self.clans(given)[choice - CHARM]}"
        verb, number = ("plan", choice) if choice < REORDER else ("reorder", choice - REORDER)
        pool = self._pool(state, seat)
        count = 6 if verb == "plan" else len(pool)
        return f"{verb}:" + ",".join(pool[rules.arranged_place(state, number, k)] for k in range(count))

    def _pool(self, state: RomansState, seat: int) -> list[str]:
        """The warriors to arrange, in order: the hand, or those still hidden."""
        if state.phase == Phase.PLAN:
            return [WARRIORS[at(state.hand[seat], k)] for k in range(7)]
        return [WARRIORS[at(state.line[seat], k)] for k in range(state.shown, 6)]

    def choice_id(self, given: Rules, state: RomansState, seat: int, name: str) -> int:
        if name in _FIXED:
            return _FIXED[name]
        verb, colon, rest = name.partition(":")
        if verb == "charm" and rest in self.clans(given):
            return CHARM + self.clans(given).index(rest)
        if verb == "charm" and rest in CLANS:
            return UNKNOWN
        warriors = rest.split(",")
        if verb not in ("plan", "reorder") or not colon or any(w not in WARRIORS for w in warriors):
            raise no_such_choice(name, _FORMS)
        if verb == "plan" and len(warriors) != 6:
            raise MalformedChoice(f"{show(name)}: a plan names 6 warriors, not {len(warriors)}")
        return self._arrangement_id(state, seat, verb, warriors)

    def _arrangement_id(self, state: RomansState, seat: int, verb: str, warriors: list[str]) -> int:
        """The number of an arrangement, equal warriors kept in order; -1 if these cannot be arranged so now."""
        if not rules.arranging(state, seat) or (verb == "plan") != (state.phase == Phase.PLAN):
            return UNKNOWN
        left: list[int | None] = list(range(7 if verb == "plan" else 6 - state.shown))
        pool = self._pool(state, seat)
        if len(warriors) != (6 if verb == "plan" else len(pool)):
            return UNKNOWN
        number = 0
        for warrior in warriors:
            place = next((k for k in left if k is not None and pool[k] == warrior), None)
            if place is None:
                return UNKNOWN
            number = number * len(left) + left.index(place)
            left.remove(place)
        return number if verb == "plan" else REORDER + number

    def pending(self, given: Rules, state: RomansState, seat: int) -> Any:
        if rules.arranging(state, seat):
            pool = self._pool(state, seat)
            return {"arrange": pool, "take": 6 if state.phase == Phase.PLAN else len(pool)}
        return sorted(self.choice_name(given, state, seat, k) for k in self.choice_ids(state, seat))

    def describe(self, given: Rules, state: RomansState) -> dict[str, Any]:
        return view.describe(state, self.clans(given))

    def reveal(self, state: RomansState, seat: int) -> RomansState:
        seen = type(state)()
        view.reveal(state, seat, seen)
        return seen

    def redeal(self, seen: RomansState, seat: int, dice: list[int]) -> None:
        view.redeal(seen, seat, dice)

    def own(self, given: Rules, seen: RomansState, seat: int) -> str | None:
        if seat < 0 or seen.sealed[seat] == UNKNOWN:
            return None
        return self.choice_name(given, seen, seat, seen.sealed[seat])

    def outcome(self, given: Rules, state: RomansState) -> dict[str, Any] | None:
        return view.describe_outcome(state, self.clans(given))

    def vocabulary(self, given: Rules, kind: str) -> Sequence[str]:
        return self.clans(given) if kind == "clan" else _VOCABULARY[kind]
