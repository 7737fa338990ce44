"""All there is to know about a match at a moment, so that two matches can be compared."""

from typing import Any

from meadhall.match import SPECTATOR, Match


def all_about(match: Match) -> dict[str, Any]:
    """The state and what every seat sees of it; the events are many and are compared at the end."""
    seats = (*match.seats, SPECTATOR)
    return {
        "state": bytes(match.state),
        "position": match.position(),
        "waiting": match.waiting,
        "outcome": match.outcome,
        "views": [match.view(seat).json() for seat in seats],
        "view records": [bytes(match.view(seat).state) for seat in seats],
    }
