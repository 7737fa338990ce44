"""The form by which a table is hosted: its fields, and what a posted one asks for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from meadhall.bots import LEVELS
from meadhall.faults import Fault
from meadhall.games.decks import DeckFault, own_deck_text, parse_deck
from meadhall.games.game import GAMES, game_named
from meadhall.tables.decisions import LONGEST_NAME
from meadhall.web.game import FilledForm, Preset, form_of
from meadhall.words import Words

_PEOPLE = ("me", "device", "open")

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
    names: Mapping[str, str] = field(default_factory=dict)  # of the people at the host's device, by seat


@dataclass(frozen=True)
class HostForm(FilledForm):
    """The form as it is shown: what is filled in so far, and what may be."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that are asked for."""
        return form_of(self.game).seats

    @property
    def has_deck(self) -> bool:
        """Is there a deck that may be changed?"""
        return game_named(self.game).deck is not None

    @property
    def own_deck(self) -> bool:
        """Has the deck been changed?"""
        return _tidy(self.value("deck")) != deck_text(self.game)

    @property
    def presets(self) -> tuple[Preset, ...]:
        """The companies it can be filled in for."""
        return form_of(self.game).presets

    @property
    def preset(self) -> str:
        """The company it is filled in for just so, if any."""
        return next((each.name for each in self.presets if blank(self.game, each.name).values == self.values), "")

    def roles(self, levels: Iterable[str] = LEVELS) -> tuple[str, ...]:
        """Who may sit on a seat: people, bots, or, where the game allows it, nobody."""
        return (*_PEOPLE, *levels, *form_of(self.game).absent)


def deck_text(game: str) -> str:
    """The deck that comes with the program, without the remarks; nothing for a game without one."""
    if game_named(game).deck is None:
        return ""
    return _tidy("\n".join(line for line in own_deck_text(game).splitlines() if not line.startswith("#")))


def blank(game: str, preset: str = "") -> HostForm:
    """The form before anything is filled in, or as a preset fills it in; an unknown game gets the first one's."""
    game = game if game in GAMES else next(iter(GAMES))
    form = form_of(game)
    company = next((each.fields for each in form.presets if each.name == preset), {})
    return HostForm(game, {**form.first, **company, "deck": deck_text(game)})


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
        raise Fault(words.say("ui.host.fault.game", games=", ".join(words.title(each) for each in GAMES)))
    name = _name(values.get("name", ""), words)
    form, own = HostForm(game, values), form_of(game)
    seats = own.company(form, _seats(form, words, levels))
    rules = own.rules(form, words) | _deck(form, words)
    names = _names(form, game_named(game).check_rules(rules), seats, name, words)
    return Wanted(game, rules, seats, name, form.on("public"), form.on("hints"), names)


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
    return seats


def _name(text: str, words: Words) -> str:
    """A name as it is shown; a Fault if it cannot be."""
    name = " ".join(text.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise Fault(words.say("ui.host.fault.name", n=LONGEST_NAME))
    return name


def _names(
    form: HostForm, rules: Mapping[str, Any], seats: Mapping[str, str], name: str, words: Words
) -> dict[str, str]:
    """What the people at the host's device are called; whoever plays several seats has one name."""
    names = {}
    for seat in (each for each, who in seats.items() if who == "me"):
        field = game_named(form.game).played_together(rules, seat)[0]
        names[seat] = name if form.role(field) == "me" else _name(form.value(f"name-{field}"), words)
    return names


def _deck(form: HostForm, words: Words) -> dict[str, Any]:
    """A deck of one's own as the rule option it stands for; none if the field is empty or as it was."""
    option = game_named(form.game).deck
    if option is None or not form.value("deck").strip() or not form.own_deck:
        return {}
    try:
        rules = parse_deck(form.game, form.value("deck").replace("\r\n", "\n"))
    except DeckFault as fault:
        raise Fault(_said_of_deck(fault, form.game, option.deck_key, words)) from None
    return {} if rules[option.name] == list(option.default) else rules


def _said_of_deck(fault: DeckFault, game: str, key: str, words: Words) -> str:
    """What is wrong with a deck, in words."""
    if fault.where == "keys":
        return words.say("ui.host.fault.deck-keys", game=game, pieces=key)
    if fault.where == "cards":
        return words.say(form_of(game).deck_fault)
    line = re.search(r"at line (\d+)", str(fault))
    return words.say("ui.host.fault.deck-line", line=line[1]) if line else words.say("ui.host.fault.deck-text")


def _tidy(text: str) -> str:
    """A text without the line ends and blanks that browsers change."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
