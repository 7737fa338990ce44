"""Random numbers that come out the same interpreted and compiled: xoroshiro64** on two 32-bit words."""

import hashlib
from typing import Annotated

from meadhall.engine.layout import Record, record

_WORD = 0xFFFFFFFF


def seeded(seed: int | str, game: int = 0) -> list[int]:
    """The generator's state for one game of a seed; any whole number or text is a seed."""
    rng = [0, 0]
    reseed(rng, seed_word(seed), game)
    return rng


def seed_word(seed: int | str) -> int:
    """A seed of any size as 62 bits, which fit both a Python int and a compiled one."""
    # Python refuses to write out very long numbers in decimal.
    text = hex(seed) if isinstance(seed, int) and seed.bit_length() > 64 else str(seed)
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 2


def _mix(word: int) -> int:
    """Scramble 32 bits (the finaliser of MurmurHash3), so that neighbouring games share nothing."""
    word ^= word >> 16
    word = (word * 0x85EBCA6B) & _WORD
    word ^= word >> 13
    word = (word * 0xC2B2AE35) & _WORD
    return word ^ (word >> 16)


def reseed(rng: list[int], word: int, game: int) -> None:
    """Set the generator for game number `game` of a seed, whatever was drawn before."""
    low = _mix((word & _WORD) ^ _mix(game & _WORD))
    high = _mix(((word >> 32) & _WORD) ^ _mix(((game >> 32) + 0x9E3779B9) & _WORD) ^ low)
    rng[0] = low
    rng[1] = high | 1  # never both zero


def _rotate(word: int, by: int) -> int:
    return ((word << by) | (word >> (32 - by))) & _WORD


def roll(rng: list[int], n: int) -> int:
    """A number from 0 to n - 1; for the small n of these games the bias is under one in a million."""
    s0 = int(rng[0])
    s1 = int(rng[1])
    word = (_rotate((s0 * 0x9E3779BB) & _WORD, 5) * 5) & _WORD
    s1 ^= s0
    rng[0] = _rotate(s0, 26) ^ s1 ^ ((s1 << 9) & _WORD)
    rng[1] = _rotate(s1, 13)
    return (word * n) >> 32


@record
class RngState(Record):
    """The generator's state for compiled play: an array inside a record is passed on without counting references."""

    words: Annotated[list[int], "i8", 2]
