"""Romans Go Home!: everything the table's page shows, made from a seat's view and the events it may know."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

from meadhall.engine.bits import at
from meadhall.games.game import Event
from meadhall.games.romans import rules
from meadhall.games.romans.names import POINTS, VALUES
from meadhall.games.romans.state import FORTS, WARRIORS, Phase
from meadhall.match import Beat, View
from meadhall.web.romans.ending import Score, scores
from meadhall.web.romans.guide import Guide, guide
from meadhall.web.romans.hand import Hand, choice_from, hand
from meadhall.web.romans.pieces import GONE, Names, kind_of, warrior_piece
from meadhall.web.romans.story import Story, story
from meadhall.words import Words
from meadhall.words.text import minus

__all__ = ["Picture", "choice_from", "picture"]

KEPT = 4000  # pieces that were drawn last, half a kilobyte each


@dataclass(frozen=True)
class Card:
    """A place of a clan's line: face up, face down, known to its owner alone, gone, or empty."""

    look: str  # up, back, mine, gone, empty, or opened at the end
    label: str
    title: str
    move: str
    warrior: str = ""
    name: str = ""
    points: int = 0
    word: str = ""  # why it is gone
    why: str = ""
    now: bool = False
    pick: int = 0  # the number of the choice that clicking it picks; 0 for none
    was: str = ""  # that it lay face down until the game was over


@dataclass(frozen=True)
class Tower:
    """A fort: on the Wall, or won."""

    kind: str
    value: str
    name: str
    note: str
    label: str
    title: str
    move: str
    now: bool = False
    pick: int = 0


@dataclass(frozen=True)
class Mark:
    """What is left on the Wall of a fort that was taken or discarded."""

    clan: str
    kind: str
    value: str
    word: str
    label: str
    move: str
    now: bool


@dataclass(frozen=True)
class Row:
    """A clan: who plays it, its forts with their sum, and its line."""

    clan: str
    name: str
    person: str
    forts: tuple[Tower, ...]
    total: str
    forts_label: str
    cards: tuple[Card, ...]
    mine: bool
    danger: str  # a legion short of victory (R5.4), in words
    aside: str  # whom it has put aside, as far as that is known


@dataclass(frozen=True)
class Board:
    """Everything public: the Wall, and a row for each clan but the viewer's own."""

    where: str
    column: int  # this turn's, from 1; 0 while lines are planned and after the game
    towers: tuple[Tower | Mark, ...]
    rows: tuple[Row, ...]
    planning: bool


@dataclass(frozen=True)
class Fate:
    """What became of the fort fought for on a turn: who took it, if anybody did, and where it was laid."""

    fort: str
    laid: int
    captor: str | None


@dataclass(frozen=True)
class Traces:
    """What this round's events left behind: the fate of each turn's fort, why warriors are gone, by clan and place."""

    fates: Mapping[int, Fate]
    gone: Mapping[tuple[str, int], str]


@dataclass(frozen=True)
class Picture:
    """The three parts of the page; what stands beside the board is made for a page that shows it."""

    board: Board
    hand: Hand
    own: Row | None
    tell: Callable[[], Story]
    teach: Callable[[], Guide]
    scores: tuple[Score, ...]  # when the game is over

    @cached_property
    def story(self) -> Story:
        """What is told beside the board."""
        return self.tell()

    @cached_property
    def guide(self) -> Guide:
        """What somebody new must know."""
        return self.teach()

    @property
    def dangers(self) -> tuple[Row, ...]:
        """Who is about to win by legions, rivals first."""
        rows = self.board.rows if self.own is None else (*self.board.rows, self.own)
        return tuple(row for row in rows if row.danger)

    @property
    def laid(self) -> tuple[Card, ...]:
        """The viewer's cards that stay where they are while the others are put in order."""
        return self.own.cards[: -len(self.hand.plan.places)] if self.own and self.hand.plan else ()


def picture(
    view: View, events: Sequence[Event], words: Words, people: Mapping[str, str], beat: Beat | None = None
) -> Picture:
    """The table as one seat may know it; with a beat, as it is while that is being told."""
    names = Names(words, people)
    below = hand(view, names, beat)
    drawing = _Drawing(view, traces(events), names, below)
    clans = view.game.vocabulary(view.rules, "clan")
    lines = [drawing.row(k, clan) for k, clan in enumerate(clans)]
    return Picture(
        drawing.board([row for row in lines if not row.mine]),
        below,
        next((row for row in lines if row.mine), None),
        partial(story, view, events, names, beat),
        partial(guide, view, events, names),
        scores(view, names),
    )


