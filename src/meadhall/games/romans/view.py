"""Romans Go Home!: what a seat may know of a position, and the position as JSON.

A view is a record like the full one. It starts with everything unknown, and `reveal` copies in what the
seat may know: what nobody thought of stays hidden.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from meadhall.dice import roll
from meadhall.fields import UNKNOWN
from meadhall.games.romans.rules import deal_warriors, points, shuffle_piles
from meadhall.games.romans.state import ENDINGS, FORTS, WARRIORS, Phase, RomansState, Warrior


def blank(view: RomansState) -> None:
    """Everything unknown."""
    for k in range(18):
        view.draw_pile[k] = UNKNOWN  # R10.3
    for later_round in range(3):
        for clan in range(4):
            for k in range(7):
                view.deals[later_round][clan][k] = UNKNOWN
    for clan in range(4):
        view.sealed[clan] = UNKNOWN
        view.aside[clan] = UNKNOWN
        for k in range(6):
            view.line[clan][k] = UNKNOWN
        for k in range(7):
            view.hand[clan][k] = UNKNOWN


def reveal(s: RomansState, seat: int, view: RomansState) -> None:
    """Copy into a view what the seat may know; seat -1 is a spectator, who knows what all know."""
    blank(view)
    reveal_table(s, view)
    for clan in range(4):
        reveal_clan(s, clan, view)
        for k in range(s.shown):
            view.line[clan][k] = s.line[clan][k]  # R10.1
    if seat >= 0:  # R10.2
        view.sealed[seat] = s.sealed[seat]
        view.aside[seat] = s.aside[seat]
        for k in range(6):
            view.line[seat][k] = s.line[seat][k]
        for k in range(7):
            view.hand[seat][k] = s.hand[seat][k]


def reveal_table(s: RomansState, view: RomansState) -> None:
    """What everybody knows of the table, and the options of the game (R10.1)."""
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
    for k in range(6):
        view.wall[k] = s.wall[k]
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
    view.face_up_count[clan] = s.face_up_count[clan]
    view.strength_up[clan] = s.strength_up[clan]
    view.discarded_count[clan] = s.discarded_count[clan]
    view.forts_count[clan] = s.forts_count[clan]
    for k in range(6):
        view.face_up[clan][k] = s.face_up[clan][k]
        view.discarded[clan][k] = s.discarded[clan][k]
    for k in range(18):
        view.forts[clan][k] = s.forts[clan][k]


def redeal(view: RomansState, seat: int, dice: list[int]) -> None:
    """Fill what the view leaves open with another deal the seat cannot tell apart, all deals equally likely.

    Plans others may have sealed are owed anew; lines already laid are taken for random ones.
    """
    for clan in range(view.clans):
        if clan != seat:
            redeal_line(view, clan, dice)
    redeal_forts(view, dice)
    for later_round in range(view.round, 3):
        for clan in range(4):
            deal_warriors(view, dice, later_round, clan)
    view.dealt = 3


def redeal_line(view: RomansState, clan: int, dice: list[int]) -> None:
    """Draw a rival's hand, or his hidden warriors and the one put aside, from those he has not shown."""
    left = 0
    pool = 0  # warriors not yet shown this round, four bits each
    for warrior in range(8):
        copies = 2 if warrior == Warrior.CHARRIOTT else 1
        for turn in range(view.shown):
            if view.line[clan][turn] == warrior:
                copies -= 1
        for _ in range(copies):
            pool |= warrior << (4 * left)
            left += 1
    planning = view.phase == Phase.PLAN and clan < view.players
    for k in range(view.shown, 7):
        pick = 4 * roll(dice, left)
        warrior = (pool >> pick) & 15
        pool = (pool & ((1 << pick) - 1)) | ((pool >> (pick + 4)) << pick)
        left -= 1
        if planning:
            view.hand[clan][k] = warrior
        elif k < 6:
            view.line[clan][k] = warrior
        elif clan < view.players:
            view.aside[clan] = warrior


def redeal_forts(view: RomansState, dice: list[int]) -> None:
    """Shuffle the forts that have not been seen into the places still to come."""
    place = 6 * view.round
    for fort in range(11):
        left = view.fort_deck[fort]
        for k in range(view.wall_count):
            if view.wall[k] == fort:
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
    shuffle_piles(view, dice, 6 * view.round)


# As JSON


def describe(s: RomansState, clans: Sequence[str]) -> dict[str, Any]:
    """The position in the record format's words; what a view does not know is null. `pending` is not filled."""
    return {
        "round": s.round,
        "turn": s.turn,
        "wall": _names(FORTS, s.wall, s.wall_count),
        "clans": {name: _describe_clan(s, clan) for clan, name in enumerate(clans)},
        "discarded_forts": _names(FORTS, s.lost_forts, s.lost_count),
        "pending": {},
        "outcome": describe_outcome(s, clans),
    }


def _describe_clan(s: RomansState, clan: int) -> dict[str, Any]:
    planning = s.phase == Phase.PLAN and clan < s.players
    hidden = [] if planning else list(s.line[clan])[s.shown :]
    return {
        "forts": _names(FORTS, s.forts[clan], s.forts_count[clan]),
        "face_up": _names(WARRIORS, s.face_up[clan], s.face_up_count[clan]),
        "hidden": _names(WARRIORS, hidden, len(hidden)),
        "hand": _names(WARRIORS, s.hand[clan], 7 if planning else 0),
        "aside": None if s.aside[clan] == UNKNOWN else WARRIORS[s.aside[clan]],
        "discarded": _names(WARRIORS, s.discarded[clan], s.discarded_count[clan]),
    }


def describe_outcome(s: RomansState, clans: Sequence[str]) -> dict[str, Any] | None:
    """Who won and how; None while the game goes on."""
    if s.phase != Phase.OVER:
        return None
    return {
        "winners": [name for clan, name in enumerate(clans) if s.winners >> clan & 1],
        "by": ENDINGS[s.by],
        "points": {name: points(s, clan) for clan, name in enumerate(clans)},
    }


def _names(names: tuple[str, ...], numbers: Iterable[int], count: int) -> list[str | None]:
    return [None if number == UNKNOWN else names[number] for number in list(numbers)[:count]]

