"""Goths: what the solved values do not know of. Light enough for a page: neither values nor bots are loaded."""

from typing import Any

from meadhall.bots.evaluation import Reason
from meadhall.bots.solved import fault
from meadhall.games.goths.game import GAME

# A turn limit this far off does not change how to play.
FAR = 100


def caveat(level: str, rules: dict[str, Any]) -> Reason | None:
    """Why a level plays these rules by estimates; only `hard` has values that could be for others."""
    if level != "hard":
        return None
    if fault("goths") is not None:
        return Reason("goths.caveat.no-table", {})
    if rules["king_deck"] != GAME.check_rules({})["king_deck"]:
        return Reason("goths.caveat.deck", {})
    if rules["fog_of_war"]:
        return Reason("goths.caveat.fog", {})
    if rules["lone_rulers"]:
        return Reason("goths.caveat.lone", {})
    limit = rules["turn_limit"]
    return Reason("goths.caveat.limit", {}) if limit is not None and limit < FAR else None
