"""The form by which a table is hosted: its fields, and what a posted one asks for."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from meadhall.bots import LEVELS
from meadhall.faults import Fault
from meadhall.games.decks import own_deck, own_deck_text
from meadhall.games.game import game_named
from meadhall.games.goths.options import FOG_DISCARD
from meadhall.games.goths.state import CLANS as GOTHS_CLANS
from meadhall.games.goths.state import SEATS as GOTHS_SEATS
from meadhall.games.romans.options import QWEEN
from meadhall.games.romans.state import CLANS as ROMANS_CLANS
from meadhall.words import Words

GAMES = ("goths", "romans")
SEATS = {"goths": tuple(GOTHS_SEATS), "romans": tuple(ROMANS_CLANS)}
LONGEST_NAME = 24
LONGEST_GAME = 9999  # turns
_PEOPLE = ("me", "device", "open")
_ABSENT = ("nobody", "neutral")
_DECK = {"goths": ("cards", "king_deck"), "romans": ("forts", "fort_deck")}
_FIRST: dict[str, dict[str, str]] = {
    "goths": {"seat-ostrogoth-warchief": "me", "fog-discard": "same-card"},
    "romans": {"seat-gold": "me", "seat-red": "nobody", "qween": "adds"},
}

Fields = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True)
class Wanted:
    """The table a host asks for: each seat is his ("me"), "open", or a bot's of some level."""

    game: str
    rules: dict[str, Any]
    seats: dict[str, str]
    name: str
    public: bool
    hints: bool


@dataclass(frozen=True)
class HostForm:
    """The form as it is shown: what is filled in so far, and what may be."""

    game: str
    values: Mapping[str, str]

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that are asked for."""
        return SEATS[self.game]

    @property
    def own_deck(self) -> bool:
        """Has the deck been changed?"""
        return _tidy(self.value("deck")) != deck_text(self.game)

    def value(self, name: str) -> str:
        """What stands in a field."""
        return self.values.get(name, "")

    def on(self, name: str) -> bool:
        """Is a box ticked?"""
        return bool(self.value(name))

    def role(self, seat: str) -> str:
        """Who is to sit on a seat."""
        return self.value(f"seat-{seat}") or "open"

    def roles(self, levels: Iterable[str] = LEVELS) -> tuple[str, ...]:
        """Who may sit on a seat; only in Romans may a clan stay away (R2.1)."""
        return (*_PEOPLE, *levels, *(_ABSENT if self.game == "romans" else ()))


def deck_text(game: str) -> str:
    """The deck that comes with the program, without the remarks."""
    return _tidy("\n".join(line for line in own_deck_text(game).splitlines() if not line.startswith("#")))


def blank(game: str) -> HostForm:
    """The form before anything is filled in; an unknown game gets the first one's."""
    game = game if game in GAMES else GAMES[0]
    return HostForm(game, _FIRST[game] | {"deck": deck_text(game)})


def refill(fields: Fields) -> HostForm:
    """The form as somebody has sent it, to be shown to him again."""
    values = _plain(fields)
    form = blank(values.get("game", ""))
    return HostForm(form.game, {"deck": deck_text(form.game)} | values)


