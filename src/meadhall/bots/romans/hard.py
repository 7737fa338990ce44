"""Romans, the level `hard`: the best answer to rivals who think themselves, by tables made from the rules."""

from functools import cache
from random import Random
from typing import Any

import numpy as np

from meadhall.bots.evaluation import Judgement, Valued, Why
from meadhall.bots.romans import thinking as romans_thinking
from meadhall.bots.romans.compiled import engine, prepare, ready
from meadhall.bots.romans.habits import HABIT_SIZE
from meadhall.bots.romans.medium import greedy, rough_standings
from meadhall.bots.romans.search import line_of_plan
from meadhall.bots.romans.solved import table
from meadhall.bots.romans.thinking import Mind, Weighed, choice_names, imagined, odds, weighed, weighed_again
from meadhall.bots.romans.turns import appeal, captor_if_charmed
from meadhall.games.decks import own_deck
from meadhall.games.romans.options import check_rules
from meadhall.games.romans.rules import is_legion, legions, shown_now
from meadhall.games.romans.state import ARRANGEMENTS, CHARM, FORTS, TAKE, WARRIORS, Phase
from meadhall.match import View

__all__ = ["caveat", "choose", "judge", "prepare", "ready"]

# Of a thousand rivals: those who lay what comes, the greedy, those who answer these, and deeper thinkers together.
SHARES = (60, 40, 500, 400)
STAGES = ((12, 400), (48, 60), (160, 20))
WORLDS = 160
LISTED = 20
AGAIN = 256  # worlds to value the best plans anew in: those they were picked by flatter them
EVEN = 0.005
LIKELY = 0.15


@cache
def mind(players: int, clans: int) -> Mind:
    """What it knows of a company of so many clans; without a table that fits the rules source, what `medium` does."""
    plain = np.stack([np.zeros(HABIT_SIZE, np.float32), greedy()])
    found = table()
    if found is None:
        return Mind(plain, np.array([500, 500]), rough_standings(), STAGES, WORLDS, 0.004)
    deep = found["habits"][clans - 2].astype(np.float32)
    shares = np.zeros(2 + len(deep), np.int64)
    shares[:3] = SHARES[:3]
    shares[3:] = SHARES[3] // (len(deep) - 1)
    shares[0] += 1000 - shares.sum()
    weights = found["standings"][players - 1, clans - 2].astype(np.float64)
    return Mind(np.concatenate([plain, deep]), shares, weights, STAGES, WORLDS, 0.004)


def mind_of(view: View) -> Mind:
    """The mind for the company at this table."""
    return mind(int(view.state.players), int(view.state.clans))


def choose(view: View, dice: Random) -> str:
    """The choice of a hard bot, whichever decision of the game it is."""
    return romans_thinking.choose(view, mind_of(view), dice)


def caveat(rules: dict[str, Any]) -> Why | None:
    """What the table does not know of in these rules."""
    given = check_rules(rules)
    if table() is None:
        return Why("romans.caveat.no-table", {})
    if sorted(given["fort_deck"]) != sorted(own_deck("romans")):
        return Why("romans.caveat.deck", {})
    if given["original_rules"]:
        return Why("romans.caveat.original", {})
    if given["qween"] != "adds":
        return Why("romans.caveat.qween", {})
    return None


# What it thinks


def judge(view: View) -> Judgement:
    """The chance to win with each choice, of arrangements the best twenty; compiles the search first if need be."""
    prepare()
    thinking, dice = mind_of(view), Random(f"judge {bytes(view.state).hex()}")
    found = weighed(view, thinking, dice)
    if view.state.phase == Phase.PLAN:
        found = weighed_again(view, thinking, found.choices[:LISTED], AGAIN, dice)
    found = Weighed(found.choices[:LISTED], found.chances[:LISTED])
    shares = odds(found, thinking.heat)
    names = choice_names(view, found.choices.tolist())
    listed = tuple(
        Valued(name, sure(chance), float(share))
        for name, chance, share in zip(names, found.chances, shares, strict=True)
    )
    other_rules = caveat(view.rules)
    return Judgement(
        str(view.seat),
        sure(float(found.chances @ shares)),
        listed,
        why(view, thinking, found, dice),
        caveat=None if other_rules is None else other_rules.key,
    )


def why(view: View, thinking: Mind, found: Weighed, dice: Random) -> Why:
    """The best choice in one sentence."""
    s, best = view.state, int(found.choices[0])
    win = percent(found.chances[0])
    if s.phase == Phase.PLAN:
        return why_plan(view, thinking, best, win, dice)
    if s.phase == Phase.TAKE and legions(s, view.number) == 2 and is_legion(s.wall >> 4 * (best - TAKE) & 15):
        return Why("romans.why.third-legion", {})
    if found.chances[0] - found.chances[-1] < EVEN:
        return Why("romans.why.even", {"win": win})
    if s.phase == Phase.CHARM:
        return why_charm(view, found, win)
    return Why("romans.why.better", {"win": win, "next": percent(found.chances[1])})


def why_plan(view: View, thinking: Mind, plan: int, win: int, dice: Random) -> Why:
    """The fort that the plan is likely to take, weighed by what it is worth; or the third legion."""
    s, seat = view.state, view.number
    worlds = imagined(view, thinking, AGAIN, dice)
    counts = np.zeros(12)
    line = line_of_plan(int(s.hand[seat]), ARRANGEMENTS[plan])
    engine().count_captures(worlds, seat, line, worlds[:1].copy(), counts)
    chances = counts / AGAIN
    if chances[11] >= LIKELY:
        return Why("romans.why.plan-legions", {"chance": percent(chances[11]), "win": win})
    held = legions(s, seat)
    fort = max(range(11), key=lambda kind: chances[kind] * appeal(s, seat, kind, held))
    return Why("romans.why.plan", {"fort": FORTS[fort], "chance": percent(chances[fort]), "win": win})


def why_charm(view: View, found: Weighed, win: int) -> Why:
    """What the charm does to the fight for the fort: it wins it, or keeps it from somebody."""
    s, seat, clans = view.state, view.number, view.game.vocabulary(view.rules, "clan")
    captors = [captor_if_charmed(s.copy(), int(choice) - CHARM) for choice in found.choices]
    target, fort = int(found.choices[0]) - CHARM, FORTS[s.wall & 15]
    if captors[0] == seat:
        warrior = WARRIORS[shown_now(s, target)]
        return Why("romans.why.charm-takes", {"clan": clans[target], "warrior": warrior, "fort": fort, "win": win})
    kept_from = [captor for captor in captors if captor not in (seat, captors[0], -1)]
    if kept_from:
        return Why("romans.why.charm-stops", {"clan": clans[kept_from[0]], "fort": fort, "win": win})
    return Why("romans.why.better", {"win": win, "next": percent(found.chances[1])})


def sure(chance: float) -> float:
    """A chance without the trifle that decides between equals."""
    return min(1.0, max(0.0, round(float(chance), 3)))


def percent(chance: float) -> int:
    """A chance in a hundred."""
    return round(100.0 * sure(chance))
