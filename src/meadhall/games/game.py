"""What a game declares for everything else to work with it, and how games are found."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, resources
from random import Random
from typing import Any, ClassVar, cast

from meadhall.engine.layout import EVERYONE, RawEvent, Record
from meadhall.faults import Fault, MalformedChoice, show
from meadhall.games.options import Option, complete

Rules = Mapping[str, Any]
Setup = Mapping[str, Any]
Seat = str
SPECTATOR = "spectator"
"""Whoever looks on without a seat."""


@dataclass(frozen=True)
class Event:
    """Something that happened: a code, its arguments, its clause, the seats that may know (None: all), and when."""

    code: str
    args: Mapping[str, str | int | None]
    clause: str
    audience: frozenset[Seat] | None
    moment: int = 0  # the count of public events before it (see Match.moment)

    def __hash__(self) -> int:
        # Its arguments are a dictionary, which has no hash; events that differ in them alone are few.
        return hash((self.code, self.clause, self.moment))

    def seen_by(self, seat: Seat) -> bool:
        """May this seat, or a spectator, know of it?"""
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


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the sides that won (none: a draw), why it is over, and what that is worth to each seat."""

    winners: tuple[str, ...]
    reason: str
    returns: Mapping[Seat, float]  # from -1 to 1; in a game of two sides they add up to 0 by side
    record: Mapping[str, Any]  # the same as the record format writes it
    places: Mapping[str, int] = field(default_factory=dict)  # first, second and so on, where sides are ranked

    def share(self, side: str) -> float:
        """A side's part of the victory: 1 alone, a fraction if several share it, 0 if others won."""
        return 1 / len(self.winners) if side in self.winners else 0.0


