"""Romans Go Home! in the browser: the lines of a finished game beside better ones, and what each fort was worth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from meadhall.bots.percent import percent
from meadhall.games.romans.names import POINTS, VALUES
from meadhall.lab.analysis.report import Analysis
from meadhall.lab.analysis.romans_found import FortWorth, Line, Lines, Round
from meadhall.match import Match
from meadhall.web.pages.hints import reason
from meadhall.web.romans.ending import Won
from meadhall.web.romans.pieces import Names, kind_of
from meadhall.words import Words
from meadhall.words.text import minus


@dataclass(frozen=True)
class Card:
    """A warrior of a line, whether another one really lay there, and the fort that was taken on its turn."""

    warrior: str
    name: str
    points: int
    label: str
    title: str
    other: bool
    fort: Won | None


@dataclass(frozen=True)
class Row:
    """A line: which one it is, its cards, and what it was worth."""

    title: str
    cards: tuple[Card, ...]
    aside: str
    paid: str  # what it paid as tax, in words
    points: str  # "" if its sums stand by another row
    before: str  # the chance to win by what the clan knew; "" for a neutral clan
    after: str
    real: bool
    said: str = ""  # what it does better than the real line
    praise: tuple[str, ...] = ()  # that there was nothing better


@dataclass(frozen=True)
class Clan:
    """A clan's lines of a round, the real one first."""

    clan: str
    name: str
    person: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Fort:
    """A fort of the Wall, who took it, and by how much it changed whose chance to win."""

    kind: str
    value: str
    name: str
    clan: str  # who took it
    word: str  # what became of it
    worth: str
    side: str  # whose chance that is, if it is not the captor's
    label: str


@dataclass(frozen=True)
class Gain:
    """A side's chance to win when a round was dealt and at its end."""

    clan: str
    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Played:
    """A round."""

    number: int
    heading: str
    beat: int
    gains: tuple[Gain, ...]
    forts: tuple[Fort, ...]
    clans: tuple[Clan, ...]


@dataclass(frozen=True)
class Picture:
    """Everything that this game's part of the page shows."""

    rounds: tuple[Played, ...]
    clans: tuple[tuple[str, str], ...]  # each with its name


def picture(analysis: Analysis, match: Match, words: Words, people: Mapping[str, str]) -> Picture:
    """The rounds of an analysis as they are shown."""
    names = Names(words, people)
    drawing = _Drawing(analysis, match, names)
    clans = tuple((clan, names.clan(clan)) for clan in match.game.vocabulary(match.rules, "clan"))
    return Picture(tuple(drawing.round(each) for each in analysis.detail.rounds), clans)


def spoken_worth(fort: FortWorth, names: Names) -> str:
    """What became of a fort and what it was worth, in a sentence."""
    say, worth = names.words.say, signed(fort.worth, names.words)
    named = {"fort": names.fort(fort.fort), "worth": worth}
    if fort.turn == 0:
        return say("romans.analysis.fort.stands", **named)
    named["side"] = names.the_clan(fort.side)
    if fort.paid:
        return say("romans.analysis.fort.paid", clan=names.the_clan(fort.captor), **named)
    if fort.captor and fort.captor == fort.side:
        return say("romans.analysis.fort.taken", clan=names.the_clan(fort.captor), **named)
    if fort.captor:
        return say("romans.analysis.fort.neutral", clan=names.the_clan(fort.captor), **named)
    return say("romans.analysis.fort.lost", **named)


def signed(change: float, words: Words) -> str:
    """A change of a chance in per cent, with its sign."""
    part = percent(abs(change))
    sign = "±" if part == 0 else "+" if change > 0 else "\u2212"
    return words.say("romans.analysis.percent", percent=f"{sign}{part}")


