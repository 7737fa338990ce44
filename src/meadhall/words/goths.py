"""Goths Save the Queen in words."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from meadhall.games.game import Event, Outcome
from meadhall.games.goths.state import ACTIONS, CLANS, OBJECTIVES, TOKENS
from meadhall.words import grammar
from meadhall.words.grammar import capitals


class Grammar(grammar.Grammar):
    """What is said of orders, armies and the fog."""

    variant_by: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "understood": ("how",),
        "looked": ("sight",),
        "saw": ("sight", "thing"),
        "no-effect": ("why",),
        "turned-up": ("objective",),
        "lost": ("cause",),
        "protected": ("why",),
        "attacked": ("action",),
        "won": ("by",),
    }
    unnamed = frozenset({"ending", "how", "why"})
    chosen: ClassVar[Mapping[str, tuple[str, str | None]]] = {
        "order": ("card", "card"),
        "act": ("action", "action"),
        "look": ("sight", "sight"),
        "enter": ("place", "place"),
    }

    def side(self, side: str) -> str:
        """A side is a clan."""
        return self.name("clan", side)

    def name(self, kind: str, value: str) -> str:
        """The name of a piece: a King card by its two characters, its back by both of them alike."""
        if kind == "card":
            character, bluff = (self.name("character", part) for part in value.split("/"))
            return self.say("card", character=character, bluff=bluff)
        if kind == "back":
            one, other = (self.name("character", part) for part in value.split("+"))
            return self.say("back", one=one, other=other)
        return super().name(kind, value)

    def outcome(self, outcome: Mapping[str, Any]) -> str:
        """Who won and how, or that nobody did."""
        if outcome["winner"] is None:
            return self.say("outcome.turn-limit")
        return self.event(Event("won", {"clan": outcome["winner"], "by": outcome["by"]}, "", None))

    def victory(self, winners: Sequence[str]) -> str:
        """A clan is many people."""
        return capitals(self.say("victory", clan=self.words.listing([self.name("the-clan", clan) for clan in winners])))

    def reason(self, outcome: Outcome) -> str:
        """What the winners did, or what happened to the losers."""
        if not outcome.winners:
            return self.say("why.turn-limit")
        (winner,) = outcome.winners
        loser = CLANS[1 - CLANS.index(winner)]
        named = self.named("clan", "clan", winner) | self.named("loser", "clan", loser)
        return capitals(self.say("why.queen" if outcome.reason == "queen" else "why.elimination", **named))

    def arguments(self, event: Event) -> dict[str, Any]:
        """An event's arguments; what a warchief saw is given its name, by where he looked."""
        args = dict(event.args)
        thing = args.get("thing")
        if isinstance(thing, int):
            args["thing"] = (TOKENS if args["sight"] == "fog" else OBJECTIVES)[thing]
        return args

    def event_key(self, code: str, args: Mapping[str, Any]) -> str:
        """The key of an event's sentence; between equal actions the initiative decides (G5.2)."""
        if code == "first" and args["action"] == args["later"]:
            return "event.first.equal"
        return super().event_key(code, args)

    def kind_of(self, code: str, arg: str, args: Mapping[str, Any]) -> str | None:
        """The vocabulary of an argument; what a warchief saw is a card or a token by where he looked."""
        if arg == "thing":
            return "token" if args["sight"] == "fog" else "objective"
        return super().kind_of(code, arg, args)

    def named(self, arg: str, kind: str | None, value: Any) -> dict[str, object]:
        """An action is named with its number (G6.11)."""
        named = super().named(arg, kind, value)
        if kind == "action":
            named[f"{arg}_number"] = ACTIONS.index(value) + 1
        return named
