"""A match: a record's header and its choices so far, the state they lead to, and what each seat may know."""

import operator
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple, Self, overload

from meadhall.engine.layout import EVERYONE, Log, Record
from meadhall.engine.plain import as_record, plain
from meadhall.engine.rng import seeded
from meadhall.faults import ChoiceFault, Fault, IllegalChoice, MalformedChoice, RecordFault, listing, show
from meadhall.games.game import SPECTATOR, Event, Game, Outcome, Seat, game_named
from meadhall.record import Header, RecordData, parse, read_header


class Choices(Sequence[str]):
    """The names of what a seat may choose, in the order of their numbers; each is spelt out when it is looked at."""

    def __init__(self, view: "View") -> None:
        self._view = view
        self._ids = view.choice_ids

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self._name(number) for number in self._ids[index])
        return self._name(self._ids[index])

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._view.is_legal(name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Choices | tuple | list):
            return NotImplemented
        return len(self) == len(other) and all(one == another for one, another in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} choices: {listing(self[:3], 3)}{', ...' if len(self) > 3 else ''}>"

    def _name(self, number: int) -> str:
        view = self._view
        return view.game.choice_name(view.rules, view.plain, view.number, number)


class View:
    """All that one seat may know of a position; a bot gets this and nothing else.

    `seat` is whose view it is, `rules` has all options of the game, `past` what all saw on the turns before, as far as
    the game has it remembered. Two views are equal if the seat and everything it may know of the position are.
    """

    def __init__(
        self,
        game: Game,
        rules: dict[str, Any],
        seat: Seat,
        revealed: Any,
        closed: bool = False,
        past: tuple[bytes, ...] = (),
    ) -> None:
        self.game = game
        self.rules = rules
        self.seat = seat
        self.past = past
        self.is_closed = closed  # nobody is asked anything here any more, though the game is not over
        self._revealed = revealed  # a record, its plain twin, or the bytes of either, which take the least room

    def closed(self) -> "View":
        """The same view of a table that was closed before the end: there is nothing to choose."""
        return View(self.game, self.rules, self.seat, self._revealed, closed=True, past=self.past)

    def seen_by(self, seat: Seat) -> "View":
        """The position as another seat, or a spectator, knows it, as far as this seat can tell; it asks for nothing.

        It is made from this view alone, so it tells nothing that this seat does not know.
        """
        number = -1 if seat == SPECTATOR else self.game.seats(self.rules).index(seat)
        return View(self.game, self.rules, seat, self.game.reveal(self.plain, number), closed=True, past=self.past)

    @cached_property
    def state(self) -> Any:
        """The view as a record like the full state, with the rest unknown."""
        revealed = self._revealed
        if isinstance(revealed, bytes):
            return self.game.state_type.from_buffer_copy(revealed)
        return revealed if isinstance(revealed, Record) else as_record(self.game.state_type, revealed)

    @cached_property
    def plain(self) -> Any:
        """The same as `state`, with plain numbers and lists for fields, which Python reads several times faster."""
        revealed = self._revealed
        return plain(self.game.state_type)(revealed) if isinstance(revealed, Record | bytes) else revealed

    @property
    def is_spectator(self) -> bool:
        """Is this what everybody may know?"""
        return self.seat == SPECTATOR

    @property
    def _only_looks(self) -> bool:
        return self.is_spectator or self.is_closed

    @cached_property
    def number(self) -> int:
        """The seat's number, -1 for a spectator."""
        return -1 if self.is_spectator else self.game.seats(self.rules).index(self.seat)

    @property
    def owes(self) -> bool:
        """Does this seat owe a choice?"""
        return not self._only_looks and self.game.owes(self.plain, self.number)

    @property
    def may_choose(self) -> bool:
        """Is there anything this seat may choose now, be it to change what it has sealed?"""
        return not self._only_looks and self.game.may_choose(self.plain, self.number)

    @property
    def arranges(self) -> bool:
        """Is this seat to put pieces in order? Then what it may choose is better told by `pending`."""
        return not self._only_looks and self.game.arranges(self.plain, self.number)

    @property
    def pending(self) -> Any:
        """What the record format's `pending` says of this seat: its choices, or what it is to put in order."""
        return self.game.pending(self.rules, self.plain, self.number) if self.may_choose else []

    @property
    def own(self) -> str | None:
        """What the seat has chosen and nobody else may see yet."""
        return self.game.own(self.rules, self.plain, self.number)

    @cached_property
    def choice_ids(self) -> Sequence[int]:
        """The numbers of what the seat may choose, a sealed choice being open to change."""
        return () if self._only_looks else self.game.choice_ids(self.plain, self.number)

    @cached_property
    def choices(self) -> Choices:
        """The names of what the seat may choose, in the order of their numbers."""
        return Choices(self)

    def is_legal(self, choice: str | int) -> bool:
        """May the seat make this choice, by name or number, now?"""
        if self._only_looks:
            return False
        try:
            number = _choice_number(self.game, self.rules, self.plain, self.number, choice)
        except MalformedChoice:
            return False
        return self.game.allows(self.plain, self.number, number)

    def sample(self, rng: Random) -> str:
        """One of the choices, each equally likely, without a list of all of them."""
        if not self.may_choose:
            raise Fault(f"{self.seat} has nothing to choose now")
        number = self.game.sample(self.plain, self.number, rng)
        return self.game.choice_name(self.rules, self.plain, self.number, number)

    def json(self) -> dict[str, Any]:
        """The state as this seat may know it, as `meadhall replay --seat` prints it."""
        game, state, number = self.game, self.plain, self.number
        position = game.describe(self.rules, state)
        if self.owes:
            position["pending"] = {self.seat: game.pending(self.rules, state, number)}
        position["own"] = game.own(self.rules, state, number)
        return position

    def redeal(self, rng: Random | int | str) -> "Match":
        """A match that goes on from here in one of the worlds this seat cannot rule out, all equally likely.

        It is made from the view alone, so it cannot tell anything the view does not.
        """
        world = self.state.copy()
        seed = rng.getrandbits(62) if isinstance(rng, Random) else rng
        self.game.redeal(world, self.number, seeded(seed))
        return Match._in_the_middle(self.game, self.rules, world, self.past)

    def _key(self) -> tuple[str, Seat, bytes]:
        revealed = self._revealed
        known = bytes(revealed) if isinstance(revealed, Record | bytes) else revealed.packed()
        return self.game.name, self.seat, known

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self._key() == other._key() and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        what = f"{self.choices!r}" if self.may_choose else "nothing to choose"
        return f"<View of {self.game.name} for {self.seat}: {what}>"

    def __str__(self) -> str:
        return "\n".join(f"{key}: {show(value, 200)}" for key, value in self.json().items())


