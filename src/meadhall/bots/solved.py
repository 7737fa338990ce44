"""The solved values strong bots play by: a file for each game, made by `meadhall solve`, refused for other rules."""

import json
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meadhall.faults import Fault
from meadhall.games.fingerprint import rules_hash

FORMAT = 1
Arrays = dict[str, npt.NDArray[Any]]


class SolvedFault(Fault):
    """Solved values that are missing, broken, or made for other rules."""


@dataclass(frozen=True)
class SolvedValues:
    """A game's solved values, and what is known of how they were made."""

    game: str
    arrays: Arrays
    meta: dict[str, Any]


def shipped(game: str) -> Path:
    """Where the package keeps a game's solved values."""
    return Path(str(resources.files(f"meadhall.bots.{game}"))) / "solved.npz"


def save(path: Path, game: str, arrays: Arrays, meta: dict[str, Any]) -> None:
    """Write solved values and the hash of their rules; a file that is there already stays until all is written."""
    whole = {"format": FORMAT, "game": game, "rules": rules_hash(game), **meta}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            text = np.frombuffer(json.dumps(whole, sort_keys=True).encode(), dtype=np.uint8)
            np.savez_compressed(file, meta=text, **arrays)  # type: ignore[arg-type]
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load(game: str, path: Path | None = None) -> SolvedValues:
    """The solved values of a game, if there are any and they fit the rules as they are."""
    file, meta = _opened(game, path or shipped(game))
    with file:
        return SolvedValues(game, {name: file[name] for name in file.files if name != "meta"}, meta)


@cache
def fault(game: str) -> str | None:
    """Why a game has no solved values, if it has none; only their header is read."""
    try:
        _opened(game, shipped(game))[0].close()
    except SolvedFault as found:
        return str(found)
    return None


def _opened(game: str, path: Path) -> tuple[Any, dict[str, Any]]:
    """The file, nothing but its header read yet, and the header."""
    try:
        file = np.load(path, allow_pickle=False)
        meta = json.loads(bytes(file["meta"]))
    except FileNotFoundError:
        raise SolvedFault(
            f"{path.name}: there are no such solved values; make them with: meadhall solve {game}"
        ) from None
    except Exception:  # NumPy, zipfile and json each have their own ways to say so
        raise SolvedFault(
            f"{path.name} holds no solved values of this program; make them with: meadhall solve {game}"
        ) from None
    if meta.get("format") != FORMAT or meta.get("game") != game:
        raise SolvedFault(f"{path.name} holds no solved values for {game}; make them with: meadhall solve {game}")
    if meta.get("rules") != rules_hash(game):
        raise SolvedFault(f"{path.name} was made for other rules; make it anew with: meadhall solve {game}")
    return file, meta
