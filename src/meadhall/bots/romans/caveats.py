"""Romans: what the solved values do not know of. Light enough for a page: neither values nor bots are loaded."""

from typing import Any

from meadhall.bots.evaluation import Why
from meadhall.bots.solved import fault
from meadhall.games.decks import own_deck
from meadhall.games.romans.game import GAME


def caveat(level: str, rules: dict[str, Any]) -> Why | None:
    """Why a level plays these rules by estimates; only `hard` has values that could be for others."""
    if level != "hard":
        return None
    given = GAME.check_rules(rules)
    if fault("romans") is not None:
        return Why("romans.caveat.no-table", {})
    if sorted(given["fort_deck"]) != sorted(own_deck("romans")):
        return Why("romans.caveat.deck", {})
    if given["original_rules"]:
        return Why("romans.caveat.original", {})
    if given["qween"] != "adds":
        return Why("romans.caveat.qween", {})
    return None
