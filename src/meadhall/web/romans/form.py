"""Romans Go Home!: its fields of the host form."""

from dataclasses import dataclass
from typing import Any

from meadhall.faults import Fault
from meadhall.games.romans.options import QWEEN
from meadhall.games.romans.state import CLANS
from meadhall.web.game import FilledForm, GameForm, PlayNow
from meadhall.words import Words


@dataclass(frozen=True)
class RomansForm(GameForm):
    """Which clans play, which are neutral (R2.1), the original rules, and what the qween's point does."""

    @property
    def seats(self) -> tuple[str, ...]:
        """All four clans, of which some may stay away."""
        return tuple(CLANS)

    @property
    def play_now(self) -> PlayNow:
        """A game of three."""
        return PlayNow({"players": ["gold", "green", "red"]}, "gold", {"green": "easy", "red": "easy"})

    def rules(self, form: FilledForm, words: Words) -> dict[str, Any]:
        """The clans by their roles, and the options that differ from what is usual."""
        neutrals = [clan for clan in CLANS if form.role(clan) == "neutral"]
        players = [clan for clan in CLANS if form.role(clan) not in self.absent]
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


FORM = RomansForm(
    "romans",
    first={"seat-gold": "me", "seat-red": "nobody", "qween": "adds"},
    absent=("nobody", "neutral"),
    deck_fault="ui.host.fault.deck-romans",
)
