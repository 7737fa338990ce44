"""Romans, the level `easy`: maximises a rough expected value of the rest of the round.

A clan's pile is the strength it has face up: it grows until the clan captures, then it is gone. The expected value
goes turn by turn: our pile against the best rival's gives a chance to capture, the fort what that is worth.
"""

from dataclasses import dataclass
from itertools import permutations
from math import exp
from random import Random

from meadhall.engine.bits import at
from meadhall.games.romans.rules import (
    is_legion,
    leaving_place,
    legions,
    shown_now,
    strength,
    strength_without,
    take_fort,
    value_of,
    verdict,
    weakest,
)
from meadhall.games.romans.state import (
    CHARM,
    DISCARD,
    KEEP_AXX,
    PAY,
    STRENGTH,
    TAKE,
    WARRIORS,
    Fort,
    Phase,
    RomansState,
    Warrior,
)
from meadhall.match import View

VICTORY = 40.0
# Points that none, one or two legion forts are worth beside their own, and how much of that by number of clans.
LEGION_BONUS = (0.0, 8.0, 20.0)
LEGION_BONUS_SHARE = (0.0, 0.0, 1.0, 0.6, 0.3)
# The strength random rivals reveal on a turn, and the best pile left after one of them captured on turn 1, 2 ...;
# by number of rivals, measured in random rounds.
RIVAL_STRENGTH = (0.0, 4.3, 5.8, 6.4)
RIVAL_PILE_LEFT = (
    (0.0,) * 6,
    (0.7, 1.0, 1.1, 1.2, 1.2, 1.2),
    (2.4, 4.1, 5.0, 5.6, 5.6, 5.6),
    (2.9, 5.4, 7.2, 8.2, 8.9, 8.9),
)
RIVAL_GROWTH = 5.0  # what a rival's pile gains on a turn that we win
WRECK_CHANCE = 0.2  # how often a rival shows a charriott on the same turn (R4.2)
# What a warrior adds to our lead, less what rivals usually reveal: with qween also the points she charms away (R4.3),
# with archr the ties (R4.8). By number of rivals.
EXPECTED_LEAD = tuple(
    tuple(points + (charmed if points == 1 else 0.5 if points == 5 else 0.0) - usual for points in STRENGTH)
    for usual, charmed in zip(RIVAL_STRENGTH, (0.0, 10.0, 8.0, 8.0), strict=True)
)
# The chance of capturing with so big a lead, a logistic function; index -1 and below are negative leads.
LARGEST_LEAD = 100
CAPTURE_CHANCE = tuple(1.0 / (1.0 + exp(-lead / 2.6)) for lead in (*range(LARGEST_LEAD + 1), *range(-LARGEST_LEAD, 0)))
PLANS, SWAPS, REORDERINGS = 12, 12, 20
# Plain numbers: looking up a member of an enumeration would take as long as all the rest.
DRUHID, AXX, FILCHY = int(Warrior.DRUHID), int(Warrior.AXX), int(Warrior.FILCHY)
HORSIE, CHARRIOTT = int(Warrior.HORSIE), int(Warrior.CHARRIOTT)
Line = tuple[int, ...]


@dataclass(frozen=True)
class RestOfRound:
    """The turns left of a round as one clan sees them."""

    rivals: int
    turn: int  # the next one, 0 to 5
    ours: tuple[float, ...]  # what each fort left in the Wall is worth to us ...
    theirs: tuple[float, ...]  # ... and what it costs us if a rival captures it
    pile: int  # the best pile a rival has face up

    def expected_value(self, line: Line, pile: int) -> float:
        """The expected value of the rest of the round with these hidden warriors and this pile, in points."""
        return self._value_from(line, 0, pile, self.pile)

    def _value_from(self, line: Line, k: int, pile: int, rival_pile: float) -> float:
        if k == len(line):
            return 0.0
        warrior = line[k]
        chance = self._chance(warrior, pile - rival_pile)
        worth = 0.0
        if chance > 0.03:
            prize = max(self.ours[k:]) if warrior == DRUHID else self.ours[k]  # R4.10
            kept = STRENGTH[AXX] if warrior == AXX else 0  # R4.12
            worth += chance * (prize + self._value_from(line, k + 1, kept, rival_pile + RIVAL_GROWTH))
        if chance < 0.97:
            rest = self._value_from(
                line, k + 1, pile_after_loss(warrior, pile), RIVAL_PILE_LEFT[self.rivals][self.turn + k]
            )
            worth += (1.0 - chance) * (rest - self.theirs[k])
        return worth

    def _chance(self, warrior: int, lead: float) -> float:
        """The chance of capturing when this warrior joins a pile that leads the best rival's by so much."""
        if warrior == FILCHY:  # R4.6
            return 0.0
        margin = int(lead + EXPECTED_LEAD[self.rivals][warrior])
        chance = CAPTURE_CHANCE[margin]
        if warrior == CHARRIOTT:  # R4.2
            chance += WRECK_CHANCE * self.rivals * (CAPTURE_CHANCE[margin - STRENGTH[CHARRIOTT]] - chance)
        return chance


