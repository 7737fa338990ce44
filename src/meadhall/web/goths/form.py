"""Goths Save the Queen: its fields of the host form."""

from dataclasses import dataclass
from typing import Any

from meadhall.faults import Fault
from meadhall.games.goths.options import FOG_DISCARD
from meadhall.games.goths.state import CLANS, SEATS
from meadhall.web.game import FilledForm, GameForm, PlayNow
from meadhall.words import Words

LONGEST_GAME = 9999  # turns


@dataclass(frozen=True)
class GothsForm(GameForm):
    """Lone rulers, fog of war and a limit of turns."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Both clans' king and warchief."""
        return tuple(SEATS)

    @property
    def play_now(self) -> PlayNow:
        """A warchief with a sensible king, against rivals who do not win at once."""
        others = {"ostrogoth-king": "easy", "visigoth-king": "random", "visigoth-warchief": "easy"}
        return PlayNow({}, "ostrogoth-warchief", others)

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
    first={"seat-ostrogoth-warchief": "me", "fog-discard": "same-card"},
    deck_fault="ui.host.fault.deck-goths",
)
