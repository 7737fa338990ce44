"""The files that hold the rules of each game."""

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_SHARED = ("engine/layout.py", "engine/bits.py", "engine/rng.py")
# The modules whose functions are rules; a later one may call an earlier one.
RULES = {
    "goths": ("state", "setup", "rules", "view"),
    "romans": ("state", "setup", "rules", "view"),
}


def rules_sources(game: str) -> list[Path]:
    """The source files of a game's rules, and of the small sets and dice they are written with."""
    rooms = (f"games/{game}/{name}.py" for name in RULES[game])
    return [_PACKAGE / source for source in (*_SHARED, *rooms)]
