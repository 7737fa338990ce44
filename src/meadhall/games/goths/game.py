"""Goths Save the Queen, as the rest of the program sees it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from meadhall.engine import rng as chance
from meadhall.engine.layout import UNKNOWN
from meadhall.games.game import Game, Rules, Setup, no_such_choice
from meadhall.games.goths import options as header
from meadhall.games.goths import rules, view
from meadhall.games.goths import setup as dealing
from meadhall.games.goths.names import EVENTS
from meadhall.games.goths.state import (
    ACTIONS,
    CARDS,
    CHARACTERS,
    CHOICES,
    CLANS,
    ENDINGS,
    OBJECTIVES,
    PLACES,
    SEATS,
    SIGHTS,
    TOKENS,
    Fog,
    GothsState,
    Phase,
    Why,
)

_NUMBER = {name: number for number, name in enumerate(CHOICES)}
_BACKS = tuple("+".join(name for k, name in enumerate(CHARACTERS) if bits >> k & 1) for bits in range(16))
_VOCABULARY: dict[str, Sequence[str]] = {
    "clan": CLANS,
    "back": _BACKS,
    "card": CARDS,
    "action": ACTIONS,
    "sight": SIGHTS,
    "place": PLACES,
    "objective": OBJECTIVES,
    "token": TOKENS,
    "ending": ENDINGS,
    "how": ("order", "face-up"),
    "why": tuple(why.name.lower().replace("_", "-") for why in Why),
}


class Goths(Game):
    """Two clans of two: a king's ambiguous order, a warchief's guess."""

    name = "goths"
    state_type = GothsState
    choice_count = len(CHOICES)
    told = EVENTS
    smallest_rules: ClassVar[dict[str, Any]] = {}

    def check_rules(self, given: Rules) -> dict[str, Any]:
        return header.check_rules(given)

    def check_setup(self, given: Rules, setup: Setup) -> None:
        header.check_setup(given, setup)

    def deal(self, given: Rules, seed: int | str) -> dict[str, Any]:
        state = self.blank(given)
        dealing.deal(state, chance.seeded(seed), given["fog_of_war"])
        setup: dict[str, Any] = {"objectives": [OBJECTIVES[card] for card in state.objectives]}
        if given["fog_of_war"]:
            setup["fog"] = {clan: TOKENS[state.token[k]] for k, clan in enumerate(CLANS)}
        return setup

    def seats(self, given: Rules) -> tuple[str, ...]:
        return SEATS

    def played_together(self, given: Rules, seat: str) -> tuple[str, ...]:
        clan = seat.partition("-")[0]
        if clan not in given["lone_rulers"]:  # G9.2
            return (seat,)
        return tuple(each for each in SEATS if each.startswith(clan))

    def blank(self, given: Rules) -> GothsState:
        state = GothsState()
        state.deck = header.deck_bits(given["king_deck"])
        state.turn_limit = min(given["turn_limit"] or 0, 2**31 - 1)
        state.fog_anywhere = given["fog_discard"] == "anywhere"
        for clan, name in enumerate(CLANS):
            state.lone[clan] = name in given["lone_rulers"]
            state.token[clan] = UNKNOWN
        return state

    def start(self, given: Rules, setup: Setup) -> GothsState:
        state = self.blank(given)
        for k, card in enumerate(setup["objectives"]):
            state.objectives[k] = OBJECTIVES.index(card)
        if given["fog_of_war"]:
            for clan, name in enumerate(CLANS):
                state.token[clan] = TOKENS.index(setup["fog"][name])
                state.fog[clan] = Fog.HIDDEN
        state.log = []
        rules.set_up(state)
        return state

    def owes(self, state: GothsState, seat: int) -> bool:
        return rules.owes(state, seat)

    def asking_order(self, state: GothsState) -> Sequence[int]:
        return (0, 1, 2, 3) if state.initiative == 0 else (2, 3, 0, 1)

    def orders_revealed(self, state: GothsState, phase: int) -> Sequence[int] | None:
        return (state.through[0], state.through[1]) if phase == Phase.ACTS != state.phase else None

    def choice_ids(self, state: GothsState, seat: int) -> Sequence[int]:
        options = rules.legal(state, seat)
        return [number for number in range(len(CHOICES)) if options >> number & 1]

    def allows(self, state: GothsState, seat: int, choice: int) -> bool:
        return rules.legal(state, seat) >> choice & 1 != 0

    def commit(self, state: GothsState, seat: int, choice: int) -> None:
        rules.commit(state, seat, choice)

    def choice_name(self, given: Rules, state: GothsState, seat: int, choice: int) -> str:
        return CHOICES[choice]

    def choice_id(self, given: Rules, state: GothsState, seat: int, name: str) -> int:
        if name not in _NUMBER:
            raise no_such_choice(
                name,
                "order:CHARACTER/BLUFF, act:ACTION, look:objective-N, look:fog, enter:objective-N, build, disperse",
            )
        return _NUMBER[name]

    def pending(self, given: Rules, state: GothsState, seat: int) -> list[str]:
        return sorted(CHOICES[number] for number in self.choice_ids(state, seat))

    def describe(self, given: Rules, state: GothsState) -> dict[str, Any]:
        return view.describe(state)

    def reveal(self, state: GothsState, seat: int) -> GothsState:
        seen = type(state)()
        view.reveal(state, seat, seen)
        return seen

    def redeal(self, seen: GothsState, seat: int, dice: list[int]) -> None:
        view.redeal(seen, seat, dice)

    def own(self, given: Rules, seen: GothsState, seat: int) -> str | None:
        return view.own(seen, seat)

    def outcome(self, given: Rules, state: GothsState) -> dict[str, Any] | None:
        return view.describe_outcome(state) if state.phase == Phase.OVER else None

    def vocabulary(self, given: Rules, kind: str) -> Sequence[str]:
        return _VOCABULARY[kind]
