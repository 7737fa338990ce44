"""How a game's names, choices, events and endings are said in a language; each game adds what is its own."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

from meadhall.games.game import Event, Outcome, game_named

if TYPE_CHECKING:
    from meadhall.words import Words

_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))[¡¿«„(]?\w")


class Grammar(ABC):
    """What any game says, in one language.

    A message is found by its key: the event `lost` of Goths with the cause `axe` is told by `goths.event.lost.axe`;
    one that needs no variants, such as `loaded`, by `goths.event.loaded`.
    """

    # The arguments that pick a variant of an event's sentence: the first for which there is one decides.
    variant_by: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    # Kinds of argument that only pick a variant of the sentence and are never named in it.
    unnamed: ClassVar[frozenset[str]] = frozenset()
    # Numbers that are told with their noun.
    counted: ClassVar[Mapping[str, str]] = {}
    # What a choice's message calls the part of its name after the colon, and its kind (None: a number).
    chosen: ClassVar[Mapping[str, tuple[str, str | None]]] = {}
    # Events that a story cuts before; they head what follows.
    headings: ClassVar[tuple[str, ...]] = ("turn", "round")
    # Events told in one sentence within a turn: the argument that is listed, the one they must share.
    gathered: ClassVar[Mapping[str, tuple[str, str | None]]] = {}

    def __init__(self, game: str, words: "Words") -> None:
        self.game, self.words = game, words

    def say(self, key: str, **args: object) -> str:
        """A message of the game, by its key without the game's name."""
        return self.words.say(f"{self.game}.{key}", **args)

    def title(self) -> str:
        """The name of the game."""
        return self.say("title")

    def name(self, kind: str, value: str) -> str:
        """The name of a piece, without an article."""
        return self.say(f"{kind}.{value}")

    def seat(self, seat: str) -> str:
        """The name of a seat."""
        return self.name("seat", seat)

    def side(self, side: str) -> str:
        """The name of a side: where each seat is one, the seat's."""
        return self.seat(side)

    @abstractmethod
    def outcome(self, outcome: Mapping[str, Any]) -> str:
        """How a game ended, from its outcome as records write it."""

    def victory(self, winners: Sequence[str]) -> str:
        """That these sides won."""
        return self.words.say("ui.over.victory", list=", ".join(map(self.side, winners)))

    def reason(self, outcome: Outcome) -> str:
        """Why a game is over; who won is said beside it."""
        return self.outcome(outcome.record)

    def choice(self, choice: str) -> str:
        """A label for a choice, from its name."""
        verb, _, rest = choice.partition(":")
        exact = f"choice.{choice.replace(':', '.')}"
        if f"{self.game}.{exact}" in self.words.messages:
            return self.say(exact)
        called, kind = self.chosen[verb]
        args = self.named(called, kind, rest.partition(",")[0])
        if "," in rest:
            args[called] = ", ".join(self.name(called, part) for part in rest.split(","))
        return capitals(self.say(f"choice.{verb}", **args))

    # Events

    def arguments(self, event: Event) -> dict[str, Any]:
        """An event's arguments, as its sentence needs them."""
        return dict(event.args)

    def event_key(self, code: str, args: Mapping[str, Any]) -> str:
        """The key of an event's sentence, in the variant its arguments call for."""
        variants = (f"event.{code}.{args[arg]}" for arg in self.variant_by.get(code, ()))
        return next((each for each in variants if f"{self.game}.{each}" in self.words.messages), f"event.{code}")

    def named(self, arg: str, kind: str | None, value: Any) -> dict[str, object]:
        """The placeholders one argument fills: its name, and what its kind has beside a name."""
        if kind in self.unnamed:
            return {}
        if kind is None:
            return {arg: self.words.say(self.counted[arg], n=value) if arg in self.counted else value}
        if kind == "clan":
            forms = {arg: "the-clan", f"of_{arg}": "of-clan", f"{arg}_label": "clan"}
            return {placeholder: self.name(form, value) for placeholder, form in forms.items()}
        return {arg: self.name(kind, value)}

    def kind_of(self, code: str, arg: str, args: Mapping[str, Any]) -> str | None:
        """The vocabulary of an argument of an event; None for a number."""
        return _kinds(self.game)[code][arg]

    def filled(self, event: Event) -> dict[str, object]:
        """What the placeholders of an event's sentence stand for."""
        args = self.arguments(event)
        filled: dict[str, object] = {"n": args["units"]} if "units" in args else {}
        for arg, value in args.items():
            filled |= self.named(arg, self.kind_of(event.code, arg, args), value)
        return filled

    def event(self, event: Event) -> str:
        """One sentence for one event."""
        return capitals(self.say(self.event_key(event.code, self.arguments(event)), **self.filled(event)))

    def belongs_to(self, event: Event) -> tuple[object, ...] | None:
        """What the events of a turn share that are told in one sentence with this one; None if it stands alone."""
        if event.code not in self.gathered:
            return None
        shared = self.gathered[event.code][1]
        return (event.code, None if shared is None else event.args[shared])

    def item(self, event: Event) -> str:
        """What one of several gathered events adds to the list."""
        listed = self.gathered[event.code][0]
        return self.name(listed, str(event.args[listed]))

    def sentence(self, group: Sequence[Event]) -> str:
        """One sentence for events that belong together."""
        event = group[-1]
        if len(group) == 1:
            return self.event(event)
        key, filled = self.event_key(event.code, self.arguments(event)), self.filled(event)
        filled["list"] = filled[self.gathered[event.code][0]] = ", ".join(self.item(each) for each in group)
        together = f"story.{event.code}"
        return capitals(self.say(together if f"{self.game}.{together}" in self.words.messages else key, **filled))

    # Stories

    def groups(self, events: Iterable[Event]) -> list[list[Event]]:
        """The events of a turn, those together that are told in one sentence, in the order of the last of each."""
        groups: dict[tuple[object, ...], list[Event]] = {}
        for k, event in enumerate(events):
            key = self.belongs_to(event) or (k,)
            groups[key] = [*groups.pop(key, []), event]
        return list(groups.values())

    def story(self, events: Iterable[Event]) -> list[str]:
        """Events as a story: a heading for each turn, under it a line for each thing that happened."""
        lines = []
        for turn in self._turns(_without_opened(list(events))):
            for group in self.groups(turn):
                if group[-1].code in self.headings:
                    lines.append(self.event(group[-1]))
                else:
                    lines.append(f"  {self.sentence(group)} [{group[-1].clause}]")
        return lines

    def _turns(self, events: Iterable[Event]) -> list[list[Event]]:
        """The events cut before each heading."""
        turns: list[list[Event]] = [[]]
        for event in events:
            if event.code in self.headings:
                turns.append([])
            turns[-1].append(event)
        return turns


