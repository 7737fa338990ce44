"""Romans Go Home!: everything the table's page shows, made from a seat's view and the events it was told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from meadhall.engine.bits import at
from meadhall.games.game import Event
from meadhall.games.romans.state import WARRIORS, Phase
from meadhall.match import View
from meadhall.web.romans.chronicle import Chronicle, Fate, Followed, chronicle
from meadhall.web.romans.hand import Rail, choice_from, rail
from meadhall.web.romans.pieces import GONE, VALUES, Names, kind_of, minus
from meadhall.web.romans.reckoning import POINTS
from meadhall.web.romans.story import Story, story
from meadhall.words import Words

__all__ = ["Picture", "choice_from", "picture"]


@dataclass(frozen=True)
class Card:
    """A place of a clan's line: face up, face down, known to its owner alone, gone, or empty."""

    look: str  # up, back, mine, gone, empty
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
    fort: str
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


@dataclass(frozen=True)
class Board:
    """Everything public: the Wall, and a row for each clan but the viewer's own."""

    where: str
    column: int  # this turn's, from 1; 0 while lines are planned and after the game
    towers: tuple[Tower | Mark, ...]
    rows: tuple[Row, ...]
    planning: bool


@dataclass(frozen=True)
class Picture:
    """The three parts of the page."""

    board: Board
    rail: Rail
    own: Row | None
    story: Story


def picture(view: View, told: Sequence[tuple[int, Event]], words: Words, people: Mapping[str, str]) -> Picture:
    """The table as one seat may know it."""
    names = Names(words, people)
    followed = chronicle(told, view.rules["original_rules"])
    below = rail(view, names)
    drawing = _Drawing(view, followed, names, below)
    clans = view.game.vocabulary(view.rules, "clan")
    lines = [drawing.row(k, clan) for k, clan in enumerate(clans)]
    return Picture(
        drawing.board([row for row in lines if not row.mine]),
        below,
        next((row for row in lines if row.mine), None),
        story(view, told, followed, names),
    )


