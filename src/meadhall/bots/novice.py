"""Models of casual people, not levels: noisy preferences by temperament, to measure how bots get on with them."""

from dataclasses import dataclass
from importlib import import_module
from random import Random

from meadhall.faults import Fault, listing, show
from meadhall.match import View


@dataclass(frozen=True)
class Temperament:
    """The parameters of one kind of person."""

    attack: float = 1.0  # a factor on the value of attacking and of going for the queen ...
    shelter: float = 1.0  # ... and of being safe and of looking first
    noise: float = 0.6  # the standard deviation of the noise on a value from 0 to 10
    vague: float = 0.02  # how often he is distracted and chooses at random
    thinks_of_partner: bool = True  # does he consider how a King card reads to the other one?


_PEOPLE = {
    "bold": Temperament(attack=1.3, shelter=0.7, noise=0.7),
    "careful": Temperament(attack=0.75, shelter=1.35, noise=0.5),
    "muddled": Temperament(noise=0.7, vague=0.17),
    "simple": Temperament(noise=0.5, thinks_of_partner=False),
}
TEMPERAMENTS: tuple[str, ...] = tuple(_PEOPLE)
ANYBODY = ""


def somebody(rng: Random) -> str:
    """One of the temperaments, for a person to keep for a whole game."""
    return rng.choice(TEMPERAMENTS)


def choose(temperament: str, view: View, rng: Random) -> str:
    """The choice of a person of this temperament; without one, of a temperament drawn anew every time."""
    if temperament not in (ANYBODY, *TEMPERAMENTS):
        raise Fault(f"there is no novice {show(temperament)}; the temperaments are {listing(TEMPERAMENTS)}")
    person = _PEOPLE[temperament or somebody(rng)]
    return str(import_module(f"meadhall.bots.{view.game.name}.novice").choose(person, view, rng))