def pile_after_loss(warrior: int, pile: int) -> int:
    """Our points face up after a turn on which we did not capture."""
    if warrior == HORSIE:  # R4.13: she, or the weakest, leaves
        return pile + 4 if pile else 0
    if warrior == CHARRIOTT:
        return pile + 7  # often enough it was wrecked
    return pile + STRENGTH[warrior]


def choose(view: View, rng: Random) -> str:
    """The choice of an easy bot, whichever decision of the game it is."""
    s, clan = view.state, view.number
    if s.phase == Phase.PLAN:
        return "plan:" + ",".join(WARRIORS[warrior] for warrior in plan(s, clan, rng))
    if s.phase == Phase.AFTER and s.shows >> (4 * Warrior.ZVORD + clan) & 1:
        return "reorder:" + ",".join(WARRIORS[warrior] for warrior in new_order(s, clan, rng))
    worths = {choice: worth(s, clan, choice) for choice in view.choice_ids}
    best = max(worths.values())
    number = rng.choice([choice for choice, worth in worths.items() if worth == best])
    return view.game.choice_name(view.rules, s, clan, number)


def worth(s: RomansState, clan: int, choice: int) -> float:
    """The value of one of the choices within a turn."""
    if s.phase == Phase.CHARM:
        return worth_of_charming(s, clan, choice - CHARM)
    if s.phase == Phase.TAKE:
        return worth_of_taking(s, clan, choice - TAKE)
    if s.phase == Phase.KEEP_AXX:
        return worth_of_pile(s, clan, strength(Warrior.AXX) if choice == KEEP_AXX else 0)
    if s.phase == Phase.KEEP_WEAKEST:
        kept = strength(Warrior.AXX) if s.kept_axx else 0
        return worth_of_pile(s, clan, kept + (strength(weakest(s, clan)) if choice % 2 == 0 else 0))
    if s.phase == Phase.TAX:
        return -loss_of_fort(s, clan, choice - PAY)
    return worth_of_pile(s, clan, strength_without(s, clan, leaving_place(s, clan, choice - DISCARD)))


# Arranging warriors


def plan(s: RomansState, clan: int, rng: Random) -> Line:
    """A plan by local search: the best of some random ones, then improved by exchanging two warriors."""
    hand = [at(int(s.hand[clan]), k) for k in range(7)]
    rest = rest_of_round(s, clan)
    best = max((tuple(rng.sample(hand, 7)) for _ in range(PLANS)), key=lambda seven: rest.expected_value(seven[:6], 0))
    most = rest.expected_value(best[:6], 0)
    for _ in range(SWAPS):
        one, other = rng.sample(range(7), 2)
        tried = list(best)
        tried[one], tried[other] = tried[other], tried[one]
        expected_value = rest.expected_value(tuple(tried[:6]), 0)
        if expected_value > most:
            best, most = tuple(tried), expected_value
    return best[:6]


def new_order(s: RomansState, clan: int, rng: Random) -> Line:
    """The best of some random orders of the warriors still hidden and the present one (R4.14)."""
    hidden = hidden_line(s, clan)
    orders = sorted(set(permutations(hidden)))
    tried = [hidden, *rng.sample(orders, min(REORDERINGS, len(orders)))]
    rest = rest_of_round(s, clan)
    return max(tried, key=lambda line: rest.expected_value(line, int(s.strength_up[clan])))


