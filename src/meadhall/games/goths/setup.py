"""Goths Save the Queen: what chance deals before the first choice (G1.6, G8.1), and set-ups as records hold them."""

from typing import Any, NotRequired, TypedDict

from meadhall.engine.layout import UNKNOWN
from meadhall.engine.rng import roll
from meadhall.faults import RecordFault
from meadhall.games.checks import check_keys, check_list, check_names, check_one_of
from meadhall.games.game import Rules, Setup
from meadhall.games.goths.options import deck_bits
from meadhall.games.goths.state import CLANS, OBJECTIVES, TOKENS, Fog, GothsState


class GothsSetup(TypedDict):
    """What was dealt, as records write it."""

    objectives: list[str]
    fog: NotRequired[dict[str, str]]


def deal(s: GothsState, rng: list[int]) -> None:
    """Shuffle the objectives (G1.6) and, in a game with fog, draw two of the four tokens (G8.1)."""
    s.objectives[0] = roll(rng, 3)
    s.objectives[1] = (s.objectives[0] + 1 + roll(rng, 2)) % 3
    s.objectives[2] = 3 - s.objectives[0] - s.objectives[1]
    if s.fog[0] != Fog.NONE:
        s.token[0] = roll(rng, 4)
        s.token[1] = (s.token[0] + 1 + roll(rng, 3)) % 4
        s.fog[0] = Fog.HIDDEN
        s.fog[1] = Fog.HIDDEN


def blank(rules: Rules) -> GothsState:
    """A state with the options in place and nothing dealt."""
    state = GothsState()
    state.deck = deck_bits(rules["king_deck"])
    state.turn_limit = min(rules["turn_limit"] or 0, 2**31 - 1)
    state.fog_anywhere = rules["fog_discard"] == "anywhere"
    for clan, name in enumerate(CLANS):
        state.lone[clan] = name in rules["lone_rulers"]
        state.token[clan] = UNKNOWN
        state.fog[clan] = Fog.HIDDEN if rules["fog_of_war"] else Fog.NONE
    return state


def read(rules: Rules, setup: Setup) -> GothsState:
    """A state with a record's set-up in place."""
    state = blank(rules)
    for k, card in enumerate(setup["objectives"]):
        state.objectives[k] = OBJECTIVES.index(card)
    if rules["fog_of_war"]:
        for clan, name in enumerate(CLANS):
            state.token[clan] = TOKENS.index(setup["fog"][name])
    return state


def write(rules: Rules, s: GothsState) -> dict[str, Any]:
    """What was dealt, as a record's set-up."""
    setup: dict[str, Any] = {"objectives": [OBJECTIVES[card] for card in s.objectives]}
    if rules["fog_of_war"]:
        setup["fog"] = {clan: TOKENS[s.token[k]] for k, clan in enumerate(CLANS)}
    return setup


def check(rules: Rules, setup: Setup) -> None:
    """A RecordFault unless there are three objectives in some order, and with fog two different tokens."""
    known = ("objectives", "fog") if rules["fog_of_war"] else ("objectives",)
    if isinstance(setup, dict) and "fog" in setup and not rules["fog_of_war"]:
        raise RecordFault("setup.fog is only for games with rules.fog_of_war true")
    check_keys("setup", setup, known, known)
    check_list("setup.objectives", setup["objectives"], 3, "cards")
    check_names("setup.objectives", setup["objectives"], OBJECTIVES)
    if rules["fog_of_war"]:
        check_keys("setup.fog", setup["fog"], CLANS, CLANS)
        for clan in CLANS:
            check_one_of(f"setup.fog.{clan}", setup["fog"][clan], TOKENS)
        if setup["fog"][CLANS[0]] == setup["fog"][CLANS[1]]:
            raise RecordFault("setup.fog: the two clans cannot have the same token, there is one of each")
