"""A game as OpenSpiel goes through it, node by node: chance first, then one seat's action at a time.

All of it is plain Python; `openspiel.py` puts it into OpenSpiel's classes. What is a game's own, its chance and its
other pasts, is in `spiel_NAME.py`.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from meadhall.engine.layout import EVERYONE, Log, RawEvent, Record
from meadhall.engine.plain import plain
from meadhall.envs.slots import Slot
from meadhall.faults import Fault, show
from meadhall.games.game import Game, Rules, Seat, game_named
from meadhall.match import View
from meadhall.record import Header, RecordData

Dealt = Sequence[int]
Outcomes = list[tuple[int, float]]


class Past(NamedTuple):
    """What was dealt, and by seat what was chosen, by name; the last one may be a part of an arrangement."""

    setup: dict[str, Any]
    choices: list[list[str]]


class _Heard(Log):
    """A log of events only: no picture of the state is kept with them."""

    def add(self, kind: str | None, state: Record, event: RawEvent) -> None:
        """Take in an event."""
        self.events.append(event)


class Ruleset:
    """The rules that a game is played by, complete, and the modules that say how."""

    def __init__(self, game: str, rules: Rules, one_by_one: bool = False) -> None:
        self.game: Game = game_named(game)
        self.numbers: ModuleType = import_module(f"meadhall.envs.{game}")
        self.own: ModuleType = import_module(f"meadhall.envs.spiel_{game}")
        self.rules = self.game.check_rules(rules)
        self.one_by_one = one_by_one
        self.seats: tuple[Seat, ...] = self.game.seats(self.rules)
        self.action_count = int(self.numbers.ONE_BY_ONE if one_by_one else self.game.choice_count)
        self.placements: Sequence[str] = self.numbers.WARRIORS if one_by_one else ()
        self.empty = Slot(one_by_one=one_by_one)  # nothing is being put in order

    def __reduce__(self) -> tuple[Any, ...]:
        return Ruleset, (self.game.name, self.rules, self.one_by_one)

    def choice_of(self, action: int) -> int:
        """The choice that an action is, if it is not a placement."""
        return action - len(self.placements) + self.numbers.CHARM if self.one_by_one else action

    def action_of(self, choice: int) -> int:
        """The action that a choice is, if it is not an arrangement made one by one."""
        return choice + len(self.placements) - self.numbers.CHARM if self.one_by_one else choice

    def action_name(self, state: Any, seat: int, action: int) -> str:
        """An action in words, as records have it; an arrangement of warriors that nobody knows has a number."""
        if action < len(self.placements):
            return f"place:{self.placements[action]}"
        choice = self.choice_of(action)
        if state is not None and self.game.allows(state, seat, choice):
            return self.game.choice_name(self.rules, state, seat, choice)
        return str(self.own.fixed_name(self.rules, choice))


class Telling:
    """One action and what came of it; the words are found when somebody asks for them."""

    def __init__(
        self, ruleset: Ruleset, before: Any, seat: int, action: int, choice: int, events: Sequence[RawEvent]
    ) -> None:
        self.ruleset, self.before, self.seat, self.action, self.events = ruleset, before, seat, action, events
        self.choice = choice  # that was made by it; -1 for a placement that finishes no arrangement, and for the deal

    @cached_property
    def name(self) -> str:
        """The action in words; the deal is nobody's."""
        return "" if self.seat < 0 else self.ruleset.action_name(self.before, self.seat, self.action)

    @cached_property
    def chosen(self) -> str:
        """The choice that was made by it, in words."""
        return self.ruleset.game.choice_name(self.ruleset.rules, self.before, self.seat, self.choice)

    def heard_by(self, seat: int) -> list[RawEvent]:
        """The events that a seat may know of."""
        return [event for event in self.events if event[-1] == EVERYONE or event[-1] >> seat & 1]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What each seat was told: its own action, and the events that it may know of."""
        game, rules = self.ruleset.game, self.ruleset.rules
        texts = [f"> {self.name}\n" if seat == self.seat else "" for seat in range(len(self.ruleset.seats))]
        for raw in self.events:
            event = game.event(rules, raw)
            line = " ".join([event.code, *(f"{name}={value}" for name, value in event.args.items())]) + "\n"
            for seat in range(len(texts)):
                if raw[-1] == EVERYONE or raw[-1] >> seat & 1:
                    texts[seat] += line
        return tuple(texts)


class Play:
    """One game under way. States and tellings are never changed, so copies share them."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.dealt: tuple[int, ...] = ()
        self.state: Any = None  # until all is dealt
        self.seat = -1  # that is to act, of several that owe a choice the first; -1 while dealing and at the end
        self.slot: Slot = ruleset.empty
        self.told: list[Telling] = []
        self._legal: Sequence[int] | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.ruleset.game

    @property
    def rules(self) -> dict[str, Any]:
        """Its rules, complete."""
        return self.ruleset.rules

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Its seats in order."""
        return self.ruleset.seats

    def copy(self) -> "Play":
        """Another play at the same node."""
        twin = Play(self.ruleset)
        twin.dealt, twin.state, twin.seat, twin.slot = self.dealt, self.state, self.seat, self.slot
        twin.told, twin._legal = self.told[:], self._legal
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Play":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return replayed, (self.ruleset, self.actions)

    @property
    def actions(self) -> list[int]:
        """All that was dealt and done, by number."""
        return [*self.dealt, *(telling.action for telling in self.told if telling.seat >= 0)]

    # Whose turn it is and what may be done

    @property
    def dealing(self) -> bool:
        """Is chance at work?"""
        return self.state is None

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return not self.dealing and self.seat < 0

    def outcomes(self) -> Outcomes:
        """What chance can deal next, and how likely each is."""
        found: Outcomes = self.ruleset.own.outcomes(self.rules, self.dealt)
        return found

    def legal(self) -> Sequence[int]:
        """What the seat that is to act may do, by number."""
        if self._legal is None:
            state, seat, placements = self.state, self.seat, self.ruleset.placements
            if not placements:
                self._legal = self.game.choice_ids(state, seat)
            elif self.game.arranges(state, seat):
                may_take = self.ruleset.numbers.may_take
                self._legal = [k for k in range(len(placements)) if may_take(state, self.slot, seat, k)]
            else:
                self._legal = [self.ruleset.action_of(choice) for choice in self.game.choice_ids(state, seat)]
        return self._legal

    def action_name(self, seat: int, action: int) -> str:
        """An action, or with seat -1 an outcome of chance, in words."""
        if seat < 0:
            return str(self.ruleset.own.outcome_name(self.rules, self.dealt, action))
        return self.ruleset.action_name(self.state, seat, action)

    # How it goes on

    def apply(self, action: int) -> None:
        """Deal an outcome or take an action; a ValueError if that is not possible here."""
        if self.dealing:
            self._deal(action)
            return
        ruleset, before, seat = self.ruleset, self.state, self.seat
        if seat < 0:
            raise ValueError("the game is over: nobody may take an action")
        slot = self.slot.copy()
        if not ruleset.numbers.may_take(before, slot, seat, action):
            raise ValueError(f"{self.seats[seat]} may not take action {action}; legal are {show(self.legal())}")
        choice = int(ruleset.numbers.choose(before, slot, seat, action))
        events: tuple[RawEvent, ...] = ()
        if choice >= 0:
            state = before.copy()
            state.log = _Heard()
            self.game.commit(state, seat, choice)
            events = tuple(state.log.events)
            self._move_to(state)
        self.slot, self._legal = slot, None
        self.told.append(Telling(ruleset, before, seat, action, choice, events))

    def _deal(self, outcome: int) -> None:
        possible = [each for each, _ in self.outcomes()]
        if outcome not in possible:
            raise ValueError(f"chance cannot deal {outcome} here; its outcomes are {possible}")
        self.dealt = (*self.dealt, outcome)
        if len(self.dealt) == self.ruleset.own.chance_nodes(self.rules):
            state = self.game.start(self.rules, self.setup)
            self.told.append(Telling(self.ruleset, None, -1, -1, -1, tuple(state.log.events)))
            self._move_to(state)

    def _move_to(self, state: Any) -> None:
        """The state is this from now on, and not changed any more."""
        state.log = None
        self.state = state
        self.seat = int(self.ruleset.numbers.next_seat(state))

    @property
    def setup(self) -> dict[str, Any]:
        """What was dealt, as a record writes it."""
        found: dict[str, Any] = self.ruleset.own.setup_of(self.rules, self.dealt)
        return found

    def returns(self) -> list[float]:
        """What the game is worth to each seat once it is over, 0 before."""
        outcome = None if self.dealing else self.game.outcome(self.rules, self.state)
        return [outcome.returns[seat] if outcome else 0.0 for seat in self.seats]

    # What a seat knows

    def view(self, seat: int) -> View:
        """What a seat may know of the position."""
        revealed = self.game.reveal(plain(self.game.state_type)(self.state), seat)
        return View(self.game, self.rules, self.seats[seat], revealed)

    def tale(self, seat: int) -> str:
        """All that a seat has done and was told, in order: a longer game's begins with a shorter one's."""
        return "".join([f"{self.seats[seat]}\n", *(telling.texts[seat] for telling in self.told)])

    def told_to(self, seat: int) -> list[tuple[int, ...]]:
        """The same as the rules emit it, the own actions left out."""
        return [event for telling in self.told for event in telling.heard_by(seat)]

    def observed(self, seat: int) -> str:
        """What a seat knows of the position, whatever led there, in words."""
        if self.dealing:
            return f"{self.seats[seat]}\n"
        known = self.view(seat).json()
        if self.placing(seat):
            known["placed"] = self.placed
        return f"{self.seats[seat]}\n" + _lines(known)

    def observation(self, seat: int) -> list[int]:
        """The same as numbers, as the vectorised environment has them; nothing but zeros before all is dealt."""
        numbers = self.ruleset.numbers
        out = [0] * int(numbers.SIZE)
        if not self.dealing:
            # What another is putting in order is not for this seat to see.
            slot = self.slot if self.placing(seat) else self.ruleset.empty
            numbers.observe(self.view(seat).plain, seat, slot, out)
        return out

    def placing(self, seat: int) -> int:
        """How many pieces of an unfinished arrangement this seat has placed."""
        return int(self.slot.count) if not self.over and self.seat == seat else 0

    # By name

    def choices_by_seat(self) -> list[list[str]]:
        """What each seat has chosen, by name; the last one may be an arrangement that is not finished."""
        choices: list[list[str]] = [[] for _ in self.seats]
        for telling in self.told:
            if telling.choice >= 0:
                choices[telling.seat].append(telling.chosen)
        if self.placed:
            choices[self.seat].append(self.placed)
        return choices

    @property
    def placed(self) -> str:
        """An arrangement that is not finished, as far as it goes; empty if there is none."""
        if self.over or not self.slot.count:
            return ""
        pending = self.game.pending(self.rules, self.state, self.seat)
        verb = "plan" if pending["take"] < len(pending["arrange"]) else "reorder"
        pieces = [self.ruleset.placements[telling.action] for telling in self.told[-self.slot.count :]]
        return f"{verb}:{','.join(pieces)}"

    def record(self) -> RecordData:
        """The game so far as a Meadhall record; an arrangement that is not finished is left out."""
        if self.dealing:
            raise Fault("there is no record before all is dealt")
        defaults = {option.name: option.default for option in self.game.options}
        rules = {name: value for name, value in self.rules.items() if value != defaults[name]}
        choices = [[self.seats[each.seat], each.chosen] for each in self.told if each.choice >= 0]
        return Header(self.game, rules, self.setup, self.rules).as_json(choices)

    def __str__(self) -> str:
        if self.dealing:
            own = self.ruleset.own
            names = [own.outcome_name(self.rules, self.dealt[:k], each) for k, each in enumerate(self.dealt)]
            return "\n".join(["dealing", *names])
        position = self.game.describe(self.rules, self.state)
        sealed = {name: self.game.own(self.rules, self.state, k) for k, name in enumerate(self.seats)}
        position["sealed"] = {name: choice for name, choice in sealed.items() if choice}
        if not self.over:
            position["pending"] = {self.seats[self.seat]: self.game.pending(self.rules, self.state, self.seat)}
            if self.placed:
                position["placed"] = self.placed
        return _lines(position).rstrip("\n")

    # Other ways here

    def follow(self, past: Past) -> Iterator[int]:
        """The actions that lead from the start through a past, each to be applied before the next is asked for.

        It ends where the seat that is to act has not chosen.
        """
        yield from self.ruleset.own.dealt_of(self.rules, past.setup)
        left = [iter(names) for names in past.choices]
        while not self.over:
            seat = self.seat
            name = next(left[seat], None)
            if name is None:
                break
            verb, _, pieces = name.partition(":")
            if self.ruleset.placements and verb in ("plan", "reorder"):
                yield from [self.ruleset.placements.index(piece) for piece in pieces.split(",")]
            else:
                yield self.ruleset.action_of(self.game.choice_id(self.rules, self.state, seat, name))
        unused = [name for names in left for name in names]
        if unused:
            raise Fault(f"{unused[0]} was chosen before it is asked for here, where seats choose in order")

    def another_past(self, seat: int, rng: Random) -> Past:
        """A past that the seat cannot tell from this one."""
        found: Past = self.ruleset.own.another(self, seat, rng)
        return found


def replayed(ruleset: Ruleset, actions: Sequence[int]) -> Play:
    """The play that actions lead to."""
    play = Play(ruleset)
    for action in actions:
        play.apply(action)
    return play


def _lines(position: dict[str, Any]) -> str:
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in position.items())
