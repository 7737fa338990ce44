"""Romans Go Home!: what chance deals before the first choice (R3), and set-ups as records hold them."""

from collections import Counter
from typing import Any, TypedDict

from meadhall.engine.bits import BLANK, at, known_first, row_of, without
from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll
from meadhall.faults import RecordFault, listing
from meadhall.games.checks import check_keys, check_list, check_one_of
from meadhall.games.game import Rules, Setup
from meadhall.games.romans.state import ARRANGEMENTS, FORTS, NINE, NINE_ROW, WARRIORS, RomansState

_NINE = Counter(WARRIORS[warrior] for warrior in NINE)


class RomansSetup(TypedDict):
    """What was dealt, as records write it."""

    forts: list[str]
    hands: list[dict[str, list[str]]]


def deal(s: RomansState, rng: list[int]) -> None:
    """Shuffle the fort deck and deal every round's warriors (R3.1, R3.2, R3.3)."""
    place = 0
    for fort in range(11):
        for _ in range(s.fort_deck[fort]):
            s.draw_pile[place] = fort
            place += 1
    shuffle_piles(s, rng, 0)
    for later_round in range(3):
        for clan in range(4):
            deal_warriors(s, rng, later_round, clan)
    s.dealt = 3


def shuffle_piles(s: RomansState, rng: list[int], first: int) -> None:
    """Shuffle the fort deck from place `first` on."""
    for k in range(17, first, -2):  # an even number of forts: two swaps for each throw
        left = k + 1 - first
        throw = roll(rng, left * (left - 1))
        swap_forts(s, k, first + throw % left)
        swap_forts(s, k - 1, first + throw // left)


def swap_forts(s: RomansState, one: int, other: int) -> None:
    """Exchange two forts of the deck."""
    fort = s.draw_pile[one]
    s.draw_pile[one] = s.draw_pile[other]
    s.draw_pile[other] = fort


def deal_warriors(s: RomansState, rng: list[int], later_round: int, clan: int) -> None:
    """Seven of nine for a player (R3.2), six in order for a neutral (R3.3), none for a clan not in play."""
    s.deals[later_round][clan] = BLANK
    if clan >= s.clans:
        return
    left_out = roll(rng, 9 * 8)
    pool = without(without(NINE_ROW, left_out % 9), left_out // 9)
    arrangement = roll(rng, 5040)
    row = 0
    for k in range(7):
        row |= at(pool, int(ARRANGEMENTS[arrangement][k])) << (4 * k)
    s.deals[later_round][clan] = row if clan < s.players else known_first(row, 6)


def clans_of(rules: Rules) -> tuple[str, ...]:
    """Players and neutrals in the order of the table."""
    return (*rules["players"], *rules["neutrals"])


def clear(s: RomansState) -> None:
    """Everything that can be secret is unknown."""
    for k in range(18):
        s.draw_pile[k] = UNKNOWN  # R10.3
    for clan in range(4):
        s.sealed[clan] = UNKNOWN
        s.aside[clan] = UNKNOWN
        s.line[clan] = BLANK
        s.hand[clan] = BLANK
        for later_round in range(3):
            s.deals[later_round][clan] = BLANK


def blank(rules: Rules) -> RomansState:
    """A state with the options in place and nothing dealt."""
    state = RomansState()
    clear(state)
    state.players = len(rules["players"])
    state.clans = len(clans_of(rules))
    state.original = rules["original_rules"]
    state.replaces = rules["qween"] == "replaces"
    for fort in rules["fort_deck"]:
        state.fort_deck[FORTS.index(fort)] += 1
    return state


def read(rules: Rules, setup: Setup) -> RomansState:
    """A state with a record's set-up in place."""
    state = blank(rules)
    for place, fort in enumerate(setup["forts"]):
        state.draw_pile[place] = FORTS.index(fort)
    for later_round, hands in enumerate(setup["hands"]):
        for clan, name in enumerate(clans_of(rules)):
            state.deals[later_round][clan] = row_of([WARRIORS.index(warrior) for warrior in hands[name]])
    state.dealt = len(setup["hands"])
    return state


def write(rules: Rules, s: RomansState) -> dict[str, Any]:
    """What was dealt, as a record's set-up."""
    hands = [
        {
            name: [WARRIORS[at(s.deals[later_round][clan], k)] for k in range(7 if clan < s.players else 6)]
            for clan, name in enumerate(clans_of(rules))
        }
        for later_round in range(3)
    ]
    return {"forts": [FORTS[fort] for fort in s.draw_pile], "hands": hands}


def check(rules: Rules, setup: Setup) -> None:
    """A RecordFault unless this is the deck in some order, and hands for one to three rounds."""
    check_keys("setup", setup, ("forts", "hands"), ("forts", "hands"))
    check_list("setup.forts", setup["forts"], 18, "forts")
    for fort in setup["forts"]:
        check_one_of("each of setup.forts", fort, FORTS)
    extra: Counter[str] = Counter(setup["forts"]) - Counter(rules["fort_deck"])
    if extra:
        raise RecordFault(f"setup.forts is not the deck in some order: too many of {listing(sorted(extra))}")
    check_list("setup.hands", setup["hands"])
    if not 1 <= len(setup["hands"]) <= 3:
        raise RecordFault(f"setup.hands must hold one to three rounds, not {len(setup['hands'])}")
    clans = clans_of(rules)
    for number, hands in enumerate(setup["hands"], 1):
        where = f"setup.hands, round {number}"
        check_keys(where, hands, clans, clans)
        for clan in clans:
            check_hand(f"{where}, {clan}", hands[clan], 7 if clan in rules["players"] else 6)


def check_hand(where: str, hand: Any, count: int) -> None:
    """A RecordFault unless these are so many of a clan's nine warriors."""
    check_list(where, hand, count, "warriors")
    for warrior in hand:
        check_one_of(f"each warrior of {where}", warrior, WARRIORS)
    extra = Counter(hand) - _NINE
    if extra:
        raise RecordFault(f"{where}: more {listing(sorted(extra))} than a clan has")