def traces(events: Sequence[Event]) -> Traces:
    """What the events of the latest round left behind."""
    fates: dict[int, Fate] = {}
    gone: dict[tuple[str, int], str] = {}
    turn = 0
    latest = max((k for k, event in enumerate(events) if event.code == "round"), default=0)
    for event in events[latest:]:
        args, clan = event.args, str(event.args.get("clan"))
        match event.code:
            case "turn":
                turn = int(args["turn"] or 0)
            case "captured" | "fort-discarded":
                captor = clan if event.code == "captured" else None
                fates[turn] = Fate(str(args["fort"]), int(args["laid"] or 0), captor)
            case "wrecked" | "left" | "discarded":
                gone[clan, int(args["place"] or 0)] = event.code
    return Traces(fates, gone)


class _Drawing:
    """One view being drawn."""

    def __init__(self, view: View, left: Traces, names: Names, below: Hand) -> None:
        self.view, self.state, self.traces = view, view.plain, left
        self.names, self.say = names, names.words.say
        self.picks = {option.value: option.number for option in below.options}
        self.playing = self.state.phase not in (Phase.PLAN, Phase.OVER)

    def board(self, rows: Sequence[Row]) -> Board:
        """The Wall with a column for each turn, and the clans."""
        turn = self.state.turn
        where = self.say("romans.table.round-of", round=self.state.round)
        if self.playing:
            where += f" · {self.say('ui.turn', turn=turn)}"
        gone = 6 - self.state.wall_count
        marks = [self.mark(column, self.traces.fates[column]) for column in range(1, gone + 1)]
        towers = [self.tower(k, gone + k + 1) for k in range(self.state.wall_count)]
        column = turn if self.playing else 0
        return Board(where, column, (*marks, *towers), tuple(rows), self.state.phase == Phase.PLAN)

    def tower(self, place: int, column: int) -> Tower:
        """A fort that stands."""
        fort = FORTS[at(self.state.wall, place)]
        label = self.say("romans.table.on-the-wall", fort=self.names.fort(fort), place=place + 1)
        now = self.playing and column == self.state.turn
        move = _move(self.state.round, at(self.state.wall_laid, place) + 1)
        return self.fort(fort, move, label, now, self.picks.get(f"take:{place + 1}", 0))

    def fort(self, fort: str, move: str, label: str, now: bool = False, pick: int = 0) -> Tower:
        """A fort anywhere."""
        return _tower(self.names.words, fort, move, label, now, pick)

    def mark(self, turn: int, fate: Fate) -> Mark:
        """What became of the fort fought for on a turn."""
        move = ""
        if fate.captor is None:
            label = self.say("romans.table.mark.discarded", fort=self.names.fort(fate.fort))
            word, move = self.say("romans.table.gone.discarded"), _move(self.state.round, fate.laid)
        else:
            named = {"fort": self.names.fort(fate.fort), "clan": self.names.clan(fate.captor)}
            label, word = self.say("romans.table.mark.taken", **named), self.say("romans.table.taken")
        kind, value = kind_of(fate.fort), minus(VALUES[fate.fort])
        return Mark(fate.captor or "", kind, value, word, label, move, self.playing and turn == self.state.turn)

    # A clan

    def row(self, number: int, clan: str) -> Row:
        """A clan's plate and line."""
        mine = clan == self.view.seat
        state = self.state
        won = [FORTS[state.forts[number][k]] for k in range(state.forts_count[number])]
        forts = []
        for k, fort in enumerate(won):
            laid = state.forts_laid[number][k]
            paid = mine and k == rules.first_held(state, number, FORTS.index(fort))
            pick = self.picks.get(f"pay:{fort}", 0) if paid else 0
            forts.append(self.fort(fort, _move(laid // 6 + 1, laid % 6 + 1), self.names.fort(fort), pick=pick))
        listed = ", ".join(self.names.fort(fort) for fort in won) or self.say("ui.nothing")
        total = minus(state.worth[number])
        return Row(
            clan,
            self.names.clan(clan),
            self.person(number, clan, mine),
            tuple(forts),
            total,
            self.say("romans.table.forts-won", clan=self.names.clan(clan), total=total, list=listed),
            tuple(self.card(number, clan, place) for place in range(6)),
            mine,
            self.danger(number, clan, mine),
            self.aside(number),
        )

    def danger(self, number: int, clan: str, mine: bool) -> str:
        """What a child would need to be told of a player with two legions (R5.4)."""
        if self.state.phase == Phase.OVER or not rules.near_legion_victory(self.state, number):
            return ""
        if mine:
            return self.say("romans.table.danger.you")
        return self.say("romans.table.danger.clan", clan=self.names.the_clan(clan))

    def person(self, number: int, clan: str, mine: bool) -> str:
        """Who plays a clan."""
        if number >= self.state.players:
            return self.say("romans.label.neutral")
        return self.say("ui.you") if mine else self.names.people.get(clan, "")

    def aside(self, number: int) -> str:
        """Whom a clan has put aside, as far as that is known."""
        warrior = int(self.state.aside[number])
        known = 0 <= warrior < len(WARRIORS)
        return self.say("romans.table.aside", warrior=self.names.warrior(WARRIORS[warrior])) if known else ""

    def card(self, number: int, clan: str, place: int) -> Card:
        """A place of a clan's line."""
        state, words = self.state, self.names.words
        known = at(state.line[number], place)
        if state.phase == Phase.PLAN and number < state.players:
            return _card(words, clan, place, "empty")
        if known >= len(WARRIORS):
            return _card(words, clan, place, "back")
        warrior = WARRIORS[known]
        now = self.playing and place == state.shown - 1
        if place >= state.shown:
            return _card(words, clan, place, "opened" if state.phase == Phase.OVER else "mine", warrior, now)
        if state.up[number] >> place & 1:
            return _card(words, clan, place, "up", warrior, now, pick=self.pick_of(number, clan, place, warrior))
        return _card(words, clan, place, "gone", warrior, now, self.traces.gone[clan, place + 1])

    def pick_of(self, number: int, clan: str, place: int, warrior: str) -> int:
        """The choice that clicking a face-up warrior picks."""
        latest = place == self.state.shown - 1
        if clan != self.view.seat:
            return self.picks.get(f"charm:{clan}", 0) if latest else 0
        state, kind, here = self.state, WARRIORS.index(warrior), 1 << place
        if f"discard:{warrior}" in self.picks and here == rules.leaving_place(state, number, kind):
            return self.picks[f"discard:{warrior}"]
        if latest and warrior == "axx" and "keep:axx" in self.picks:
            return self.picks["keep:axx"]
        if "keep:weakest" in self.picks and here == rules.kept_weakest_place(state, number):
            return self.picks["keep:weakest"]
        return 0


def _move(round_number: int, laid: int) -> str:
    """The name under which a fort moves on the page: the round and the place at which it was laid."""
    return f"fort-{round_number}-{laid}"


# Pieces are the same in most beats, and at most tables.


@lru_cache(KEPT)
def _tower(words: Words, fort: str, move: str, label: str, now: bool, pick: int) -> Tower:
    names = Names(words, {})
    name = words.say("ui.now") if now else names.kind(fort)
    about = names.about_fort(fort)
    return Tower(kind_of(fort), minus(VALUES[fort]), name, names.note(fort), label, about, move, now, pick)


@lru_cache(KEPT)
def _card(
    words: Words,
    clan: str,
    place: int,
    look: str,
    warrior: str = "",
    now: bool = False,
    why: str = "",
    pick: int = 0,
) -> Card:
    names = Names(words, {})
    move = warrior_piece(clan, place + 1)
    named: dict[str, object] = {"clan": names.clan(clan), "place": place + 1}
    if look == "empty":
        return Card(look, words.say("romans.table.card.empty", **named), "", "")
    if look == "back":
        return Card(
            look, words.say("romans.table.card.back", **named), words.say("romans.table.about.back", **named), move
        )
    name, points = names.warrior(warrior), POINTS[warrior]
    named |= {"warrior": name, "points": points}
    card = Card(look, "", names.about_warrior(warrior), move, warrior, name, points, now=now, pick=pick)
    if look == "opened":
        was = words.say("ui.over.was-hidden")
        return replace(card, label=f"{words.say('romans.table.card.up', **named)} ({was})", was=was)
    if look == "gone":
        word = words.say(GONE[why])
        return replace(card, label=words.say("romans.table.card.gone", word=word, **named), word=word, why=why)
    if look == "mine":
        return replace(card, label=words.say("romans.table.card.mine", **named))
    return replace(card, label=words.say("romans.table.card.now" if now else "romans.table.card.up", **named))
