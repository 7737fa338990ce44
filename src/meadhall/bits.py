"""Small sets and small tables kept in one whole number, which both speeds read without a branch."""


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
