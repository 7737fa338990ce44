"""The table as others know it: a partner, or everybody, as far as the viewer can tell from his own seat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from meadhall.games.game import SPECTATOR
from meadhall.match import View
from meadhall.tables.face import PageFace
from meadhall.web.game import board_of
from meadhall.words import Words

Gaps = Callable[[View, View, Words], Sequence[str]]


@dataclass(frozen=True)
class Eyes:
    """Through whose eyes the board can be seen."""

    seat: str  # "" for one's own
    label: str
    chosen: bool


@dataclass(frozen=True)
class Peek:
    """The board through other eyes: whose, in words, what is known on one side only, and the picture."""

    title: str
    gaps: tuple[str, ...]
    picture: Any


def eyes(face: PageFace, wanted: str, words: Words) -> tuple[Eyes, ...]:
    """The viewer's own eyes, those of each partner, and everybody's; none for who has no seat, or after the end."""
    if face.seat is None or face.phase != "playing":
        return ()
    partners = face.view.game.partners(face.rules, face.seat)
    labels = {"": words.say("ui.eyes.mine")}
    labels |= {seat: words.say("ui.eyes.partner") for seat in partners}
    labels[SPECTATOR] = words.say("ui.eyes.all")
    return tuple(Eyes(seat, label, seat == (wanted if wanted in labels else "")) for seat, label in labels.items())


def peek(face: PageFace, choice: Sequence[Eyes], words: Words, people: Mapping[str, str]) -> Peek | None:
    """The board through the chosen eyes; None for the viewer's own."""
    chosen = next((each.seat for each in choice if each.chosen), "")
    if not chosen:
        return None
    theirs = face.view.seen_by(chosen)
    heard = [event for event in face.events if event.seen_by(chosen)]
    if chosen == SPECTATOR:
        title = words.say("ui.eyes.all-title")
    else:
        title = words.say("ui.eyes.partner-title", seat=words.seat(face.game, chosen))
    gaps = tuple(_gaps(face.game)(face.view, theirs, words)) or (words.say("ui.eyes.same"),)
    return Peek(title, gaps, board_of(face.game).picture(theirs, heard, words, people))


@cache
def _gaps(game: str) -> Gaps:
    """What a game says of two views of one position: `gaps(mine, theirs, words)` in `web/GAME/eyes.py`."""
    name = f"meadhall.web.{game}.eyes"
    if find_spec(f"meadhall.web.{game}") and find_spec(name):
        found: Gaps = import_module(name).gaps
        return found
    return lambda mine, theirs, words: ()
