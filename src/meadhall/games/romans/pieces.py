"""Romans Go Home!: what can be read off a position: strengths, values, who shows whom, who ranks first."""

from meadhall.bits import at, only_bit
from meadhall.games.romans.state import FORT_VALUES, HIGHEST_VALUE, LOWEST_VALUE, STRENGTHS, Fort, RomansState


def value_of(fort: int) -> int:
    """What a fort is worth (R1.2)."""
    return ((FORT_VALUES >> (4 * fort)) & 15) + LOWEST_VALUE


def strength(warrior: int) -> int:
    """A warrior's points (R1.1)."""
    return (STRENGTHS >> (4 * warrior)) & 15


def hidden_count(s: RomansState) -> int:
    """How many warriors each clan still hides once all have planned."""
    return 6 - s.shown


def who_shows(s: RomansState, warrior: int) -> int:
    """The clans that revealed this warrior this turn, a bit for each."""
    return (int(s.shows) >> (4 * warrior)) & 15


def clan_of_bit(bit: int) -> int:
    """The clan that a single bit of four stands for."""
    return (bit >> 1) - (bit >> 3)


def players_bits(s: RomansState) -> int:
    """The clans that are players, a bit for each."""
    return (1 << int(s.players)) - 1


def shown_now(s: RomansState, clan: int) -> int:
    """The warrior a clan has revealed this turn."""
    return at(int(s.line[clan]), s.shown - 1)


def is_legion(fort: int) -> bool:
    """Is this a legion fort? (R1.2)"""
    return fort >= Fort.LEGION_1 and fort <= Fort.LEGION_3


def legions(s: RomansState, clan: int) -> int:
    """How many legion forts a clan holds; one paid as tax no longer counts (R5.4)."""
    count = 0
    for k in range(s.forts_count[clan]):
        count += is_legion(s.forts[clan][k])
    return count


def weakest(s: RomansState, clan: int) -> int:
    """The weakest of a clan's face-up warriors by printed strength (R5.1, R8.2); it must have one."""
    kinds = face_up_kinds(s, clan)
    return only_bit(kinds & -kinds)


def face_up_kinds(s: RomansState, clan: int) -> int:
    """The different warriors a clan has face up, a bit for each."""
    kinds = 0
    up = int(s.up[clan])
    line = int(s.line[clan])
    for k in range(6):
        kinds |= ((up >> k) & 1) << (at(line, k) & 7)
    return kinds


def face_up_places(s: RomansState, clan: int, warrior: int) -> int:
    """Where on the clan's line this warrior lies face up, a bit for each place."""
    places = 0
    line = int(s.line[clan])
    for k in range(6):
        places |= (at(line, k) == warrior) << k
    return places & int(s.up[clan])


def fort_kinds(s: RomansState, clan: int) -> int:
    """The different forts a clan holds, a bit for each."""
    kinds = 0
    for k in range(s.forts_count[clan]):
        kinds |= 1 << int(s.forts[clan][k])
    return kinds


def least_valuable(s: RomansState, clan: int) -> int:
    """A clan's least valuable fort, of equals the one captured first (R8.2)."""
    fort = int(s.forts[clan][0])
    for k in range(1, s.forts_count[clan]):
        if value_of(int(s.forts[clan][k])) < value_of(fort):
            fort = int(s.forts[clan][k])
    return fort


def forts_worth(s: RomansState, clan: int, value: int) -> int:
    """How many forts of this value a clan holds."""
    count = 0
    for k in range(s.forts_count[clan]):
        if value_of(int(s.forts[clan][k])) == value:
            count += 1
    return count


def compare(s: RomansState, one: int, other: int) -> int:
    """Above 0 if the one clan ranks above the other: points, forts, most valuable forts in turn (R7.1)."""
    if s.worth[one] != s.worth[other]:
        return s.worth[one] - s.worth[other]
    if s.forts_count[one] != s.forts_count[other]:
        return s.forts_count[one] - s.forts_count[other]
    for value in range(HIGHEST_VALUE, LOWEST_VALUE - 1, -1):
        difference = forts_worth(s, one, value) - forts_worth(s, other, value)
        if difference != 0:
            return difference
    return 0


def winners_by_points(s: RomansState) -> int:
    """The best of the players, a bit for each; of all clans in a game of one player (R7.1, R7.2)."""
    candidates = s.clans if s.players == 1 else s.players
    best = 0
    winners = 1
    for clan in range(1, candidates):
        difference = compare(s, clan, best)
        if difference > 0:
            best = clan
            winners = 1 << clan
        elif difference == 0:
            winners |= 1 << clan
    return winners
