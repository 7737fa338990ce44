"""Romans Go Home! as numbers: what a clan observes, what it may do and what it gets, made to be compiled.

An observation is written from a view, so it cannot hold what the clan may not know. The clan itself comes first, then
the others in the order of their seats. A line is laid in one action of 5,040, or by option warrior by warrior.
"""

import numpy as np

from meadhall.engine.bits import at
from meadhall.envs.layout import Layout, Part, beside, one
from meadhall.envs.slots import Slot
from meadhall.games.romans.rules import (
    allowed,
    arrangement_count,
    arranging,
    commit,
    hidden_count,
    in_order,
    next_seat,
    pair_to_keep,
    set_up,
)
from meadhall.games.romans.setup import deal
from meadhall.games.romans.state import (
    ARRANGED_IN_ORDER,
    CHARM,
    CHOICE_COUNT,
    FORTS,
    REORDER,
    WARRIORS,
    Phase,
    RomansState,
)
from meadhall.games.romans.view import redeal, reveal
from meadhall.lab.simulate.romans import pick

MOST = 127  # what a number of an observation can hold
CLAN = (
    Part("plays", ("a player", "a neutral")),
    *(Part(f"line-{place}", WARRIORS) for place in range(1, 7)),
    Part("face_up", tuple(f"place {place}" for place in range(1, 7))),
    Part("discarded", WARRIORS, most=2),
    Part("forts", FORTS, most=18),
    one("worth", "what its forts come to", most=MOST, least=-MOST - 1),
    one("strength_up", "what its face-up warriors come to", most=MOST),
    one("asked", "it is asked to choose"),
    one("wrecked", "its charriott was wrecked this turn"),
    one("charmer", "its qween has power this turn"),
    one("charmed", "its warrior is charmed this turn"),
    one("captor", "it captured this turn"),
)
TABLE = (
    Part("round", ("1", "2", "3")),
    Part("turn", ("1", "2", "3", "4", "5", "6")),
    one("shown", "warriors that each clan has revealed this round", most=6),
    Part("phase", tuple(phase.name.lower().replace("_", "-") for phase in Phase)),
    *(Part(f"wall-{place}", FORTS) for place in range(1, 7)),
    Part("deck", FORTS, most=18),
    Part("lost", FORTS, most=18),
    Part("prize", FORTS),
    one("kept_axx", "the captor keeps axx"),
    one("original", "the author's original rules"),
    one("replaces", "the qween is replaced by whom she charms"),
    Part("hand", WARRIORS, most=2),
    *(Part(f"placed-{place}", WARRIORS) for place in range(1, 6)),  # a sixth one makes the plan
    Part("aside", WARRIORS),
)
RIVALS = ("rival-1", "rival-2", "rival-3")
LAYOUT = Layout(*TABLE, *beside("own", CLAN), *(part for rival in RIVALS for part in beside(rival, CLAN)))
_CLAN = Layout(*CLAN)

SIZE = LAYOUT.size
CLAN_SIZE = _CLAN.size
KINDS, FORT_KINDS = len(WARRIORS), len(FORTS)
ROUND, TURN, SHOWN, PHASE = (LAYOUT.start(name) for name in ("round", "turn", "shown", "phase"))
WALL, DECK, LOST, PRIZE = (LAYOUT.start(name) for name in ("wall-1", "deck", "lost", "prize"))
KEPT_AXX, ORIGINAL, REPLACES = (LAYOUT.start(name) for name in ("kept_axx", "original", "replaces"))
HAND, PLACED, ASIDE, OWN = (LAYOUT.start(name) for name in ("hand", "placed-1", "aside", "own.plays"))
LINE, FACE_UP = _CLAN.start("line-1"), _CLAN.start("face_up")
DISCARDED, HELD, WORTH = (_CLAN.start(name) for name in ("discarded", "forts", "worth"))
STRENGTH_UP, ASKED, WRECKED = (_CLAN.start(name) for name in ("strength_up", "asked", "wrecked"))
CHARMER, CHARMED, CAPTOR = (_CLAN.start(name) for name in ("charmer", "charmed", "captor"))

# Actions: the choices of the game; or, one by one, a warrior to lay next, and then the choices that are no arrangement.
OTHERS = CHOICE_COUNT - CHARM
ONE_BY_ONE = KINDS + OTHERS
# Which plans keep the order of two charriotts, by their places: a row for each pair, the first one without a pair.
PLAN_MASKS = np.array([ARRANGED_IN_ORDER >= 0, *((ARRANGED_IN_ORDER >> pair) & 1 != 0 for pair in range(21))])
__all__ = ["commit", "deal", "next_seat", "pick", "redeal", "reveal", "set_up"]  # what `loop.py` finds here besides


def observe(view: RomansState, seat: int, slot: Slot, out: list[int]) -> None:
    """Write what the clan of a view knows."""
    for k in range(SIZE):
        out[k] = 0
    out[ROUND + view.round - 1] = 1
    out[TURN + view.turn - 1] = 1
    out[SHOWN] = view.shown
    out[PHASE + view.phase] = 1
    for k in range(view.wall_count):
        out[WALL + FORT_KINDS * k + at(int(view.wall), k)] = 1
    for fort in range(FORT_KINDS):
        out[DECK + fort] = view.fort_deck[fort]
    for k in range(view.lost_count):
        out[LOST + view.lost_forts[k]] += 1
    if view.prize >= 0:
        out[PRIZE + view.prize] = 1
    out[KEPT_AXX] = view.kept_axx
    out[ORIGINAL] = view.original
    out[REPLACES] = view.replaces
    for k in range(7):
        warrior = at(int(view.hand[seat]), k)
        if warrior < KINDS:
            out[HAND + warrior] += 1
    for k in range(slot.count):
        out[PLACED + KINDS * k + at(to_lay(view, seat), at(int(slot.row), k))] = 1
    if view.aside[seat] >= 0:
        out[ASIDE + view.aside[seat]] = 1
    observe_clan(view, seat, out, OWN)
    start = OWN
    for clan in range(view.clans):
        if clan != seat:
            start += CLAN_SIZE
            observe_clan(view, clan, out, start)


