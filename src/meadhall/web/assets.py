"""Our own files for the browser: each address carries a fingerprint of them all, so a file can be kept for ever."""

from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from meadhall.web.folders import game_folders, shared

_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
# The sheets that a game's folder may have, in the order in which a table links them: a later one may override.
GAME_SHEETS = ("style", "board", "hand", "story", "telling", "widths")


def find(roots: Iterable[str] | None = None) -> dict[str, bytes]:
    """Every file for the browser: the shared ones by their names, a game's as GAME/NAME."""
    places = list(roots) if roots is not None else None
    folders = {"": shared(places) / "static"} | {f"{game}/": folder for game, folder in game_folders(places).items()}
    return {prefix + file.name: file.read_bytes() for prefix, folder in folders.items() for file in _served(folder)}


def _served(folder: Path) -> list[Path]:
    return [file for file in sorted(folder.iterdir()) if file.suffix in _TYPES]


@cache
def _files() -> dict[str, bytes]:
    return find()


@cache
def _version() -> str:
    """One fingerprint for all: modules import each other by name, so they must change together."""
    whole = blake2b(digest_size=6)
    for name, data in sorted(_files().items()):
        whole.update(name.encode() + data)
    return whole.hexdigest()


def asset(name: str) -> str:
    """The address of one of our files."""
    if name not in _files():
        raise KeyError(f"there is no file {name} in web/static or in a game's folder")
    return f"/static/{_version()}/{name}"


def sheets(game: str) -> list[str]:
    """The addresses of the style sheets of a game's table, in their order."""
    names = (f"{game}/{sheet}.css" for sheet in GAME_SHEETS)
    return [asset(name) for name in names if name in _files()]


def scripts(game: str) -> list[str]:
    """The addresses of the scripts that parts of a game's table may ask for: fetched early, nobody waits for them."""
    return [asset(name) for name in _files() if name.startswith(f"{game}/") and name.endswith(".js")]


def analysis_sheets(game: str) -> list[str]:
    """The addresses of the style sheets of an analysis: no table is there, but pieces of its game are."""
    return [asset(name) for name in analysis_sheet_names(game)]


def analysis_sheet_names(game: str) -> list[str]:
    """The names of those sheets, in their order."""
    return [name for name in ("analysis.css", f"{game}/style.css", f"{game}/analysis.css") if name in _files()]


def rule_sheets(game: str) -> list[str]:
    """The addresses of the style sheets of a game's rules: its pieces as at its table, and how pictures show them."""
    shown = [name for name in ("shown.css", f"{game}/shown.css") if name in _files()]
    return sheets(game) + [asset(name) for name in shown]


@get("/static/{version:str}/{name:path}", include_in_schema=False, sync_to_thread=False)
def static(version: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """One of our files; an old address still gets the new file, but only for a moment."""
    path = name.removeprefix("/")
    data = _files().get(path)
    if data is None:
        raise NotFoundException
    kept = "public, max-age=31536000, immutable" if version == _version() else "no-cache"
    return Response(data, media_type=_TYPES[Path(path).suffix], headers={"cache-control": kept})
