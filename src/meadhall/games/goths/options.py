"""Goths Save the Queen: checks of a record's rules and set-up."""

from typing import Any

from meadhall.faults import RecordFault, show
from meadhall.games.checks import check_flag, check_keys, check_list, check_names, check_one_of
from meadhall.games.decks import own_deck
from meadhall.games.game import Rules, Setup
from meadhall.games.goths.state import CARDS, CHARACTERS, CLANS, OBJECTIVES, TOKENS

FOG_DISCARD = ("same-card", "anywhere")
OPTIONS = ("fog_of_war", "fog_discard", "lone_rulers", "turn_limit", "king_deck")


def check_rules(rules: Rules) -> dict[str, Any]:
    """The rules with every default filled in."""
    check_keys("rules", rules, OPTIONS)
    full = {
        "fog_of_war": False,
        "fog_discard": "same-card",
        "lone_rulers": [],
        "turn_limit": None,
        "king_deck": [list(card) for card in own_deck("goths")],
    } | dict(rules)
    check_flag("rules.fog_of_war", full["fog_of_war"])
    check_one_of("rules.fog_discard", full["fog_discard"], FOG_DISCARD)
    check_names("rules.lone_rulers", full["lone_rulers"], CLANS)
    limit = full["turn_limit"]
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise RecordFault(f"rules.turn_limit must be null or a whole number from 1, not {show(limit)}")
    check_king_deck(full["king_deck"])
    return full


def check_king_deck(deck: Any) -> None:
    """Each character on two cards, with two different bluffs, neither of them itself (G1.3)."""
    where = "rules.king_deck"
    check_list(where, deck, 8, "cards [character, bluff]")
    for card in deck:
        check_list(f"each card of {where}", card, 2, "characters [character, bluff]")
        for character in card:
            check_one_of(f"each character of {where}", character, CHARACTERS)
        if card[0] == card[1]:
            raise RecordFault(f"{where}: {card[0]} cannot be its own bluff")
    for character in CHARACTERS:
        bluffs = [bluff for shown, bluff in deck if shown == character]
        if len(bluffs) != 2:
            raise RecordFault(f"{where}: {character} must be on exactly two cards, not {len(bluffs)}")
        if bluffs[0] == bluffs[1]:
            raise RecordFault(f"{where}: the two cards of {character} must have different bluffs")


def check_setup(rules: Rules, setup: Setup) -> None:
    """Three objectives in some order, and with fog two different tokens."""
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


def deck_bits(deck: Any) -> int:
    """A checked king_deck as a bit for each of CARDS."""
    bits = 0
    for character, bluff in deck:
        bits |= 1 << CARDS.index(f"{character}/{bluff}")
    return bits
