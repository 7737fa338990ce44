"""What one viewer may know of a table: pages, live updates and the JSON interface are made from this alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import msgspec

from meadhall.games.game import Event
from meadhall.match import View

Phase = Literal["open", "playing", "over", "ended"]
Who = Literal["you", "person", "bot", "open"]


@dataclass(frozen=True)
class SeatFace:
    """Who sits on a seat, as far as the viewer may know."""

    seat: str
    who: Who
    name: str | None = None
    level: str | None = None
    gone: bool = False
    former: bool = False  # the viewer sat here, and a bot plays for him now


_encode = msgspec.json.Encoder().encode


def encoded(part: Any) -> msgspec.Raw:
    """A part of a face as JSON, for one that stays the same from message to message."""
    return msgspec.Raw(_encode(part))


class Company(tuple[SeatFace, ...]):
    """Who sits where, as one viewer may know."""

    def json(self) -> list[dict[str, Any]]:
        """As the JSON interface gives it."""
        return [{"seat": s.seat, "who": s.who, "name": s.name, "level": s.level, "gone": s.gone} for s in self]

    @cached_property
    def encoded(self) -> msgspec.Raw:
        """The same, encoded."""
        return encoded(self.json())


@dataclass(frozen=True)
class Face:
    """A table as one viewer may see it, through the eyes of one of his seats or of a spectator."""

    code: str
    game: str
    rules: Mapping[str, Any]
    phase: Phase
    seats: Sequence[SeatFace]
    host: bool
    seat: str | None
    mine: tuple[str, ...]
    owing: tuple[str, ...]  # those of `mine` that owe a choice
    view: View
    hear: Callable[[], Sequence[tuple[int, Event]]]
    position: int
    tag: str  # changes when, and only when, the viewer can see a change; none in a live update
    next: str | None = None
    pace: int = 0
    bots_only: bool = False
    shared: bool = False  # several people sit at this viewer's device
    hints: bool = False  # may those who play ask for hints?
    hints_for_all: bool = False  # the host has allowed it whoever plays
    rules_encoded: msgspec.Raw | None = None

    @cached_property
    def told(self) -> Sequence[tuple[int, Event]]:
        """What the viewer was told, each event with its moment; a page needs it, a live update does not."""
        return self.hear()

    @property
    def may_have_hint(self) -> bool:
        """May the viewer ask what a strong bot would do? Only for a seat of his own that owes a choice."""
        return self.hints and self.phase == "playing" and self.seat in self.owing

    @property
    def people(self) -> dict[str, str]:
        """The names of those who gave one, by seat."""
        return {place.seat: place.name for place in self.seats if place.name}

    def json(self) -> dict[str, Any]:
        """The table as the JSON interface gives it."""
        return self._json(self.rules, Company(self.seats).json())

    def encoded(self) -> bytes:
        """The same, encoded; a live update is this."""
        seats = self.seats.encoded if isinstance(self.seats, Company) else Company(self.seats).json()
        return _encode(self._json(self.rules_encoded or self.rules, seats))

    def _json(self, rules: Any, seats: Any) -> dict[str, Any]:
        shown = self.view.json()
        return {
            "code": self.code,
            "game": self.game,
            "rules": rules,
            "phase": self.phase,
            "seats": seats,
            "seat": self.seat,
            "mine": self.mine,
            "position": self.position,
            "view": shown,
            "choices": self.choices,
            "next": self.next,
            "hints": self.hints,
        }

    @property
    def choices(self) -> list[str]:
        """What the seat may choose, by name; empty where pieces are to be put in order (see `view.pending`)."""
        return [] if self.view.arranges else list(self.view.choices)