class _Drawing:
    """One analysis being drawn."""

    def __init__(self, analysis: Analysis, match: Match, names: Names) -> None:
        self.analysis, self.match, self.names, self.say = analysis, match, names, names.words.say

    def round(self, found: Round) -> Played:
        """A round with its Wall and its lines."""
        return Played(
            found.number,
            self.say("ui.round", round=found.number),
            found.beat,
            tuple(
                Gain(side, self.names.clan(side), self.chance(before), self.chance(after))
                for side, before, after in zip(self.analysis.sides, found.before, found.after, strict=True)
            ),
            tuple(self.fort(fort) for fort in found.forts),
            tuple(self.clan(lines) for lines in found.lines),
        )

    def chance(self, chance: float) -> str:
        """A chance in per cent."""
        return self.say("romans.analysis.percent", percent=percent(chance))

    def fort(self, fort: FortWorth) -> Fort:
        """A fort and what it was worth."""
        if fort.turn == 0:
            word = self.say("romans.analysis.stands")
        elif fort.paid:
            word = self.say("romans.analysis.paid")
        else:
            word = self.names.clan(fort.captor) if fort.captor else self.say("romans.analysis.lost")
        return Fort(
            kind_of(fort.fort),
            minus(VALUES[fort.fort]),
            self.names.fort(fort.fort),
            fort.captor,
            word,
            signed(fort.worth, self.names.words) if fort.turn else "",
            "" if fort.captor == fort.side else fort.side,
            spoken_worth(fort, self.names),
        )

    def clan(self, lines: Lines) -> Clan:
        """A clan's line, and those that would have been better."""
        clan, person = lines.clan, self.names.people.get(lines.clan, "")
        laid = self.row(self.say("romans.analysis.line.laid"), lines.laid, lines)
        if lines.then is None or lines.hindsight is None:
            return Clan(clan, self.names.clan(clan), self.say("romans.label.neutral"), (laid,))
        rows, praise = [], []
        if lines.laid.order:
            rows.append(self.reordered(lines))
        if lines.then == lines.laid:
            praise.append(self.say("romans.analysis.line.fine"))
        else:
            knew = self.say("romans.analysis.line.then", clan=self.names.the_clan(clan))
            why = reason(self.analysis.decisions[lines.decision or 0].why, "romans", self.names.words)
            rows.append(replace(self.row(knew, lines.then, lines), said=why))
        if lines.hindsight == lines.laid:
            praise.append(self.say("romans.analysis.line.best"))
        else:
            rows.append(self.row(self.say("romans.analysis.line.hindsight"), lines.hindsight, lines))
        return Clan(clan, self.names.clan(clan), person, (replace(laid, praise=tuple(praise)), *rows))

    def row(self, title: str, line: Line, lines: Lines) -> Row:
        """One of a clan's lines, with what is another than in the line that was laid."""
        captures = ("",) * 6 if line.order else line.captures
        return Row(
            title=title,
            cards=tuple(self.card(line.warriors, captures, lines.laid, place) for place in range(6)),
            aside=self.say("romans.table.aside", warrior=self.names.warrior(line.aside)) if line.aside else "",
            paid="" if line.order else self.paid(line),
            points=f"{'+' if line.points > 0 else ''}{minus(line.points)}",
            before=self.chance(line.expected) if lines.then is not None else "",
            after=self.chance(line.win),
            real=line is lines.laid,
        )

    def reordered(self, lines: Lines) -> Row:
        """The line that was laid in the order in which it was revealed (R4.14)."""
        laid = lines.laid
        cards = tuple(self.card(laid.order, laid.captures, laid, place) for place in range(6))
        return Row(self.say("romans.analysis.line.order"), cards, "", self.paid(laid), "", "", "", real=False)

    def paid(self, line: Line) -> str:
        """Which forts left again as tax (R5.3)."""
        forts = ", ".join(self.names.fort(fort) for fort in line.paid)
        return self.say("romans.analysis.line.paid", list=forts) if forts else ""

    def card(self, warriors: Sequence[str], captures: Sequence[str], laid: Line, place: int) -> Card:
        """A warrior, and what was taken on its turn."""
        warrior, fort = warriors[place], captures[place]
        name, other = self.names.warrior(warrior), warrior != laid.warriors[place]
        label = self.say("romans.analysis.card", place=place + 1, warrior=name, points=POINTS[warrior])
        if other:
            label = self.say("romans.analysis.card.other", card=label)
        if fort:
            label = self.say("romans.analysis.card.takes", card=label, fort=self.names.fort(fort))
        won = Won(minus(VALUES[fort]), self.names.fort(fort), kind_of(fort)) if fort else None
        return Card(warrior, name, POINTS[warrior], label, self.names.about_warrior(warrior), other, won)