class _Drawing:
    """One view being drawn."""

    def __init__(self, view: View, followed: Chronicle, names: Names, below: Rail) -> None:
        self.view, self.state, self.followed = view, view.state, followed
        self.names, self.say = names, names.words.say
        self.picks = {option.value: option.number for option in below.options}
        self.playing = self.state.phase not in (Phase.PLAN, Phase.OVER)

    def board(self, rows: Sequence[Row]) -> Board:
        """The Wall with a column for each turn, and the clans."""
        turn = self.state.turn
        where = self.say("romans.table.round-of", round=self.state.round)
        if self.playing:
            where += f" · {self.say('ui.turn', turn=turn)}"
        gone = 6 - len(self.followed.wall)
        marks = [self.mark(column, self.followed.fates[column]) for column in range(1, gone + 1)]
        towers = [self.tower(k, fort, gone + k + 1) for k, fort in enumerate(self.followed.wall)]
        column = turn if self.playing else 0
        return Board(where, column, (*marks, *towers), tuple(rows), self.state.phase == Phase.PLAN)

    def tower(self, place: int, fort: Followed, column: int) -> Tower:
        """A fort that stands."""
        label = self.say("romans.table.on-the-wall", fort=self.names.fort(fort.fort), place=place + 1)
        now = self.playing and column == self.state.turn
        return self.fort(fort, label, now, self.picks.get(f"take:{place + 1}", 0))

    def fort(self, fort: Followed, label: str, now: bool = False, pick: int = 0) -> Tower:
        """A fort anywhere."""
        name = self.say("ui.now") if now else self.names.kind(fort.fort)
        return Tower(
            kind_of(fort.fort),
            minus(VALUES[fort.fort]),
            name,
            self.names.note(fort.fort),
            label,
            self.names.about_fort(fort.fort),
            f"fort-{fort.mark}",
            now,
            pick,
        )

    def mark(self, turn: int, fate: Fate) -> Mark:
        """What became of the fort fought for on a turn."""
        fort, move = self.names.short_fort(fate.fort.fort), ""
        if fate.captor is None:
            label = self.say("romans.table.mark.discarded", fort=self.names.fort(fate.fort.fort))
            word, move = self.say("romans.table.gone.discarded"), f"fort-{fate.fort.mark}"
        else:
            named = {"fort": self.names.fort(fate.fort.fort), "clan": self.names.clan(fate.captor)}
            label, word = self.say("romans.table.mark.taken", **named), self.say("romans.table.taken")
        return Mark(fate.captor or "", fort, word, label, move, self.playing and turn == self.state.turn)

    # A clan

    def row(self, number: int, clan: str) -> Row:
        """A clan's plate and line."""
        mine = clan == self.view.seat
        won = self.followed.won.get(clan, [])
        # R6.2: of equals the one captured first is paid.
        first = {fort.fort: fort for fort in reversed(won)}
        forts = []
        for fort in won:
            pick = self.picks.get(f"pay:{fort.fort}", 0) if mine and first[fort.fort] is fort else 0
            forts.append(self.fort(fort, self.names.fort(fort.fort), pick=pick))
        listed = ", ".join(self.names.fort(fort.fort) for fort in won) or self.say("ui.nothing")
        total = minus(self.state.worth[number])
        return Row(
            clan,
            self.names.clan(clan),
            self.person(number, clan, mine),
            tuple(forts),
            total,
            self.say("romans.table.forts-won", clan=self.names.clan(clan), total=total, list=listed),
            tuple(self.card(number, clan, place) for place in range(6)),
            mine,
        )

    def person(self, number: int, clan: str, mine: bool) -> str:
        """Who plays a clan."""
        if number >= self.state.players:
            return self.say("romans.label.neutral")
        if not mine:
            return self.names.people.get(clan, "")
        who = self.say("ui.you")
        aside = int(self.state.aside[number])
        if 0 <= aside < len(WARRIORS):
            who += f" · {self.say('romans.table.aside', warrior=self.names.warrior(WARRIORS[aside]))}"
        return who

    def card(self, number: int, clan: str, place: int) -> Card:
        """A place of a clan's line."""
        state = self.state
        named: dict[str, object] = {"clan": self.names.clan(clan), "place": place + 1}
        known = at(state.line[number], place)
        move = f"warrior-{clan}-{place + 1}"
        if state.phase == Phase.PLAN and number < state.players:
            return Card("empty", self.say("romans.table.card.empty", **named), "", "")
        if known >= len(WARRIORS):
            title = self.say("romans.table.about.back", **named)
            return Card("back", self.say("romans.table.card.back", **named), title, move)
        warrior = WARRIORS[known]
        name, points = self.names.warrior(warrior), POINTS[warrior]
        named |= {"warrior": name, "points": points}
        now = self.playing and place == state.shown - 1
        card = Card("up", "", self.names.about_warrior(warrior), move, warrior, name, points, now=now)
        if place >= state.shown:
            return replace(card, look="mine", label=self.say("romans.table.card.mine", **named))
        if state.up[number] >> place & 1:
            key = "romans.table.card.now" if now else "romans.table.card.up"
            return replace(card, label=self.say(key, **named), pick=self.pick_of(number, clan, place, warrior))
        why = self.followed.gone[clan][place + 1]
        word = self.say(GONE[why])
        return replace(
            card, look="gone", label=self.say("romans.table.card.gone", word=word, **named), word=word, why=why
        )

    def pick_of(self, number: int, clan: str, place: int, warrior: str) -> int:
        """The choice that clicking a face-up warrior picks."""
        latest = place == self.state.shown - 1
        if clan != self.view.seat:
            return self.picks.get(f"charm:{clan}", 0) if latest else 0
        up = [(WARRIORS[at(self.state.line[number], k)], k) for k in range(6) if self.state.up[number] >> k & 1]
        alike = [k for kind, k in up if kind == warrior]
        if place == alike[0] and f"discard:{warrior}" in self.picks:  # R6.2: of equals the one revealed first
            return self.picks[f"discard:{warrior}"]
        if latest and warrior == "axx" and "keep:axx" in self.picks:
            return self.picks["keep:axx"]
        weakest = min(up, key=lambda each: POINTS[each[0]])[0]
        if warrior == weakest and place == alike[-1]:
            return self.picks.get("keep:weakest", 0)
        return 0
