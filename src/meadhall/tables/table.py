"""A table: a match, and who sits on its seats. It is made from its header by applying its log, entry by entry."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_hex
from typing import Any

from meadhall import record
from meadhall.bots import BEST, LEVELS, levels_of
from meadhall.faults import Fault, show
from meadhall.games.game import SPECTATOR, game_named
from meadhall.match import Match, View
from meadhall.tables.entries import Again, AnyEntry, Bot, Chose, Ended, Header, Left, Paced, Sat, StoodIn
from meadhall.tables.face import PageFace, Phase, SeatFace, StandIn, Story, StoryEvent, TableFace, Who

DEFAULT_PACE = 1500  # milliseconds
MOST_KNOWN = 100


@dataclass(frozen=True)
class Place:
    """Who sits on a seat: a holder, a bot of some level, or nobody."""

    holder: str | None = None
    name: str | None = None
    level: str | None = None
    former: str | None = None  # the person for whom the bot plays, who may come back
    back: bool = False  # whoever sits or sat here has come back once, and does not a second time

    @property
    def open(self) -> bool:
        """Does nobody sit here?"""
        return self.holder is None and self.level is None

    @property
    def left(self) -> bool:
        """Has the person who played here left, for a while or for good?"""
        return self.holder is None and (self.former is not None or self.back)


def deal(game: str, rules: dict[str, Any], host: str, hints: bool = False) -> Header:
    """The header of a new table, dealt by chance that nobody can know."""
    match = Match.new(game, rules, token_hex(16))
    return Header(game, dict(match.header.rules), match.header.setup, host, hints)


class Table:
    """A table as its log has made it so far."""

    def __init__(self, number: int, code: str, header: Header, entries: Iterable[AnyEntry] = ()) -> None:
        self.number = number
        self.code = code
        self.header = header
        game = game_named(header.game)
        rules = game.check_rules(header.rules)
        game.check_setup(rules, header.setup)
        self.match = Match(record.Header(game, header.rules, header.setup, rules))
        self.places = dict.fromkeys(self.match.seats, Place())
        self.length = 0  # of the log
        self.started = self.ended = False
        self.next: str | None = None
        self.pace = DEFAULT_PACE
        self.company = 0  # grows with everything but choices
        self.sealed = dict.fromkeys(self.match.seats, 0)  # how often each seat has chosen
        self._stood_in: dict[str, list[tuple[int, str]]] = {}  # the levels that chose for a bot, each from when on
        self._answers: dict[tuple[str, int], str] = {}
        self._chosen: dict[tuple[str, int], int] = {}  # how often each seat has chosen at a position
        self._seats_known: dict[tuple[str | None, frozenset[str]], tuple[SeatFace, ...]] = {}
        self._held: dict[str, tuple[str, ...]] = {}  # the seats of each who holds any
        self._sharing: set[str] = set()  # the holders at whose device several people sit
        self.holders: set[str] = set()  # the people who sit here
        self.bots: list[str] = []  # the seats of bots
        self.hints = True  # may people ask for hints?
        self.waiting = self.match.waiting
        self.phase: Phase = self._phase()
        for entry in entries:
            self.apply(entry)

    def apply(self, entry: AnyEntry) -> None:
        """Move on by one entry of the log, which was checked before it was written; a Fault if it does not apply."""
        if isinstance(entry, Sat | Left | Bot | Chose | StoodIn) and entry.seat not in self.places:
            raise Fault(f"entry {self.length} is about {show(entry.seat)}, and there is no such seat")
        self.length += 1
        if isinstance(entry, Chose):
            key = entry.seat, self.match.moment
            self._answers[key] = entry.choice
            self._chosen[key] = self._chosen.get(key, 0) + 1
            self.sealed[entry.seat] += 1
            self.match.commit(entry.seat, entry.choice)
        elif isinstance(entry, StoodIn):
            self._stood_in.setdefault(entry.seat, []).append((self.position, entry.level))
        else:
            self._apply_to_company(entry)
        self.waiting = self.match.waiting
        self.phase = self._phase()

    def _apply_to_company(self, entry: AnyEntry) -> None:
        self.company += 1
        self._seats_known.clear()
        match entry:
            case Sat(seat, holder, name):
                # A name given in mid-game could carry a message to a partner (G2.3).
                kept = self.places[seat].name if self.places[seat].former == holder else None
                self.places[seat] = Place(holder, kept if self.started else name, back=self.started)
            case Left(seat):
                self.places[seat] = self._vacated(self.places[seat]) if self.started else Place()
            case Bot(seat, level):
                self.places[seat] = replace(self._vacated(self.places[seat]), level=level)
                self._stood_in.pop(seat, None)
            case Ended():
                self.ended = True
            case Paced(ms):
                self.pace = ms
            case Again(code):
                self.next = code
        if not self.started and not any(place.open for place in self.places.values()):
            self.started = True
            # Who gave a seat up before play began has no claim to what a bot has been dealt there.
            self.places = {seat: replace(place, former=None) for seat, place in self.places.items()}
        self._held = {}
        for seat, place in self.places.items():
            if place.holder:
                self._held[place.holder] = (*self._held.get(place.holder, ()), seat)
        self._sharing = {holder for holder, mine in self._held.items() if len(self.people_of(mine)) > 1}
        self.holders = set(self._held)
        self.bots = [seat for seat, place in self.places.items() if place.level]
        held = [seat for seat, place in self.places.items() if place.holder]
        # Those who play with others only if the host has allowed it; at one device there may be several of them.
        alone = len(self.holders) < 2 and len(self.people_of(held)) < 2
        self.hints = BEST in levels_of(self.header.game) and (self.header.hints or alone)

    def _vacated(self, place: Place) -> Place:
        """A seat without its holder, who may come back once in a game (G10.5)."""
        former = place.former if place.holder is None else None if place.back else place.holder
        return replace(place, holder=None, former=former)

    def _phase(self) -> Phase:
        """Open until every seat is taken, then playing until it is over or was ended."""
        if self.match.outcome is not None:
            return "over"
        if self.ended:
            return "ended"
        return "playing" if self.started else "open"

    def phase_after(self, entry: AnyEntry) -> Phase:
        """The phase that an entry would lead to."""
        match entry:
            # A choice that others are still to make, or a changed one, is only sealed.
            case Chose(seat, choice) if self.waiting == (seat,) and self.match.ends_with(seat, choice):
                return "over"
            case Ended() if self.phase != "over":
                return "ended"
            case Sat(seat) | Bot(seat) if self.phase == "open":
                others = (place for each, place in self.places.items() if each != seat)
                return "open" if any(place.open for place in others) else "playing"
        return self.phase

    def happens_openly(self, entry: AnyEntry) -> bool:
        """Is there something for everybody to see after an entry? Not after a choice that is only sealed."""
        match entry:
            case Chose(seat):
                return self.waiting == (seat,)
            case StoodIn():
                return False
        return True

    @property
    def position(self) -> int:
        """The number that names the present position to everybody alike."""
        return self.match.moment

    @property
    def bots_only(self) -> bool:
        """Do bots sit on all seats?"""
        return len(self.bots) == len(self.places)

    @property
    def alone(self) -> bool:
        """Has at most one person a part in this game, or had? Then there is nobody to signal to."""
        people = self.people_of(seat for seat, place in self.places.items() if place.holder)
        return len(people) < 2 and not any(place.left for place in self.places.values())

    @property
    def bots_alone(self) -> bool:
        """Has no person a part in this game, be it one who has left?"""
        return self.bots_only and self.alone

    @property
    def exchanged(self) -> dict[str, str]:
        """Where whoever sits on a seat goes when seats are exchanged for the next game."""
        return self.match.game.exchanged(self.match.rules)

    def answered(self, seat: str, position: int) -> str | None:
        """What the seat last chose at a position."""
        return self._answers.get((seat, position))

    def chosen(self, seat: str) -> int:
        """How often the seat has chosen at the present position."""
        return self._chosen.get((seat, self.position), 0)

    def noted_below(self, seat: str, level: str) -> bool:
        """Is it in the log that this level, or a lower one, has chosen for the bot on a seat?"""
        return any(LEVELS.index(noted) <= LEVELS.index(level) for _, noted in self._stood_in.get(seat, ()))

    @property
    def stood_in(self) -> tuple[StandIn, ...]:
        """For which bots others had to choose, as everybody is told.

        That is told when the position has moved on, as before it would say who has sealed a choice. And a bot of
        somebody's own might fail on purpose, to let its partner know something: of those it is told at the end.
        """
        over = self.phase in ("over", "ended")
        found = []
        for seat, noted in self._stood_in.items():
            told = over or self.places[seat].level in LEVELS
            levels = [level for since, level in noted if over or self.position > since]
            found += [StandIn(seat, levels[-1])] if told and levels else []
        return tuple(found)

    def seats_of(self, holder: str | None) -> tuple[str, ...]:
        """The seats somebody holds, in order."""
        return self._held.get(holder, ()) if holder else ()

    def played_together(self, seat: str) -> tuple[str, ...]:
        """The seats that go with this one, as those of a lone ruler do."""
        return self.match.game.played_together(self.match.rules, seat)

    def people_of(self, seats: Iterable[str]) -> set[tuple[str, ...]]:
        """The people on these seats, each as the seats that person plays."""
        return {self.played_together(seat) for seat in seats}

    def eyes_of(self, holder: str | None) -> str | None:
        """The seat through which a holder who is one person sees the table: the one that owes a choice, if any."""
        mine = self.seats_of(holder)
        if len(mine) < 2 or holder in self._sharing:
            return mine[0] if len(mine) == 1 else None
        for seat in self.waiting:
            if seat in mine:
                return seat
        return mine[-1]

    def bots_owing(self) -> list[str]:
        """The bots that owe a choice."""
        return [seat for seat in self.waiting if seat in self.bots] if self.bots and self.phase == "playing" else []

    def tag(self, holder: str | None, gone: frozenset[str] = frozenset()) -> str:
        """A text that changes when, and only when, there is something new that this holder can see.

        It is made of what happened openly, who sits where, who is gone, and the holder's own choices.
        """
        own = sum([self.sealed[seat] for seat in self.seats_of(holder)])
        away = [str(k) for k, place in enumerate(self.places.values()) if place.holder in gone] if gone else ()
        return f"{self.position}.{self.company}.{own}.{'-'.join(away)}"

    def face(self, holder: str | None, seat: str | None, gone: frozenset[str] = frozenset()) -> TableFace:
        """The table as the JSON interface gives it to a holder who looks through a seat of his, or as a spectator."""
        view = self.match.view(self._seeing(holder, seat))
        shown = view.json()
        choices = [] if view.arranges else list(view.choices)
        return TableFace(**self._common(holder, seat, gone), view=shown, choices=choices)

    def page_face(self, holder: str | None, seat: str | None, gone: frozenset[str] = frozenset()) -> PageFace:
        """The same as a page shows it."""
        eyes, mine = self._seeing(holder, seat), self.seats_of(holder)
        waiting, hosts = self.waiting if self.phase == "playing" else (), self.seats_of(self.header.host)
        return PageFace(
            **self._common(holder, seat, gone),
            view=self._seen_on_a_page(eyes),
            hear=partial(self.match.events, eyes),
            watch=partial(self.match.timeline, eyes),
            tag=self.tag(holder, gone),
            host=holder == self.header.host,
            owing=tuple([each for each in waiting if each in mine]),
            former=tuple(each for each, place in self.places.items() if holder and place.former == holder),
            pace=self.pace,
            alone=self.alone,
            bots_alone=self.bots_alone,
            shared=holder in self._sharing,
            hints_for_all=self.header.hints,
            inviting=tuple(dict.fromkeys(name for each in hosts if (name := self.places[each].name))),
        )

    def _seen_on_a_page(self, seat: str) -> View:
        """What a seat may know; when the game is over all of it, and when the table is closed nothing to choose."""
        if self.phase == "over":
            return self.match.opened(seat)
        view = self.match.view(seat)
        return view.closed() if self.phase == "ended" else view

    def story(self, holder: str | None, seat: str | None, after: int = 0) -> Story:
        """What a holder was told through a seat of his, or as a spectator, at a position or later."""
        told = self.match.events(self._seeing(holder, seat))
        events = [StoryEvent(e.moment, e.code, dict(e.args), e.clause) for e in told if e.moment >= after]
        return Story(self.position, events)

    def _eyes(self, holder: str | None, seat: str | None) -> str | None:
        """The seat, if it is the holder's; otherwise a spectator's eyes."""
        return seat if seat in self.seats_of(holder) else None

    def _seeing(self, holder: str | None, seat: str | None) -> str:
        """Through whose eyes a holder sees the position: before play begins all are spectators of it.

        Else somebody could look at what was dealt to one seat, leave it, and take another.
        """
        return self._eyes(holder, seat) or SPECTATOR if self.started else SPECTATOR

    def _common(self, holder: str | None, seat: str | None, gone: frozenset[str]) -> dict[str, Any]:
        """What every kind of face holds."""
        return {
            "code": self.code,
            "game": self.match.game.name,
            "rules": self.match.rules,
            "phase": self.phase,
            "seats": self._seat_faces(holder, gone),
            "seat": self._eyes(holder, seat),
            "mine": self.seats_of(holder),
            "position": self.position,
            "next": self.next,
            "hints": self.hints,
            "stood_in": self.stood_in if self._stood_in else (),
        }

    def _seat_faces(self, holder: str | None, gone: frozenset[str]) -> tuple[SeatFace, ...]:
        """Who sits where, as somebody may know; the same until the company changes."""
        known = self._seats_known.get((holder, gone))
        if known is None:
            known = tuple(self._seat_face(each, place, holder, gone) for each, place in self.places.items())
            if len(self._seats_known) > MOST_KNOWN:  # anybody may look on, with any secret
                self._seats_known.clear()
            self._seats_known[holder, gone] = known
        return known

    def _seat_face(self, seat: str, place: Place, viewer: str | None, gone: frozenset[str]) -> SeatFace:
        if place.level:
            return SeatFace(seat, "bot", None, place.level, gone=False)
        if place.holder is None:
            return SeatFace(seat, "open", None, None, gone=False)
        who: Who = "you" if place.holder == viewer else "person"
        return SeatFace(seat, who, place.name, None, gone=place.holder in gone and place.holder != viewer)
