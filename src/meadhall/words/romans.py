"""Romans Go Home! in words."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from meadhall.games.game import Event, Outcome
from meadhall.games.romans.names import POINTS
from meadhall.words import grammar
from meadhall.words.grammar import capitals


class Grammar(grammar.Grammar):
    """What is said of warriors, forts and sums."""

    variant_by: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "total": ("barred",),
        "kept": ("why",),
        "discarded": ("why",),
        "won": ("by",),
    }
    unnamed = frozenset({"ending", "why", "barred", "counts"})
    counted: ClassVar[Mapping[str, str]] = {"points": "ui.points", "forts": "romans.fort-count"}
    chosen: ClassVar[Mapping[str, tuple[str, str | None]]] = {
        "charm": ("clan", "clan"),
        "take": ("place", None),
        "discard": ("warrior", "warrior"),
        "pay": ("fort", "fort"),
        "plan": ("warrior", "warrior"),
        "reorder": ("warrior", "warrior"),
    }
    gathered: ClassVar[Mapping[str, tuple[str, str | None]]] = {
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

    def seat(self, seat: str) -> str:
        """A seat goes by its clan."""
        return self.name("clan", seat)

    def outcome(self, outcome: Mapping[str, Any]) -> str:
        """Who won and how, and everybody's points."""
        points = [f"{self.name('clan', clan)} {points}" for clan, points in outcome["points"].items()]
        won = [Event("won", {"clan": clan, "by": outcome["by"]}, "", None) for clan in outcome["winners"]]
        return self.say("outcome", result=self.sentence(won), list=", ".join(points))

    def victory(self, winners: Sequence[str]) -> str:
        """One clan, or several that share the victory."""
        return capitals(self.say("victory", n=len(winners), list=self._clans(winners)))

    def reason(self, outcome: Outcome) -> str:
        """By what the winners are ahead of the others (R7.1), or the three legions (R5.4)."""
        points: Mapping[str, int] = outcome.record["points"]
        best = points[outcome.winners[0]]
        equal = [clan for clan in outcome.places if points[clan] == best]
        neutrals = (points[clan] for clan in points if clan not in outcome.places)
        if outcome.reason == "legions":
            key = "why.legions"
        elif len(outcome.winners) > 1:
            key = "why.shared"
        elif len(equal) > 1:
            key = "why.tie"
        else:
            key = "why.players" if any(each >= best for each in neutrals) else "why.points"
        named = {"clan": self._clans(outcome.winners), "list": self._clans(equal), "points": best}
        return capitals(self.say(key, **named))

    def _clans(self, clans: Sequence[str]) -> str:
        return self.words.listing([self.name("the-clan", clan) for clan in clans])

    def named(self, arg: str, kind: str | None, value: Any) -> dict[str, object]:
        """A warrior is named with what is printed on it."""
        named = super().named(arg, kind, value)
        if kind == "warrior":
            named[f"{arg}_strength"] = POINTS[value]
        return named

    def belongs_to(self, event: Event) -> tuple[object, ...] | None:
        """A sum is told with all its terms."""
        if event.code in ("term", "total"):
            return ("total", event.args["clan"])
        return super().belongs_to(event)

    def item(self, event: Event) -> str:
        """Forts of the Wall by a word and their value; warriors revealed with their clan and strength."""
        if event.code == "fort-drawn":
            return self.name("short-fort", str(event.args["fort"]))
        if event.code == "shown":
            return f"{self.name('clan', str(event.args['clan']))} {self._warrior(event)}"
        return super().item(event)

    def sentence(self, group: Sequence[Event]) -> str:
        """One sentence for events that belong together; a total with its terms."""
        event, terms = group[-1], [each for each in group if each.code == "term"]
        if event.code == "term":
            return self.event(event)
        if event.code != "total":
            return super().sentence(group)
        key = self.event_key(event.code, event.args)
        return capitals(self.say(key, **self.filled(event) | {"total": self._sum(terms, event)}))

    def _warrior(self, event: Event) -> str:
        """A warrior and what is printed on it."""
        warrior = str(event.args["warrior"])
        return f"{self.name('warrior', warrior)} {POINTS[warrior]}"

    def _sum(self, terms: Sequence[Event], total: Event) -> str:
        """A clan's sum with every term (R4.5), and what does not count because of the qween (R4.3)."""
        text = str(total.args["total"])
        counted = [self._term(term) for term in terms if term.args["counts"] in ("counts", "got")]
        if counted:
            text = f"{' + '.join(counted)} = {text}"
        for term in terms:
            if term.args["counts"] == "away":
                text = self.say("sum.away", sum=text, term=self._warrior(term))
            elif term.args["counts"] == "silent":
                text = self.say("sum.silent", sum=text, term=self._warrior(term))
        return text

    def _term(self, term: Event) -> str:
        """A term that counts; a charmed warrior's clan is named."""
        if term.args["counts"] == "counts":
            return self._warrior(term)
        return self.say("sum.from", term=self._warrior(term), **self.named("owner", "clan", term.args["owner"]))
