"""A game's browser half: what its folder `web/GAME/` provides, and how the pages find it.

- `board.py` draws the table and reads a posted choice: the functions of `Board`.
- `form.py` has `FORM`, the game's part of the host form: a `GameForm`. It declares what *Play now* asks and which
  companies the host form can be filled in for. Without the file there are no fields but who sits where.
- `lesson.py` has `LESSON`, how somebody new learns it by playing: see `web/lesson.py`. It may be missing.
- `templates/` has `board.html`, `hand.html` and `story.html`, the three parts of a table. It may have `symbols.html`
  (its drawings: GAME is its sign, GAME-SIDE are those of its sides), `form.html` (its fields of the host form),
  `seats.html` (what that form says of its seats), `guide.html` (what somebody new must know, in the story),
  `scene.html`, `about.html` and `credits.html` (for home and rules), `analysis.html`.
- `style.css` has its sides, its scene and the pieces that board and hand share, and is linked on home, host, rules
  and tables. `board.css`, `hand.css`, `story.css` and `widths.css` (what changes with the width of the window) are
  linked after it, in this order, at its tables; each of these four may be missing. All is inside `.GAME` or
  `.GAME-...`; of these `.GAME-SIDE` gives a side its colours. The names of a side's seats begin with the side's, up to
  the first hyphen.
- `analysis.py` may have `picture(analysis, match, words, people)`: what `templates/analysis.html` shows as `detail`
  on the page of an analysis, below the curve and the turning points. Around it are the words, `game` and `replay`, to
  which the number of a beat is added for a link there (`<a href="{{ replay }}{{ beat }}">`); it is empty where there is
  no replay. `analysis.css` is linked there after `style.css`. In the terminal: `terminal/GAME_analysis.py`.
- `shown.py` has `figures(words)`, the picture of each clause of its rulebook as a `Figure`; `summary.py` has
  `summary(words)`, its rules on one page as `Section`s (see `web/shown.py`). `shown.html` draws their pieces,
  `shown.css` says how large. Without these the rules are words alone.
- `drawing.py` has `draw`, a position as a picture: see `web/drawing/`. `art.py` lists its drawings and pieces by name
  for `/art`: see `web/art.py`. Without them its picture is told in words, and the page leaves it out.
- A script beside it is fetched by the part of a page that names it in `data-script`, and called: `wire(part, table)`.

Nothing else in `web/` knows a game by its name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from meadhall.faults import Fault
from meadhall.games.game import Event, game_named
from meadhall.lab.analysis.report import Analysis
from meadhall.match import Beat, Match, View
from meadhall.words import Words


class Board(Protocol):
    """What the pages call in a game's `board.py`."""

    def picture(
        self, view: View, events: Sequence[Event], words: Words, people: Mapping[str, str], beat: Beat | None = None
    ) -> Any:
        """What the game's templates draw: the board, the hand and the story, from a seat's view and events alone.

        With a beat it is a frame of a telling: the table as it was then, which asks for nothing.
        """

    def choice_from(self, form: Mapping[str, str]) -> str:
        """The name of the choice that a posted form makes; a Fault if it makes none."""


@dataclass(frozen=True)
class FilledForm:
    """The fields of a host form as somebody has filled them in."""

    game: str
    values: Mapping[str, str]

    def value(self, name: str) -> str:
        """What stands in a field."""
        return self.values.get(name, "")

    def on(self, name: str) -> bool:
        """Is a box ticked?"""
        return bool(self.value(name))

    def role(self, seat: str) -> str:
        """Who is to sit on a seat."""
        return self.value(f"seat-{seat}") or "open"


@dataclass(frozen=True)
class Question:
    """What *Play now* asks: a field, the key of its label, the key of each answer's words, and the usual answer."""

    name: str
    label: str
    answers: Mapping[str, str]
    usual: str


LEVEL = Question(
    "level",
    "ui.play.level",
    {"easy": "ui.level.easy", "medium": "ui.level.medium", "hard": "ui.level.hard"},
    "easy",
)


@dataclass(frozen=True)
class PlayNow:
    """The table of whoever just wants to play: its options, the seats that are his, and the bots on the others."""

    rules: Mapping[str, Any]
    mine: tuple[str, ...]
    others: Mapping[str, str]


@dataclass(frozen=True)
class Preset:
    """A company that the host form can be filled in for: the keys of its name and of a sentence, and the fields."""

    name: str
    label: str
    help: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class GameForm:
    """A game's part of the host form. This one asks for nothing but who sits where; a game that has more extends it."""

    game: str
    first: Mapping[str, str] = field(default_factory=dict)  # what stands in the fields before anything is filled in
    absent: tuple[str, ...] = ()  # what a seat's field may say beside people and bots
    deck_fault: str = ""  # the key of what to say of a deck of one's own that is not possible
    questions: tuple[Question, ...] = ()  # what *Play now* asks

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that are asked for."""
        game = game_named(self.game)
        return game.seats(game.check_rules(game.usual_rules))

    @property
    def presets(self) -> tuple[Preset, ...]:
        """The companies that one click fills in."""
        first, *others = (f"seat-{seat}" for seat in self.seats)
        alone, shared = ({first: "me", **dict.fromkeys(others, role)} for role in ("random", "device"))
        return (
            Preset("bots", "ui.preset.bots", "ui.preset.bots-help", alone),
            Preset("device", "ui.preset.device", "ui.preset.device-help", shared),
        )

    def answers(self, given: Mapping[str, str], words: Words) -> dict[str, str]:
        """The answers of whoever wants to play, the usual ones where he gave none; a Fault says what is no answer."""
        answers = {}
        for question in self.questions:
            answer = given.get(question.name) or question.usual
            if answer not in question.answers:
                known = ", ".join(words.say(key) for key in question.answers.values())
                raise Fault(words.say("ui.play.fault", question=words.say(question.label), answers=known))
            answers[question.name] = answer
        return answers

    def play_now(self, answers: Mapping[str, str]) -> PlayNow:
        """The table that one click opens, by the answers to all questions."""
        seat, *others = self.seats
        return PlayNow(game_named(self.game).usual_rules, (seat,), dict.fromkeys(others, "random"))

    def rules(self, form: FilledForm, words: Words) -> dict[str, Any]:
        """The options that the fields ask for; a Fault says in words what is wrong."""
        return dict(game_named(self.game).usual_rules)

    def company(self, form: FilledForm, seats: dict[str, str]) -> dict[str, str]:
        """Who sits where, given what the field of each seat says."""
        return {seat: role for seat, role in seats.items() if role not in self.absent}


class AnalysisPictures(Protocol):
    """What the page of an analysis calls in a game's `analysis.py`."""

    def picture(self, analysis: Analysis, match: Match, words: Words, people: Mapping[str, str]) -> Any:
        """What `templates/analysis.html` shows as `detail`; people are the names by seat where somebody is known."""


def analysis_of(game: str) -> AnalysisPictures | None:
    """The module that draws a game's own part of an analysis, if it has one."""
    name = f"meadhall.web.{game}.analysis"
    found = find_spec(f"meadhall.web.{game}") and find_spec(name)
    return cast(AnalysisPictures, import_module(name)) if found else None


def board_of(game: str) -> Board:
    """The module that draws a game's table."""
    return cast(Board, import_module(f"meadhall.web.{game}.board"))


@cache
def form_of(game: str) -> GameForm:
    """A game's part of the host form."""
    name = f"meadhall.web.{game}.form"
    return cast(GameForm, import_module(name).FORM) if find_spec(name) else GameForm(game)
