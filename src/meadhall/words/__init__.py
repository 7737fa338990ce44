"""Events, choices, seats and outcomes in words: four languages, each a catalogue in `locale/`.

A message is found by its key. The event `lost` of Goths with the cause `axe` is told by
`goths.event.lost.axe`; one that needs no variants, such as `loaded`, by `goths.event.loaded`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from gettext import c2py
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from meadhall.games.game import Event, game_named
from meadhall.games.goths.state import ACTIONS, OBJECTIVES, TOKENS
from meadhall.games.romans.state import STRENGTH, WARRIORS
from meadhall.words.languages import check_language

# The arguments that pick a variant of an event's sentence: the first for which there is one decides.
_VARIANT_BY = {
    "understood": ("how",),
    "looked": ("sight",),
    "saw": ("sight", "thing"),
    "no-effect": ("why",),
    "turned-up": ("objective",),
    "lost": ("cause",),
    "protected": ("why",),
    "attacked": ("action",),
    "total": ("barred",),
    "kept": ("why",),
    "discarded": ("why",),
    "won": ("by",),
}
# Kinds of argument that only pick a variant of the sentence and are never named in it.
_UNNAMED = {"ending", "how", "why", "barred", "counts"}
# Numbers that are told with their noun.
_COUNTED = {"points": "ui.points", "forts": "romans.fort-count"}
# What a choice's message calls the part of its name after the colon, and its kind (None: a number).
_CHOSEN = {
    "order": ("card", "card"),
    "act": ("action", "action"),
    "look": ("sight", "sight"),
    "enter": ("place", "place"),
    "charm": ("clan", "clan"),
    "take": ("place", None),
    "discard": ("warrior", "warrior"),
    "pay": ("fort", "fort"),
    "plan": ("warrior", "warrior"),
    "reorder": ("warrior", "warrior"),
}
_HEADINGS = ("turn", "round")
# Events a story gathers into one line within a turn: the argument that is listed, the one they must share.
_GATHERED: dict[str, tuple[str, str | None]] = {
    "fort-drawn": ("fort", None),
    "dealt": ("warrior", "clan"),
    "laid": ("warrior", "clan"),
    "new-order": ("warrior", "clan"),
    "left": ("warrior", "clan"),
    "planned": ("clan", None),
    "shown": ("clan", None),
    "wrecked": ("clan", None),
    "won": ("clan", None),
}
_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))[¡¿«„(]?\w")


class Words:
    """One language: its messages by key, one form or a form for each plural."""

    def __init__(self, lang: str, messages: Mapping[str, Sequence[str]], plural: Callable[[int], int]) -> None:
        self.lang = lang
        self.messages = messages
        self.plural = plural

    def say(self, key: str, **args: object) -> str:
        """The message of a key, its placeholders filled; one with plural forms needs the number `n`."""
        forms = self.messages[key]
        n = args.get("n")
        form = self.plural(abs(n)) if len(forms) > 1 and isinstance(n, int) else 0
        return forms[form].format(**args)

    def title(self, game: str) -> str:
        """The name of a game."""
        return self.say(f"{game}.title")

    def name(self, game: str, kind: str, value: str) -> str:
        """The name of a piece, without an article: `name("goths", "card", "barbarian/vulture")`."""
        if kind == "card":
            character, bluff = (self.name(game, "character", part) for part in value.split("/"))
            return self.say(f"{game}.card", character=character, bluff=bluff)
        if kind == "back":
            one, other = (self.name(game, "character", part) for part in value.split("+"))
            return self.say(f"{game}.back", one=one, other=other)
        return self.say(f"{game}.{kind}.{value}")

    def seat(self, game: str, seat: str) -> str:
        """The name of a seat, or of a spectator."""
        if seat == "spectator":
            return self.say("ui.spectator")
        return self.name(game, "seat" if game == "goths" else "clan", seat)

    def choice(self, game: str, choice: str) -> str:
        """A label for a choice, from its name."""
        verb, _, rest = choice.partition(":")
        exact = f"{game}.choice.{choice.replace(':', '.')}"
        if exact in self.messages:
            return self.say(exact)
        called, kind = _CHOSEN[verb]
        args = self._named(game, called, kind, rest.partition(",")[0])
        if "," in rest:
            args[called] = ", ".join(self.name(game, called, part) for part in rest.split(","))
        return _capitals(self.say(f"{game}.choice.{verb}", **args))

    def outcome(self, game: str, outcome: Mapping[str, Any]) -> str:
        """How a game ended, from its outcome as records write it."""
        if game == "goths":
            if outcome["winner"] is None:
                return self.say("goths.outcome.turn-limit")
            return self._won(game, [outcome["winner"]], outcome["by"])
        points = [f"{self.name(game, 'clan', clan)} {points}" for clan, points in outcome["points"].items()]
        result = self._won(game, outcome["winners"], outcome["by"])
        return self.say("romans.outcome", result=result, list=", ".join(points))

    def event(self, game: str, event: Event) -> str:
        """One sentence for one event."""
        args = _arguments(event)
        key = self._event_key(game, event.code, args)
        return _capitals(self.say(key, **self._fill(game, event.code, args)))

    def tell(self, game: str, events: Iterable[Event]) -> list[str]:
        """Events as a story: a heading for each turn, under it a line for each thing that happened."""
        lines = []
        for turn in _turns(_without_opened(list(events))):
            for event in turn:
                if event.code in _HEADINGS:
                    lines.append(self.event(game, event))
                # The terms of a sum are told with their total.
                elif event.code != "term" and event is _together(turn, event)[-1]:
                    lines.append(f"  {self._line(game, turn, event)} [{event.clause}]")
        return lines

    def _won(self, game: str, winners: Sequence[str], by: str) -> str:
        """The sentence for one winner, or for a shared victory."""
        events = [Event("won", {"clan": clan, "by": by}, "", None) for clan in winners]
        return self._line(game, events, events[0])

    def _event_key(self, game: str, code: str, args: Mapping[str, Any]) -> str:
        """The key of an event's sentence, in the variant its arguments call for."""
        key = f"{game}.event.{code}"
        if code == "first" and args["action"] == args["later"]:
            return f"{key}.equal"
        variants = (f"{key}.{args[arg]}" for arg in _VARIANT_BY.get(code, ()))
        return next((variant for variant in variants if variant in self.messages), key)

    def _fill(self, game: str, code: str, args: Mapping[str, Any]) -> dict[str, object]:
        """What the placeholders of an event's sentence stand for."""
        kinds = _kinds(game)[code]
        filled: dict[str, object] = {"n": args["units"]} if "units" in args else {}
        for arg, value in args.items():
            kind = kinds[arg]
            if arg == "thing":
                kind = "token" if args["sight"] == "fog" else "objective"
            filled |= self._named(game, arg, kind, value)
        return filled

    def _named(self, game: str, arg: str, kind: str | None, value: Any) -> dict[str, object]:
        """The placeholders one argument fills: its name, and what its kind has beside a name."""
        if kind in _UNNAMED:
            return {}
        if kind is None:
            return {arg: self.say(_COUNTED[arg], n=value) if arg in _COUNTED else value}
        if kind == "clan":
            forms = {arg: "the-clan", f"of_{arg}": "of-clan", f"{arg}_label": "clan"}
            return {placeholder: self.name(game, form, value) for placeholder, form in forms.items()}
        named: dict[str, object] = {arg: self.name(game, kind, value)}
        if kind == "action":
            named[f"{arg}_number"] = ACTIONS.index(value) + 1  # G6.11
        if kind == "warrior":
            named[f"{arg}_strength"] = _strength(value)
        return named

    def _line(self, game: str, turn: Sequence[Event], event: Event) -> str:
        """A line of a story: the event with all of its turn that belongs to it."""
        together = _together(turn, event)
        key = self._event_key(game, event.code, _arguments(event))
        filled = self._fill(game, event.code, _arguments(event))
        if event.code == "total":
            filled["total"] = self._sum(turn, event)
        elif len(together) > 1:
            listed = _GATHERED[event.code][0]
            filled["list"] = filled[listed] = ", ".join(self._item(game, each) for each in together)
            key = f"{game}.story.{event.code}" if f"{game}.story.{event.code}" in self.messages else key
        return _capitals(self.say(key, **filled))

    def _item(self, game: str, event: Event) -> str:
        """What one of several gathered events adds to the list."""
        if event.code == "fort-drawn":
            return self.name(game, "short-fort", str(event.args["fort"]))
        if event.code == "shown":
            return f"{self.name(game, 'clan', str(event.args['clan']))} {self._term(event)}"
        listed = _GATHERED[event.code][0]
        return self.name(game, listed, str(event.args[listed]))

    def _term(self, event: Event) -> str:
        """A warrior and its points."""
        warrior = str(event.args["warrior"])
        return f"{self.name('romans', 'warrior', warrior)} {_strength(warrior)}"

    def _sum(self, turn: Sequence[Event], total: Event) -> str:
        """A clan's sum with every term (R4.5), and what does not count because of the qween (R4.3)."""
        clan = total.args["clan"]
        terms = [event for event in turn if event.code == "term" and event.args["clan"] == clan]
        charms = [event.args for event in turn if event.code == "charmed"]
        stolen = _last(terms, charms[0]["warrior"]) if charms and charms[0]["target"] == clan else None
        counted = [term for term in terms if term is not stolen]
        points = sum(_strength(str(term.args["warrior"])) for term in counted)
        silent = _last(counted, "qween") if points != total.args["total"] else None
        counted = [term for term in counted if term is not silent]
        text = str(total.args["total"])
        if counted:
            text = f"{' + '.join(self._counted_term(term) for term in counted)} = {text}"
        if stolen:
            text = self.say("romans.sum.away", sum=text, term=self._term(stolen))
        if silent:
            text = self.say("romans.sum.silent", sum=text, term=self._term(silent))
        return text

    def _counted_term(self, term: Event) -> str:
        """A term of a sum; a charmed warrior's clan is named."""
        if term.args["owner"] == term.args["clan"]:
            return self._term(term)
        owner = self._named("romans", "owner", "clan", term.args["owner"])
        return self.say("romans.sum.from", term=self._term(term), **owner)


