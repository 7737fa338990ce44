"""The page of one beat of a game that is looked back on: the table as it was then, and the way to every other beat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from meadhall.games.game import SPECTATOR, Seat
from meadhall.tables.refusals import Senseless
from meadhall.web.game import board_of
from meadhall.web.pages.render import render
from meadhall.web.replay import OPEN, Replay, Turn
from meadhall.web.telling import Cue, cues, heading, hold, kinds, told
from meadhall.words import Words


@dataclass(frozen=True)
class Way:
    """A link to another beat: what it does, the beat, and its address; none where it would lead nowhere."""

    name: str
    beat: int
    href: str
    leads: bool


@dataclass(frozen=True)
class Linked:
    """A turn, where it begins, and what it is and brought in words."""

    turn: Turn
    href: str

    @property
    def said(self) -> str:
        """The turn and its marks in words."""
        return ". ".join([self.turn.title, *(mark.said for mark in self.turn.marks)])


@dataclass(frozen=True)
class Eyes:
    """A viewpoint that can be chosen: its name, in words, and whether it is the one in use."""

    name: str
    said: str
    chosen: bool


@dataclass(frozen=True)
class Meanwhile:
    """A game that goes on while somebody looks back: is he asked, and what his live messages say by now."""

    asked: bool
    hides: bool  # may others at this device see what is one person's alone, unless it is hidden again?
    live: str
    tag: str


@dataclass(frozen=True)
class Still:
    """A beat as a page shows it: which of how many, in words, for how long while it is played, and the ways from it."""

    number: int
    last: int
    viewpoint: str
    kind: str
    hold: int
    moment: int
    title: str
    said: str
    href: str
    turn: int  # the beat with which its turn begins
    turns: Sequence[Linked]
    legend: Mapping[str, str]  # the kinds of marks, each with its name
    cues: Sequence[Cue]
    ways: Sequence[Way]
    eyes: Sequence[Eyes]

    @property
    def base(self) -> str:
        """The query of every beat of this viewpoint, but for the beat's number."""
        return address(self.viewpoint, 0).removesuffix("0")

    @property
    def named(self) -> bool:
        """Does its address name the viewpoint?"""
        return self.viewpoint != OPEN

    @property
    def width(self) -> int:
        """How wide the scrubber is, a beat being one."""
        return max(1, self.last)

    @property
    def place(self) -> int:
        """Which of the beats it is as people count, from 1."""
        return self.number + 1

    @property
    def count(self) -> int:
        """How many beats there are."""
        return self.last + 1


def address(viewpoint: str, beat: int) -> str:
    """The query of a beat: the usual viewpoint of a finished game needs no name."""
    return "?" + urlencode({"beat": beat} if viewpoint == OPEN else {"as": viewpoint, "beat": beat})


def beat_number(text: str, usual: int, last: int) -> int:
    """The beat that a query asks for."""
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= last):
        raise Senseless("ui.refused.beat", beat=text[:20], last=last)
    return int(text)


def still(replay: Replay, number: int, viewpoints: Sequence[str], words: Words, game: str) -> Still:
    """What a page says of a beat."""
    beat = replay.beats[number]
    view = replay.viewpoint
    to = {
        "first": 0,
        "turn-back": replay.turn_before(number),
        "back": max(0, number - 1),
        "next": min(replay.last, number + 1),
        "turn-next": replay.turn_after(number),
        "last": replay.last,
    }
    return Still(
        number=number,
        last=replay.last,
        viewpoint=view,
        kind=beat.kind,
        hold=hold(beat),
        moment=beat.moment,
        title=heading(beat, words),
        said=told(words, game, beat),
        href=address(view, number),
        turn=replay.turn_of(number),
        turns=[Linked(turn, address(view, turn.beat)) for turn in replay.turns(words)],
        legend={kind: words.say(name) for kind, name in kinds(game).items()},
        cues=cues(beat) if beat.kind else (),
        ways=[Way(name, at, address(view, at), at != number) for name, at in to.items()],
        eyes=[Eyes(name, said_of(name, game, words), name == view) for name in viewpoints],
    )


def said_of(viewpoint: str, game: str, words: Words) -> str:
    """A viewpoint in words."""
    return words.say("ui.replay.open") if viewpoint == OPEN else words.seat(game, viewpoint)


def html(
    replay: Replay,
    number: int,
    viewpoints: Sequence[str],
    words: Words,
    people: Mapping[Seat, str],
    **page: Any,
) -> str:
    """The page of a beat, or, with `fragment=True`, the part of it that changes."""
    step = replay.step(number)
    game = step.beat.view.game.name
    picture = board_of(game).picture(step.beat.view, step.events, words, people, step.beat)
    shown = still(replay, number, viewpoints, words, game)
    context = {"game": game, "picture": picture, "telling": True, "still": shown}
    return render("replay.html", words, **context | page)


def all_viewpoints(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Every viewpoint of a game that is nobody's secret any more."""
    return (OPEN, *seats, SPECTATOR)