def observe_clan(view: RomansState, clan: int, out: list[int], start: int) -> None:
    """Write what is known of a clan, from this index on."""
    out[start + (clan >= view.players)] = 1
    for k in range(6):
        warrior = at(int(view.line[clan]), k)
        if warrior < KINDS:
            out[start + LINE + KINDS * k + warrior] = 1
        out[start + FACE_UP + k] = (int(view.up[clan]) >> k) & 1
    for k in range(view.discarded_count[clan]):
        out[start + DISCARDED + at(int(view.discarded[clan]), k)] += 1
    for k in range(view.forts_count[clan]):
        out[start + HELD + view.forts[clan][k]] += 1
    out[start + WORTH] = view.worth[clan]
    out[start + STRENGTH_UP] = view.strength_up[clan]
    out[start + ASKED] = (int(view.asked) >> clan) & 1
    out[start + WRECKED] = (int(view.wrecked) >> clan) & 1
    out[start + CHARMER] = view.charmer == clan
    out[start + CHARMED] = view.charmed == clan
    out[start + CAPTOR] = view.captor == clan


# Actions


def choose(s: RomansState, slot: Slot, seat: int, action: int) -> int:
    """The choice that an action makes; -1 after a warrior of an arrangement that is not the last."""
    if not slot.one_by_one:
        return action
    if action >= KINDS:
        return CHARM + action - KINDS
    slot.row = int(slot.row) | (free_place(s, slot, seat, action) << (4 * int(slot.count)))
    slot.count += 1
    if slot.count < places_to_fill(s):
        return -1
    number = arrangement(int(slot.row), int(slot.count), pool_size(s))
    slot.row = 0
    slot.count = 0
    return number if s.phase == Phase.PLAN else REORDER + number


def may_take(s: RomansState, slot: Slot, seat: int, action: int) -> bool:
    """Is this an action, and may the clan take it?"""
    if not slot.one_by_one:
        return allowed(s, seat, action)
    if action < 0 or action >= ONE_BY_ONE:
        return False
    if action >= KINDS:
        return allowed(s, seat, CHARM + action - KINDS)
    return arranging(s, seat) and free_place(s, slot, seat, action) < pool_size(s)


def to_lay(s: RomansState, seat: int) -> int:
    """The warriors that a clan puts in order, as a row: its hand, or those on its line that are still hidden."""
    return int(s.hand[seat]) if s.phase == Phase.PLAN else int(s.line[seat]) >> (4 * int(s.shown))


def pool_size(s: RomansState) -> int:
    """How many warriors those are."""
    return 7 if s.phase == Phase.PLAN else hidden_count(s)


def places_to_fill(s: RomansState) -> int:
    """How many of them are laid: of a hand of seven, one is put aside."""
    return 6 if s.phase == Phase.PLAN else hidden_count(s)


def free_place(s: RomansState, slot: Slot, seat: int, warrior: int) -> int:
    """Where among them the first such warrior lies that is not laid yet; past the end if there is none."""
    row = to_lay(s, seat)
    laid = 0
    for k in range(slot.count):
        laid |= 1 << at(int(slot.row), k)
    for place in range(pool_size(s)):
        if at(row, place) == warrior and (laid >> place) & 1 == 0:
            return place
    return pool_size(s)


def arrangement(row: int, count: int, size: int) -> int:
    """The number of an arrangement among all, which stand in the order of a dictionary; the rest follow in theirs."""
    number = 0
    laid = 0
    for k in range(count):
        place = at(row, k)
        before = 0
        for lower in range(place):
            before += (laid >> lower) & 1 == 0
        number = number * (size - k) + before
        laid |= 1 << place
    for k in range(count, size):
        number *= size - k
    return number


def write_mask(s: RomansState, slot: Slot, seat: int, out: list[bool]) -> None:
    """Write which actions the clan may take."""
    if slot.one_by_one:
        for action in range(ONE_BY_ONE):
            out[action] = may_take(s, slot, seat, action)
        return
    arranges = arranging(s, seat)
    planning = arranges and s.phase == Phase.PLAN
    pair = pair_to_keep(int(s.options[seat])) if arranges else -1
    # Five thousand plans are written only where others stand there from the last time.
    wanted = pair + 2 if planning else 0
    if slot.mask != wanted:
        if planning:
            for plan in range(REORDER):
                out[plan] = PLAN_MASKS[pair + 1][plan]
        else:
            for plan in range(REORDER):
                out[plan] = False
        slot.mask = wanted
    for choice in range(REORDER, CHOICE_COUNT):
        out[choice] = False
    if arranges and not planning:
        for number in range(arrangement_count(s)):
            out[REORDER + number] = in_order(False, number, pair)
    elif not arranges:
        for number in range(OTHERS):
            out[CHARM + number] = (int(s.options[seat]) >> number) & 1 != 0


def write_returns(s: RomansState, out: list[float]) -> None:
    """Write what a game that is over is worth to each player: 1 for winning alone, and all rivals' together 0."""
    rivals = s.clans if s.players == 1 else s.players  # R7.2: a player alone has the neutrals for rivals
    winners = 0
    for clan in range(s.clans):
        winners += (int(s.winners) >> clan) & 1
    for clan in range(s.players):
        share = ((int(s.winners) >> clan) & 1) / winners
        out[clan] = (rivals * share - 1) / (rivals - 1)
