"""Goths Save the Queen in the browser: who looks on, and the names and explanations of pieces."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from meadhall.engine.layout import UNKNOWN
from meadhall.games.goths.rules import acting, chance, in_the_open
from meadhall.games.goths.state import ACTIONS, CARDS, CHARACTERS, CLANS, Chance, Phase
from meadhall.match import Beat, View
from meadhall.web.telling import told
from meadhall.words import Words
from meadhall.words.text import capital

# The words the table waits with, and the clause they come from, by what it waits for.
WAITING = {
    Phase.FIRST_ORDER: ("goths.table.wait.first", "G3.2"),
    Phase.SECOND_ORDER: ("goths.table.wait.second", "G3.3"),
    Phase.ACTS: ("goths.table.wait.acts", "G3.4"),
    Phase.LOOK: ("goths.table.wait.look", "G6.1"),
    Phase.ENTER: ("goths.table.wait.enter", "G6.7"),
    Phase.TOKEN: ("goths.table.wait.token", "G8.4"),
}
# A syllable ends before a consonant and a vowel; three letters stay on either side.
_SYLLABLE = re.compile(
    r"(?<=\w{2}[aeiouyäöüéíóáú])(?=[^\W\daeiouy][aeiouäöüéíóáú]\w)|(?<=\w[aeiou][ns])(?=[^\W\daeiouy][aeiou]\w)"
    r"|(?<=\w[aeiouäöü]r)(?=r[aeiouäöü])"
)
_LONG = 8


@dataclass(frozen=True)
class Pick:
    """A choice laid on a thing: its name, the button's words for it, what the thing is called, a digit."""

    value: str
    act: str
    name: str = ""
    key: str = ""
    sealed: bool = False


class Speech:
    """How pieces are called in a language."""

    words: Words

    def say(self, key: str, **args: object) -> str:
        """The message of a key, its first letter a capital where it starts with a placeholder."""
        text = self.words.say(key, **args)
        return capital(text) if args and self.words.messages[key][0].startswith("{") else text

    def name(self, kind: str, value: str) -> str:
        """The name of a piece."""
        return self.words.name("goths", kind, value)

    def of(self, clan: str) -> str:
        """The clan in the genitive."""
        return self.words.name("goths", "of-clan", clan)

    def back(self, halves: Iterable[str]) -> str:
        """The two characters of a back, in the order in which all backs show them."""
        one, other = (self.name("character", half) for half in halves)
        return self.words.say("goths.back", one=one, other=other)


@dataclass(frozen=True)
class Speaker(Speech):
    """A language, and who is spoken to, if that matters: what is said hangs on nothing else, so it can be kept."""

    words: Words
    clan: str | None = None
    role: str | None = None
    lone: bool = False

    def is_mine(self, clan: str, role: str) -> bool:
        """Is this seat one's own, or the other seat of a lone ruler? (G10.4)"""
        return clan == self.clan and (role == self.role or self.lone)


