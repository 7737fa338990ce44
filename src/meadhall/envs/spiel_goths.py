"""Goths Save the Queen for OpenSpiel: what chance deals, node by node, and other pasts that a seat cannot rule out."""

from itertools import permutations
from random import Random
from typing import Any

from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import seeded
from meadhall.envs.spiel_play import Dealt, Outcomes, Past, Play
from meadhall.games.game import Rules, Setup
from meadhall.games.goths.setup import write
from meadhall.games.goths.state import CHOICES, CLANS, OBJECTIVES, ORDER, SEATS, TOKENS, Phase

LONG_NAME = "Goths Save the Queen"
PEOPLE = (4, 4)  # the least and the most players
MOST_OUTCOMES = 6
ORDERS = tuple(permutations(OBJECTIVES))
PER_TURN = 6  # choices at most: two orders, two actions, and what each warchief is asked while his is carried out


def longest(rules: Rules, one_by_one: bool) -> int:
    """No game takes more choices."""
    return int(rules["turn_limit"]) * PER_TURN


def rivals(rules: Rules) -> int:
    """How many sides play for the victory."""
    return len(CLANS)


# Chance: the objectives in one of six orders, and with fog a token for each clan


def chance_nodes(rules: Rules) -> int:
    """How many nodes the deal takes."""
    return 3 if rules["fog_of_war"] else 1


def outcomes(rules: Rules, dealt: Dealt) -> Outcomes:
    """What can be dealt next, and how likely each is; nothing when all is dealt."""
    if not dealt:
        return [(k, 1 / len(ORDERS)) for k in range(len(ORDERS))]
    if len(dealt) == chance_nodes(rules):
        return []
    left = [token for token in range(len(TOKENS)) if token not in dealt[1:]]
    return [(token, 1 / len(left)) for token in left]


def outcome_name(rules: Rules, dealt: Dealt, outcome: int) -> str:
    """What is dealt, in words."""
    return f"{CLANS[len(dealt) - 1]}:{TOKENS[outcome]}" if dealt else f"objectives:{','.join(ORDERS[outcome])}"


def setup_of(rules: Rules, dealt: Dealt) -> dict[str, Any]:
    """The set-up, as a record writes it, that was dealt node by node."""
    setup: dict[str, Any] = {"objectives": list(ORDERS[dealt[0]])}
    if rules["fog_of_war"]:
        setup["fog"] = {clan: TOKENS[token] for clan, token in zip(CLANS, dealt[1:], strict=True)}
    return setup


def dealt_of(rules: Rules, setup: Setup) -> list[int]:
    """How a record's set-up is dealt node by node."""
    tokens = [TOKENS.index(setup["fog"][clan]) for clan in CLANS] if rules["fog_of_war"] else []
    return [ORDERS.index(tuple(setup["objectives"])), *tokens]


def fixed_name(rules: Rules, choice: int) -> str:
    """The name of a choice, wherever it may be made."""
    return CHOICES[choice]


# Other pasts


def another(play: Play, seat: int, rng: Random) -> Past:
    """A past in which all that the seat cannot know is dealt and chosen anew.

    Cards of earlier turns lie open, so only the deal, the King cards that lie face down and sealed actions can differ.
    """
    view = play.view(seat).state
    world = view.copy()
    play.game.redeal(world, seat, seeded(rng.getrandbits(62)))
    choices = play.choices_by_seat()
    for clan in range(len(CLANS)):
        king, warchief = (SEATS.index(f"{CLANS[clan]}-{role}") for role in ("king", "warchief"))
        if view.back[clan] != 0 and view.order[clan] == UNKNOWN:
            choices[king][-1] = CHOICES[ORDER + world.order[clan]]
        sealed = play.state.phase == Phase.ACTS and play.state.act[clan] != UNKNOWN
        if sealed and view.act[clan] == UNKNOWN:
            choices[warchief][-1] = CHOICES[rng.choice(play.game.choice_ids(world, warchief))]
    return Past(write(play.rules, world), choices)
