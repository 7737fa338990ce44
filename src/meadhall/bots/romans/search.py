"""Monte Carlo search for Romans, written to be compiled: sample rivals' hidden lines, then roll every choice out."""

from typing import Any

from meadhall.bots.romans.plan_policy import sample_line
from meadhall.bots.romans.rollout import play_round, play_turn, position_value
from meadhall.engine.bits import at, known_first
from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll
from meadhall.games.romans.state import ARRANGEMENTS, Phase, RomansState


def sample_worlds(views: Any, worlds: Any, seat: int, policies: Any, shares: Any, rng: Any) -> None:
    """Fill `worlds` with states consistent with a seat's view, the rivals' lines drawn from a mixture of policies.

    `shares[p]` of a thousand rivals follow policy p.
    """
    for w in range(len(worlds)):
        worlds[w] = views[0]
        s = worlds[w]
        for clan in range(s.clans):
            if clan != seat:
                row = sample_line(s, clan, policies[draw_policy(shares, rng)], rng)
                s.line[clan] = known_first(row & 0xFFFFFF, 6)
        begin_rollout(s)


def draw_policy(shares: Any, rng: Any) -> int:
    """The number of a policy drawn from the mixture."""
    left = roll(rng, 1000)
    for p in range(len(shares)):
        left -= shares[p]
        if left < 0:
            return p
    return 0


def begin_rollout(s: RomansState) -> None:
    """Make a state ready to be played on: nothing is sealed, and if plans were owed the first turn comes next."""
    planning = s.phase == Phase.PLAN
    for clan in range(4):
        s.sealed[clan] = UNKNOWN
        s.options[clan] = 0 if planning else s.options[clan]
    if planning:
        s.phase = Phase.REVEAL
        s.asked = 0
        s.owed = 0


def line_of_plan(hand: int, plan: Any) -> int:
    """The row of six warriors that a plan lays."""
    line = 0
    for k in range(6):
        line |= at(hand, int(plan[k])) << (4 * k)
    return known_first(line, 6)


def evaluate_plans(worlds: Any, seat: int, hand: int, plans: Any, path: Any, value_weights: Any, sums: Any) -> None:
    """Add to each plan's sum the value of its rollout in every world.

    Plans are in increasing order of their numbers, so a plan shares its first turns with the one before: `path` holds
    the position after each turn and is only replayed from where they differ.
    """
    for w in range(len(worlds)):
        path[0] = worlds[w]
        before = 0
        value = 0.0
        for p in range(len(plans)):
            line = line_of_plan(hand, ARRANGEMENTS[plans[p]])
            first = places_alike(line, before) if p != 0 else 0
            before = line
            if first < 6:
                play_line(path, seat, line, first)
                value = position_value(path[6], seat, value_weights)
            sums[p] += value


def evaluate_lines(worlds: Any, seat: int, lines: Any, path: Any, value_weights: Any, values: Any) -> None:
    """The value of each line in each world, [line, world]; lines that begin alike are next to each other."""
    for w in range(len(worlds)):
        path[0] = worlds[w]
        for n in range(len(lines)):
            first = places_alike(int(lines[n]), int(lines[n - 1])) if n != 0 else 0
            play_line(path, seat, int(lines[n]), first)
            values[n, w] = position_value(path[6], seat, value_weights)


def places_alike(line: int, before: int) -> int:
    """How many places from the left are the same in two lines."""
    first = 0
    while first < 6 and at(line, first) == at(before, first):
        first += 1
    return first


def play_line(path: Any, seat: int, line: int, first: int) -> None:
    """Play a round with this line from a turn on; `path` holds the position before each turn and the last."""
    for k in range(first, 6):
        path[k + 1] = path[k]
        if path[k].phase != Phase.OVER:
            path[k + 1].line[seat] = line
            play_turn(path[k + 1])


def evaluate_choices(worlds: Any, seat: int, choices: Any, scratch: Any, value_weights: Any, sums: Any) -> None:
    """Add to the sum of each choice within a turn the value of its rollout in every world."""
    for w in range(len(worlds)):
        for c in range(len(choices)):
            scratch[0] = worlds[w]
            s = scratch[0]
            s.sealed[seat] = choices[c]
            play_round(s)
            sums[c] += position_value(s, seat, value_weights)


def count_captures(worlds: Any, seat: int, line: int, scratch: Any, counts: Any) -> None:
    """Count the worlds in which a line captures each kind of fort, and in the last cell those it wins by legions."""
    for w in range(len(worlds)):
        scratch[0] = worlds[w]
        s = scratch[0]
        held = int(s.forts_count[seat])
        s.line[seat] = line
        play_round(s)
        kinds = 0
        for k in range(held, s.forts_count[seat]):
            kinds |= 1 << int(s.forts[seat][k])
        for fort in range(11):
            counts[fort] += (kinds >> fort) & 1
        counts[11] += s.phase == Phase.OVER and (int(s.winners) >> seat) & 1
