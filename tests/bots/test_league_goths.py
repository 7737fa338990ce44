"""Strangers of Goths, in examples/league: each written from the rules by another idea, and beaten by `hard`.

Longer measurements, in other deals than these, are in docs/bots.md.
"""

from random import Random
from types import ModuleType

import pytest

from meadhall.bots import choose
from meadhall.games.goths.state import Phase
from meadhall.match import Match
from tests.bots.test_league_romans import EXAMPLES, stranger
from tests.variants import GOTHS, Variant

STRANGERS = ("aggressive", "bluffing", "cautious", "child", "club", "literal", "redeals")
DEALS = range(8)


def played(bots: list[ModuleType | str], seed: str) -> Match:
    """A whole game; a level is given by its name."""
    match, rng = Match.new("goths", {"turn_limit": 200}, seed), Random(seed)
    while match.waiting:
        seat = match.waiting[0]
        bot, view = bots[match.seats.index(seat)], match.view(seat)
        match.commit(seat, choose(bot, view, rng) if isinstance(bot, str) else bot.choose(view, view.choices, rng))
    return match


@pytest.mark.parametrize("name", STRANGERS)
def test_a_stranger_shares_no_code_with_the_levels(name: str) -> None:
    assert "meadhall.bots" not in (EXAMPLES / f"league/{name}.py").read_text()


@pytest.mark.parametrize("variant", [each for each in GOTHS if not each.rules.get("lone_rulers")], ids=str)
@pytest.mark.parametrize("name", [each for each in STRANGERS if each != "redeals"])
def test_a_stranger_plays_by_the_rules_whatever_they_are(name: str, variant: Variant) -> None:
    bot, match, rng = stranger(f"league/{name}.py"), variant.deal(3), Random(3)
    for _ in range(60):
        if match.waiting:
            view = match.view(match.waiting[0])
            match.commit(match.waiting[0], bot.choose(view, view.choices, rng))
    assert match.record is not None


@pytest.mark.parametrize("name", STRANGERS)
def test_hard_beats_a_stranger(name: str) -> None:
    bot, won = stranger(f"league/{name}.py"), 0.0
    for deal in DEALS:
        for side in range(2):
            bots = ["hard", "hard", bot, bot] if side == 0 else [bot, bot, "hard", "hard"]
            match = played(bots, f"league {deal}")
            assert match.outcome is not None
            won += match.outcome.share(("ostrogoth", "visigoth")[side])
    assert won / (2 * len(DEALS)) >= 0.6


def test_hard_among_itself_ends_soon_and_goes_round_in_no_circle() -> None:
    turns = []
    for deal in DEALS:
        match = played(["hard"] * 4, f"itself {deal}")
        turns.append(int(match.state.turn))
    assert sorted(turns)[len(turns) // 2] <= 30
    assert max(turns) < 100


@pytest.mark.parametrize("chair", [0, 1], ids=["king", "warchief"])
@pytest.mark.parametrize("name", ["bluffing", "cautious", "club", "literal"])
def test_hard_and_a_stranger_understand_each_other(name: str, chair: int) -> None:
    bot = stranger(f"league/{name}.py")
    pair: list[ModuleType | str] = ["hard", bot] if chair == 0 else [bot, "hard"]
    orders = through = 0
    for deal in range(10):
        match, rng = Match.new("goths", {"turn_limit": 40}, f"company {deal}"), Random(deal)
        while match.waiting:
            seat = match.waiting[0]
            who, view = [*pair, "easy", "easy"][match.seats.index(seat)], match.view(seat)
            match.commit(seat, choose(who, view, rng) if isinstance(who, str) else who.choose(view, view.choices, rng))
            if view.state.phase == Phase.ACTS and match.state.phase != Phase.ACTS:
                orders += 1
                through += int(match.state.through[0])
    assert through / orders >= 0.85
    assert orders >= 15