class Plain(Grammar):
    """A game for which nobody has written any words yet: everything goes by the name it has in the record."""

    def title(self) -> str:
        """The game's name in records."""
        return self.game

    def name(self, kind: str, value: str) -> str:
        """A piece's name in records."""
        return value

    def choice(self, choice: str) -> str:
        """The choice as records write it."""
        return choice

    def outcome(self, outcome: Mapping[str, Any]) -> str:
        """The outcome as records write it."""
        return " ".join(f"{key}={value}" for key, value in outcome.items())

    def event(self, event: Event) -> str:
        """The event's code and its arguments."""
        return " ".join([event.code, *(f"{arg}={value}" for arg, value in event.args.items())])


@cache
def grammar_of(game: str) -> Callable[[str, "Words"], Grammar]:
    """The grammar of a game: `Grammar` of `meadhall.words.GAME`, or the plain one if there is no such module."""
    module = f"meadhall.words.{game}"
    if find_spec(module) is None:
        return Plain
    found: Callable[[str, Words], Grammar] = import_module(module).Grammar
    return found


@cache
def _kinds(game: str) -> dict[str, dict[str, str | None]]:
    """The vocabulary of each argument of each event of a game."""
    return {named.code: dict(named.args) for named in game_named(game).events.values()}


def capitals(text: str) -> str:
    """The text with a capital at the start of each sentence."""
    return _SENTENCE_START.sub(lambda start: start[0].upper(), text)


def _without_opened(events: list[Event]) -> list[Event]:
    """A sealed choice is worth telling until it takes effect: what happened then says it better."""
    opened = max((k for k, event in enumerate(events) if event.code != "sealed"), default=-1)
    return [event for k, event in enumerate(events) if event.code != "sealed" or k > opened]
