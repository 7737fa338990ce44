"""A lesson: a few steps at the real table, in each of which somebody new makes one choice and sees what it does.

How to write one. A game's `web/GAME/lesson.py` has `LESSON`, a `Lesson` of 7 to 9 steps; a game without that file has
no lesson, and no page mentions one. It may have `facts(view, words)`: the numbers and names that its sentences fill in.
Numbers never stand in a sentence as digits: they are facts, and so cannot be wrong.

A `Step` is one idea:
- `name`: how the step goes by in tests and on the page (`data-step`); small letters and hyphens.
- `setup`, `rules`, `before`: the position, as a record holds it: what was dealt, the options that differ from the usual
  ones, and all choices so far, each a pair (seat, choice). It is reached by playing them; nothing is put on the table.
- `seat`: the learner's; it owes exactly one choice there.
- `title`, `ask`: keys of the idea in two to four words, and of what the learner is to do: two short sentences at most.
- `look`: what draws the eye, by its name on the page: `data-piece`, `data-move`, `data-card` or `data-warrior` of a
  piece, or the choice that it stands for (`act:fire`). After two wrong tries the right choices do, too.
- `right`: an `Answer`. Its `choices` are what is asked for, `says` is what is said of it, and `brings` are the events
  that make it right: each of these choices brings all of them about, and no other choice does.
- Where there are too many to name, as of whole lines, `ALIKE` stands after a few of them: the answer is given to every
  choice that brings about what it `brings` and nothing that it `lacks`. The first such answer is given.
- `wrong`: answers to particular other choices, each with what it `brings` about, and what it `lacks`, so that the
  sentence is true. Give `OTHERWISE` as the choice of the last one: it is said of everything else, and must be true of
  all of it. Say kindly what would happen, never "wrong"; the learner has just seen it.
- `then`: what the others choose in answer, in this order. Whoever does not owe a choice by then, or may not make it,
  is passed over. An `Answer` may have a `then` of its own, where others would answer that choice differently. The
  learner's own seat may stand in it too, if that takes the turn to its end.
- `begun`: a choice that is made in part already; the game's `lesson.py` has `begin(picture, begun)`, which shows it.
- `help`: what draws the eye after two wrong tries, where that is not the right choices. `data-slot=1` names an
  attribute, too, where the name alone would be that of other things.
- `turns`: how many turns (chapters of the game's `telling.py`) are told of what follows, 1 unless given. The table
  stays as the last beat of them left it, whatever comes afterwards.

The learner's page is what the engine makes of that: `try_out` plays the choice and the others' answers on a copy of the
position, the beats are told as at any table, and the table stays as the last of them left it.

All sentences are in `words/locale/learn-GAME/`. `tests/web/test_lessons.py` plays every legal choice of every step and
checks all that stands above.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from meadhall.games.game import Event
from meadhall.match import Match, View
from meadhall.record import FORMAT, RecordData
from meadhall.web import telling
from meadhall.words import Words

OTHERWISE = "*"  # as a choice: whatever no other answer is about
ALIKE = "~"  # as a choice: whatever brings about the same as those that are named
HELP_AFTER = 2  # wrong tries, before the right choice is pointed at
Choice = tuple[str, str]  # a seat and what it chooses


@dataclass(frozen=True)
class Happens:
    """An event that a choice brings about: its code and those of its arguments that matter."""

    code: str
    args: Mapping[str, str | int] = field(default_factory=dict)

    def is_in(self, events: Sequence[Event]) -> bool:
        """Has it happened?"""
        return any(
            event.code == self.code and all(event.args.get(name) == value for name, value in self.args.items())
            for event in events
        )


def happens(code: str, **args: str | int) -> Happens:
    """Short for an event with arguments."""
    return Happens(code, args)


@dataclass(frozen=True)
class Answer:
    """What is said of some choices, what each of them brings about and what not, and what draws the eye then."""

    choices: tuple[str, ...]
    says: str
    brings: tuple[Happens, ...] = ()
    lacks: tuple[Happens, ...] = ()
    look: tuple[str, ...] = ()
    then: tuple[Choice, ...] | None = None  # what the others choose, where it is not what the step says

    @property
    def named(self) -> tuple[str, ...]:
        """The choices it names."""
        return tuple(choice for choice in self.choices if choice not in (OTHERWISE, ALIKE))

    def is_about(self, choice: str) -> bool:
        """Is it given to this choice, whatever comes of it?"""
        return choice in self.named or OTHERWISE in self.choices

    def is_true_of(self, events: Sequence[Event]) -> bool:
        """Has all happened that it says, and nothing that it rules out?"""
        return all(each.is_in(events) for each in self.brings) and not any(each.is_in(events) for each in self.lacks)


@dataclass(frozen=True)
class Step:
    """One idea: a position, whose it is, what is asked, and what is said of each choice."""

    name: str
    title: str
    ask: str
    seat: str
    setup: Mapping[str, Any]
    right: Answer
    wrong: tuple[Answer, ...] = ()
    before: tuple[Choice, ...] = ()
    then: tuple[Choice, ...] = ()
    look: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    turns: int = 1
    rules: Mapping[str, Any] = field(default_factory=dict)
    begun: str = ""

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All that can be said of a choice, what is right first."""
        return (self.right, *self.wrong)

    def replies_to(self, choice: str) -> tuple[Choice, ...]:
        """What the others choose when the learner has chosen this."""
        named = next((answer.then for answer in self.answers if answer.is_about(choice)), None)
        return self.then if named is None else named

    def answer_to(self, choice: str, events: Sequence[Event]) -> Answer:
        """What is said of a choice that has led to these events."""
        for answer in self.answers:
            if answer.is_about(choice) or (ALIKE in answer.choices and answer.is_true_of(events)):
                return answer
        raise KeyError(f"the step {self.name} has no answer to {choice}")

    def record(self, game: str) -> RecordData:
        """The position as a record."""
        choices = [list(choice) for choice in self.before]
        return RecordData(format=FORMAT, game=game, rules=dict(self.rules), setup=dict(self.setup), choices=choices)


