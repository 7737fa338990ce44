"""Romans Go Home!: who owes a choice, and what may be chosen."""

from meadhall.bits import at, only_bit
from meadhall.games.romans.pieces import hidden_count
from meadhall.games.romans.state import (
    ARRANGE,
    ARRANGED_IN_ORDER,
    ARRANGEMENTS,
    CHARM,
    CHOICE_COUNT,
    FACTORIAL,
    PAIR,
    REORDER,
    REORDERED_IN_ORDER,
    REORDERINGS,
    Phase,
    RomansState,
    Warrior,
    pair_bit,
)


def owes(s: RomansState, clan: int) -> bool:
    """Must this clan's player choose before play goes on?"""
    return (int(s.owed) >> clan) & 1 != 0


def arranging(s: RomansState, clan: int) -> bool:
    """Does the clan owe, or may it still change, a plan or a reordering?"""
    return s.options[clan] >= ARRANGE


def arrangement_count(s: RomansState) -> int:
    """How many numbers the arrangement asked for now takes."""
    return 5040 if s.phase == Phase.PLAN else FACTORIAL[hidden_count(s)]


def arranged_place(s: RomansState, arrangement: int, k: int) -> int:
    """The place, in the hand or among the hidden, of the k-th warrior of an arrangement."""
    if s.phase == Phase.PLAN:
        return int(ARRANGEMENTS[arrangement][k])
    skipped = 5 - hidden_count(s)
    return int(REORDERINGS[arrangement][skipped + k]) - skipped


def to_arrange(s: RomansState, clan: int) -> int:
    """The option to arrange warriors; it says where two charriotts lie, as the bit of a pair of places."""
    planning = s.phase == Phase.PLAN
    # REORDERINGS counts hidden places from the end of five; the line's first place is never hidden.
    row = int(s.hand[clan]) if planning else (int(s.line[clan]) | ~(-1 << (4 * int(s.shown)))) >> 4
    places = 0
    for k in range(7):
        places |= (at(row, k) == Warrior.CHARRIOTT) << k
    if places & (places - 1) == 0:
        return ARRANGE
    pair = pair_bit(only_bit(places & -places), only_bit(places & (places - 1)))
    return ARRANGE | ((pair + 1) << PAIR)


def keeps_order(s: RomansState, clan: int, arrangement: int) -> bool:
    """Two charriotts make two numbers of one arrangement: only the one that keeps their order is used."""
    if s.options[clan] == ARRANGE:
        return True
    pair = (int(s.options[clan]) >> PAIR) - 1
    in_order = ARRANGED_IN_ORDER[arrangement] if s.phase == Phase.PLAN else REORDERED_IN_ORDER[arrangement]
    return (int(in_order) >> pair) & 1 != 0


def allowed(s: RomansState, clan: int, choice: int) -> bool:
    """May the clan's player choose this now? A sealed choice may still be changed."""
    if choice < 0 or choice >= CHOICE_COUNT:
        return False
    if choice >= CHARM:
        return (int(s.options[clan]) >> (choice - CHARM)) & 1 != 0
    if not arranging(s, clan) or (choice < REORDER) != (s.phase == Phase.PLAN):
        return False
    arrangement = choice if choice < REORDER else choice - REORDER
    return arrangement < arrangement_count(s) and keeps_order(s, clan, arrangement)


def ask(s: RomansState, clan: int, options: int) -> None:
    """Wait for a choice of this clan, among others asked at the same time."""
    s.options[clan] = options
    s.asked = int(s.asked) | (1 << clan)
    s.owed = s.asked
