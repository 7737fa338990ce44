"""Romans Go Home!: what a seat may know of a position, and the position as JSON.

A view is a record like the full one. It starts with everything unknown, and `reveal` copies in what the
seat may know: what nobody thought of stays hidden.
"""

from collections.abc import Sequence
from typing import Any, TypedDict

from meadhall.engine.bits import at, known_first, without
from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll
from meadhall.games.romans.rules import to_arrange
from meadhall.games.romans.setup import clear, deal_warriors, shuffle_piles
from meadhall.games.romans.state import ARRANGE, ENDINGS, FORTS, NINE_ROW, WARRIORS, Phase, RomansState


class RomansClan(TypedDict):
    """A clan's forts and warriors; null for a warrior that is not known."""

    forts: list[str]
    face_up: list[str]
    hidden: list[str | None]
    hand: list[str | None]
    aside: str | None
    discarded: list[str]


class RomansOutcome(TypedDict):
    """Who won, by what, and every clan's points."""

    winners: list[str]
    by: str
    points: dict[str, int]


class Arrangement(TypedDict):
    """A question for an order: so many of these warriors, left to right."""

    arrange: list[str]
    take: int


class RomansPosition(TypedDict):
    """A position as the record format writes it."""

    round: int
    turn: int
    wall: list[str]
    clans: dict[str, RomansClan]
    discarded_forts: list[str]
    pending: dict[str, list[str] | Arrangement]
    outcome: RomansOutcome | None


class RomansView(RomansPosition):
    """A position as a seat may know it, and what the seat has chosen and nobody else may see yet."""

    own: str | None


def reveal(s: RomansState, seat: int, view: RomansState) -> None:
    """Copy into a view what the seat may know; seat -1 is a spectator, who knows what all know."""
    clear(view)
    reveal_table(s, view)
    for clan in range(4):
        reveal_clan(s, clan, view)
        view.line[clan] = known_first(int(s.line[clan]), int(s.shown))  # R10.1
    view.owed = s.asked  # who has sealed already is not for others to see
    if seat >= 0:  # R10.2
        view.owed = int(s.asked) & (~(1 << seat) | int(s.owed))
        view.sealed[seat] = s.sealed[seat]
        view.aside[seat] = s.aside[seat]
        view.line[seat] = s.line[seat]
        view.hand[seat] = s.hand[seat]
        view.options[seat] = s.options[seat]


def reveal_table(s: RomansState, view: RomansState) -> None:
    """What everybody knows of the table, and the options of the game (R10.1)."""
    view.shows = s.shows
    view.players = s.players
    view.clans = s.clans
    view.original = s.original
    view.replaces = s.replaces
    view.round = s.round
    view.turn = s.turn
    view.shown = s.shown
    view.phase = s.phase
    view.asked = s.asked
    view.wall_count = s.wall_count
    view.wall = s.wall
    view.wall_laid = s.wall_laid
    view.lost_count = s.lost_count
    for k in range(18):
        view.lost_forts[k] = s.lost_forts[k]
    view.wrecked = s.wrecked
    view.charmer = s.charmer
    view.charmed = s.charmed
    view.captor = s.captor
    view.prize = s.prize
    view.kept_axx = s.kept_axx
    view.kept_weakest = s.kept_weakest
    view.winners = s.winners
    view.by = s.by
    for fort in range(11):
        view.fort_deck[fort] = s.fort_deck[fort]
    view.dealt = 0


def reveal_clan(s: RomansState, clan: int, view: RomansState) -> None:
    """What everybody knows of a clan: its forts, its face-up and discarded warriors (R10.1)."""
    view.up[clan] = s.up[clan]
    view.strength_up[clan] = s.strength_up[clan]
    view.discarded[clan] = s.discarded[clan]
    view.discarded_count[clan] = s.discarded_count[clan]
    view.forts_count[clan] = s.forts_count[clan]
    view.worth[clan] = s.worth[clan]
    # What a clan may choose follows from what all know, but not where its charriotts lie.
    view.options[clan] = ARRANGE if s.options[clan] >= ARRANGE else s.options[clan]
    for k in range(18):
        view.forts[clan][k] = s.forts[clan][k]
        view.forts_laid[clan][k] = s.forts_laid[clan][k]


