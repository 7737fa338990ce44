"""Romans, made to be compiled: every plan against imagined rivals, and every small choice in imagined worlds."""

from typing import Any

from meadhall.bots.romans.habits import imagine_line
from meadhall.bots.romans.turns import play_round, play_turn, prospect
from meadhall.engine.bits import at, known_first
from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll
from meadhall.games.romans.state import ARRANGEMENTS, Phase, RomansState


def imagine(views: Any, worlds: Any, seat: int, habits: Any, shares: Any, dice: Any) -> None:
    """Fill worlds that a seat with this view cannot rule out with the lines that rivals of these habits may have laid.

    `shares[h]` of a thousand rivals follow habit h.
    """
    for w in range(len(worlds)):
        worlds[w] = views[0]
        s = worlds[w]
        for clan in range(s.clans):
            if clan != seat:
                row = imagine_line(s, clan, habits[drawn_habit(shares, dice)], dice)
                s.line[clan] = known_first(row & 0xFFFFFF, 6)
        begin_thinking(s)


def drawn_habit(shares: Any, dice: Any) -> int:
    """The habit of a rival, by how common it is."""
    left = roll(dice, 1000)
    for h in range(len(shares)):
        left -= shares[h]
        if left < 0:
            return h
    return 0


def begin_thinking(s: RomansState) -> None:
    """Nothing is sealed; with plans to be laid, the first turn is what comes next."""
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


def weigh_plans(worlds: Any, seat: int, hand: int, plans: Any, ladder: Any, weights: Any, sums: Any) -> None:
    """Add to each plan's sum the chance to win with it in every world.

    Plans come in the order of their numbers, so a plan shares its first turns with the one before: `ladder` holds the
    position after each turn.
    """
    for w in range(len(worlds)):
        ladder[0] = worlds[w]
        before = 0
        worth = 0.0
        for p in range(len(plans)):
            line = line_of_plan(hand, ARRANGEMENTS[plans[p]])
            first = 0
            while p != 0 and first < 6 and at(line, first) == at(before, first):
                first += 1
            before = line
            for k in range(first, 6):
                ladder[k + 1] = ladder[k]
                if ladder[k].phase != Phase.OVER:
                    ladder[k + 1].line[seat] = line
                    play_turn(ladder[k + 1])
            if first < 6:
                worth = prospect(ladder[6], seat, weights)
            sums[p] += worth


def weigh_choices(worlds: Any, seat: int, choices: Any, spare: Any, weights: Any, sums: Any) -> None:
    """Add to each small choice's sum the chance to win after it in every world, all else by common sense."""
    for w in range(len(worlds)):
        for c in range(len(choices)):
            spare[0] = worlds[w]
            s = spare[0]
            s.sealed[seat] = choices[c]
            play_round(s)
            sums[c] += prospect(s, seat, weights)


def count_captures(worlds: Any, seat: int, line: int, spare: Any, counts: Any) -> None:
    """In how many worlds a line captures each kind of fort at least once, and last, in how many it wins by legions."""
    for w in range(len(worlds)):
        spare[0] = worlds[w]
        s = spare[0]
        held = int(s.forts_count[seat])
        s.line[seat] = line
        play_round(s)
        kinds = 0
        for k in range(held, s.forts_count[seat]):
            kinds |= 1 << int(s.forts[seat][k])
        for fort in range(11):
            counts[fort] += (kinds >> fort) & 1
        counts[11] += s.phase == Phase.OVER and (int(s.winners) >> seat) & 1
