"""Goths Save the Queen as numbers: what a seat observes, what it may do and what it gets, made to be compiled.

An observation is written from a view, so it cannot hold what the seat may not know. Its own clan comes first, whichever
that is, so that one policy can play both.
"""

from meadhall.envs.layout import Layout, Part, beside, one
from meadhall.envs.slots import Slot
from meadhall.games.goths.rules import clan_of, commit, legal, next_seat, set_up
from meadhall.games.goths.setup import deal
from meadhall.games.goths.state import (
    ACTIONS,
    CARDS,
    CHARACTERS,
    CHOICES,
    DRAW,
    OBJECTIVES,
    PLACES,
    SEATS,
    SIGHTS,
    TOKEN_STATES,
    TOKENS,
    GothsState,
    Phase,
)
from meadhall.games.goths.view import redeal, reveal
from meadhall.lab.simulate.goths import pick

MOST = 127  # what a number of an observation can hold
CLAN = (
    Part("place", PLACES),
    Part("units", ("no unit", "1 unit", "2 units", "3 units")),
    one("catapult", "active"),
    Part("barricades", PLACES[:3]),
    Part("hand", CARDS),
    Part("face_up", CARDS),
    Part("order", CARDS),
    Part("back", CHARACTERS),
    Part("act", ACTIONS),
    Part("last_act", ACTIONS),
    one("through", "the last order that was revealed got through"),
    Part("seen", SIGHTS),
    Part("token", TOKENS),
    Part("fog", TOKEN_STATES),
    one("lone", "one person is king and warchief"),
)
TABLE = (
    Part("role", ("king", "warchief")),
    Part("phase", tuple(phase.name.lower().replace("_", "-") for phase in Phase)),
    one("initiative", "own clan has it"),
    one("first", "own clan's action comes first"),
    one("resolved", "actions carried out this turn", most=2),
    one("turn", "turns begun", most=MOST),
    one("turns_left", "until the turn limit; 0 without one", most=MOST),
    Part("objective-1", (*OBJECTIVES, "face up")),
    Part("objective-2", (*OBJECTIVES, "face up")),
    Part("objective-3", (*OBJECTIVES, "face up")),
    Part("deck", CARDS),
    one("fog_anywhere", "tokens can be dispersed anywhere"),
)
LAYOUT = Layout(*TABLE, *beside("own", CLAN), *beside("enemy", CLAN))
_CLAN = Layout(*CLAN)

SIZE = LAYOUT.size
ACTION_COUNT = len(CHOICES)
SEAT_COUNT = len(SEATS)
__all__ = ["commit", "deal", "next_seat", "pick", "redeal", "reveal", "set_up"]  # what `loop.py` finds here besides

ROLE, PHASE, INITIATIVE, FIRST = (LAYOUT.start(name) for name in ("role", "phase", "initiative", "first"))
RESOLVED, TURN, TURNS_LEFT = (LAYOUT.start(name) for name in ("resolved", "turn", "turns_left"))
OBJECTIVE, DECK, FOG_ANYWHERE = (LAYOUT.start(name) for name in ("objective-1", "deck", "fog_anywhere"))
OWN, ENEMY = LAYOUT.start("own.place"), LAYOUT.start("enemy.place")
UNITS, CATAPULT, BARRICADES, HAND = (_CLAN.start(name) for name in ("units", "catapult", "barricades", "hand"))
FACE_UP, ORDER, BACK, ACT = (_CLAN.start(name) for name in ("face_up", "order", "back", "act"))
LAST_ACT, THROUGH, SEEN = (_CLAN.start(name) for name in ("last_act", "through", "seen"))
TOKEN, FOG, LONE = (_CLAN.start(name) for name in ("token", "fog", "lone"))


def observe(view: GothsState, seat: int, slot: Slot, out: list[int]) -> None:
    """Write what the seat of a view knows."""
    for k in range(SIZE):
        out[k] = 0
    clan = clan_of(seat)
    out[ROLE + (seat & 1)] = 1
    out[PHASE + view.phase] = 1
    out[INITIATIVE] = view.initiative == clan
    out[FIRST] = view.first == clan
    out[RESOLVED] = view.resolved
    out[TURN] = min(view.turn, MOST)
    if view.turn_limit > 0:
        out[TURNS_LEFT] = min(view.turn_limit - view.turn + 1, MOST)
    for k in range(3):
        if view.objectives[k] >= 0:
            out[OBJECTIVE + 4 * k + view.objectives[k]] = 1
        out[OBJECTIVE + 4 * k + 3] = (int(view.revealed) >> k) & 1
    write_bits(out, DECK, int(view.deck), 12)
    out[FOG_ANYWHERE] = view.fog_anywhere
    observe_clan(view, clan, out, OWN)
    observe_clan(view, 1 - clan, out, ENEMY)


def observe_clan(view: GothsState, clan: int, out: list[int], at: int) -> None:
    """Write what is known of a clan, from this index on."""
    out[at + view.place[clan]] = 1
    out[at + UNITS + view.units[clan]] = 1
    out[at + CATAPULT] = view.catapult[clan]
    write_bits(out, at + BARRICADES, int(view.barricades[clan]), 3)
    write_bits(out, at + HAND, int(view.hand[clan]), 12)
    for k in range(view.face_up_count[clan]):
        out[at + FACE_UP + view.face_up[clan][k]] = 1
    if view.order[clan] >= 0:
        out[at + ORDER + view.order[clan]] = 1
    write_bits(out, at + BACK, int(view.back[clan]), 4)
    if view.act[clan] >= 0:
        out[at + ACT + view.act[clan]] = 1
    if view.last_act[clan] >= 0:
        out[at + LAST_ACT + view.last_act[clan]] = 1
    out[at + THROUGH] = view.through[clan]
    write_bits(out, at + SEEN, int(view.seen[clan]), 4)
    if view.token[clan] >= 0:
        out[at + TOKEN + view.token[clan]] = 1
    out[at + FOG + view.fog[clan]] = 1
    out[at + LONE] = view.lone[clan]


def write_bits(out: list[int], start: int, bits: int, count: int) -> None:
    """Write so many bits, the lowest first."""
    for k in range(count):
        out[start + k] = (bits >> k) & 1


def choose(s: GothsState, slot: Slot, seat: int, action: int) -> int:
    """The choice that an action makes, -1 if more actions are needed for it: here each action is a choice."""
    return action


def may_take(s: GothsState, slot: Slot, seat: int, action: int) -> bool:
    """Is this an action, and may the seat take it?"""
    return 0 <= action < ACTION_COUNT and (legal(s, seat) >> action) & 1 != 0


def write_mask(s: GothsState, slot: Slot, seat: int, out: list[bool]) -> None:
    """Write which actions the seat may take."""
    options = legal(s, seat)
    for action in range(ACTION_COUNT):
        out[action] = (options >> action) & 1 != 0


def write_returns(s: GothsState, out: list[float]) -> None:
    """Write what a game that is over is worth to each seat: 1 to the winners, -1 to the losers, 0 for a draw."""
    for seat in range(SEAT_COUNT):
        if s.winner == DRAW:
            out[seat] = 0.0
        else:
            out[seat] = 1.0 if clan_of(seat) == s.winner else -1.0
