"""Our own files for the browser: each address carries a fingerprint of the file, so it can be kept for ever."""

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import PurePosixPath

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@cache
def _files() -> dict[str, bytes]:
    folder = files("meadhall").joinpath("web", "static")
    return {file.name: file.read_bytes() for file in folder.iterdir() if PurePosixPath(file.name).suffix in _TYPES}


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
        raise KeyError(f"there is no file {name} in web/static")
    return f"/static/{_version()}/{name}"


@get("/static/{version:str}/{name:str}", include_in_schema=False, sync_to_thread=False)
def static(version: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """One of our files; an old address still gets the new file, but only for a moment."""
    data = _files().get(name)
    if data is None:
        raise NotFoundException
    kept = "public, max-age=31536000, immutable" if version == _version() else "no-cache"
    return Response(data, media_type=_TYPES[PurePosixPath(name).suffix], headers={"cache-control": kept})
