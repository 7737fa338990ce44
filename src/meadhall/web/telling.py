"""How what happened is told at the table: a frame for each beat, for as long as it takes to take in.

A game's `web/GAME/telling.py` may have `hold(beat)`, the milliseconds that a beat is shown at normal speed,
`cues(beat)`, what is shown between pieces meanwhile, `chapter(view)` and `heading(view, words)`, the turn it belongs
to by a name and in words, `BRIEF`, the kinds of beats that tell a turn in short, and `MARKS`, the events that a replay
marks on its scrubber. A game without it is told too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

from meadhall.games.game import Event
from meadhall.match import Beat, Match, View
from meadhall.words import Words

SHORTEST = 900  # milliseconds
EACH_EVENT = 250
TOLD = 2000  # beats whose words are kept


@dataclass(frozen=True)
class Cue:
    """What is shown between two pieces while a beat is told: something that flies, or a thread, whole or torn."""

    kind: str  # fly or thread
    what: str  # the drawing; whole or torn
    start: str  # the pieces, by the names they have on the page
    end: str


@dataclass(frozen=True)
class Mark:
    """What a replay marks on its scrubber: a kind, which gives it its shape, its name, and what is said of a side.

    Its event has the side as `clan`; name and sentence are keys of the catalogues.
    """

    kind: str  # capture, misread or end
    name: str
    label: str


@dataclass(frozen=True)
class Step:
    """A beat that is worth watching, with all that its viewer had been told by then."""

    beat: Beat
    events: Sequence[Event]


def is_public(beat: Beat) -> bool:
    """Did anything happen that all could see? What one has only sealed is no news to oneself."""
    return bool(beat.kind) and any(event.audience is None for event in beat.events)


def steps(beats: Iterable[Beat], events: Sequence[Event], since: int) -> list[Step]:
    """The beats from a moment on, each with the events up to it; the beats' are the last of the events."""
    beats = list(beats)
    heard = len(events) - sum(len(beat.events) for beat in beats)
    found = []
    for beat in beats:
        heard += len(beat.events)
        if beat.moment >= since and is_public(beat):
            found.append(Step(beat, events[:heard]))
    return found


def told(words: Words, game: str, beat: Beat) -> str:
    """A beat in words, as it is read out; that a choice was sealed is worth a word only if nothing else happened."""
    return _told(words, game, beat.events)


@lru_cache(TOLD)
def _told(words: Words, game: str, events: tuple[Event, ...]) -> str:
    """The same, kept: a frame says it twice, and so does that of everybody else who sees it."""
    grammar = words.of(game)
    said = [event for event in events if event.code != "sealed"] or events
    if not said:
        return words.say("ui.replay.waits")
    return " ".join(grammar.sentence(group) for group in grammar.groups(said))


@cache
def _of(game: str) -> Any:
    name = f"meadhall.web.{game}.telling"
    if find_spec(f"meadhall.web.{game}") and find_spec(name):
        return import_module(name)
    usual = {"hold": _usual_hold, "cues": _no_cues, "chapter": _usual_chapter, "heading": _usual_heading}
    return SimpleNamespace(**usual, BRIEF=None, MARKS={})


def _usual_hold(beat: Beat) -> int:
    return SHORTEST + EACH_EVENT * len(beat.events)


def _no_cues(beat: Beat) -> tuple[Cue, ...]:
    return ()


def _usual_chapter(view: View) -> str:
    return str(view.game.turn(view.plain))


def _usual_heading(view: View, words: Words) -> str:
    return words.say("ui.turn", turn=view.game.turn(view.plain))


def hold(beat: Beat) -> int:
    """For how many milliseconds a beat is shown at normal speed."""
    of: Callable[[Beat], int] = _of(beat.view.game.name).hold
    return of(beat) if beat.kind else _usual_hold(beat)


def cues(beat: Beat) -> tuple[Cue, ...]:
    """What is shown between pieces while a beat is told."""
    of: Callable[[Beat], tuple[Cue, ...]] = _of(beat.view.game.name).cues
    return of(beat)


def chapter(beat: Beat) -> str:
    """The turn that a beat belongs to, by a name that is no other turn's."""
    of: Callable[[View], str] = _of(beat.view.game.name).chapter
    return of(beat.view)


def heading(beat: Beat, words: Words) -> str:
    """The turn that a beat belongs to, in words."""
    of: Callable[[View, Words], str] = _of(beat.view.game.name).heading
    return of(beat.view, words)


def marks(beat: Beat) -> list[tuple[Mark, Event]]:
    """What a replay marks of a beat, each with the event that it is made from."""
    known: Mapping[str, Mark] = _of(beat.view.game.name).MARKS
    return [(known[event.code], event) for event in beat.events if event.code in known]


def kinds(game: str) -> dict[str, str]:
    """The kinds of marks that a replay of a game may have, each with the key of its name."""
    known: Mapping[str, Mark] = _of(game).MARKS
    return {mark.kind: mark.name for mark in known.values()}


def is_brief(beat: Beat) -> bool:
    """Does this beat belong to what is told of a turn in short?"""
    kinds = _of(beat.view.game.name).BRIEF
    return kinds is None or beat.kind in kinds


def seconds(match: Match, since: int) -> float:
    """How long it takes at normal speed to tell everybody what has happened since a moment."""
    beats = (beat for beat in match.timeline(since=since) if beat.moment >= since and is_public(beat))
    return sum(hold(beat) for beat in beats) / 1000