@dataclass(frozen=True)
class Beat:
    """The smallest thing worth watching: what kind of thing, when, its events, and the position as a seat saw it then.

    The kinds are the game's own; "" is what a choice changed in the end, such as who is asked next.
    """

    kind: str
    moment: int
    events: tuple[Event, ...]
    view: View


__all__ = ["SPECTATOR", "Beat", "Choices", "Events", "Match", "Seat", "View"]


class Match:
    """One game being played or replayed. Seats and choices go by name; choices also by number.

    `game` is what the game declares, `rules` has all its options, and `seats` are those that choose, in order.
    """

    def __init__(self, header: Header) -> None:
        self._begin(header, header.game.start(header.full_rules, header.setup), whole=True)
        self._logs = [self._take_log()]
        self._moments = [0, _public(self._logs[0])]

    def _begin(self, header: Header, state: Any, whole: bool) -> None:
        self.header = header
        self.game = header.game
        self.rules = header.full_rules
        self.state = state
        self.seats = self.game.seats(self.rules)
        self._whole = whole  # does it have a record from the first choice on?
        self._tried: _Tried | None = None  # the last choice that was tried on this state
        self._plain: tuple[bytes, Any] = (b"", None)  # the state's plain twin, made once for all who look
        self._choices: list[tuple[Seat, str]] = []
        self._past: tuple[bytes, ...] = ()  # what all saw on the turns before
        self._logs = [Log()]
        self._moments = [0, 0]  # before each of the logs, and after the last

    @classmethod
    def new(cls, game: str, rules: dict[str, Any] | None = None, seed: int | str = 0) -> Self:
        """A fresh match, dealt from the seed; the rules may name any of the game's options."""
        chosen = game_named(game)
        given = deepcopy(chosen.smallest_rules if rules is None else rules)
        full = chosen.check_rules(given)
        return cls(Header(chosen, given, chosen.deal(full, seed), full, {"seed": seed}))

    @classmethod
    def from_record(cls, record: str | bytes | RecordData | dict[str, Any]) -> Self:
        """The match a record leads to; the record may be JSON text or the parsed object."""
        parsed: Any = parse(record) if isinstance(record, str | bytes) else record
        try:
            match = cls(deepcopy(read_header(parsed)))
        except RecursionError:
            raise RecordFault("not a record (nested too deeply); a record is one JSON object") from None
        for index, entry in enumerate(parsed["choices"]):
            match.replay_choice(entry, index)
        return match

    @classmethod
    def _in_the_middle(cls, game: Game, rules: dict[str, Any], state: Any, past: tuple[bytes, ...]) -> "Match":
        """A match that starts at a redealt position: it has no record."""
        match = cls.__new__(cls)
        match._begin(Header(game, rules, {}, rules), state, whole=False)
        match._past = past
        return match

    def copy(self) -> "Match":
        """Another match at the same position: what is chosen there does not change this one."""
        twin = type(self).__new__(type(self))
        twin._begin(self.header, self.state.copy(), self._whole)
        twin._choices, twin._logs, twin._moments = self._choices[:], self._logs[:], self._moments[:]
        twin._past = self._past
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "Match":
        return self.copy()

    def __repr__(self) -> str:
        stands = f"over by {self.outcome.reason}" if self.outcome else f"waiting for {', '.join(self.waiting)}"
        return f"<Match of {self.game.name} after {len(self._choices)} choices, {stands}>"

    # Who may choose what

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that owe a choice: one for a turn, several for simultaneous choices, none at the end."""
        return tuple([self.seats[k] for k in self.game.asking_order(self.state) if self.game.owes(self.state, k)])

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.game.outcome(self.rules, self.state)

    def choices(self, seat: Seat) -> Choices:
        """The names of all the seat may choose now."""
        return self.view(seat).choices

    def choice_ids(self, seat: Seat) -> Sequence[int]:
        """The numbers of all the seat may choose now, in the same order as `choices`."""
        return self.view(seat).choice_ids

    def is_legal(self, seat: Seat, choice: str | int) -> bool:
        """Would `commit` take this choice, by name or number, now?"""
        return self.view(seat).is_legal(choice)

    # Play

    def commit(self, seat: Seat, choice: str | int) -> "Events":
        """Make a choice, or change one that is still sealed; gives what happened, with who may know of it."""
        tried = self._try(seat, choice)
        number, name, after = tried.number, tried.name, tried.after
        changed = not self.game.owes(self.state, number)
        if (remembered := tried.remembered) is not None:
            self._past = (*self._past, remembered)
        self._tried = None
        self.state = after
        log = self._take_log()
        if changed:
            moment = self._change(seat, name, log)
        else:
            moment = self.moment
            self._choices.append((seat, name))
            self._logs.append(log)
            # A seat that owes a second choice at once has moved on, though nobody is told until both are in.
            self._moments.append(moment + (_public(log) or self.game.owes(self.state, number)))
        return Events(self.game, self.rules, log, moment)

    def check(self, seat: Seat, choice: str | int) -> str:
        """The name of a choice that `commit` would take now; raises what it would raise, and changes nothing."""
        return self._try(seat, choice).name

    def ends_with(self, seat: Seat, choice: str | int) -> bool:
        """Would this legal choice end the game?"""
        return self.game.outcome(self.rules, self._try(seat, choice).after) is not None

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
            self.commit(seat, name)
        except MalformedChoice as malformed:
            raise RecordFault(f"{seat}: {malformed}; {self._legal_for(seat)}", index) from None
        except ChoiceFault as illegal:
            awaited = "" if seat in self.seats else f"; {self._awaited()}"
            raise RecordFault(f"{illegal}{awaited}", index) from None

    def _try(self, seat: Seat, choice: str | int) -> "_Tried":
        """What a choice leads to, if the seat may make it now; one that was just tried is not tried again."""
        tried = self._tried
        # By type too: True is no number of a choice, though it equals one.
        if tried is None or (tried.seat, tried.choice, type(tried.choice)) != (seat, choice, type(choice)):
            number, identity, name = self._legal(seat, choice)
            after = self.state.copy()
            after.log = Log()
            self.game.commit(after, number, identity)
            lack = self.game.missing(after)
            if lack is not None:  # a set-up that does not reach this far is a fault of the record
                raise RecordFault(lack)
            remembered = self.game.remembered(self.state, number, identity)
            tried = self._tried = _Tried(number, name, after, seat, choice, remembered)
        return tried

    def _legal(self, seat: Seat, choice: str | int) -> tuple[int, int, str]:
        """The seat's number, and the choice by number and by name, if the seat may make it now."""
        if seat not in self.seats:
            raise IllegalChoice(f"there is no seat {show(seat)} in this game, only {listing(self.seats)}")
        number = self.seats.index(seat)
        identity = _choice_number(self.game, self.rules, self.state, number, choice)
        allowed = self.game.allows(self.state, number, identity)
        if isinstance(choice, str):
            name = choice
        else:
            named = self.game.choice_name(self.rules, self.state, number, identity) if allowed else ""
            name = named or f"number {identity}"
        if not allowed:
            raise IllegalChoice(f"{seat} cannot choose {show(name)}; {self._legal_for(seat)}")
        return number, identity, name

    def _change(self, seat: Seat, name: str, log: Log) -> int:
        """Put a changed choice where the seat's sealed one stands; gives the moment of that."""
        places = [k for k, (owner, _) in enumerate(self._choices) if owner == seat]
        if not places:  # sealed before a redealt match began, which has no record of it
            self._logs[0] = log
            return self._moments[0]
        self._choices[places[-1]] = (seat, name)
        self._logs[places[-1] + 1] = log
        return self._moments[places[-1] + 1]

    def _take_log(self) -> Log:
        log: Log = self.state.log
        self.state.log = None
        log.after = bytes(self.state)
        return log

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

    # Who knows what

    def view(self, seat: Seat = SPECTATOR) -> View:
        """What a seat may know, or a spectator, who knows what everybody knows."""
        number = self._seat_number(seat)
        now = bytes(self.state)
        if self._plain[0] != now:
            self._plain = (now, plain(self.game.state_type)(self.state))
        return View(self.game, self.rules, seat, self.game.reveal(self._plain[1], number), past=self._past)

    def opened(self, seat: Seat = SPECTATOR) -> View:
        """The finished game as a seat looks at it, with everything turned up; a Fault before the end.

        The record of a finished game shows all of it to everybody.
        """
        self._seat_number(seat)
        if self.outcome is None:
            raise Fault("the game is not over: what lies face down stays so")
        return View(self.game, self.rules, seat, self.state.copy())

    def events(self, seat: Seat = SPECTATOR) -> list[Event]:
        """All that has happened, as a seat or a spectator may know it."""
        self._seat_number(seat)
        return [event for event in self.full_events() if event.seen_by(seat)]

    def full_events(self) -> list[Event]:
        """All that has happened, secrets included: for the finished game."""
        logs = zip(self._logs, self._moments, strict=False)
        return [event for log, moment in logs for event in Events(self.game, self.rules, log, moment)]

    def timeline(self, seat: Seat = SPECTATOR, since: int = 0) -> list[Beat]:
        """Everything worth watching in order, each beat with its events and the position as this seat saw it then.

        A choice that changes what the seat sees, such as one of its own that is only sealed, ends with a beat too.
        With `since`, what had happened before that moment is left out, choice by choice.
        """
        eyes = _Eyes(self.game, self.rules, seat, self._seat_number(seat))
        return [beat for beats in self._timeline(since, eyes) for beat in beats]

    def opened_timeline(self, seat: Seat = SPECTATOR) -> list[list[Beat]]:
        """The finished game with everything turned up and every secret told; a Fault before the end.

        The first list has the beats of the deal, then there is one for each choice.
        """
        self.opened(seat)
        return self.full_timeline(seat)

    def full_timeline(self, seat: Seat = SPECTATOR) -> list[list[Beat]]:
        """The same as `opened_timeline`, of any game, secrets included: for whoever holds its record."""
        return self._timeline(0, _Eyes(self.game, self.rules, seat, self._seat_number(seat), open=True))

    def _timeline(self, since: int, eyes: "_Eyes") -> list[list[Beat]]:
        """The beats of each choice, from a moment on."""
        found: list[list[Beat]] = []
        shown: View | None = None
        for log, (moment, after) in zip(self._logs, pairwise(self._moments), strict=True):
            if after >= since:
                found.append(self._beats(log, moment, eyes, shown))
                shown = found[-1][-1].view if found[-1] else shown
        return found

    def _beats(self, log: Log, moment: int, eyes: "_Eyes", before: View | None) -> list[Beat]:
        """What one choice brought about."""
        beats: list[Beat] = []
        gathered: list[Event] = []
        frame: tuple[str, bytes] | None = None  # of the beat that is being gathered

        def close(kind: str, state: bytes) -> None:
            beats.append(Beat(kind, gathered[0].moment, tuple(gathered), eyes.view(state)))
            gathered.clear()

        for index, event in enumerate(Events(self.game, self.rules, log, moment)):
            if index in log.frames:  # also where its first event is another seat's secret
                if frame is not None and gathered:
                    close(*frame)
                frame = log.frames[index]
            if eyes.open or event.seen_by(eyes.seat):
                gathered.append(event)
        if frame is not None and gathered:
            close(*frame)
        if log.after:
            after = eyes.view(log.after)
            shown = beats[-1].view if beats else before
            if gathered or (after is not shown and after != shown):
                beats.append(Beat("", moment + _public(log), tuple(gathered), after))
        return beats

    def _seat_number(self, seat: Seat) -> int:
        if seat == SPECTATOR:
            return -1
        if seat not in self.seats:
            raise Fault(f"there is no seat {show(seat)} in this game; the seats are {listing(self.seats)}, {SPECTATOR}")
        return self.seats.index(seat)

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

    def record(self) -> RecordData:
        """The whole match so far as data, in the record format."""
        if not self._whole:
            raise Fault("a redealt match starts in the middle of a game and has no record")
        return deepcopy(self.header.as_json([list(choice) for choice in self._choices]))


