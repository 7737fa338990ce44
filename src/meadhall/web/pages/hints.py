"""What a strong bot would do, in words: a hint is made from its numbers alone."""

from dataclasses import dataclass

from meadhall.bots.evaluation import Judgement, Why
from meadhall.match import View
from meadhall.words import Words

SHOWN = 3  # choices, and meanings of a King card
# The vocabulary behind an argument of a reason; one that is not here is a number, told as it is.
KINDS = {
    "goths": ("character", "action", "sight", "place"),
    "romans": ("warrior", "fort"),
}


@dataclass(frozen=True)
class Bar:
    """A line of a small chart: what it is about, and a chance from 0 to 100."""

    label: str
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

    def at(self, number: int) -> str:
        """The warrior that should lie on a place."""
        k = number - self.first
        return self.line[k] if 0 <= k < len(self.line) else ""


def hint(judgement: Judgement, view: View, words: Words) -> Hint:
    """A judgement of a seat's view, in words."""
    game = view.game.name
    what, why = _label(judgement.best, game, words), reason(judgement.why, game, words)
    return Hint(
        best=judgement.best,
        what=what,
        why=why,
        spoken=words.say("ui.hint.spoken", choice=what, why=why),
        choices=tuple(
            Bar(_label(each.choice, game, words), percent(each.win), each.choice) for each in judgement.choices[:SHOWN]
        ),
        readings=_readings(judgement, game, words),
        caveat=words.say(judgement.caveat) if judgement.caveat else "",
        line=_line(judgement.best),
        first=7 - len(_line(judgement.best)),  # an order anew is for the last places (R4.14)
    )


def _label(choice: str, game: str, words: Words) -> str:
    """A choice in few words: a card or a line of warriors by its names alone."""
    verb, _, rest = choice.partition(":")
    if verb == "order":
        return words.name(game, "card", rest)
    line = _line(choice)
    return " · ".join(words.name(game, "warrior", each) for each in line) if line else words.choice(game, choice)


def reason(why: Why, game: str, words: Words) -> str:
    """A reason as a sentence: its names in the words of the language, its numbers as they are."""
    filled: dict[str, object] = {}
    for arg, value in why.args.items():
        kind = arg.partition("_")[0]
        if kind == "clan":
            filled |= {
                arg: words.name(game, "the-clan", str(value)),
                f"of_{arg}": words.name(game, "of-clan", str(value)),
            }
        elif kind in KINDS[game]:
            filled[arg] = words.name(game, kind, str(value))
        elif arg in ("choice", "other"):
            filled[arg] = _label(str(value), game, words)
        else:
            filled[arg] = value
    text = words.say(why.key, **filled)
    return text[:1].upper() + text[1:]


def percent(chance: float) -> int:
    """A chance as people say it; only what is certain is 0 or 100."""
    whole = round(100 * chance)
    return min(max(whole, 1 if chance > 0 else 0), 99 if chance < 1 else 100)


def _readings(judgement: Judgement, game: str, words: Words) -> tuple[Bar, ...]:
    """What the King card of one's own clan could be, the likeliest first."""
    own = judgement.seat.partition("-")[0]
    mine = sorted((each for each in judgement.readings if each.clan == own), key=lambda each: -each.chance)
    return tuple(
        Bar(words.name(game, "card", each.card), percent(each.chance), icon=each.card.partition("/")[0])
        for each in mine[:SHOWN]
    )


def _line(choice: str) -> tuple[str, ...]:
    verb, _, rest = choice.partition(":")
    return tuple(rest.split(",")) if verb in ("plan", "reorder") else ()
