"""What one viewer may know of a table: pages, live updates and the JSON interface are made from this alone."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from meadhall.games.game import Event
from meadhall.match import Beat, View

Phase = Literal["open", "playing", "over", "ended"]
Who = Literal["you", "person", "bot", "open"]


class ByGame:
    """In the type of something that is sent: a dictionary whose keys each game declares for itself."""

    declared: ClassVar[str]  # the attribute of a Game that has the type


if TYPE_CHECKING:
    AnyView = dict[str, Any]
    AnyRules = dict[str, Any]
else:

    class AnyView(ByGame):
        """What a seat may know of a position."""

        declared = "view_type"

    class AnyRules(ByGame):
        """The options of a game, each with its value."""

        declared = "rules_type"


class SeatFace(msgspec.Struct, frozen=True):
    """Who sits on a seat, as far as the viewer may know. `gone`: a person who has not been there for a while."""

    seat: str
    who: Who
    name: str | None
    level: str | None
    gone: bool


class StandIn(msgspec.Struct, frozen=True):
    """The bot on a seat has failed to choose in this game, and the lowest level that has chosen for it."""

    seat: str
    level: str


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer may know it, through the eyes of one of his seats or of a spectator (`seat` is null)."""

    code: str
    game: str
    rules: AnyRules
    phase: Phase
    seats: tuple[SeatFace, ...]
    seat: str | None
    mine: tuple[str, ...]
    position: int
    next: str | None
    hints: bool


class TableFace(Face, frozen=True, kw_only=True):
    """A table through the eyes of one seat, or of a spectator (`seat` is null).

    `mine` are your seats, `next` is the code of the table where the same company plays on, `hints` says whether those
    who play may ask for hints, `stood_in` for which bots another had to choose. `choices` are the names of what the
    seat may choose now. They are left out, as there are thousands, where pieces are to be put in order: `view.pending`
    then says which pieces, and how many to take.
    """

    stood_in: tuple[StandIn, ...]
    view: AnyView
    choices: list[str]


class PageFace(Face, frozen=True, kw_only=True, dict=True):
    """A face with what a page shows besides."""

    view: View
    hear: Callable[[], Sequence[Event]]
    watch: Callable[[int], Sequence[Beat]]  # the beats since a position
    tag: str  # changes when, and only when, the viewer can see a change
    host: bool = False
    owing: tuple[str, ...] = ()  # those of `mine` that owe a choice
    former: tuple[str, ...] = ()  # seats of the viewer's on which a bot plays for him now
    pace: int = 0
    alone: bool = False  # no more than one person plays here, or did
    bots_alone: bool = False  # no person does
    shared: bool = False  # several people sit at this viewer's device
    hints_for_all: bool = False  # the host has allowed hints whoever plays
    stood_in: tuple[StandIn, ...] = ()
    inviting: tuple[str, ...] = ()  # the names of those who sit at the host's device

    @cached_property
    def events(self) -> Sequence[Event]:
        """All that has happened, as far as the viewer may know it."""
        return self.hear()

    @property
    def may_have_hint(self) -> bool:
        """May the viewer ask what a strong bot would do? Only for a seat of his own that owes a choice."""
        return self.hints and self.phase == "playing" and self.seat in self.owing

    @property
    def asked(self) -> tuple[str, ...]:
        """One seat of each person at this viewer's device who owes a choice, in the order of asking."""
        people: dict[tuple[str, ...], str] = {}
        for seat in self.owing:
            people.setdefault(self.view.game.played_together(self.view.rules, seat), seat)
        return tuple(people.values())

    @property
    def asked_next(self) -> str | None:
        """The seat of the person who is to have a shared device next."""
        return next(iter(self.asked), None)

    @property
    def free(self) -> tuple[tuple[str, ...], ...]:
        """The free seats, each with those that go with it: first where somebody lacks a partner."""
        game, rules = self.view.game, self.view.rules
        lonely = {game.side_of(rules, place.seat) for place in self.seats if place.who in ("you", "person")}
        seats = [place.seat for place in self.seats if place.who == "open"]
        groups = dict.fromkeys(game.played_together(rules, seat) for seat in seats)
        return tuple(sorted(groups, key=lambda group: game.side_of(rules, group[0]) not in lonely))

    @property
    def asks(self) -> bool:
        """Does the table ask the viewer's own seat for a choice that it has not sealed yet?"""
        return self.phase == "playing" and self.view.may_choose and self.view.own is None

    @property
    def people(self) -> dict[str, str]:
        """The names of those who gave one, by seat."""
        return {place.seat: place.name for place in self.seats if place.name}


class StoryEvent(msgspec.Struct, frozen=True):
    """Something that happened: at which position, its code and arguments, and the clause of the rulebook behind it."""

    position: int
    code: str
    args: dict[str, str | int | None]
    clause: str


class Story(msgspec.Struct, frozen=True):
    """What a seat, or a spectator, was told, and the present position."""

    position: int
    events: list[StoryEvent]
