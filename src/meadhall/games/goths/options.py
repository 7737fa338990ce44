"""Goths Save the Queen: the options of its rules."""

from typing import Any, TypedDict

from meadhall.faults import RecordFault
from meadhall.games.checks import check_list, check_one_of
from meadhall.games.goths.state import CARDS, CHARACTERS, CLANS
from meadhall.games.options import Option, deck_option

FOG_DISCARD = ("same-card", "anywhere")


class GothsRules(TypedDict, total=False):
    """The options as records write them."""

    fog_of_war: bool
    fog_discard: str
    lone_rulers: list[str]
    turn_limit: int | None
    king_deck: list[list[str]]


def check_king_deck(where: str, deck: Any) -> None:
    """Each character on two cards, with two different bluffs, neither of them itself (G1.3)."""
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


def deck_bits(deck: Any) -> int:
    """A checked king_deck as a bit for each of CARDS."""
    bits = 0
    for character, bluff in deck:
        bits |= 1 << CARDS.index(f"{character}/{bluff}")
    return bits


OPTIONS = (
    Option("fog_of_war", "flag", "play with the Fog of War tokens", False),
    Option(
        "fog_discard",
        "one-of",
        "where a token can be dispersed: same-card, anywhere",
        "same-card",
        values=FOG_DISCARD,
        metavar="WHERE",
    ),
    Option(
        "lone_rulers",
        "names",
        "clans played by one person: ostrogoth,visigoth",
        [],
        values=CLANS,
        metavar="CLANS",
    ),
    Option("turn_limit", "number", "a draw after so many turns", None, metavar="N"),
    deck_option("goths", "king_deck", "cards", "the eight King cards of your own box", check_king_deck),
)
