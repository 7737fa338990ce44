"""Goths Save the Queen: what one is asked before a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from meadhall.faults import Fault
from meadhall.games.goths.options import FOG_DISCARD
from meadhall.games.goths.state import CLANS, SEATS
from meadhall.web.game import LEVEL, FilledForm, GameForm, PlayNow, Preset, Question
from meadhall.words import Words

LONGEST_GAME = 9999  # turns
KING, CHIEF, *RIVALS = SEATS


def _fields(seats: Mapping[str, str]) -> dict[str, str]:
    return {f"seat-{seat}": role for seat, role in seats.items()}


COUPLES = _fields(dict.fromkeys(SEATS, "open") | {CHIEF: "me"})


@dataclass(frozen=True)
class GothsForm(GameForm):
    """Lone rulers, fog of war and a limit of turns."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Both clans' king and warchief."""
        return tuple(SEATS)

    @property
    def presets(self) -> tuple[Preset, ...]:
        """Alone, two who rule a clan each, four in two couples, or four at one device."""
        alone = {KING: "easy", CHIEF: "me", RIVALS[0]: "easy", RIVALS[1]: "easy"}
        duel = {KING: "me", CHIEF: "me", RIVALS[0]: "open", RIVALS[1]: "open"}
        lone = {f"lone-{clan}": "on" for clan in CLANS}
        shared = {KING: "me", CHIEF: "device", RIVALS[0]: "device", RIVALS[1]: "device"}
        return (
            Preset("bots", "ui.preset.bots", "ui.preset.goths-bots-help", _fields(alone)),
            Preset("two", "ui.preset.two", "ui.preset.goths-two-help", _fields(duel) | lone),
            Preset("couples", "ui.preset.couples", "ui.preset.goths-couples-help", COUPLES),
            Preset("device", "ui.preset.device", "ui.preset.goths-device-help", _fields(shared)),
        )

    def play_now(self, answers: Mapping[str, str]) -> PlayNow:
        """King, warchief or both of the Ostrogoths. Who asks for easy bots gets rivals who do not win at once."""
        level = answers["level"]
        rivals = {RIVALS[0]: "random" if level == "easy" else level, RIVALS[1]: level}
        if answers["seat"] == "both":
            return PlayNow({"lone_rulers": [CLANS[0]]}, (KING, CHIEF), rivals)
        mine, partner = (KING, CHIEF) if answers["seat"] == "king" else (CHIEF, KING)
        return PlayNow({}, (mine,), {partner: level, **rivals})

    def rules(self, form: FilledForm, words: Words) -> dict[str, Any]:
        """The options that differ from what is usual."""
        rules: dict[str, Any] = {}
        if lone := _lone(form):
            rules["lone_rulers"] = lone
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

    def company(self, form: FilledForm, seats: dict[str, str]) -> dict[str, str]:
        """A lone ruler's one person plays both his seats (G9.1)."""
        return seats | {f"{clan}-warchief": seats[f"{clan}-king"] for clan in _lone(form)}


def _lone(form: FilledForm) -> list[str]:
    return [clan for clan in CLANS if form.on(f"lone-{clan}")]


FORM = GothsForm(
    "goths",
    first={**COUPLES, "fog-discard": "same-card"},
    deck_fault="ui.host.fault.deck-goths",
    questions=(
        Question(
            "seat",
            "ui.play.you",
            {"king": "ui.play.king", "warchief": "ui.play.warchief", "both": "ui.play.both"},
            "warchief",
        ),
        LEVEL,
    ),
)
