"""A game to look back on, beat by beat, through somebody's eyes: its turns, its marks, and how to get about in it."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from meadhall.games.game import Event
from meadhall.match import Beat, Match
from meadhall.web.telling import Mark, Step, chapter, heading, marks
from meadhall.words import Words

OPEN = "open"  # the viewpoint from which everything is turned up


@dataclass(frozen=True)
class Marked:
    """A mark on the scrubber: at which beat, of what kind, about which side, and in words."""

    beat: int
    kind: str
    side: str
    said: str


@dataclass(frozen=True)
class Turn:
    """A turn: the beat that it begins with, what it is called in short and at length, and what is marked in it."""

    beat: int
    name: str
    title: str
    marks: tuple[Marked, ...]


class Replay:
    """The beats that one viewpoint has of a game: a seat's, a spectator's, or with everything open."""

    def __init__(self, viewpoint: str, beats: Sequence[Beat]) -> None:
        self.viewpoint = viewpoint
        self.beats = beats
        self._events = [event for beat in beats for event in beat.events]
        self._heard = list(accumulate(len(beat.events) for beat in beats))  # events that were told by each beat's end

    @classmethod
    def of_record(cls, match: Match, viewpoint: str) -> "Replay":
        """A game of which whoever looks holds the whole record."""
        if viewpoint == OPEN:
            return cls(OPEN, [beat for beats in match.full_timeline() for beat in beats])
        return cls(viewpoint, match.timeline(viewpoint))

    @property
    def last(self) -> int:
        """The number of the last beat."""
        return len(self.beats) - 1

    def step(self, number: int) -> Step:
        """A beat with all that the viewpoint had been told by then."""
        return Step(self.beats[number], self._events[: self._heard[number]])

    @cached_property
    def starts(self) -> list[int]:
        """The beats with which turns begin."""
        names = [chapter(beat) for beat in self.beats]
        return [number for number, name in enumerate(names) if number == 0 or names[number - 1] != name]

    def turn_of(self, number: int) -> int:
        """The beat with which the turn of a beat begins."""
        return self.starts[bisect_right(self.starts, number) - 1]

    def turn_before(self, number: int) -> int:
        """Where the turn begins, or from there, where the one before does."""
        return self.starts[max(0, bisect_left(self.starts, number) - 1)]

    def turn_after(self, number: int) -> int:
        """Where the next turn begins; the last beat if there is none."""
        at = bisect_right(self.starts, number)
        return self.starts[at] if at < len(self.starts) else self.last

    def turns(self, words: Words) -> list[Turn]:
        """All turns, with their marks."""
        found = []
        for start, end in zip(self.starts, [*self.starts[1:], len(self.beats)], strict=True):
            told = [
                _marked(k, mark, event, self.beats[k], words)
                for k in range(start, end)
                for mark, event in marks(self.beats[k])
            ]
            found.append(Turn(start, chapter(self.beats[start]), heading(self.beats[start], words), tuple(told)))
        return found

    def counterpart(self, number: int, other: "Replay") -> int:
        """The beat of another viewpoint at which the last thing was told that both were told by then."""
        shared = sum(other.hears(event) for event in self._events[: self._heard[number]])
        for index, event in enumerate(other._events):
            shared -= self.hears(event)
            if shared <= 0:
                return bisect_right(other._heard, index)
        return other.last

    def hears(self, event: Event) -> bool:
        """Is this viewpoint told of an event?"""
        return self.viewpoint == OPEN or event.seen_by(self.viewpoint)


def _marked(number: int, mark: Mark, event: Event, beat: Beat, words: Words) -> Marked:
    side = str(event.args["clan"])
    return Marked(number, mark.kind, side, words.say(mark.label, side=words.side(beat.view.game.name, side)))
