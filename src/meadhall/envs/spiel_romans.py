"""Romans Go Home! for OpenSpiel: what chance deals, node by node, and other pasts that a seat cannot rule out.

A player's seven warriors are dealt in one node, in the order of their strength: in what order they come to his hand
makes no difference, and so a plan has the same number wherever the hand is the same.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from meadhall.engine.bits import at
from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import seeded
from meadhall.envs.spiel_play import Dealt, Outcomes, Past, Play
from meadhall.games.game import Rules, Setup
from meadhall.games.romans.names import choice_name
from meadhall.games.romans.setup import clans_of
from meadhall.games.romans.state import CHARM, FORTS, NINE, REORDER, WARRIORS, EventCode, Phase, RomansState

LONG_NAME = "Romans Go Home!"
PEOPLE = (1, 4)  # the least and the most players
ROUNDS, DECK, WALL, HAND, LINE = 3, 18, 6, 7, 6
# Every hand with the number of ways to draw it: nine warriors less two, of which two are alike.
_WAYS = Counter(tuple(sorted(hand)) for hand in combinations(NINE, HAND))
HANDS = tuple(sorted(_WAYS))
HAND_CHANCES = [(k, _WAYS[hand] / _WAYS.total()) for k, hand in enumerate(HANDS)]
MOST_OUTCOMES = len(HANDS)


def longest(rules: Rules, one_by_one: bool) -> int:
    """No game takes more choices.

    A round asks a player for one plan, and at most once each for qween, druhid, axx, horsie and zvord, of which a line
    has one; a fort asks everybody once at most.
    """
    plan, zvord = (LINE, LINE - 1) if one_by_one else (1, 1)
    return ROUNDS * len(rules["players"]) * (plan + zvord + 4 + WALL)


def rivals(rules: Rules) -> int:
    """How many clans play for the victory: neutrals too where a player is alone (R7.2)."""
    players = len(rules["players"])
    return players if players > 1 else len(clans_of(rules))


# Chance: the forts one by one, then for each round every player's hand and every neutral's line


def chance_nodes(rules: Rules) -> int:
    """How many nodes the deal takes; the last fort is the one that is left."""
    return DECK - 1 + ROUNDS * (len(rules["players"]) + LINE * len(rules["neutrals"]))


def outcomes(rules: Rules, dealt: Dealt) -> Outcomes:
    """What can be dealt next, and how likely each is; nothing when all is dealt."""
    if len(dealt) < DECK - 1:
        forts = Counter(FORTS.index(fort) for fort in rules["fort_deck"])
        forts.subtract(dealt)
        return [(fort, forts[fort] / forts.total()) for fort in sorted(forts) if forts[fort]]
    if len(dealt) == chance_nodes(rules):
        return []
    clan, place = _whose(rules, len(dealt))
    if clan < len(rules["players"]):
        return HAND_CHANCES
    warriors = Counter(NINE)
    warriors.subtract(dealt[len(dealt) - place :])
    return [(warrior, count / warriors.total()) for warrior, count in sorted(warriors.items()) if count]


def _whose(rules: Rules, node: int) -> tuple[int, int]:
    """The clan that a node after the forts deals to, and for a neutral the place on its line, from 0."""
    players, neutrals = len(rules["players"]), len(rules["neutrals"])
    within = (node - DECK + 1) % (players + LINE * neutrals)
    if within < players:
        return within, 0
    return players + (within - players) // LINE, (within - players) % LINE


def outcome_name(rules: Rules, dealt: Dealt, outcome: int) -> str:
    """What is dealt, in words."""
    if len(dealt) < DECK - 1:
        return f"fort:{FORTS[outcome]}"
    clan, _ = _whose(rules, len(dealt))
    warriors = HANDS[outcome] if clan < len(rules["players"]) else (outcome,)
    return f"{clans_of(rules)[clan]}:{','.join(WARRIORS[warrior] for warrior in warriors)}"


def setup_of(rules: Rules, dealt: Dealt) -> dict[str, Any]:
    """The set-up, as a record writes it, that was dealt node by node."""
    forts = [FORTS[fort] for fort in dealt[: DECK - 1]]
    remaining: Counter[str] = Counter(rules["fort_deck"])
    remaining.subtract(forts)
    left = iter(dealt[DECK - 1 :])
    return {"forts": [*forts, *remaining.elements()], "hands": [_dealt_round(rules, left) for _ in range(ROUNDS)]}


def _dealt_round(rules: Rules, left: Iterator[int]) -> dict[str, list[str]]:
    hands = {clan: [WARRIORS[warrior] for warrior in HANDS[next(left)]] for clan in rules["players"]}
    return hands | {clan: [WARRIORS[next(left)] for _ in range(LINE)] for clan in rules["neutrals"]}


def dealt_of(rules: Rules, setup: Setup) -> list[int]:
    """How a record's set-up is dealt node by node; it must hold all three rounds."""
    if len(setup["hands"]) != ROUNDS:
        raise ValueError(f"setup.hands must hold all {ROUNDS} rounds here, not {len(setup['hands'])}")
    dealt = [FORTS.index(fort) for fort in setup["forts"][:-1]]
    for hands in setup["hands"]:
        for clan in rules["players"]:
            dealt.append(HANDS.index(tuple(sorted(map(WARRIORS.index, hands[clan])))))
        for clan in rules["neutrals"]:
            dealt += map(WARRIORS.index, hands[clan])
    return dealt


