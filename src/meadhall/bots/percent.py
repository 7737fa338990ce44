"""Chances as people read them."""


def percent(chance: float) -> int:
    """A chance as a whole number of per cent; only what is certain is 0 or 100."""
    return min(max(round(100 * chance), 1 if chance > 0 else 0), 99 if chance < 1 else 100)
