"""What has happened since a page was last shown, as frames: a small page for each beat, made like any other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from meadhall.tables.face import PageFace
from meadhall.web.game import board_of
from meadhall.web.pages.render import render
from meadhall.web.telling import Cue, Step, chapter, cues, heading, hold, is_brief, told
from meadhall.words import Words

PARTS = ("cloth.html", "rail.html", "scene.html")
MOST = 120  # beats that are sent whole; of what was before them, a sentence each must do


@dataclass(frozen=True)
class Frame:
    """A beat as it is sent: when, what kind of thing, for how long, in which turn, in words, and what it shows."""

    beat: int
    kind: str
    hold: int  # milliseconds at normal speed
    chapter: str
    heading: str  # the turn in words
    brief: bool  # is it told even in short?
    say: str
    parts: tuple[Markup, ...]
    cues: tuple[Cue, ...]


def frames(face: PageFace, found: Sequence[Step], words: Words, people: Mapping[str, str]) -> Iterator[str]:
    """Beats as the script gets them, to play one by one before it shows the table as it is now."""
    shown: dict[str, str] = {}
    for number, step in enumerate(found):
        frame = _frame(face, step, words, people, shown, whole=number >= len(found) - MOST)
        yield render("frame.html", words, frame=frame)


def _frame(
    face: PageFace, step: Step, words: Words, people: Mapping[str, str], shown: dict[str, str], whole: bool
) -> Frame:
    """A frame; `shown` is what the parts were in the frame before, and is brought up to date."""
    beat = step.beat
    parts = []
    if whole:
        picture = board_of(face.game).picture(beat.view, step.events, words, people, beat)
        page: dict[str, Any] = {"face": face, "game": face.game, "picture": picture, "telling": True}
        for name in PARTS:
            part = render(name, words, **page)
            if shown.get(name) != part:
                shown[name] = part
                parts.append(Markup(part))  # made by a template, which has escaped all that people wrote
    said = told(words, face.game, beat)
    title, brief = heading(beat, words), is_brief(beat)
    return Frame(beat.moment, beat.kind, hold(beat), chapter(beat), title, brief, said, tuple(parts), cues(beat))