def hidden_line(s: RomansState, clan: int) -> Line:
    """Our own warriors still to be revealed."""
    return tuple(at(int(s.line[clan]), k) for k in range(s.shown, 6))


# Values


def rest_of_round(s: RomansState, clan: int) -> RestOfRound:
    """The forts and rivals of the turns still to come."""
    forts = [at(int(s.wall), k) for k in range(s.wall_count)]
    rivals = [other for other in range(s.clans) if other != clan]
    return RestOfRound(
        len(rivals),
        int(s.shown),
        tuple(worth_of_fort(s, clan, fort) for fort in forts),
        tuple(sum(worth_of_fort(s, other, fort) for other in rivals) / len(rivals) ** 2 for fort in forts),
        max(int(s.strength_up[other]) for other in rivals),
    )


def worth_of_fort(s: RomansState, clan: int, fort: int) -> float:
    """What capturing a fort is worth to a clan."""
    if is_legion(fort):
        held = legions(s, clan)
        return value_of(fort) + legion_bonus(s, clan, held + 1) - legion_bonus(s, clan, held)
    if fort == Fort.TAX:  # R5.3
        payable = [value_of(int(s.forts[clan][k])) for k in range(s.forts_count[clan])]
        return 8.0 - min([2, *payable])  # by then it will hold something cheap
    return float(value_of(fort))


def legion_bonus(s: RomansState, clan: int, held: int) -> float:
    """What so many legion forts are worth to a player beside their points, if three can still be won (R5.4)."""
    if clan >= s.players:
        return 0.0
    gone = sum(is_legion(int(s.lost_forts[k])) for k in range(s.lost_count))
    gone += sum(legions(s, other) for other in range(s.clans) if other != clan)
    deck = sum(int(s.fort_deck[fort]) for fort in range(Fort.LEGION_1, Fort.LEGION_3 + 1))
    if deck - gone < 3:
        return 0.0
    return VICTORY if held >= 3 else LEGION_BONUS[held] * LEGION_BONUS_SHARE[s.clans]


def loss_of_fort(s: RomansState, clan: int, fort: int) -> float:
    """What a clan loses with a fort it pays as tax (R5.3)."""
    held = legions(s, clan)
    lost = legion_bonus(s, clan, held) - legion_bonus(s, clan, held - 1) if is_legion(fort) else 0.0
    return value_of(fort) + lost


def worth_of_pile(s: RomansState, clan: int, pile: int) -> float:
    """The expected value of the rest of the round with such a pile."""
    return rest_of_round(s, clan).expected_value(hidden_line(s, clan), pile)


def worth_of_charming(s: RomansState, clan: int, target: int) -> float:
    """The value after a charm: the rules say who captures, as all that counts lies face up (R4.3 to R4.8)."""
    captor = verdict(s, target)[1]
    fort = at(int(s.wall), 0)
    spoils = 0.01 * strength(shown_now(s, target))
    later = rest_after_this_fort(s, clan)
    if captor == clan:
        return spoils + worth_of_fort(s, clan, fort) + later.expected_value(hidden_line(s, clan), 0)
    lost = 0.0 if captor < 0 else worth_of_fort(s, captor, fort) / later.rivals
    return spoils - lost + later.expected_value(hidden_line(s, clan), int(s.strength_up[clan]))


def rest_after_this_fort(s: RomansState, clan: int) -> RestOfRound:
    """The turns after this one, while the leftmost fort still lies there."""
    now = rest_of_round(s, clan)
    return RestOfRound(now.rivals, now.turn, now.ours[1:], now.theirs[1:], now.pile)


def worth_of_taking(s: RomansState, clan: int, place: int) -> float:
    """The value of the fort that druhid takes, and of the Wall he leaves (R4.10, R9.2)."""
    after = s.copy()
    take_fort(after, place)
    if after.phase == Phase.OVER:
        return VICTORY
    taken = worth_of_fort(s, clan, at(int(s.wall), place))
    return taken + rest_of_round(after, clan).expected_value(hidden_line(s, clan), 0)
