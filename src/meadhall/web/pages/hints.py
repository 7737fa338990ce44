"""What a strong bot would do, in words: a hint is made from its numbers alone."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

from meadhall.bots.evaluation import Evaluation, Reason, Valued
from meadhall.bots.percent import percent
from meadhall.match import View
from meadhall.words import Words
from meadhall.words.text import capital

SHOWN = 3  # choices, and meanings of a King card
# A chance in words, from so many per cent on; the numbers stand behind.
_LIKELY = (
    (97, "ui.hint.surely"),
    (75, "ui.hint.very-likely"),
    (50, "ui.hint.likely"),
    (15, "ui.hint.perhaps"),
    (0, "ui.hint.hardly"),
)
_WINS = (
    (80, "ui.hint.win.splendid"),
    (57, "ui.hint.win.good"),
    (43, "ui.hint.win.even"),
    (20, "ui.hint.win.poor"),
    (0, "ui.hint.win.bad"),
)
_CHANCES = ("chance", "through", "queen", "trap")  # arguments of a reason that are told in words


@dataclass(frozen=True)
class Bar:
    """A line of a small chart: what it is about, and a chance from 0 to 100."""

    label: str
    word: str  # the chance in a word
    percent: int
    value: str = ""  # the choice it stands for
    icon: str = ""


@dataclass(frozen=True)
class Hint:
    """A hint as it is shown: what to do, why, what else there is, and what a King card could mean."""

    best: str
    what: str
    why: str
    spoken: str  # the same as it is read out
    choices: tuple[Bar, ...]
    readings: tuple[Bar, ...]
    caveat: str
    line: tuple[str, ...] = ()  # warriors by place, where a line is to be laid
    first: int = 1  # the number of its first place

    @property
    def alternatives(self) -> bool:
        """Is there anything else to choose?"""
        return len(self.choices) > 1

    def at(self, number: int) -> str:
        """The warrior that should lie on a place."""
        k = number - self.first
        return self.line[k] if 0 <= k < len(self.line) else ""


def hint(evaluation: Evaluation, view: View, words: Words) -> Hint:
    """An evaluation of a seat's view, in words."""
    game = view.game.name
    own = _words_of(game)
    what, why = own.label(evaluation.best, words), reason(evaluation.why, game, words)
    return Hint(
        best=evaluation.best,
        what=what,
        why=why,
        spoken=words.say("ui.hint.spoken", choice=what, why=why),
        choices=tuple(_bar(each, own, words) for each in evaluation.choices[:SHOWN]),
        readings=_readings(evaluation, game, words),
        caveat=words.say(evaluation.caveat) if evaluation.caveat else "",
        line=own.line(evaluation.best),
        first=7 - len(own.line(evaluation.best)),  # an order anew is for the last places (R4.14)
    )


def _bar(valued: Valued, own: Any, words: Words) -> Bar:
    """A choice and its chance to win."""
    chance = percent(valued.win)
    return Bar(own.label(valued.choice, words), in_words(_WINS, chance, words), chance, valued.choice)


def in_words(scale: tuple[tuple[int, str], ...], chance: int, words: Words) -> str:
    """A chance in per cent by a word of a scale, which has the highest first."""
    return words.say(next(key for least, key in scale if chance >= least))


@cache
def _words_of(game: str) -> Any:
    """How a game's hints name things: `meadhall.web.GAME.hints`, or by the plain names of its choices."""
    if find_spec(f"meadhall.web.{game}") and find_spec(f"meadhall.web.{game}.hints"):
        return import_module(f"meadhall.web.{game}.hints")
    return SimpleNamespace(KINDS=(), label=lambda choice, words: words.choice(game, choice), line=lambda choice: ())


def label(game: str, choice: str, words: Words) -> str:
    """A choice in few words, as hints name it."""
    return str(_words_of(game).label(choice, words))


def reason(why: Reason, game: str, words: Words) -> str:
    """A reason as a sentence: its names in the words of the language, its numbers as they are."""
    own = _words_of(game)
    filled: dict[str, object] = {}
    for arg, value in why.args.items():
        kind = arg.partition("_")[0]
        if kind == "clan":
            filled |= {
                arg: words.name(game, "the-clan", str(value)),
                f"of_{arg}": words.name(game, "of-clan", str(value)),
            }
        elif kind == "because":
            filled[arg] = words.say(str(value))
        elif kind in own.KINDS:
            filled[arg] = words.name(game, kind, str(value))
        elif arg in ("choice", "other"):
            filled[arg] = own.label(str(value), words)
        else:
            filled[arg] = value
        if arg in _CHANCES:
            filled[f"{arg}_word"] = in_words(_LIKELY, int(value), words)
    return capital(words.say(why.key, **filled))


def _readings(evaluation: Evaluation, game: str, words: Words) -> tuple[Bar, ...]:
    """What the King card of one's own clan could be, the likeliest first."""
    own = evaluation.seat.partition("-")[0]
    mine = sorted((each for each in evaluation.readings if each.clan == own), key=lambda each: -each.chance)
    return tuple(
        Bar(
            words.name(game, "card", each.card),
            in_words(_LIKELY, percent(each.chance), words),
            percent(each.chance),
            icon=each.card.partition("/")[0],
        )
        for each in mine[:SHOWN]
    )