@cache
def words(lang: str) -> Words:
    """The words of a language."""
    check_language(lang)
    from babel.messages.pofile import read_po  # it takes longer to import than all the rest

    messages: dict[str, Sequence[str]] = {}
    for path in catalogues(lang):
        with path.open("rb") as file:
            catalogue = read_po(file, abort_invalid=True)
        for message in catalogue:
            key = message.id if isinstance(message.id, str) else message.id[0]
            forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            if key:  # the header is a message without a key
                messages[key] = forms
    return Words(lang, messages, c2py(catalogue.plural_expr))


def catalogues(lang: str) -> list[Traversable]:
    """The catalogues of a language: what both games and the terminal say, and a folder for each part of the pages."""
    root = files("meadhall.words").joinpath("locale")
    areas = sorted((area for area in root.iterdir() if area.is_dir()), key=lambda area: area.name)
    return [root.joinpath(f"{lang}.po"), *(area.joinpath(f"{lang}.po") for area in areas)]


@cache
def _kinds(game: str) -> dict[str, dict[str, str | None]]:
    """The vocabulary of each argument of each event of a game."""
    return {told.code: dict(told.args) for told in game_named(game).told.values()}


def _arguments(event: Event) -> dict[str, Any]:
    """An event's arguments; what a warchief saw is given its name, by where he looked."""
    args = dict(event.args)
    thing = args.get("thing")
    if isinstance(thing, int):
        args["thing"] = (TOKENS if args["sight"] == "fog" else OBJECTIVES)[thing]
    return args