def redeal(view: RomansState, seat: int, rng: list[int]) -> None:
    """Fill what the view leaves open with another deal the seat cannot tell apart, all deals equally likely.

    Plans others may have sealed are owed anew; lines already laid are taken for random ones.
    """
    for clan in range(view.clans):
        if clan != seat:
            redeal_line(view, clan, rng)
    redeal_forts(view, rng)
    for later_round in range(view.round, 3):
        for clan in range(4):
            deal_warriors(view, rng, later_round, clan)
    view.dealt = 3


def redeal_line(view: RomansState, clan: int, rng: list[int]) -> None:
    """Draw a rival's hand, or his hidden warriors and the one put aside, from those he has not shown."""
    left = 9
    pool = NINE_ROW
    shown = int(view.shown)
    for turn in range(shown):
        place = 0
        while at(pool, place) != at(int(view.line[clan]), turn):
            place += 1
        pool = without(pool, place)
        left -= 1
    row = int(view.line[clan]) & ((1 << (4 * shown)) - 1)
    for k in range(shown, 7):
        place = roll(rng, left)
        row |= at(pool, place) << (4 * k)
        pool = without(pool, place)
        left -= 1
    if clan >= view.players:
        view.line[clan] = known_first(row, 6)
    elif view.phase == Phase.PLAN:
        view.hand[clan] = row
    else:
        view.line[clan] = known_first(row, 6)
        view.aside[clan] = at(row, 6)
    if view.options[clan] >= ARRANGE:
        view.options[clan] = to_arrange(view, clan)


def redeal_forts(view: RomansState, rng: list[int]) -> None:
    """Shuffle the forts that have not been seen into the places still to come."""
    place = 6 * view.round
    for fort in range(11):
        left = view.fort_deck[fort]
        for k in range(view.wall_count):
            if at(int(view.wall), k) == fort:
                left -= 1
        for k in range(view.lost_count):
            if view.lost_forts[k] == fort:
                left -= 1
        for clan in range(view.clans):
            for k in range(view.forts_count[clan]):
                if view.forts[clan][k] == fort:
                    left -= 1
        for _ in range(left):
            view.draw_pile[place] = fort
            place += 1
    shuffle_piles(view, rng, 6 * view.round)


# As JSON


def describe(s: RomansState, clans: Sequence[str]) -> dict[str, Any]:
    """The position in the record format's words; what a view does not know is null. `pending` is not filled."""
    return {
        "round": s.round,
        "turn": s.turn,
        "wall": names(FORTS, s.wall, 0, s.wall_count),
        "clans": {name: _describe_clan(s, clan) for clan, name in enumerate(clans)},
        "discarded_forts": [FORTS[fort] for fort in list(s.lost_forts)[: s.lost_count]],
        "pending": {},
        "outcome": describe_outcome(s, clans) if s.phase == Phase.OVER else None,
    }


def _describe_clan(s: RomansState, clan: int) -> dict[str, Any]:
    planning = s.phase == Phase.PLAN and clan < s.players
    return {
        "forts": [FORTS[fort] for fort in list(s.forts[clan])[: s.forts_count[clan]]],
        "face_up": [WARRIORS[at(s.line[clan], k)] for k in range(6) if s.up[clan] >> k & 1],
        "hidden": [] if planning else names(WARRIORS, s.line[clan], s.shown, 6),
        "hand": names(WARRIORS, s.hand[clan], 0, 7) if planning else [],
        "aside": None if s.aside[clan] == UNKNOWN else WARRIORS[s.aside[clan]],
        "discarded": names(WARRIORS, s.discarded[clan], 0, s.discarded_count[clan]),
    }


def describe_outcome(s: RomansState, clans: Sequence[str]) -> dict[str, Any]:
    """Who won and how, once the game is over."""
    return {
        "winners": [name for clan, name in enumerate(clans) if s.winners >> clan & 1],
        "by": ENDINGS[s.by],
        "points": {name: s.worth[clan] for clan, name in enumerate(clans)},
    }


def names(words: Sequence[str], row: int, first: int, end: int) -> list[str | None]:
    """The names of the things in a row from one place up to another; None for unknown ones."""
    things = (at(row, k) for k in range(first, end))
    return [words[thing] if thing < len(words) else None for thing in things]
