"""A choice of one kind never passes for another, wherever a player's two charriotts lie."""

from itertools import combinations
from typing import Any

import pytest

from meadhall import IllegalChoice, Match
from meadhall.games.decks import own_deck
from meadhall.games.romans.names import _FIXED
from tests.table import SPEEDS, Table

OTHERS = ["zvord", "axx", "archr", "filchy", "horsie"]
NOT_ARRANGING = [*_FIXED, "charm:gold", "charm:green"]


def hand(pair: tuple[int, int]) -> list[str]:
    others = iter(OTHERS)
    return ["charriott" if place in pair else next(others) for place in range(7)]


def setup(pair: tuple[int, int]) -> dict[str, Any]:
    green = ["zvord", "druhid", "qween", "axx", "archr", "filchy", "horsie"]
    return {"forts": list(reversed(own_deck("romans"))), "hands": [{"gold": hand(pair), "green": green}]}


@pytest.mark.parametrize("pair", list(combinations(range(7), 2)))
def test_only_a_plan_is_a_plan(pair: tuple[int, int]) -> None:
    table = Table("interpreted", "romans", {"players": ["gold", "green"]}, setup(pair))
    before = bytes(table.state)
    for name in NOT_ARRANGING:
        with pytest.raises(IllegalChoice, match="legal here: plan: with 6 of"):
            table.match.commit("gold", name)
    assert bytes(table.state) == before
    assert len(table.match.choices("gold")) == 2520


@pytest.mark.parametrize("speed", SPEEDS)
def test_only_a_reordering_is_a_reordering(speed: str) -> None:
    table = Table(speed, "romans", {"players": ["gold", "green"]}, setup((1, 4)))
    table.choose(
        ("gold", "plan:zvord,charriott,axx,charriott,archr,filchy"),
        ("green", "plan:druhid,qween,axx,archr,filchy,horsie"),
    )
    match: Match = table.match
    assert table.options("gold") == {"arrange": ["charriott", "axx", "charriott", "archr", "filchy"], "take": 5}
    for name in NOT_ARRANGING:
        with pytest.raises(IllegalChoice, match="legal here: reorder: with 5 of"):
            match.commit("gold", name)
    assert len(match.choices("gold")) == 60
