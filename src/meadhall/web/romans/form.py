"""Romans Go Home!: what one is asked before a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from meadhall.faults import Fault
from meadhall.games.romans.options import QWEEN
from meadhall.games.romans.state import CLANS
from meadhall.web.game import LEVEL, FilledForm, GameForm, PlayNow, Preset, Question
from meadhall.words import Words

COMPANIES = {"1": ("gold", "red"), "2": ("gold", "green", "red"), "3": tuple(CLANS)}  # by the number of rivals


def _fields(*roles: str) -> dict[str, str]:
    return {f"seat-{clan}": role for clan, role in zip(CLANS, roles, strict=True)}


FRIENDS = _fields("me", "open", "open", "nobody")


@dataclass(frozen=True)
class RomansForm(GameForm):
    """Which clans play, which are neutral (R2.1), the original rules, and what the qween's point does."""

    @property
    def seats(self) -> tuple[str, ...]:
        """All four clans, of which some may stay away."""
        return tuple(CLANS)

    @property
    def presets(self) -> tuple[Preset, ...]:
        """Alone, with friends who have devices of their own, or with three at one device."""
        return (
            Preset("bots", "ui.preset.bots", "ui.preset.romans-bots-help", _fields("me", "easy", "nobody", "easy")),
            Preset("friends", "ui.preset.friends", "ui.preset.romans-friends-help", dict(FRIENDS)),
            Preset(
                "device",
                "ui.preset.device",
                "ui.preset.romans-device-help",
                _fields("me", "device", "nobody", "device"),
            ),
        )

    def play_now(self, answers: Mapping[str, str]) -> PlayNow:
        """Gold against one to three rivals."""
        clans = COMPANIES[answers["rivals"]]
        return PlayNow({"players": list(clans)}, clans[:1], dict.fromkeys(clans[1:], answers["level"]))

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
    first={**FRIENDS, "qween": "adds"},
    absent=("nobody", "neutral"),
    deck_fault="ui.host.fault.deck-romans",
    questions=(
        Question("rivals", "ui.play.rivals", {"1": "ui.play.one", "2": "ui.play.two", "3": "ui.play.three"}, "2"),
        LEVEL,
    ),
)
