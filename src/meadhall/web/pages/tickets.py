"""Tables as lists show them: those that can be watched, and one's own with whose turn it is or how they ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from meadhall.tables.table import Table
from meadhall.web.pages.screens import bot_name
from meadhall.words import Words

FINISHED = 4  # of one's own tables that are over

Standing = Literal["turn", "open", "waiting", "won", "lost", "draw", "over", "ended"]


@dataclass(frozen=True)
class Ticket:
    """A table in a list."""

    code: str
    game: str
    phase: str
    people: str


def ticket(table: Table, words: Words) -> Ticket:
    """A table as everybody sees it: who plays, bots by their level."""
    who = []
    for place in table.places.values():
        if place.level:
            who.append(bot_name(words, place.level))
        elif place.name:
            who.append(place.name)
    return Ticket(table.code, table.header.game, table.phase, ", ".join(who))


@dataclass(frozen=True)
class OwnTicket:
    """A table of one's own: where one sits, with whom, how it stands, and what is said of its end."""

    code: str
    game: str
    seat: str
    seats: str
    people: str
    standing: Standing
    said: str
    detail: str


def own_tickets(tables: Iterable[Table], holder: str | None, words: Words) -> list[OwnTicket]:
    """One's own tables: first those where one is to choose, then those in play, then a few that are over."""
    tickets = [_own(table, holder, words) for table in tables if table.seats_of(holder)]
    running = [each for each in tickets if each.standing in ("open", "waiting")]
    finished = [each for each in tickets if each.standing not in ("turn", "open", "waiting")]
    return [*(each for each in tickets if each.standing == "turn"), *running, *finished[:FINISHED]]


def _own(table: Table, holder: str | None, words: Words) -> OwnTicket:
    game, mine = table.header.game, table.seats_of(holder)
    others = dict.fromkeys(place.name for place in table.places.values() if place.name and place.holder != holder)
    standing, said, detail = _standing(table, mine, words)
    seats = ", ".join(words.seat(game, seat) for seat in mine)
    return OwnTicket(table.code, game, mine[0], seats, ", ".join(others), standing, said, detail)


def _standing(table: Table, mine: tuple[str, ...], words: Words) -> tuple[Standing, str, str]:
    """How a table stands, in a few words. Only one's own seats count: nothing tells of a partner's choice."""
    match table.phase:
        case "open":
            return "open", words.say("ui.yours.open"), ""
        case "ended":
            return "ended", words.say("ui.yours.ended"), ""
        case "playing":
            if any(seat in table.waiting for seat in mine):
                return "turn", words.say("ui.yours.turn"), ""
            return "waiting", words.say("ui.yours.waiting"), ""
    outcome, game = table.match.outcome, table.header.game
    assert outcome is not None
    detail = words.outcome(game, outcome.record)
    sides = {table.match.game.side_of(table.match.rules, seat) for seat in mine}
    if not outcome.winners:
        return "draw", words.say("ui.over.draw"), detail
    if len(sides) > 1:
        return "over", words.say("ui.yours.over"), detail
    if sides <= set(outcome.winners):
        return "won", words.say("ui.yours.won"), detail
    return "lost", words.say("ui.yours.lost"), detail
