"""A model of casual people in Romans: strong warriors at valuable forts, with noise, and obvious other choices."""

from random import Random

from meadhall.bots.novice import Temperament
from meadhall.engine.bits import at
from meadhall.games.romans.rules import is_legion, legions, value_of
from meadhall.games.romans.state import (
    CHARM,
    DISCARD,
    LEAVE_AXX,
    LEAVE_WEAKEST,
    PAY,
    STRENGTH,
    TAKE,
    WARRIORS,
    Phase,
    RomansState,
)
from meadhall.match import View


def choose(person: Temperament, view: View, rng: Random) -> str:
    """The choice of this person, whichever decision of the game it is."""
    s, clan = view.state, view.number
    if view.arranges:
        planning = s.phase == Phase.PLAN
        row, first, last = (s.hand[clan], 0, 7) if planning else (s.line[clan], int(s.shown), 6)
        line = arranged(person, s, clan, [at(int(row), k) for k in range(first, last)], rng)
        return ("plan:" if planning else "reorder:") + ",".join(WARRIORS[warrior] for warrior in line)
    options = list(view.choice_ids)
    if rng.random() < person.vague:
        chosen = rng.choice(options)
    else:
        chosen = max(options, key=lambda option: preference(s, clan, option))
    return view.game.choice_name(view.rules, s, clan, chosen)


def arranged(person: Temperament, s: RomansState, clan: int, warriors: list[int], rng: Random) -> list[int]:
    """The strongest warrior for the fort he prefers most, and so on; the weakest is left out."""
    forts = [at(int(s.wall), k) for k in range(s.wall_count)]
    places = min(6, len(warriors))
    # The Wall can be shorter than the line: the last warriors then meet whatever is left.
    preferences = [fort_preference(s, clan, forts[min(k, len(forts) - 1)]) for k in range(places)]
    noisy = [value + rng.gauss(0.0, 2.0 * person.noise) for value in preferences]
    strongest = sorted(warriors, key=lambda warrior: STRENGTH[warrior] + rng.gauss(0.0, 1.5), reverse=True)
    line = [0] * places
    for warrior, place in zip(strongest, sorted(range(places), key=lambda k: noisy[k], reverse=True), strict=False):
        line[place] = warrior
    return line


def fort_preference(s: RomansState, clan: int, fort: int) -> float:
    """The value of a fort to a person: its points; of a legion, by how many are held (R5.4)."""
    if is_legion(fort):
        return (-1.0, 2.0, 12.0, 12.0)[min(legions(s, clan), 3)]
    return float(value_of(fort))


def preference(s: RomansState, clan: int, option: int) -> float:
    """The value to a person of one of the choices within a turn."""
    if s.phase == Phase.CHARM:
        return float(STRENGTH[at(int(s.line[option - CHARM]), int(s.shown) - 1)])
    if s.phase == Phase.TAKE:
        return fort_preference(s, clan, at(int(s.wall), option - TAKE))
    if s.phase == Phase.TAX:
        return -fort_preference(s, clan, option - PAY)
    if option >= DISCARD:
        return -float(STRENGTH[option - DISCARD])
    return 0.0 if option in (LEAVE_AXX, LEAVE_WEAKEST) else 1.0