class Game(ABC):
    """One game. States are records; seats and choices are numbers here, names at the Match."""

    name: ClassVar[str]
    state_type: ClassVar[type[Record]]
    choice_count: ClassVar[int]
    events: ClassVar[Mapping[int, EventName]]
    options: ClassVar[tuple[Option, ...]]
    roles: ClassVar[tuple[str, ...]]  # what the people of a side do, in the order of its seats
    smallest_rules: ClassVar[dict[str, Any]]  # the options that must be given, with the least players
    usual_rules: ClassVar[dict[str, Any]]  # what is played if nothing is said
    stalls: ClassVar[dict[str, Any]] = {}  # options that end a game which strong players could keep up for ever
    variants: ClassVar[tuple[dict[str, Any], ...]]  # rules that together use every option, all of them soon over
    choice_forms: ClassVar[str] = ""  # how its choices are written, for whoever writes them by hand
    rules_type: ClassVar[Any] = dict[str, Any]  # how the record format writes rules, set-up and views, as types
    setup_type: ClassVar[Any] = dict[str, Any]
    view_type: ClassVar[Any] = dict[str, Any]

    # Options and set-up

    def check_rules(self, rules: Rules) -> dict[str, Any]:
        """The rules with every default filled in; a RecordFault if they make no sense."""
        full = complete(self.options, rules)
        self.check_together(full)
        return full

    def check_together(self, rules: Rules) -> None:  # noqa: B027 (most games have nothing to check here)
        """A RecordFault if options that are right by themselves do not go together."""

    @abstractmethod
    def check_setup(self, rules: Rules, setup: Setup) -> None:
        """A RecordFault unless this is a deal these (complete) rules allow."""

    @abstractmethod
    def deal(self, rules: Rules, seed: int | str) -> dict[str, Any]:
        """A random set-up, the same for the same seed."""

    @property
    def deck(self) -> Option | None:
        """The option that stands for the game's deck, if it has one."""
        return next((option for option in self.options if option.kind == "deck"), None)

    # Seats

    @abstractmethod
    def sides(self, rules: Rules) -> dict[str, tuple[Seat, ...]]:
        """The sides that play for the victory, each with its seats in the order of `roles`."""

    def seats(self, rules: Rules) -> tuple[Seat, ...]:
        """The seats that make choices, in order."""
        return tuple(seat for seats in self.sides(rules).values() for seat in seats)

    def side_of(self, rules: Rules, seat: Seat) -> str:
        """The side that a seat plays for."""
        return next(side for side, seats in self.sides(rules).items() if seat in seats)

    def played_together(self, rules: Rules, seat: Seat) -> tuple[Seat, ...]:
        """The seats that the person on this seat plays, this one among them."""
        return (seat,)

    def partners(self, rules: Rules, seat: Seat) -> tuple[Seat, ...]:
        """The seats of the same side that other people play."""
        own = self.played_together(rules, seat)
        return tuple(each for each in self.sides(rules)[self.side_of(rules, seat)] if each not in own)

    def exchanged(self, rules: Rules) -> dict[Seat, Seat]:
        """Where whoever sits on a seat goes when seats are exchanged for another game.

        Partners change roles; where nobody has a partner, each goes to the next side.
        """
        people = [
            list(dict.fromkeys(self.played_together(rules, seat) for seat in seats))
            for seats in self.sides(rules).values()
        ]
        rings = people if any(len(side) > 1 for side in people) else [[side[0] for side in people]]
        moves = (pair for ring in rings for pair in zip(ring, [*ring[1:], ring[0]], strict=True))
        return {seat: to for here, there in moves for seat, to in zip(here, there, strict=True)}

    # Play

    @abstractmethod
    def blank(self, rules: Rules) -> Any:
        """A state with the options in place and nothing dealt."""

    @abstractmethod
    def start(self, rules: Rules, setup: Setup) -> Any:
        """The state before the first choice, its log holding what was emitted on the way."""

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

    def remembered(self, state: Any, seat: int, choice: int) -> bytes | None:
        """What all will know of a position when this choice has been made in it, if it is worth remembering."""
        return None

    @abstractmethod
    def choice_ids(self, state: Any, seat: int) -> Sequence[int]:
        """The numbers of all the seat may choose now, sealed choices being open to change."""

    def may_choose(self, state: Any, seat: int) -> bool:
        """Is there anything the seat may choose now?"""
        return bool(self.choice_ids(state, seat))

    def sample(self, state: Any, seat: int, rng: Random) -> int:
        """One of the numbers the seat may choose now, each equally likely."""
        return rng.choice(self.choice_ids(state, seat))

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
    def outcome(self, rules: Rules, state: Any) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def missing(self, state: Any) -> str | None:
        """What the set-up lacks for play to go on from here, if anything."""
        return None

    # Knowledge

    @abstractmethod
    def reveal(self, state: Any, seat: int) -> Any:
        """What the seat may know (-1: a spectator), as a state with the rest unknown."""

    @abstractmethod
    def redeal(self, view: Any, seat: int, rng: list[int]) -> None:
        """Fill a view's unknowns with a world the seat cannot tell apart."""

    # Names

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
    def own(self, rules: Rules, view: Any, seat: int) -> str | None:
        """What the seat has chosen and nobody else may see yet."""

    @abstractmethod
    def vocabulary(self, rules: Rules, kind: str) -> Sequence[str]:
        """The names behind the numbers of one kind of argument."""

    def event(self, rules: Rules, raw: RawEvent, moment: int = 0) -> Event:
        """Give an event of the rules its names."""
        code, *numbers, to = map(int, raw)
        named = self.events[code]
        args: dict[str, str | int | None] = {}
        for (name, kind), number in zip(named.args, numbers, strict=False):
            if kind is None:
                args[name] = number
            else:
                args[name] = self.vocabulary(rules, kind)[number] if number >= 0 else None
        seats = self.seats(rules)
        audience = None if to == EVERYONE else frozenset(seats[k] for k in range(len(seats)) if to >> k & 1)
        return Event(named.code, args, named.clause_for(numbers), audience, moment)


def no_such_choice(name: str, forms: str) -> MalformedChoice:
    """The error for a text that names no choice at all."""
    return MalformedChoice(f"{show(name)} is not a choice of this game; choices are written {forms}")


def shared_returns(sides: Mapping[str, Sequence[Seat]], winners: Sequence[str], rivals: int) -> dict[Seat, float]:
    """What a victory, shared by the winners, is worth: 1 for winning alone, and all rivals' together 0."""
    returns: dict[Seat, float] = {}
    for side, seats in sides.items():
        share = 1 / len(winners) if side in winners else 0.0
        returns |= dict.fromkeys(seats, (rivals * share - 1) / (rivals - 1) if winners else 0.0)
    return returns


def _found() -> tuple[str, ...]:
    """The folders here that hold a game."""
    folders = (each for each in resources.files("meadhall.games").iterdir() if each.joinpath("game.py").is_file())
    return tuple(sorted(folder.name for folder in folders))


GAMES: tuple[str, ...] = _found()
"""The names of all games."""


@cache
def game_named(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        raise Fault(f"there is no game {show(name)}; the games are {' and '.join(GAMES)}")
    return cast(Game, import_module(f"meadhall.games.{name}.game").GAME)
