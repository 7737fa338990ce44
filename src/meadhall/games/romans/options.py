"""Romans Go Home!: the options of its rules."""

from typing import Any, NotRequired, TypedDict

from meadhall.faults import RecordFault
from meadhall.games.checks import check_list, check_one_of
from meadhall.games.game import Rules
from meadhall.games.options import Option, deck_option
from meadhall.games.romans.state import CLANS, FORTS

QWEEN = ("adds", "replaces")


class RomansRules(TypedDict):
    """The options as records write them."""

    players: list[str]
    neutrals: NotRequired[list[str]]
    original_rules: NotRequired[bool]
    qween: NotRequired[str]
    fort_deck: NotRequired[list[str]]


def check_clans(rules: Rules) -> None:
    """One to four players, at most two neutrals, two to four clans in all (R2.1)."""
    players, neutrals = rules["players"], rules["neutrals"]
    if not players:
        raise RecordFault("rules.players must name one to four clans, not none")
    if len(neutrals) > 2:
        raise RecordFault(f"rules.neutrals must name at most two clans, not {len(neutrals)}")
    both = [clan for clan in players if clan in neutrals]
    if both:
        raise RecordFault(f"rules.neutrals: {both[0]} is a player already")
    if len(players) + len(neutrals) < 2:
        raise RecordFault("rules: one player needs at least one neutral clan beside him, in rules.neutrals")


def check_fort_deck(where: str, deck: Any) -> None:
    """Eighteen forts, four of them legions (R1.2)."""
    check_list(where, deck, 18, "forts")
    for fort in deck:
        check_one_of(f"each fort of {where}", fort, FORTS)
    legions = sum(fort.startswith("legion-") for fort in deck)
    if legions != 4:
        raise RecordFault(f"{where} must hold exactly four legions, not {legions}")


OPTIONS = (
    Option("players", "names", "1 to 4 of gold,green,violet,red", values=CLANS, metavar="CLANS"),
    Option("neutrals", "names", "up to 2 of the others", [], values=CLANS, metavar="CLANS"),
    Option("original_rules", "flag", "the author's original rules", False),
    Option(
        "qween",
        "one-of",
        "what her own point does when she charms: adds, replaces",
        "adds",
        values=QWEEN,
        metavar="HOW",
    ),
    deck_option("romans", "fort_deck", "forts", "the eighteen forts of your own box", check_fort_deck),
)
