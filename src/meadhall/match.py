"""A match: a record's header and its choices so far, the state they lead to, and what each seat may know."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from meadhall.engine.layout import EVERYONE
from meadhall.engine.plain import plain
from meadhall.faults import ChoiceFault, Fault, IllegalChoice, MalformedChoice, RecordFault, listing, show
from meadhall.games.game import Event, Game, game_named
from meadhall.record import Header, parse, read_header

SPECTATOR = "spectator"
Seat = str


@dataclass(frozen=True)
class View:
    """All that one seat may know of a position; a bot gets this and nothing else."""

    game: Game
    rules: dict[str, Any]
    seat: Seat | None
    state: Any

    @property
    def number(self) -> int:
        """The seat's number, -1 for a spectator."""
        return -1 if self.seat is None else self.game.seats(self.rules).index(self.seat)

    @property
    def owes(self) -> bool:
        """Does this seat owe a choice?"""
        return self.seat is not None and self.game.owes(self.state, self.number)

    @property
    def arranges(self) -> bool:
        """Is this seat to put pieces in order? Then what it may choose is better told by `pending`."""
        return self.seat is not None and self.game.arranges(self.state, self.number)

    @cached_property
    def choice_ids(self) -> Sequence[int]:
        """The numbers of what the seat may choose, a sealed choice being open to change."""
        return () if self.seat is None else self.game.choice_ids(self.state, self.number)

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The names of what the seat may choose, in the order of their numbers."""
        number, name = self.number, self.game.choice_name
        return tuple([name(self.rules, self.state, number, k) for k in self.choice_ids])

    def json(self) -> dict[str, Any]:
        """The state as this seat may know it, as `meadhall replay --seat` prints it."""
        game, state, number = self.game, self.state, self.number
        position = game.describe(self.rules, state)
        if self.seat is not None and game.owes(state, number):
            listed = game.pending(self.rules, state, number) if self.arranges else sorted(self.choices)
            position["pending"] = {self.seat: listed}
        position["own"] = game.own(self.rules, state, number)
        return position

    def redeal(self, dice: list[int]) -> "Match":
        """A match that goes on from here in one of the worlds this seat cannot rule out, all equally likely.

        It is made from the view alone, so it cannot tell anything the view does not. `dice` come from
        `meadhall.engine.rng.seeded` and move on, so that the next call gives another world.
        """
        world = self.state.copy()
        self.game.redeal(world, self.number, dice)
        return Match._in_the_middle(self.game, self.rules, world)


class Match:
    """One game being played or replayed. Seats and choices go by name; choices also by number."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.game = header.game
        self.rules = header.full_rules
        self.state = self.game.start(self.rules, header.setup)
        self.seats = self.game.seats(self.rules)
        self._whole = True
        self._tried: tuple[int, int, Any] | None = None  # the last choice that was tried on this state
        self._plain: tuple[Any, Any] | None = None  # a state and its plain twin
        self._choices: list[tuple[Seat, str]] = []
        self._told: list[list[tuple[int, ...]]] = [self._take_log()]
        self._moments = [0, sum(raw[-1] == EVERYONE for raw in self._told[0])]  # before each of these

    @classmethod
    def new(cls, game: str, rules: dict[str, Any] | None = None, seed: int | str = 0) -> Self:
        """A fresh match, dealt from the seed."""
        chosen = game_named(game)
        given = dict(chosen.smallest_rules) if rules is None else dict(rules)
        full = chosen.check_rules(given)
        return cls(Header(chosen, given, chosen.deal(full, seed), full, {"seed": seed}))

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """The match a record leads to; the record may be JSON text or the parsed object."""
        if isinstance(record, str | bytes):
            record = parse(record)
        try:
            match = cls(read_header(record))
        except RecursionError:
            raise RecordFault("not a record (nested too deeply); a record is one JSON object") from None
        for index, entry in enumerate(record["choices"]):
            match.replay_choice(entry, index)
        return match

    @classmethod
    def _in_the_middle(cls, game: Game, rules: dict[str, Any], state: Any) -> "Match":
        """A match that starts at a redealt position: it has no record."""
        match = cls.__new__(cls)
        match.game, match.rules, match.state = game, rules, state
        match.header = Header(game, rules, {}, rules)
        match.seats = game.seats(rules)
        match._whole = False
        match._tried = match._plain = None
        match._choices, match._told, match._moments = [], [[]], [0, 0]
        state.log = []
        return match

    def replay_choice(self, entry: Any, index: int) -> None:
        """Apply one entry of a record's choices, in which nothing is ever changed afterwards.

        Whoever replays a record holds all of it, so the message may say what anyone could have chosen.
        """
        if not (isinstance(entry, list | tuple) and len(entry) == 2 and all(isinstance(part, str) for part in entry)):
            fault = f"must be a pair [seat, choice] of texts, not {show(entry)}"
            raise RecordFault(f"{fault}; {self._awaited()}", index)
        seat, name = entry
        if seat in self.seats and seat not in self.waiting:
            raise RecordFault(f"{seat} cannot choose {show(name)}; {self._awaited()}", index)
        try:
            self._apply(seat, name)
        except MalformedChoice as malformed:
            raise RecordFault(f"{seat}: {malformed}; {self._legal_for(seat)}", index) from None
        except ChoiceFault as illegal:
            awaited = "" if seat in self.seats else f"; {self._awaited()}"
            raise RecordFault(f"{illegal}{awaited}", index) from None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that owe a choice: one for a turn, several for simultaneous choices, none at the end."""
        return tuple(self.seats[k] for k in self.game.asking_order(self.state) if self.game.owes(self.state, k))

    @property
    def outcome(self) -> dict[str, Any] | None:
        """Who won and how; None while the game goes on."""
        return self.game.outcome(self.rules, self.state)

    def choices(self, seat: Seat) -> tuple[str, ...]:
        """The names of all the seat may choose now."""
        return self.view(seat).choices

    def choice_ids(self, seat: Seat) -> Sequence[int]:
        """The same by number, in the same order."""
        return self.view(seat).choice_ids

    def commit(self, seat: Seat, choice: str | int) -> tuple[Event, ...]:
        """Make a choice, or change one that is still sealed; tells what happened, to whom it may be told."""
        return tuple(self.game.event(self.rules, raw) for raw in self._apply(seat, choice))

    def apply(self, seat: Seat, choice: str | int) -> None:
        """Commit without saying what happened."""
        self._apply(seat, choice)

    def _apply(self, seat: Seat, choice: str | int) -> list[tuple[int, ...]]:
        """Commit without naming the events, which takes as long as all the rest."""
        number, identity, name = self._legal(seat, choice)
        changed = not self.game.owes(self.state, number)
        after = self._after(number, identity)
        self._tried = None
        lack = self.game.missing(after)
        if lack is not None:  # a set-up that does not reach this far is a fault of the record
            raise RecordFault(lack)
        self.state = after
        told = self._take_log()
        if changed:
            self._change(seat, name, told)
        else:
            self._choices.append((seat, name))
            self._told.append(told)
            # A seat that owes a second choice at once has moved on, though nobody is told until both are in.
            happened = sum(raw[-1] == EVERYONE for raw in told) or self.game.owes(self.state, number)
            self._moments.append(self.moment + happened)
        return told

    def check(self, seat: Seat, choice: str | int) -> str:
        """The name of a choice that `commit` would take now; raises what it would raise, and changes nothing."""
        return self._legal(seat, choice)[2]

    def ends_with(self, seat: Seat, choice: str) -> bool:
        """Would this legal choice end the game?"""
        number = self.seats.index(seat)
        after = self._after(number, self.game.choice_id(self.rules, self.state, number, choice))
        return self.game.outcome(self.rules, after) is not None

    def _after(self, number: int, identity: int) -> Any:
        """The state after a legal choice, its log holding what it tells; a choice that was just tried is not remade."""
        if self._tried is None or self._tried[:2] != (number, identity):
            after = self.state.copy()
            after.log = []
            self.game.commit(after, number, identity)
            self._tried = (number, identity, after)
        return self._tried[2]

    def _legal(self, seat: Seat, choice: str | int) -> tuple[int, int, str]:
        """The seat's number, and the choice by number and by name, if the seat may make it now."""
        if seat not in self.seats:
            raise IllegalChoice(f"there is no seat {show(seat)} in this game, only {listing(self.seats)}")
        number = self.seats.index(seat)
        identity, name = self._identify(number, choice)
        if not self.game.allows(self.state, number, identity):
            raise IllegalChoice(f"{seat} cannot choose {show(name)}; {self._legal_for(seat)}")
        return number, identity, name

    def _identify(self, seat: int, choice: str | int) -> tuple[int, str]:
        """A choice by number and by name, whichever was given."""
        if isinstance(choice, str):
            return self.game.choice_id(self.rules, self.state, seat, choice), choice
        if not isinstance(choice, int) or isinstance(choice, bool):
            raise MalformedChoice(f"a choice is a name or a number, not {show(choice)}")
        if not 0 <= choice < self.game.choice_count:
            raise MalformedChoice(f"there is no choice number {choice}; they go from 0 to {self.game.choice_count - 1}")
        if not self.game.allows(self.state, seat, choice):
            return choice, f"number {choice}"
        return choice, self.game.choice_name(self.rules, self.state, seat, choice)

    def _change(self, seat: Seat, name: str, told: list[tuple[int, ...]]) -> None:
        """Put a changed choice where the seat's sealed one stands."""
        index = max(k for k, (owner, _) in enumerate(self._choices) if owner == seat)
        self._choices[index] = (seat, name)
        self._told[index + 1] = told

    def _take_log(self) -> list[tuple[int, ...]]:
        told, self.state.log = self.state.log, []
        return told or []

    def _legal_for(self, seat: Seat) -> str:
        """What a seat may choose, for a message to that seat: nothing in it is about anybody else."""
        if self.outcome is not None:
            return "the game is over"
        if not self.game.may_choose(self.state, self.seats.index(seat)):
            return "it owes no choice now"
        return f"legal here: {self._options(seat)}"

    def _awaited(self) -> str:
        """Who owes which choice, for a message about a record."""
        if self.outcome is not None:
            return "the game is over"
        return f"waiting for {listing(f'{seat} ({self._options(seat)})' for seat in self.waiting)}"

    def _options(self, seat: Seat) -> str:
        pending = self.game.pending(self.rules, self.state, self.seats.index(seat))
        if isinstance(pending, list):
            return listing(pending, 30)
        verb = "plan" if pending["take"] < len(pending["arrange"]) else "reorder"
        return f"{verb}: with {pending['take']} of {','.join(pending['arrange'])} in any order"

    def view(self, seat: Seat | None) -> View:
        """What a seat may know; None or "spectator" for what everybody knows."""
        if seat is None or seat == SPECTATOR:
            return View(self.game, self.rules, None, self.game.reveal(self.state, -1))
        if seat not in self.seats:
            raise Fault(f"there is no seat {show(seat)} in this game; the seats are {listing(self.seats)}, {SPECTATOR}")
        return View(self.game, self.rules, seat, self.game.reveal(self.state, self.seats.index(seat)))

    def glimpse(self, seat: Seat | None) -> View:
        """What a seat may know, made to be told at once and not to be kept: the same view of plain values."""
        if self._plain is None or self._plain[0] is not self.state:
            self._plain = (self.state, plain(self.game.state_type)(self.state))
        number = -1 if seat is None else self.seats.index(seat)
        return View(self.game, self.rules, seat, self.game.reveal(self._plain[1], number))

    def events(self, seat: Seat | None = None, everything: bool = False) -> list[Event]:
        """All that has happened, as a seat (None: a spectator) was told; or everything, for the finished game."""
        told = (self.game.event(self.rules, raw) for raws in self._told for raw in raws)
        return [event for event in told if everything or event.seen_by(None if seat == SPECTATOR else seat)]

    def told(self, seat: Seat | None = None) -> list[tuple[int, Event]]:
        """The events a seat (None: a spectator) was told, each with the moment at which it happened."""
        heard = []
        for moment, raws in zip(self._moments, self._told, strict=False):
            for raw in raws:
                event = self.game.event(self.rules, raw)
                if event.seen_by(None if seat == SPECTATOR else seat):
                    heard.append((moment, event))
                moment += event.audience is None
        return heard

    @property
    def moment(self) -> int:
        """A number that grows with every decision that takes effect, and never when a choice is only sealed.

        It names the position that a choice answers, to everybody alike, and tells nobody who has chosen already.
        """
        return self._moments[-1]

    def position(self) -> dict[str, Any]:
        """The full state as the record format writes it, secrets included."""
        position = self.game.describe(self.rules, self.state)
        position["pending"] = {
            seat: self.game.pending(self.rules, self.state, self.seats.index(seat)) for seat in self.waiting
        }
        return position

    def record(self) -> dict[str, Any]:
        """The whole match so far as data, in the format of the rulebook of records."""
        if not self._whole:
            raise Fault("a redealt match starts in the middle of a game and has no record")
        return deepcopy(self.header.as_json([list(choice) for choice in self._choices]))
