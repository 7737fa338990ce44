"""Goths Save the Queen in the browser: the story, which tells every turn so that nobody need ask why."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from meadhall.games.game import Event
from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CHARACTERS, Phase
from meadhall.web.goths.pieces import CSS, Eyes
from meadhall.words import Words

Told = tuple[int, Event]
_ENDS = ("won", "drawn")
# A secret of one's own is worth telling until the reveal says the same to all.
_UNTIL_REVEALED = ("order-front", "sealed")
# How many past turns can be unfolded; of those before, the orders must do, so that a page stays small.
TURNS_IN_FULL = 16


@dataclass(frozen=True)
class Line:
    """A sentence of the story: the moment it happened, its clause, whose doing it was, if only the viewer knows."""

    at: int
    text: str
    clause: str
    css: str = ""
    secret: bool = False
    back: tuple[str, ...] = ()  # the two characters, where a King card was laid
    back_name: str = ""


@dataclass(frozen=True)
class Disc:
    """What a king meant or a warchief read."""

    caption: str
    character: str
    name: str


@dataclass(frozen=True)
class Tale:
    """A clan's order: meant, read, and whether the thread between the two is whole."""

    css: str
    name: str
    laid: Line
    revealed: Line
    meant: Disc
    read: Disc
    whole: bool
    by_face_up: bool  # it got through by a card that lay face up, not by the one just played
    verdict: str
    why: Line
    help: str  # what a misread card of one's own clan is good for from now on
    order: str  # the warchief's card: its number and name


@dataclass(frozen=True)
class Mark:
    """A clan's number on the track."""

    css: str
    lost: bool


@dataclass(frozen=True)
class Cell:
    """One number of the track from 1 to 9, with the clans that gave it; the first to act colours it."""

    number: int
    marks: tuple[Mark, ...]

    @property
    def lost(self) -> bool:
        """Did nobody who gave this number act?"""
        return bool(self.marks) and all(mark.lost for mark in self.marks)


@dataclass(frozen=True)
class Order:
    """An order in a turn's summary."""

    css: str
    text: str
    lost: bool


@dataclass(frozen=True)
class Turn:
    """The last turn whose cards have been turned, told in full."""

    title: str
    start: Line
    tales: tuple[Tale, ...]
    track: tuple[Cell, ...]
    track_name: str
    first: Line | None
    deeds: tuple[Line, ...]
    summary: tuple[Order, ...]


