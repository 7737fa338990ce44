"""Casual people, not levels: noisy common sense in a few temperaments, to measure how bots get on with strangers."""

from dataclasses import dataclass
from importlib import import_module
from random import Random

from meadhall.faults import Fault, listing, show
from meadhall.match import View


@dataclass(frozen=True)
class Temperament:
    """What a kind of person likes, and how he goes about it."""

    attack: float = 1.0  # how much he likes to go for the enemy and for the queen ...
    shelter: float = 1.0  # ... and how much to be safe and to know first
    noise: float = 0.6  # how far a liking (0 to 10) sways from one moment to the next
    vague: float = 0.02  # how often his mind is elsewhere
    thinks_of_partner: bool = True  # does he ask himself how a King card reads to the other one?


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
    """What a person of this temperament does; one of no temperament in particular has another mood every time."""
    if temperament not in (ANYBODY, *TEMPERAMENTS):
        raise Fault(f"there is no novice {show(temperament)}; the temperaments are {listing(TEMPERAMENTS)}")
    person = _PEOPLE[temperament or somebody(rng)]
    return str(import_module(f"meadhall.bots.{view.game.name}.novice").choose(person, view, rng))
