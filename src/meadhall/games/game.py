"""What a game must provide for everything else to work with it, and the list of games."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, cast

from meadhall.engine.layout import EVERYONE, Record
from meadhall.faults import Fault, MalformedChoice, show

Rules = Mapping[str, Any]
Setup = Mapping[str, Any]


@dataclass(frozen=True)
class Event:
    """Something that happened: a code, its arguments, its clause, and the seats that may know (None: all)."""

    code: str
    args: Mapping[str, str | int | None]
    clause: str
    audience: frozenset[str] | None

    def seen_by(self, seat: str | None) -> bool:
        """May this seat (None: a spectator) know of it?"""
        return self.audience is None or seat in self.audience


@dataclass(frozen=True)
class EventName:
    """How one event of the rules is named: its arguments in order, each with its vocabulary (None: a number)."""

    code: str
    clause: str | Sequence[str] | Callable[[Sequence[int]], str]  # several: chosen by the number `clause_by`
    args: tuple[tuple[str, str | None], ...] = ()
    clause_by: int = 2

    def clause_for(self, numbers: Sequence[int]) -> str:
        """The clause behind an event with these numbers."""
        if callable(self.clause):
            return self.clause(numbers)
        return self.clause if isinstance(self.clause, str) else self.clause[numbers[self.clause_by]]


class Game(ABC):
    """One game. States are records; seats and choices are numbers here, names at the Match."""

    name: str
    state_type: type[Record]
    choice_count: int
    told: Mapping[int, EventName]
    smallest_rules: ClassVar[dict[str, Any]]  # the options that have no default

    @abstractmethod
    def check_rules(self, rules: Rules) -> dict[str, Any]:
        """The rules with every default filled in; a RecordFault if they make no sense."""

    @abstractmethod
    def check_setup(self, rules: Rules, setup: Setup) -> None:
        """A RecordFault unless this is a deal these (complete) rules allow."""

    @abstractmethod
    def deal(self, rules: Rules, seed: int | str) -> dict[str, Any]:
        """A random set-up, the same for the same seed."""

    @abstractmethod
    def seats(self, rules: Rules) -> tuple[str, ...]:
        """The seats that make choices, in order."""

    def played_together(self, rules: Rules, seat: str) -> tuple[str, ...]:
        """The seats that the person on this seat plays, this one among them."""
        return (seat,)

    @abstractmethod
    def blank(self, rules: Rules) -> Any:
        """A state with the options in place and nothing dealt."""

    @abstractmethod
    def start(self, rules: Rules, setup: Setup) -> Any:
        """The state before the first choice, its log holding what was told on the way."""

    @abstractmethod
    def owes(self, state: Any, seat: int) -> bool:
        """Must the seat choose before play goes on?"""

    @abstractmethod
    def asking_order(self, state: Any) -> Sequence[int]:
        """All seats, in the order in which they are named where several owe a choice."""

    def turn(self, state: Any) -> int:
        """How many turns have begun, for reports; 0 for a game that has none."""
        return int(getattr(state, "turn", 0))

    def orders_revealed(self, state: Any, phase: int) -> Sequence[int] | None:
        """Where partners guess each other's mind: which sides' orders got through, once they are turned.

        `phase` is that before the last choice; None if that did not turn anything.
        """
        return None

    @abstractmethod
    def choice_ids(self, state: Any, seat: int) -> Sequence[int]:
        """The numbers of all the seat may choose now, sealed choices being open to change."""

    def may_choose(self, state: Any, seat: int) -> bool:
        """Is there anything the seat may choose now?"""
        return bool(self.choice_ids(state, seat))

    def arranges(self, state: Any, seat: int) -> bool:
        """Is the seat to put pieces in order, with more choices than anybody wants listed?"""
        return False

    @abstractmethod
    def allows(self, state: Any, seat: int, choice: int) -> bool:
        """May the seat choose this now?"""

    @abstractmethod
    def commit(self, state: Any, seat: int, choice: int) -> None:
        """Apply a legal choice."""

    @abstractmethod
    def choice_name(self, rules: Rules, state: Any, seat: int, choice: int) -> str:
        """The name of a choice the seat may make now."""

    @abstractmethod
    def choice_id(self, rules: Rules, state: Any, seat: int, name: str) -> int:
        """The number of a named choice; MalformedChoice if no choice of the game has that name."""

    @abstractmethod
    def pending(self, rules: Rules, state: Any, seat: int) -> Any:
        """What the record format's `pending` says of a seat that owes a choice."""

    @abstractmethod
    def describe(self, rules: Rules, state: Any) -> dict[str, Any]:
        """The state, or a view, as the record format writes it, but for `pending`."""

    @abstractmethod
    def reveal(self, state: Any, seat: int) -> Any:
        """What the seat may know (-1: a spectator), as a state with the rest unknown."""

    @abstractmethod
    def redeal(self, view: Any, seat: int, dice: list[int]) -> None:
        """Fill a view's unknowns with a world the seat cannot tell apart."""

    @abstractmethod
    def own(self, rules: Rules, view: Any, seat: int) -> str | None:
        """What the seat has chosen and nobody else may see yet."""

    @abstractmethod
    def outcome(self, rules: Rules, state: Any) -> dict[str, Any] | None:
        """The outcome as the record format writes it; None while the game goes on."""

    @abstractmethod
    def vocabulary(self, rules: Rules, kind: str) -> Sequence[str]:
        """The names behind the numbers of one kind of argument."""

    def missing(self, state: Any) -> str | None:
        """What the set-up lacks for play to go on from here, if anything."""
        return None

    def event(self, rules: Rules, raw: tuple[int, ...]) -> Event:
        """Give an event of the rules its names."""
        code, *numbers, to = raw
        told = self.told[code]
        args: dict[str, str | int | None] = {}
        for (name, kind), number in zip(told.args, numbers, strict=False):
            if kind is None:
                args[name] = number
            else:
                args[name] = self.vocabulary(rules, kind)[number] if number >= 0 else None
        seats = self.seats(rules)
        audience = None if to == EVERYONE else frozenset(seats[k] for k in range(len(seats)) if to >> k & 1)
        return Event(told.code, args, told.clause_for(numbers), audience)


def no_such_choice(name: str, forms: str) -> MalformedChoice:
    """The error for a text that names no choice at all."""
    return MalformedChoice(f"{show(name)} is not a choice of this game; choices are written {forms}")


GAMES = {"goths": "meadhall.games.goths.game:Goths", "romans": "meadhall.games.romans.game:Romans"}


@cache
def game_named(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        raise Fault(f"there is no game {show(name)}; the games are {' and '.join(GAMES)}")
    module, _, cls = GAMES[name].partition(":")
    return cast(Game, getattr(import_module(module), cls)())
