"""What the tally of every game starts with, and shares of what was counted."""

GAMES, DECISIONS = 0, 1


def share(part: float, whole: float) -> float:
    """A part of a whole, rounded as reports give it; 0 of nothing."""
    return round(part / whole, 6) if whole else 0.0
