"""Small sets and short rows kept in one whole number, which both speeds read without a branch.

A row holds up to seven things, four bits each, the first one lowest; 15 stands for unknown or none.
"""

BLANK = 0xFFFFFFF
"""A row of seven unknowns."""


def pack(values: tuple[int, ...]) -> int:
    """A table of up to fifteen numbers from 0 to 15, four bits each: compiled code reads it fastest so."""
    table = 0
    for place, value in enumerate(values):
        table |= value << (4 * place)
    return table


def count_bits(bits: int) -> int:
    """How many of the lowest 48 bits are set, two, four, eight ... at a time."""
    bits = bits - ((bits >> 1) & 0x555555555555)
    bits = (bits & 0x333333333333) + ((bits >> 2) & 0x333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F
    bits = bits + (bits >> 8)
    return (bits + (bits >> 16) + (bits >> 32)) & 0xFF


def nth_bit(bits: int, n: int, width: int) -> int:
    """The place of the n-th set bit (from 0) of the lowest `width`: looking at every bit beats guessing branches."""
    place = 0
    passed = 0
    for bit in range(width):
        passed += (bits >> bit) & 1
        place += passed <= n
    return place


def only_bit(bits: int) -> int:
    """The place of the only bit that is set."""
    return count_bits(bits - 1)


def at(row: int, place: int) -> int:
    """The thing at a place of a row, from 0."""
    return (row >> (4 * place)) & 15


def without(row: int, place: int) -> int:
    """A row less the thing at a place; those after it move up."""
    return (row & ((1 << (4 * place)) - 1)) | ((row >> (4 * place + 4)) << (4 * place))


def inserted(row: int, place: int, thing: int) -> int:
    """A row with a thing put in at a place; those after it move down."""
    low = (1 << (4 * place)) - 1
    return (row & low) | (thing << (4 * place)) | ((row & ~low) << 4)


def known_first(row: int, count: int) -> int:
    """The first things of a row, the rest of seven unknown."""
    return row | (BLANK & ~((1 << (4 * count)) - 1))


def row_of(things: list[int]) -> int:
    """Up to seven things as a row, the rest unknown."""
    row = BLANK
    for place in range(len(things)):
        row ^= (15 ^ things[place]) << (4 * place)
    return row