def fixed_name(rules: Rules, choice: int) -> str:
    """The name of a choice, wherever it may be made; an arrangement has none without the warriors."""
    if choice >= CHARM:
        return choice_name(RomansState(), 0, clans_of(rules), choice)
    return f"plan:{choice}" if choice < REORDER else f"reorder:{choice - REORDER}"


# Other pasts


def another(play: Play, seat: int, rng: Random) -> Past:
    """A past in which all that the seat cannot know is dealt and chosen anew.

    Walls and lines are taken from what the seat was told. What others chose and everybody saw stays.
    """
    world = play.view(seat).state.copy()
    play.game.redeal(world, seat, seeded(rng.getrandbits(62)))
    told = play.told_to(seat)
    walls = [FORTS[args[0]] for code, *args in told if code == EventCode.FORT_DRAWN]
    # As it lay, a Wall is also a draw that leads to itself (R3.1).
    forts = [*walls, *(FORTS[world.draw_pile[place]] for place in range(len(walls), DECK))]
    shown = _lines_shown(told)
    hands: list[dict[str, list[str]]] = []
    for number in range(ROUNDS):
        hands.append({})
        for clan, name in enumerate(clans_of(play.rules)):
            hands[number][name] = _warriors(play, world, seat, clan, number, shown.get((number, clan), []), rng)
    choices = play.choices_by_seat()
    for clan in range(len(choices)):
        if clan != seat:
            _rearrange(play, world, clan, choices[clan], [each[play.seats[clan]] for each in hands], rng)
    return Past({"forts": forts, "hands": hands}, choices)


def _lines_shown(told: list[tuple[int, ...]]) -> dict[tuple[int, int], list[str]]:
    """The warriors that everybody has seen, by round (from 0) and clan, from left to right."""
    lines: dict[tuple[int, int], list[str]] = {}
    number = -1
    for code, *args in told:
        if code == EventCode.ROUND:
            number = args[0] - 1
        elif code == EventCode.SHOWN:
            lines.setdefault((number, args[0]), []).append(WARRIORS[args[1]])
    return lines


def _warriors(
    play: Play, world: RomansState, seat: int, clan: int, number: int, shown: list[str], rng: Random
) -> list[str]:
    """What a clan may have been dealt: its line from left to right and the one put aside, or a hand not laid yet."""
    begun, player = world.round - 1, clan < world.players
    if number <= begun and clan == seat:
        return list(play.setup["hands"][number][play.seats[clan]])
    if number < begun:
        rest = list((Counter(WARRIORS[warrior] for warrior in NINE) - Counter(shown)).elements())
        return [*shown, rng.choice(rest)] if player else shown
    if number > begun:
        row, count = world.deals[number][clan], HAND if player else LINE
    elif player and world.phase == Phase.PLAN:
        row, count = world.hand[clan], HAND
    else:
        row, count = world.line[clan], LINE
    warriors = [WARRIORS[at(row, k)] for k in range(count)]
    laid = player and number == begun and world.phase != Phase.PLAN
    return [*warriors, WARRIORS[world.aside[clan]]] if laid else warriors


def _rearrange(
    play: Play, world: RomansState, clan: int, choices: list[str], hands: list[list[str]], rng: Random
) -> None:
    """Put plans and new orders in a clan's choices by which it would have shown what it did, and seal others anew.

    Nobody sees the order before zvord's, only what is revealed of the one after it.
    """
    number, plan = -1, 0
    for k, choice in enumerate(choices):
        if choice.startswith("plan:"):
            number, plan = number + 1, k
            choices[k] = _arranged("plan", hands[number][:LINE])
        elif choice.startswith("reorder:"):
            before, hidden = _around_zvord(hands[number])
            choices[k] = _arranged("reorder", hidden)
            if k < len(choices) - 1 or not _open(play, clan):
                choices[plan] = _arranged("plan", [*before, *rng.sample(hidden, len(hidden))])
    if _open(play, clan):
        choices[-1] = _another_sealed(play, world, clan, choices[-1], hands[number], rng)


def _open(play: Play, clan: int) -> bool:
    """Is the last choice of a clan one that has not taken effect?"""
    return play.state.sealed[clan] != UNKNOWN or play.placing(clan) > 0


def _another_sealed(play: Play, world: RomansState, clan: int, choice: str, hand: list[str], rng: Random) -> str:
    """Anything that the clan may choose now, or as much of an arrangement as it has laid."""
    verb = choice.partition(":")[0]
    if verb not in ("plan", "reorder"):
        number = rng.choice(play.game.choice_ids(world, clan))
        return play.game.choice_name(play.rules, world, clan, number)
    pool = hand if verb == "plan" else _around_zvord(hand)[1]
    warriors = rng.sample(pool, LINE if verb == "plan" else len(pool))
    return _arranged(verb, warriors[: play.placing(clan) or len(warriors)])


def _around_zvord(hand: list[str]) -> tuple[list[str], list[str]]:
    """A line up to zvord, and what lies behind him."""
    first = hand.index("zvord") + 1
    return hand[:first], hand[first:LINE]


def _arranged(verb: str, warriors: list[str]) -> str:
    return f"{verb}:{','.join(warriors)}"
