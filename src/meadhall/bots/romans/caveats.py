"""Romans: what the solved values do not know of. Light enough for a page: neither values nor bots are loaded."""

from typing import Any

from meadhall.bots.evaluation import Reason
from meadhall.bots.solved import fault
from meadhall.games.decks import own_deck
from meadhall.games.romans.game import GAME


def caveat(level: str, rules: dict[str, Any]) -> Reason | None:
    """Why a level plays these rules by estimates; only `hard` has values that could be for others."""
    if level != "hard":
        return None
    given = GAME.check_rules(rules)
    if fault("romans") is not None:
        return Reason("romans.caveat.no-table", {})
    if sorted(given["fort_deck"]) != sorted(own_deck("romans")):
        return Reason("romans.caveat.deck", {})
    if given["original_rules"]:
        return Reason("romans.caveat.original", {})
    if given["qween"] != "adds":
        return Reason("romans.caveat.qween", {})
    return None
