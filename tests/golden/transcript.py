"""A game as text: every choice, what of each seat's view it changed, and who was told what."""

import json
from collections.abc import Iterator
from typing import Any

from meadhall.games.game import Event
from meadhall.match import SPECTATOR, Match

Record = dict[str, Any]


def transcript(record: Record) -> str:
    """The record, the views before the first choice in full, then what changes, then the last views in full."""
    return "\n".join(_lines(record)) + "\n"


def read_record(text: str) -> Record:
    """The record that a transcript is of."""
    lines = text.splitlines()
    choices = [line.split()[2:] for line in lines if line.startswith("> ")]
    record: Record = json.loads(lines[0])
    return record | {"choices": choices}


def _lines(record: Record) -> Iterator[str]:
    match = Match.from_record(record | {"choices": []})
    seats = (*match.seats, SPECTATOR)
    yield json.dumps(record | {"choices": []})
    yield ""
    for seat in seats:
        yield f"{seat}: {json.dumps(match.view(seat).json())}"
    yield from _told(match.full_events())
    seen = {seat: _leaves(match.view(seat).json()) for seat in seats}
    for number, (chooser, choice) in enumerate(record["choices"]):
        yield ""
        yield f"> {number} {chooser} {choice}"
        yield from _told(match.commit(chooser, choice))
        now = {seat: _leaves(match.view(seat).json()) for seat in seats}
        yield from _changes(seen, now)
        seen = now
    yield ""
    for seat in seats:
        yield f"{seat}: {json.dumps(match.view(seat).json())}"


def _told(events: Any) -> Iterator[str]:
    """One line for each event: who is told, what, and by which clause."""
    for event in events:
        yield f"  {_audience(event)} told: {event.code} {_arguments(event)}({event.clause})"


def _audience(event: Event) -> str:
    return "all" if event.audience is None else " and ".join(sorted(event.audience))


def _arguments(event: Event) -> str:
    return "".join(f"{name}={value} " for name, value in event.args.items())


def _changes(before: dict[str, dict[str, str]], now: dict[str, dict[str, str]]) -> Iterator[str]:
    """What changes in the views, seats that see the same change together; nothing where nothing does."""
    groups: dict[str, list[str]] = {}
    for seat, leaves in now.items():
        changed = [f"{path}={value}" for path, value in leaves.items() if before[seat].get(path) != value]
        changed += [f"no {path}" for path in before[seat] if path not in leaves]
        if changed:
            groups.setdefault(" ".join(changed), []).append(seat)
    for text, seats in groups.items():
        yield f"  {'all' if len(seats) == len(now) else ' and '.join(seats)} see: {text}"


def _leaves(value: Any, path: str = "") -> dict[str, str]:
    """A view as dotted paths and values."""
    if not isinstance(value, dict) or not value:
        return {path: json.dumps(value)}
    return {
        inner: text
        for key, child in value.items()
        for inner, text in _leaves(child, f"{path}.{key}" if path else key).items()
    }