def _strength(warrior: str) -> int:
    return STRENGTH[WARRIORS.index(warrior)]


def _capitals(text: str) -> str:
    """The text with a capital at the start of each sentence."""
    return _SENTENCE_START.sub(lambda start: start[0].upper(), text)


def _without_opened(events: list[Event]) -> list[Event]:
    """A sealed choice is worth telling until it takes effect: what happened then says it better."""
    opened = max((k for k, event in enumerate(events) if event.code != "sealed"), default=-1)
    return [event for k, event in enumerate(events) if event.code != "sealed" or k > opened]


def _turns(events: Iterable[Event]) -> list[list[Event]]:
    """The events cut before each heading."""
    turns: list[list[Event]] = [[]]
    for event in events:
        if event.code in _HEADINGS:
            turns.append([])
        turns[-1].append(event)
    return turns


def _together(turn: Sequence[Event], event: Event) -> list[Event]:
    """The events of a turn that are told in one line with this one, itself among them."""
    if event.code not in _GATHERED:
        return [event]
    shared = _GATHERED[event.code][1]
    return [
        other
        for other in turn
        if other.code == event.code and (shared is None or other.args[shared] == event.args[shared])
    ]


def _last(terms: Sequence[Event], warrior: object) -> Event | None:
    """The term of the warrior of this kind that was revealed last."""
    return next((term for term in reversed(terms) if term.args["warrior"] == warrior), None)
