"""The files that hold the rules of each game."""

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_SHARED = ("engine/layout.py", "engine/bits.py", "engine/rng.py")
RULES_MODULES = ("state", "setup", "rules", "view")
"""The modules of a game's folder whose functions can be compiled; a later one may call an earlier one."""


def rules_sources(game: str) -> list[Path]:
    """The source files of a game's rules, and of the small sets and random numbers they are written with."""
    rooms = (f"games/{game}/{name}.py" for name in RULES_MODULES)
    return [_PACKAGE / source for source in (*_SHARED, *rooms)]
