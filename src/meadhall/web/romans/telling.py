"""Romans Go Home! in the browser: how long each beat is shown, and what flies across the board meanwhile."""

from meadhall.match import Beat, View
from meadhall.web.romans.pieces import warrior_piece
from meadhall.web.telling import Cue, Mark
from meadhall.words import Words

# Milliseconds at normal speed.
_HOLD = {
    "round": 1200,
    "plans": 900,
    "turn": 600,
    "reveal": 1700,
    "wrecks": 1300,
    "charm": 1600,
    "sums": 700,
    "verdict": 1700,
    "fort": 1200,
    "legions": 1800,
    "parting": 1000,
    "discards": 1000,
    "reorder": 1000,
    "tax": 1100,
    "summary": 4000,
    "score": 1500,
}
BRIEF = frozenset({"fort", "legions", "summary", "score"})
MARKS = {
    "captured": Mark("capture", "romans.replay.a-capture", "romans.replay.captured"),
    "won": Mark("end", "ui.replay.victory", "ui.replay.won"),
}
_COUNTED = {"term": 320, "total": 220}  # sums build term by term


def hold(beat: Beat) -> int:
    """For how many milliseconds a beat is shown at normal speed."""
    return _HOLD[beat.kind] + sum(_COUNTED.get(event.code, 0) for event in beat.events)


def chapter(view: View) -> str:
    """The round and the turn."""
    return f"{view.plain.round}.{view.plain.turn}"


def heading(view: View, words: Words) -> str:
    """The round and the turn in words."""
    state = view.plain
    return f"{words.say('ui.round', round=state.round)} · {words.say('ui.turn', turn=state.turn)}"


def cues(beat: Beat) -> tuple[Cue, ...]:
    """What flies: the qween's charm."""
    place = beat.view.plain.shown
    return tuple(
        Cue(
            "fly",
            "qween",
            warrior_piece(str(event.args["clan"]), place),
            warrior_piece(str(event.args["target"]), place),
        )
        for event in beat.events
        if event.code == "charmed"
    )
