"""Where each game's browser half lies: a folder of this package with templates of its own."""

from collections.abc import Iterable
from pathlib import Path

from meadhall import web

TEMPLATES = "templates"


def shared(roots: Iterable[str] | None = None) -> Path:
    """The folder whose `templates` and `static` all games share."""
    return Path(next(iter(web.__path__ if roots is None else roots)))


def game_folders(roots: Iterable[str] | None = None) -> dict[str, Path]:
    """The folder of each game, by the game's name; a folder that is added to the package's path counts too."""
    places = [Path(root) for root in (web.__path__ if roots is None else roots)]
    found = (folder for place in places for folder in sorted(place.iterdir()) if (folder / TEMPLATES).is_dir())
    return {folder.name: folder for folder in found}
