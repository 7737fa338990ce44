"""All that a seat lives through in a match, choice by choice: its view, its options, what it is told."""

from itertools import pairwise
from typing import NamedTuple

import msgspec

from meadhall.games.game import Event
from meadhall.match import Match, View
from tests.secrets.worlds import Record, prefix


class Moment(NamedTuple):
    """What a seat can know at one moment."""

    page: bytes  # the view as JSON
    record: bytes  # the view as a bot gets it
    owes: bool
    told: tuple[Event, ...]  # since the moment before
    ids: tuple[int, ...]
    names: tuple[str, ...]


def moment(match: Match, seat: str, told: tuple[Event, ...], before: Moment | None) -> Moment:
    view = match.view(seat)
    heard = tuple(event for event in told if event.seen_by(seat))
    known = (msgspec.json.encode(view.json()), bytes(view.state), view.owes, heard)
    if before is not None and known[1] == before.record:  # others have sealed something: look no further
        return Moment(*known, before.ids, before.names)
    return Moment(*known, tuple(view.choice_ids), names_of(view))


def names_of(view: View) -> tuple[str, ...]:
    """The choices by name; of thousands of plans every 97th, which takes a hundredth of the time."""
    if len(view.choice_ids) <= 120:
        return view.choices
    ids = view.choice_ids[::97]
    return tuple(view.game.choice_name(view.rules, view.state, view.number, choice) for choice in ids)


def lived(record: Record, *seats: str) -> tuple[dict[str, list[Moment]], Match]:
    """Each seat's moments from before the first choice to after the last, and the match then."""
    match = Match.from_record(prefix(record, 0))
    lives = {seat: [moment(match, seat, tuple(match.events(seat)), None)] for seat in seats}
    for chooser, choice in record["choices"]:
        told = match.commit(chooser, choice)
        for seat, life in lives.items():
            life.append(moment(match, seat, told, life[-1]))
    for seat, life in lives.items():
        assert match.events(seat) == [event for moment in life for event in moment.told]
    return lives, match


def first_difference(one: list[Moment], other: list[Moment]) -> str | None:
    """Where and in what two lives differ first; None if they are the same."""
    for k, (here, there) in enumerate(zip(one, other, strict=True)):
        for name, mine, theirs in zip(Moment._fields, here, there, strict=True):
            if mine != theirs:
                return f"moment {k}, {name}: {mine!r} is {theirs!r} in the other world"
    return None


def changes(life: list[Moment]) -> list[Moment]:
    """A life without the moments at which nothing happened, as far as the seat could know."""
    return life[:1] + [now for before, now in pairwise(life) if now.told or now.page != before.page]
