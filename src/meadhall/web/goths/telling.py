"""Goths Save the Queen in the browser: how long each beat is shown, and what flies across the board meanwhile."""

from meadhall.games.game import Event
from meadhall.games.goths.state import CLANS
from meadhall.match import Beat, View
from meadhall.web.telling import Cue, Mark
from meadhall.words import Words

# Milliseconds at normal speed.
_HOLD = {
    "turn": 600,
    "order": 800,
    "reveal": 2000,
    "reading": 1300,
    "first": 1000,
    "look": 1200,
    "effect": 1200,
    "move": 1100,
    "objective": 1500,
    "loss": 1400,
    "token": 1500,
    "cards": 500,
    "end": 1500,
}
BRIEF = frozenset({"reading", "move", "objective", "loss", "end"})
MARKS = {
    "misread": Mark("misread", "goths.replay.a-misread", "goths.replay.misread"),
    "entered": Mark("capture", "goths.replay.an-entry", "goths.replay.entered"),
    "won": Mark("end", "ui.replay.victory", "ui.replay.won"),
}
_MISREAD = 1000  # more: why an order was lost wants thinking about


def hold(beat: Beat) -> int:
    """For how many milliseconds a beat is shown at normal speed."""
    return _HOLD[beat.kind] + sum(_MISREAD for event in beat.events if event.code == "misread")


def chapter(view: View) -> str:
    """The turn by its number."""
    return str(view.plain.turn)


def heading(view: View, words: Words) -> str:
    """The turn in words."""
    return words.say("ui.turn", turn=view.plain.turn)


def cues(beat: Beat) -> tuple[Cue, ...]:
    """The thread from a king to his warchief; what flies: the stone, an axe, rats, a saboteur's tools, a glance."""
    found = (_cue(event) for event in beat.events)
    return tuple(cue for cue in found if cue is not None)


def _cue(event: Event) -> Cue | None:
    clan = str(event.args.get("clan"))
    if event.code in ("understood", "misread"):
        look = "whole" if event.code == "understood" else "torn"
        return Cue("thread", look, f"order-{clan}", f"act-{clan}")
    if event.code == "fired":
        return Cue("fly", "fire", f"catapult-{clan}", f"army-{_enemy(clan)}")
    if event.code == "sabotaged":
        return Cue("fly", "sabotage", f"army-{clan}", f"catapult-{_enemy(clan)}")
    if event.code == "attacked":
        return Cue("fly", str(event.args["action"]), f"army-{clan}", f"army-{_enemy(clan)}")
    if event.code == "looked":
        sight = str(event.args["sight"])
        return Cue("fly", "reconnoitre", f"army-{clan}", f"fog-{clan}" if sight == "fog" else sight)
    return None


def _enemy(clan: str) -> str:
    return CLANS[1 - CLANS.index(clan)]