@dataclass
class _Eyes:
    """Through whose eyes a timeline is seen: a seat's or a spectator's, or with everything open."""

    game: Game
    rules: dict[str, Any]
    seat: Seat
    number: int
    open: bool = False
    _last: tuple[bytes, View] | None = None  # the state they saw last, and what they saw of it

    def view(self, state: bytes) -> View:
        """What they saw of an earlier state; the next one is often the same."""
        if self._last is None or self._last[0] != state:
            revealed = state if self.open else self._revealed(state)
            self._last = (state, View(self.game, self.rules, self.seat, revealed))
        return self._last[1]

    def _revealed(self, state: bytes) -> bytes:
        """As bytes: there are hundreds of beats, and most are only passed by."""
        revealed: bytes = self.game.reveal(plain(self.game.state_type)(state), self.number).packed()
        return revealed


class _Tried(NamedTuple):
    """A choice that was tried: the seat's number, the choice's name and the state after it, by what was asked."""

    number: int
    name: str
    after: Any
    seat: Seat
    choice: str | int
    remembered: bytes | None


class Events(Sequence[Event]):
    """The events of one choice, named when they are first looked at: a page of a long game looks at all of them."""

    def __init__(self, game: Game, rules: dict[str, Any], log: Log, moment: int) -> None:
        self._game, self._rules, self._log, self._moment = game, rules, log, moment

    @property
    def _named(self) -> tuple[Event, ...]:
        log, first = self._log, self._moment
        if log.named is None or log.named[0] != (first, len(log.events)):
            named = []
            moment = first
            for raw in log.events:
                named.append(self._game.event(self._rules, raw, moment))
                moment += raw[-1] == EVERYONE
            log.named = ((first, len(log.events)), tuple(named))
        found: tuple[Event, ...] = log.named[1]
        return found

    def __len__(self) -> int:
        return len(self._log.events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self._named[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._named)

    def __repr__(self) -> str:
        return f"<{len(self)} events: {', '.join(event.code for event in self)}>"


def _public(log: Log) -> int:
    """How many of the events everybody sees."""
    return sum(raw[-1] == EVERYONE for raw in log.events)


def _choice_number(game: Game, rules: dict[str, Any], state: Any, seat: int, choice: object) -> int:
    """A choice by its number, whether its name or its number was given; any whole number will do, NumPy's too."""
    if isinstance(choice, str):
        return game.choice_id(rules, state, seat, choice)
    if isinstance(choice, bool) or not hasattr(choice, "__index__"):
        raise MalformedChoice(f"a choice is a name or a number, not {show(choice)}")
    number = operator.index(choice)
    if not 0 <= number < game.choice_count:
        raise MalformedChoice(f"there is no choice number {number}; they go from 0 to {game.choice_count - 1}")
    return number
