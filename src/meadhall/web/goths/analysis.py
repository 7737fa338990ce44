"""Goths Save the Queen in the browser: meant and read, the game's own part of an analysis."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from meadhall.bots.percent import percent
from meadhall.games.goths.state import ACTIONS
from meadhall.lab.analysis.goths_found import Detail, Order
from meadhall.lab.analysis.goths_found import Pair as Sums
from meadhall.lab.analysis.report import Analysis
from meadhall.match import Match
from meadhall.web.goths.pieces import Viewer, brief, soft
from meadhall.web.pages.hints import reason
from meadhall.words import Words

FOLDED_FROM = 8  # turns: in a longer game those in which every order was understood are folded


@dataclass(frozen=True)
class Half:
    """One of the two characters on a back, and how likely it was."""

    character: str
    name: str
    percent: int
    meant: bool


@dataclass(frozen=True)
class Tale:
    """A clan's order: the back with what it could mean, the card that was meant, the card that was chosen."""

    clan: str
    name: str
    halves: tuple[Half, ...]
    meant: str
    meant_name: str
    bluff: str
    face_up: tuple[tuple[str, str], ...]  # the King cards of earlier turns: character and bluff
    lay: str  # the same in words
    via: str  # the character of the card that lay face up, where the order got through by one
    number: int
    action: str
    action_name: str
    whole: bool
    grade: str  # understood, king, warchief or nobody
    verdict: str
    why: str
    spoken: str


@dataclass(frozen=True)
class Turn:
    """The orders of a turn, and the beat of its replay at which the cards are turned."""

    title: str
    number: int
    beat: int
    tales: tuple[Tale, ...]

    @property
    def calm(self) -> bool:
        """Was every order understood?"""
        return all(tale.whole for tale in self.tales)


@dataclass(frozen=True)
class Turns:
    """Turns one after the other; a title if they are folded, as there is nothing to see."""

    turns: tuple[Turn, ...]
    folded: str = ""


@dataclass(frozen=True)
class Mark:
    """One of a pair's orders, for a row of threads."""

    turn: int
    whole: bool
    said: str


@dataclass(frozen=True)
class Pair:
    """How well a king and his warchief understood each other."""

    clan: str
    name: str
    people: str
    understood: str
    sensible: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Picture:
    """All of it."""

    pairs: tuple[Pair, ...]
    told: tuple[Turns, ...]


def picture(analysis: Analysis, match: Match, words: Words, people: Mapping[str, str]) -> Picture:
    """Meant and read, from what the analysis found."""
    detail: Detail = analysis.detail
    viewer = Viewer(match.opened(), words)
    turns = [_turn(viewer, tuple(orders)) for _, orders in groupby(detail.orders, key=lambda order: order.turn)]
    pairs = tuple(_pair(viewer, sums, turns, people) for sums in detail.pairs)
    return Picture(pairs, tuple(_folded(viewer, turns)))


def _folded(viewer: Viewer, turns: list[Turn]) -> Iterator[Turns]:
    """The turns, in a long game with the calm ones folded together."""
    if len(turns) < FOLDED_FROM:
        yield Turns(tuple(turns))
        return
    for calm, some in groupby(turns, key=lambda turn: turn.calm):
        group = tuple(some)
        first, last = group[0].number, group[-1].number
        if not calm:
            yield Turns(group)
        elif first == last:
            yield Turns(group, viewer.say("goths.analysis.calm-one", turn=first))
        else:
            yield Turns(group, viewer.say("goths.analysis.calm", first=first, last=last))


def _turn(viewer: Viewer, orders: tuple[Order, ...]) -> Turn:
    number = orders[0].turn
    tales = tuple(_tale(viewer, order) for order in orders)
    return Turn(viewer.words.say("ui.turn", turn=number), number, orders[0].beat, tales)


def _tale(viewer: Viewer, order: Order) -> Tale:
    meant, _, bluff = order.meant.partition("/")
    chances = {reading.card.partition("/")[0]: percent(reading.chance) for reading in order.readings}
    halves = tuple(
        Half(each, viewer.name("character", each), chances.get(each, 0), each == meant) for each in order.back
    )
    back = ", ".join(viewer.say("goths.analysis.reading", character=half.name, percent=half.percent) for half in halves)
    cards = [card.partition("/") for card in order.face_up]
    lay = ", ".join(viewer.name("character", character) for character, _, _ in cards)
    action = viewer.name("action", order.action)
    return Tale(
        clan=order.clan,
        name=viewer.name("clan", order.clan),
        halves=halves,
        meant=meant,
        meant_name=soft(viewer.name("character", meant)),
        bluff=bluff,
        face_up=tuple((one, other) for one, _, other in cards),
        lay=viewer.say("goths.analysis.lay", cards=lay) if lay else "",
        via=order.character_read if order.by_face_up else "",
        number=ACTIONS.index(order.action) + 1,
        action=order.action,
        action_name=soft(brief(viewer, order.action)),
        whole=order.understood,
        grade=order.misread_by or "understood",
        verdict=_verdict(viewer, order),
        why=reason(order.why, "goths", viewer.words),
        spoken=viewer.say("goths.analysis.spoken", back=back, character=viewer.name("character", meant), action=action),
    )


def _half(viewer: Viewer, character: str, chances: Mapping[str, int], meant: str) -> Half:
    return Half(character, viewer.name("character", character), chances.get(character, 0), character == meant)


def _verdict(viewer: Viewer, order: Order) -> str:
    if order.understood:
        return viewer.say("goths.analysis.by-face-up" if order.by_face_up else "goths.analysis.understood")
    if order.lone:
        return viewer.say("goths.analysis.by-lone")
    keys = {
        "king": "goths.analysis.by-king",
        "warchief": "goths.analysis.by-warchief",
        "nobody": "goths.analysis.by-nobody",
    }
    return viewer.say(keys[order.misread_by])


def _pair(viewer: Viewer, sums: Sums, turns: list[Turn], people: Mapping[str, str]) -> Pair:
    names = dict.fromkeys(people.get(f"{sums.clan}-{role}", "") for role in ("king", "warchief"))
    own = [(turn, tale) for turn in turns for tale in turn.tales if tale.clan == sums.clan]
    return Pair(
        clan=sums.clan,
        name=viewer.name("clan", sums.clan),
        people=", ".join(name for name in names if name),
        understood=viewer.say("goths.analysis.pair", understood=sums.understood, orders=sums.orders),
        sensible=viewer.say("goths.analysis.alone")
        if sums.lone
        else viewer.say("goths.analysis.sensible", likely=round(sums.likely)),
        marks=tuple(
            Mark(
                turn.number,
                tale.whole,
                viewer.say("goths.analysis.turn-of", turn=turn.title, verdict=tale.verdict),
            )
            for turn, tale in own
        ),
    )
