"""Finished games of Goths in all variants, each analysed once for all tests."""

from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from meadhall import bots
from meadhall.lab.analysis import analyse
from meadhall.lab.analysis.report import Analysis
from meadhall.match import Match
from tests.variants import GOTHS, Variant

COMPANY = ("novice", "easy", "novice-bold", "novice-muddled")  # kings and warchiefs who often misunderstand each other
every_variant = pytest.mark.parametrize("variant", GOTHS, ids=str)


class Analysed(NamedTuple):
    """A finished game and its analysis."""

    match: Match
    analysis: Analysis


@cache
def analysed(variant: Variant) -> Analysed:
    match = shortest(variant)
    return Analysed(match, analyse(match))


def shortest(variant: Variant) -> Match:
    """Of a few games the one with the fewest choices."""
    played = [play(variant, seed) for seed in range(4)]
    return min(played, key=lambda match: len(match.record()["choices"]))


def play(variant: Variant, seed: int) -> Match:
    match, rng = variant.deal(seed), Random(seed)
    while match.outcome is None:
        for seat in match.waiting:
            match.commit(seat, bots.choose(COMPANY[match.seats.index(seat)], match.view(seat), rng))
    return match
