"""Chances as people read them."""


def percent(chance: float) -> int:
    """A chance as a whole number of per cent; only what is certain is 0 or 100."""
    return round(100 * chance) if chance in (0.0, 1.0) else min(99, max(1, round(100 * chance)))