def parse(fields: Fields, words: Words, levels: Sequence[str] = LEVELS) -> Wanted:
    """The table that a posted form asks for; a Fault says in words what is wrong and what would be right."""
    values = _plain(fields)
    game = values.get("game", "")
    if game not in GAMES:
        raise Fault(words.say("ui.host.fault.game", one=words.title("goths"), other=words.title("romans")))
    name = " ".join(values.get("name", "").split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise Fault(words.say("ui.host.fault.name", n=LONGEST_NAME))
    form = HostForm(game, values)
    seats = _seats(form, words, levels)
    rules = _goths_rules(form, words) if game == "goths" else _romans_rules(form, words)
    rules |= _deck(form, words)
    game_named(game).check_rules(rules)
    taken = {seat: role for seat, role in seats.items() if role not in _ABSENT}
    return Wanted(game, rules, taken, name, form.on("public"), form.on("hints"))


def _plain(fields: Fields) -> dict[str, str]:
    """Each field's last value."""
    last = {name: value if isinstance(value, str) else (value[-1] if value else "") for name, value in fields.items()}
    return {name: value for name, value in last.items() if isinstance(value, str)}


def _seats(form: HostForm, words: Words, levels: Sequence[str]) -> dict[str, str]:
    """Who sits on each seat; another person on this device is "me" too."""
    seats: dict[str, str] = {}
    for seat in form.seats:
        role = form.role(seat)
        if role not in form.roles(levels):
            raise Fault(words.say("ui.host.fault.role", seat=words.seat(form.game, seat)))
        seats[seat] = "me" if role == "device" else role
    if form.game == "goths":
        for clan in _lone(form):  # one person plays both (G9.1)
            seats[f"{clan}-warchief"] = seats[f"{clan}-king"]
    return seats


def _lone(form: HostForm) -> list[str]:
    return [clan for clan in GOTHS_CLANS if form.on(f"lone-{clan}")]


def _goths_rules(form: HostForm, words: Words) -> dict[str, Any]:
    """The options of Goths that differ from what is usual."""
    rules: dict[str, Any] = {}
    if _lone(form):
        rules["lone_rulers"] = _lone(form)
    if form.on("fog-of-war"):
        rules["fog_of_war"] = True
        where = form.value("fog-discard") or FOG_DISCARD[0]
        if where not in FOG_DISCARD:
            raise Fault(words.say("ui.host.fault.fog-discard"))
        rules["fog_discard"] = where
    limit = form.value("turn-limit").strip()
    if limit:
        if not (limit.isdecimal() and limit.isascii() and len(limit) <= 4 and 1 <= int(limit) <= LONGEST_GAME):
            raise Fault(words.say("ui.host.fault.turn-limit", most=LONGEST_GAME))
        rules["turn_limit"] = int(limit)
    return rules


def _romans_rules(form: HostForm, words: Words) -> dict[str, Any]:
    """The clans by their roles (R2.1), and the options of Romans that differ from what is usual."""
    neutrals = [clan for clan in ROMANS_CLANS if form.role(clan) == "neutral"]
    players = [clan for clan in ROMANS_CLANS if form.role(clan) not in _ABSENT]
    if not players:
        raise Fault(words.say("ui.host.fault.no-player"))
    if len(neutrals) > 2:
        raise Fault(words.say("ui.host.fault.neutrals", n=len(neutrals)))
    if len(players) + len(neutrals) < 2:
        raise Fault(words.say("ui.host.fault.alone"))
    rules: dict[str, Any] = {"players": players}
    if neutrals:
        rules["neutrals"] = neutrals
    if form.on("original-rules"):
        rules["original_rules"] = True
    qween = form.value("qween") or QWEEN[0]
    if qween not in QWEEN:
        raise Fault(words.say("ui.host.fault.qween"))
    if qween != QWEEN[0]:
        rules["qween"] = qween
    return rules


def _deck(form: HostForm, words: Words) -> dict[str, Any]:
    """A deck of one's own as the rule option it stands for; none if the field is empty or as it was."""
    text = form.value("deck")
    if not text.strip() or not form.own_deck:
        return {}
    key, option = _DECK[form.game]
    try:
        deck = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as problem:  # beside TOML faults: endless numbers, endless nesting
        line = re.search(r"at line (\d+)", str(problem))
        if line:
            raise Fault(words.say("ui.host.fault.deck-line", line=line[1])) from None
        raise Fault(words.say("ui.host.fault.deck-text")) from None
    if set(deck) - {"game", key} or key not in deck or deck.get("game", form.game) != form.game:
        raise Fault(words.say("ui.host.fault.deck-keys", game=form.game, pieces=key))
    if deck[key] == list(own_deck(form.game)):
        return {}
    game = game_named(form.game)
    try:
        game.check_rules(game.smallest_rules | {option: deck[key]})
    except Fault:
        goths = form.game == "goths"
        raise Fault(words.say("ui.host.fault.deck-goths" if goths else "ui.host.fault.deck-romans")) from None
    return {option: deck[key]}


def _tidy(text: str) -> str:
    """A text without the line ends and blanks that browsers change."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
