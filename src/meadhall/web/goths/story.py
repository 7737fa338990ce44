"""Goths Save the Queen in the browser: the story, which tells every turn so that nobody need ask why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from meadhall.games.game import Event
from meadhall.games.goths.state import ACTION_CHARACTER, ACTIONS, CHARACTERS, Phase
from meadhall.web.goths.pieces import Speaker, Speech, Viewer
from meadhall.words import Words

_ENDS = ("won", "drawn")
# A secret of one's own is worth telling until the reveal says the same to all.
_UNTIL_REVEALED = ("order-front", "sealed")
# How many past turns can be unfolded; of those before, the orders must do, unless one looks back: a page stays small.
TURNS_IN_FULL = 16
KEPT = 2000  # events, and orders, that were told last; a kilobyte each at most


@dataclass(frozen=True)
class Entry:
    """A sentence of the story: the moment it happened, its clause, whose doing it was, if only the viewer knows."""

    at: int
    text: str
    clause: str
    clan: str = ""
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

    clan: str
    name: str
    laid: Entry
    revealed: Entry
    meant: Disc
    read: Disc
    whole: bool
    by_face_up: bool  # it got through by a card that lay face up, not by the one just played
    verdict: str
    why: Entry | None  # not yet known while the cards are being turned
    help: str  # what a misread card of one's own clan is good for from now on
    order: str  # the warchief's card: its number and name


@dataclass(frozen=True)
class Mark:
    """A clan's number on the track."""

    clan: str
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

    clan: str
    text: str
    lost: bool


@dataclass(frozen=True)
class Turn:
    """The last turn whose cards have been turned, told in full."""

    title: str
    start: Entry
    tales: tuple[Tale, ...]
    track: tuple[Cell, ...]  # once both orders are read
    track_name: str
    first: Entry | None
    deeds: tuple[Entry, ...]
    summary: tuple[Order, ...]

    @property
    def read_at(self) -> int:
        """The moment at which the last of the orders was read."""
        return max((tale.why.at for tale in self.tales if tale.why), default=0)


@dataclass(frozen=True)
class PastTurn:
    """A turn folded to its orders; its lines are told when they are asked for."""

    title: str
    summary: tuple[Order, ...]
    recent: bool  # not too long ago to be unfolded while the game goes on
    tell: Callable[[], tuple[Entry, ...]]

    @property
    def lines(self) -> tuple[Entry, ...]:
        """All that happened, line by line."""
        return self.tell()


@dataclass(frozen=True)
class Story:
    """What is going on, the last turn whose cards were turned, and those before it, newest first."""

    title: str
    start: Entry | None  # of the turn that has just begun
    now: tuple[Entry, ...]
    waiting: str
    waiting_clause: str
    winner: str  # the winning clan's sign, "" while nobody has won
    last: Turn | None
    past: tuple[PastTurn, ...]
    lost: str  # the word for a lost order


def story(viewer: Viewer, events: Sequence[Event]) -> Story:
    """The story as a seat, or a spectator, was told it."""
    turns = _turns(events)
    open_turn: list[Event] = []
    if turns and not any(event.code == "revealed" for event in turns[-1]):
        open_turn = turns.pop()
    outcome = viewer.position["outcome"]
    waiting, clause = "", ""
    now = open_turn[1:]
    if outcome and viewer.beat:
        now = [each for each in events if each.code in _ENDS]
    if outcome:  # who won and why is said once, at the head of the story
        title = viewer.say("goths.table.story.over")
    else:
        title = viewer.turn("goths.table.story.now", "goths.table.story.now-limit")
    if not outcome and not viewer.beat and not viewer.view.is_closed:
        waiting, clause = viewer.waiting()
        if viewer.phase == Phase.ACTS:
            waiting = viewer.say("goths.table.wait.all")
    return Story(
        title=title,
        start=_start(viewer, open_turn[0]) if open_turn else None,
        now=tuple(_entry(viewer.words, each) for each in now),
        waiting=waiting,
        waiting_clause=clause,
        winner=outcome["winner"] or "" if outcome else "",
        last=_turn(viewer.speaker, turns[-1]) if turns else None,
        past=()
        if viewer.beat
        else tuple(_past_turn(viewer, turn, ago < TURNS_IN_FULL) for ago, turn in enumerate(turns[-2::-1])),
        lost=viewer.say("goths.table.story.lost"),
    )


def _turns(events: Sequence[Event]) -> list[list[Event]]:
    """What was events, cut before each turn."""
    cuts = [k for k, event in enumerate(events) if event.code == "turn"]
    return [list(events[start:end]) for start, end in pairwise([*cuts, len(events)])]


# One event


@lru_cache(KEPT)
def _entry(words: Words, event: Event) -> Entry:
    """An event as it is told, which is again and again: in every beat of its turn, and at every look at the table."""
    clan, back = event.args.get("clan"), event.args.get("back")
    return Entry(
        event.moment,
        words.event("goths", event),
        event.clause,
        str(clan or ""),
        event.audience is not None,
        tuple(str(back).split("+")) if back else (),
        words.name("goths", "back", str(back)) if back else "",
    )


