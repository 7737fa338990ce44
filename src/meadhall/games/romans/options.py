"""Romans Go Home!: checks of a record's rules and set-up."""

from collections import Counter
from typing import Any

from meadhall.faults import RecordFault, listing
from meadhall.games.checks import check_flag, check_keys, check_list, check_names, check_one_of
from meadhall.games.decks import own_deck
from meadhall.games.game import Rules, Setup
from meadhall.games.romans.state import CLANS, FORTS, NINE, WARRIORS

QWEEN = ("adds", "replaces")
OPTIONS = ("players", "neutrals", "original_rules", "qween", "fort_deck")
_NINE = Counter(WARRIORS[warrior] for warrior in NINE)


def check_rules(rules: Rules) -> dict[str, Any]:
    """The rules with every default filled in."""
    check_keys("rules", rules, OPTIONS, ("players",))
    full: dict[str, Any] = {
        "neutrals": [],
        "original_rules": False,
        "qween": "adds",
        "fort_deck": list(own_deck("romans")),
    } | dict(rules)
    check_names("rules.players", full["players"], CLANS)
    check_names("rules.neutrals", full["neutrals"], CLANS)
    check_clans(full["players"], full["neutrals"])
    check_flag("rules.original_rules", full["original_rules"])
    check_one_of("rules.qween", full["qween"], QWEEN)
    check_fort_deck(full["fort_deck"])
    return full


def check_clans(players: list[str], neutrals: list[str]) -> None:
    """One to four players, at most two neutrals, two to four clans in all (R2.1)."""
    if not players:
        raise RecordFault("rules.players must name one to four clans, not none")
    if len(neutrals) > 2:
        raise RecordFault(f"rules.neutrals must name at most two clans, not {len(neutrals)}")
    both = [clan for clan in players if clan in neutrals]
    if both:
        raise RecordFault(f"rules.neutrals: {both[0]} is a player already")
    if len(players) + len(neutrals) < 2:
        raise RecordFault("rules: one player needs at least one neutral clan beside him, in rules.neutrals")


def check_fort_deck(deck: Any) -> None:
    """Eighteen forts, four of them legions (R1.2)."""
    where = "rules.fort_deck"
    check_list(where, deck, 18, "forts")
    for fort in deck:
        check_one_of(f"each fort of {where}", fort, FORTS)
    legions = sum(fort.startswith("legion-") for fort in deck)
    if legions != 4:
        raise RecordFault(f"{where} must hold exactly four legions, not {legions}")


def check_setup(rules: Rules, setup: Setup) -> None:
    """The deck in some order, and hands for one to three rounds."""
    check_keys("setup", setup, ("forts", "hands"), ("forts", "hands"))
    check_list("setup.forts", setup["forts"], 18, "forts")
    for fort in setup["forts"]:
        check_one_of("each of setup.forts", fort, FORTS)
    extra: Counter[str] = Counter(setup["forts"]) - Counter(rules["fort_deck"])
    if extra:
        raise RecordFault(f"setup.forts is not the deck in some order: too many of {listing(sorted(extra))}")
    check_list("setup.hands", setup["hands"])
    if not 1 <= len(setup["hands"]) <= 3:
        raise RecordFault(f"setup.hands must hold one to three rounds, not {len(setup['hands'])}")
    clans = (*rules["players"], *rules["neutrals"])
    for number, hands in enumerate(setup["hands"], 1):
        where = f"setup.hands, round {number}"
        check_keys(where, hands, clans, clans)
        for clan in clans:
            check_hand(f"{where}, {clan}", hands[clan], 7 if clan in rules["players"] else 6)


def check_hand(where: str, hand: Any, count: int) -> None:
    """So many of a clan's nine warriors."""
    check_list(where, hand, count, "warriors")
    for warrior in hand:
        check_one_of(f"each warrior of {where}", warrior, WARRIORS)
    extra = Counter(hand) - _NINE
    if extra:
        raise RecordFault(f"{where}: more {listing(sorted(extra))} than a clan has")