@dataclass(frozen=True)
class Tried:
    """What a choice led to, as far as it is told: what is said of it, the beats, and their events."""

    answer: Answer
    right: bool
    view: View  # of the table as it stays
    news: tuple[telling.Step, ...]
    events: Sequence[Event]  # what the learner was told since the choice

    @property
    def won(self) -> bool:
        """Has the learner's side won by it?"""
        view = self.view
        outcome = view.game.outcome(view.rules, view.plain)
        return outcome is not None and view.game.side_of(view.rules, view.seat) in outcome.winners


@dataclass(frozen=True)
class Lesson:
    """All steps of a game's lesson, and how its last page goes on: what *Play now* is answered there."""

    game: str
    steps: tuple[Step, ...]
    first_game: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _positions(self) -> dict[str, Match]:
        return {}

    def position(self, step: Step) -> Match:
        """The match at the position of a step; a copy, as it may be played on."""
        if step.name not in self._positions:
            self._positions[step.name] = Match.from_record(step.record(self.game))
        return self._positions[step.name].copy()

    def try_out(self, step: Step, choice: str) -> Tried:
        """Play a choice, and what the others answer, on a copy of the position; a Fault if it cannot be chosen."""
        match = self.position(step)
        since, heard = match.moment, len(match.events(step.seat))
        match.commit(step.seat, choice)
        for seat, reply in step.replies_to(choice):
            if seat in match.waiting and match.is_legal(seat, reply):
                match.commit(seat, reply)
        told = telling.steps(match.timeline(step.seat, since), match.events(step.seat), since)
        news = _first_turns(told, step.turns)
        view, all_told = (news[-1].beat.view, news[-1].events) if news else (match.view(step.seat), ())
        events = all_told[heard:]
        answer = step.answer_to(choice, events)
        return Tried(answer, answer is step.right, view, news, events)

    def facts(self, view: View, words: Words) -> dict[str, object]:
        """What the sentences of a step may fill in, from what the learner may know."""
        of = getattr(import_module(_module(self.game)), "facts", None)
        return of(view, words) if of else {}

    def begin(self, step: Step, picture: Any) -> Any:
        """The picture of a step's table, with what is chosen there already."""
        return import_module(_module(self.game)).begin(picture, step.begun) if step.begun else picture


def _first_turns(told: Sequence[telling.Step], turns: int) -> tuple[telling.Step, ...]:
    """The beats of so many turns: that the next one begins is left out, what happened stays on the table."""
    chapters = list(dict.fromkeys(telling.chapter(step.beat) for step in told))[:turns]
    return tuple(step for step in told if telling.chapter(step.beat) in chapters)


def _module(game: str) -> str:
    return f"meadhall.web.{game}.lesson"


@cache
def lesson_of(game: str) -> Lesson | None:
    """A game's lesson, if it has one."""
    name = _module(game)
    if not (find_spec(f"meadhall.web.{game}") and find_spec(name)):
        return None
    return cast(Lesson, import_module(name).LESSON)