@dataclass(frozen=True)
class Viewer(Speech):
    """Who looks at the table: a view, and the words of whoever has it."""

    view: View
    words: Words
    beat: Beat | None = None  # what is being told, if this is a frame of a telling

    @cached_property
    def choices(self) -> Sequence[str]:
        """What may be chosen: nothing while a beat is being told, as the next question comes after it."""
        return () if self.beat else self.view.choices

    @property
    def sentence(self) -> str:
        """The beat that is being told, in words."""
        return told(self.words, "goths", self.beat) if self.beat else ""

    @cached_property
    def position(self) -> dict[str, Any]:
        """The view in the record format's words, with `own`."""
        return self.view.json()

    @property
    def clan(self) -> str | None:
        """One's own clan; a spectator has none."""
        return None if self.view.is_spectator else self.view.seat.partition("-")[0]

    @property
    def role(self) -> str | None:
        """King or warchief; a spectator is neither."""
        return None if self.view.is_spectator else self.view.seat.partition("-")[2]

    @property
    def lone(self) -> bool:
        """Does this one person rule a clan alone? (G9.1)"""
        return self.clan in self.view.rules["lone_rulers"]

    @property
    def phase(self) -> Phase:
        """What the table is waiting for."""
        return Phase(self.view.plain.phase)

    @property
    def asked_clan(self) -> str:
        """The clan the table is waiting for, where it is one."""
        state = self.view.plain
        if self.phase in (Phase.FIRST_ORDER, Phase.SECOND_ORDER):
            return CLANS[int(state.initiative) ^ (self.phase == Phase.SECOND_ORDER)]
        return CLANS[acting(state)]

    @property
    def speaker(self) -> Speaker:
        """Who speaks to this viewer, whatever lies on the table."""
        return Speaker(self.words, self.clan, self.role, self.lone)

    def order_of(self, clan: str) -> str | None:
        """The King card a clan has played this turn, as far as one may know."""
        number = self.view.plain.order[CLANS.index(clan)]
        return None if number == UNKNOWN else CARDS[number]

    def lies_open(self, clan: str, character: str) -> bool:
        """Does one of the clan's King cards of this character lie face up? (G4.3)"""
        return any(card.startswith(f"{character}/") for card in self.position["clans"][clan]["face_up"])

    def surely(self, clan: str) -> list[str]:
        """The characters whose orders surely get through, as far as one may know (G4.1)."""
        number = CLANS.index(clan)
        return [name for k, name in enumerate(CHARACTERS) if chance(self.view.plain, number, k) == Chance.SURELY]

    @cached_property
    def danger(self) -> str:
        """What threatens one's own army, in a sentence, while there is still something to be done about it."""
        if self.clan is None or self.beat or self.phase > Phase.ACTS or self.position["outcome"]:
            return ""
        units = self.position["clans"][self.clan]["units"]
        hit = in_the_open(self.view.plain, CLANS.index(self.clan))
        if hit:
            return self.say("goths.table.danger.deadly") if hit == units else self.say("goths.table.danger.shot")
        return self.say("goths.table.danger.last") if units == 1 else ""

    # Words

    def waiting(self) -> tuple[str, str]:
        """What the table waits for, in a sentence that is the same for everybody, and its clause."""
        key, clause = WAITING[self.phase]
        return (self.say(key) if self.phase == Phase.ACTS else self.say(key, of_clan=self.of(self.asked_clan))), clause

    def turn(self, key: str, key_with_limit: str) -> str:
        """The turn by its number, and of how many where there is a limit (G9.3)."""
        turn, limit = self.position["turn"], self.view.rules["turn_limit"]
        return self.say(key_with_limit, turn=turn, limit=limit) if limit else self.say(key, turn=turn)

    # Choices

    def pick(self, choice: str, name: str = "", key: str = "") -> Pick | None:
        """The choice for a thing to carry, if it may be chosen."""
        if choice not in self.choices:
            return None
        return Pick(choice, self.act_words(choice), name, key, choice == self.position["own"])

    def act_words(self, choice: str) -> str:
        """What the button says when this is picked."""
        verb, _, rest = choice.partition(":")
        if verb == "order":
            return self.say("goths.table.do.lay", card=self.name("card", rest))
        if verb != "act":
            return self.words.choice("goths", choice)
        order = {"number": ACTIONS.index(rest) + 1, "action": self.name("action", rest)}
        if self.position["own"] is None:
            return self.say("goths.table.do.seal", **order)
        if self.position["own"] == choice:
            return self.say("goths.table.do.sealed", **order)
        return self.say("goths.table.do.instead", **order)


def soft(name: str) -> str:
    """A name whose long words may break between syllables."""
    return " ".join(_SYLLABLE.sub("\xad", word) if len(word) > _LONG else word for word in name.split(" "))


def order_does(speech: Speech, action: str) -> str:
    """What an order does."""
    tips = {
        "reconnoitre": "goths.table.tip.reconnoitre",
        "sabotage": "goths.table.tip.sabotage",
        "recruit": "goths.table.tip.recruit",
        "load": "goths.table.tip.load",
        "fire": "goths.table.tip.fire",
        "barricade": "goths.table.tip.barricade",
        "advance": "goths.table.tip.advance",
        "axe": "goths.table.tip.axe",
        "rats": "goths.table.tip.rats",
    }
    return speech.say(tips[action])


def order_tip(speech: Speech, action: str) -> str:
    """What an order does, and when."""
    number = speech.say("goths.table.tip.order", number=ACTIONS.index(action) + 1)
    return f"{speech.name('action', action)}. {order_does(speech, action)} {number}"


def effect(speech: Speech, action: str) -> str:
    """What an order does, in a few words."""
    effects = {
        "reconnoitre": "goths.table.short.reconnoitre",
        "sabotage": "goths.table.short.sabotage",
        "recruit": "goths.table.short.recruit",
        "load": "goths.table.short.load",
        "fire": "goths.table.short.fire",
        "barricade": "goths.table.short.barricade",
        "advance": "goths.table.short.advance",
        "axe": "goths.table.short.axe",
        "rats": "goths.table.short.rats",
    }
    return speech.say(effects[action])


def brief(speech: Speech, action: str) -> str:
    """An order in one word, for where several stand together."""
    words = {
        "reconnoitre": "goths.table.brief.reconnoitre",
        "sabotage": "goths.table.brief.sabotage",
        "recruit": "goths.table.brief.recruit",
        "load": "goths.table.brief.load",
        "fire": "goths.table.brief.fire",
        "barricade": "goths.table.brief.barricade",
        "advance": "goths.table.brief.advance",
        "axe": "goths.table.brief.axe",
        "rats": "goths.table.brief.rats",
    }
    return speech.say(words[action])
