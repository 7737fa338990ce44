"""Matching pennies with a hidden coin: what chance deals."""

from meadhall.games.pennies.state import FACES, NOBODY, PenniesState

from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll
from meadhall.games.checks import check_keys, check_one_of
from meadhall.games.game import Rules, Setup


def deal(s: PenniesState, rng: list[int]) -> None:
    """Toss the coin that stays hidden."""
    s.coin = roll(rng, 2)


def blank(rules: Rules) -> PenniesState:
    """A state with the option in place and nothing dealt."""
    state = PenniesState()
    state.swapped = rules["swapped"]
    state.coin, state.winner = UNKNOWN, NOBODY
    return state


def check(setup: Setup) -> None:
    """A RecordFault unless this is a coin."""
    check_keys("setup", setup, ("coin",), ("coin",))
    check_one_of("setup.coin", setup["coin"], FACES)