def _start(speech: Speech, event: Event) -> Entry:
    """The start of a turn: who holds the initiative; the turn's number is its title."""
    clan = str(event.args["initiative"])
    return Entry(
        event.moment,
        speech.say("goths.table.story.initiative", clan=speech.name("clan", clan)),
        event.clause,
        clan,
    )


# One turn


def _turn(speaker: Speaker, events: Sequence[Event]) -> Turn:
    """The last turn whose cards were turned; it may still be going on."""
    start = events[0]
    revealed = [each for each in events if each.code == "revealed"]
    tales = tuple(_tale(speaker, *_way(events, each)) for each in revealed)
    orders = _orders(revealed, events)
    first = next((_entry(speaker.words, each) for each in events if each.code == "first"), None)
    after = max(k for k, each in enumerate(events) if each.code in ("revealed", "understood", "misread", "first"))
    read = all(tale.why for tale in tales)
    numbers = ", ".join(
        f"{number} {speaker.name('clan', clan)}" + (f" ({speaker.say('goths.table.story.lost')})" if lost else "")
        for clan, number, lost in orders
    )
    return Turn(
        title=speaker.say("ui.turn", turn=start.args["turn"]),
        start=_start(speaker, start),
        tales=tales,
        track=tuple(
            Cell(number, tuple(Mark(clan, lost) for clan, given, lost in orders if given == number))
            for number in range(1, 10)
            if read
        ),
        track_name=speaker.say("goths.table.story.track", list=numbers),
        first=first,
        deeds=tuple(_entry(speaker.words, each) for each in events[after + 1 :] if each.code not in _ENDS),
        summary=_summary(speaker, orders),
    )


def _past_turn(viewer: Viewer, events: Sequence[Event], recent: bool) -> PastTurn:
    start, *rest = events
    revealed = [each for each in rest if each.code == "revealed"]

    def lines() -> tuple[Entry, ...]:
        public = (_entry(viewer.words, each) for each in rest if each.code not in _UNTIL_REVEALED)
        return (_start(viewer, start), *public)

    title = viewer.say("ui.turn", turn=start.args["turn"])
    return PastTurn(title, _summary(viewer, _orders(revealed, rest)), recent, lines)


def _summary(speech: Speech, orders: Sequence[tuple[str, int, bool]]) -> tuple[Order, ...]:
    return tuple(
        Order(clan, f"{number} {speech.name('action', ACTIONS[number - 1])}", lost) for clan, number, lost in orders
    )


def _orders(revealed: Sequence[Event], events: Sequence[Event]) -> list[tuple[str, int, bool]]:
    """Both orders of a turn, clan, number and whether it is lost: those that act first, in the order they do."""
    lost = {event.args["clan"] for event in events if event.code == "misread"}
    orders = [
        (str(event.args["clan"]), ACTIONS.index(str(event.args["action"])) + 1, event.args["clan"] in lost)
        for event in revealed  # told the clan with the initiative first, so that equals stay in order (G5.2)
    ]
    return sorted(orders, key=lambda order: (order[2], order[1]))


def _way(events: Sequence[Event], revealed: Event) -> tuple[Event, Event, Event | None]:
    """How a clan's order was laid, turned up and, if that is known already, read."""
    mine = [each for each in events if each.args.get("clan") == revealed.args["clan"]]
    laid = next(each for each in mine if each.code == "ordered")
    return laid, revealed, next((each for each in mine if each.code in ("understood", "misread")), None)


@lru_cache(KEPT)
def _tale(speaker: Speaker, laid: Event, revealed: Event, why: Event | None) -> Tale:
    """How a clan's order went: from the king's card to the warchief's."""
    clan, card, action = (str(revealed.args[arg]) for arg in ("clan", "card", "action"))
    whole = why is not None and why.code == "understood"
    lost = why is not None and not whole
    by_face_up = why is not None and why.args.get("how") == "face-up"
    meant, read = card.split("/")[0], CHARACTERS[ACTION_CHARACTER[ACTIONS.index(action)]]
    named = speaker.name("character", meant)
    king = "goths.table.story.you-meant" if speaker.is_mine(clan, "king") else "goths.table.story.king-meant"
    warchief = "goths.table.story.you-read" if speaker.is_mine(clan, "warchief") else "goths.table.story.warchief-read"
    verdict = ""
    if why:
        verdict = speaker.say("goths.table.story.understood" if whole else "goths.table.story.misread")
    return Tale(
        clan=clan,
        name=speaker.name("clan", clan),
        laid=_entry(speaker.words, laid),
        revealed=_entry(speaker.words, revealed),
        meant=Disc(speaker.say(king), meant, named),
        read=Disc(speaker.say(warchief), read, speaker.name("character", read)),
        whole=whole,
        by_face_up=by_face_up,
        verdict=verdict,
        why=_entry(speaker.words, why) if why else None,
        help=speaker.say("goths.table.story.from-now", character=named) if lost and clan == speaker.clan else "",
        order=f"{ACTIONS.index(action) + 1} {speaker.name('action', action)}",
    )