@dataclass(frozen=True)
class PastTurn:
    """A turn folded to its orders; its lines are left out if it was too long ago."""

    title: str
    summary: tuple[Order, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Story:
    """What is going on, the last turn whose cards were turned, and those before it, newest first."""

    title: str
    start: Line | None  # of the turn that has just begun
    now: tuple[Line, ...]
    waiting: str
    waiting_clause: str
    winner: str  # the winning clan's sign, "" while nobody has won
    last: Turn | None
    past: tuple[PastTurn, ...]
    lost: str  # the word for a lost order


def story(eyes: Eyes, told: Sequence[Told]) -> Story:
    """The story as a seat, or a spectator, was told it."""
    turns = _turns(told)
    open_turn: list[Told] = []
    if turns and not any(event.code == "revealed" for _, event in turns[-1]):
        open_turn = turns.pop()
    outcome = eyes.position["outcome"]
    if outcome:
        title, waiting, clause = eyes.say("goths.table.story.over"), "", ""
        now = [_line(eyes, each) for each in told if each[1].code in _ENDS]
    else:
        title = eyes.turn("goths.table.story.now", "goths.table.story.now-limit")
        now = [_line(eyes, each) for each in open_turn[1:]]
        waiting, clause = eyes.waiting()
        if eyes.phase == Phase.ACTS:
            waiting = eyes.say("goths.table.wait.all")
    return Story(
        title=title,
        start=_start(eyes, open_turn[0]) if open_turn else None,
        now=tuple(now),
        waiting=waiting,
        waiting_clause=clause,
        winner=CSS[outcome["winner"]] if outcome and outcome["winner"] else "",
        last=_turn(eyes, turns[-1]) if turns else None,
        past=tuple(_past_turn(eyes, turn, ago < TURNS_IN_FULL) for ago, turn in enumerate(turns[-2::-1])),
        lost=eyes.say("goths.table.story.lost"),
    )


def _turns(told: Sequence[Told]) -> list[list[Told]]:
    """What was told, cut before each turn."""
    cuts = [k for k, (_, event) in enumerate(told) if event.code == "turn"]
    return [list(told[start:end]) for start, end in pairwise([*cuts, len(told)])]


# One event


def _line(eyes: Eyes, told: Told) -> Line:
    moment, event = told
    clan, back = event.args.get("clan"), event.args.get("back")
    return Line(
        moment,
        _sentence(eyes.words, event.code, tuple(event.args.items())),
        event.clause,
        CSS[str(clan)] if clan else "",
        event.audience is not None,
        tuple(str(back).split("+")) if back else (),
        eyes.name("back", str(back)) if back else "",
    )


@lru_cache(4096)
def _sentence(words: Words, code: str, args: tuple[tuple[str, str | int | None], ...]) -> str:
    """An event in words; a story tells the same few again and again, at every look at the table."""
    return words.event("goths", Event(code, dict(args), "", None))


def _start(eyes: Eyes, told: Told) -> Line:
    """The start of a turn: who holds the initiative; the turn's number is its title."""
    moment, event = told
    clan = str(event.args["initiative"])
    return Line(moment, eyes.say("goths.table.story.initiative", clan=eyes.name("clan", clan)), event.clause, CSS[clan])


# One turn


def _turn(eyes: Eyes, told: Sequence[Told]) -> Turn:
    """The last turn whose cards were turned; it may still be going on."""
    start = told[0]
    revealed = [each for each in told if each[1].code == "revealed"]
    tales = tuple(_tale(eyes, told, each) for each in revealed)
    orders = _orders(revealed, told)
    first = next((_line(eyes, each) for each in told if each[1].code == "first"), None)
    after = max(k for k, each in enumerate(told) if each[1].code in ("understood", "misread", "first"))
    numbers = ", ".join(
        f"{number} {eyes.name('clan', clan)}" + (f" ({eyes.say('goths.table.story.lost')})" if lost else "")
        for clan, number, lost in orders
    )
    return Turn(
        title=eyes.say("ui.turn", turn=start[1].args["turn"]),
        start=_start(eyes, start),
        tales=tales,
        track=tuple(
            Cell(number, tuple(Mark(CSS[clan], lost) for clan, given, lost in orders if given == number))
            for number in range(1, 10)
        ),
        track_name=eyes.say("goths.table.story.track", list=numbers),
        first=first,
        deeds=tuple(_line(eyes, each) for each in told[after + 1 :]),
        summary=_summary(eyes, orders),
    )


def _past_turn(eyes: Eyes, told: Sequence[Told], in_full: bool) -> PastTurn:
    start, *rest = told
    revealed = [each for each in rest if each[1].code == "revealed"]
    lines: tuple[Line, ...] = ()
    if in_full:
        public = (_line(eyes, each) for each in rest if each[1].code not in _UNTIL_REVEALED)
        lines = (_start(eyes, start), *public)
    title = eyes.say("ui.turn", turn=start[1].args["turn"])
    return PastTurn(title, _summary(eyes, _orders(revealed, rest)), lines)


def _summary(eyes: Eyes, orders: Sequence[tuple[str, int, bool]]) -> tuple[Order, ...]:
    return tuple(
        Order(CSS[clan], f"{number} {eyes.name('action', ACTIONS[number - 1])}", lost) for clan, number, lost in orders
    )


def _orders(revealed: Sequence[Told], told: Sequence[Told]) -> list[tuple[str, int, bool]]:
    """Both orders of a turn, clan, number and whether it is lost: those that act first, in the order they do."""
    lost = {event.args["clan"] for _, event in told if event.code == "misread"}
    orders = [
        (str(event.args["clan"]), ACTIONS.index(str(event.args["action"])) + 1, event.args["clan"] in lost)
        for _, event in revealed  # told the clan with the initiative first, so that equals stay in order (G5.2)
    ]
    return sorted(orders, key=lambda order: (order[2], order[1]))


def _tale(eyes: Eyes, told: Sequence[Told], revealed: Told) -> Tale:
    """How a clan's order went: from the king's card to the warchief's."""
    clan, card, action = (str(revealed[1].args[arg]) for arg in ("clan", "card", "action"))
    mine = [each for each in told if each[1].args.get("clan") == clan]
    laid = next(each for each in mine if each[1].code == "ordered")
    why = next(each for each in mine if each[1].code in ("understood", "misread"))
    whole = why[1].code == "understood"
    by_face_up = why[1].args.get("how") == "face-up"
    meant, read = card.split("/")[0], CHARACTERS[ACTION_CHARACTER[ACTIONS.index(action)]]
    named = eyes.name("character", meant)
    king = "goths.table.story.you-meant" if eyes.is_mine(clan, "king") else "goths.table.story.king-meant"
    warchief = "goths.table.story.you-read" if eyes.is_mine(clan, "warchief") else "goths.table.story.warchief-read"
    if not whole:
        verdict = eyes.say("goths.table.story.misread")
    else:
        verdict = eyes.say("goths.table.story.understood")
    return Tale(
        css=CSS[clan],
        name=eyes.name("clan", clan),
        laid=_line(eyes, laid),
        revealed=_line(eyes, revealed),
        meant=Disc(eyes.say(king), meant, named),
        read=Disc(eyes.say(warchief), read, eyes.name("character", read)),
        whole=whole,
        by_face_up=by_face_up,
        verdict=verdict,
        why=_line(eyes, why),
        help="" if whole or clan != eyes.clan else eyes.say("goths.table.story.from-now", character=named),
        order=f"{ACTIONS.index(action) + 1} {eyes.name('action', action)}",
    )
