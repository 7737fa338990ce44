"""The same rules functions, compiled with Numba over arrays of records.

Nothing is written twice: every function of the rules modules is cloned with globals in which its
neighbours are compiled clones too, and `emit` is a function that does nothing.
"""

import hashlib
import os
import sys
import tempfile
import time
import types
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np

from meadhall.engine import bits
from meadhall.engine import rng as dice
from meadhall.engine.sources import RULES, rules_sources
from meadhall.faults import Fault

# What is compiled: the rules, and random play of whole games.
_MODULES = {game: (*modules, "batch") for game, modules in RULES.items()}
_HERE = Path(__file__).parent.parent


def _cache_folder(game: str, *beside: Path) -> Path:
    """Where machine code is kept, named after all rules sources: Numba looks at one file at a time."""
    digest = hashlib.blake2b(digest_size=8)
    for source in (*rules_sources(game), _HERE / f"games/{game}/batch.py", Path(__file__), *beside):
        digest.update(source.read_bytes())
    digest.update(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    for base in (Path(home) / "meadhall", Path(tempfile.gettempdir()) / f"meadhall-{os.getuid()}"):
        folder = base / f"{game}-{digest.hexdigest()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "writable").touch()
        except OSError:
            continue
        return folder
    raise Fault("there is no folder to keep compiled rules in; set XDG_CACHE_HOME to one that can be written")


def _silent(s: Any, code: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0, e: Any = 0, to: Any = 0) -> None:
    """What `emit` becomes: nothing, and the compiler takes its arguments away with it."""


def _clone(function: Callable[..., Any], module_globals: dict[str, Any], jit: Callable[..., Any]) -> Any:
    twin = types.FunctionType(
        function.__code__, module_globals, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__qualname__ = function.__qualname__
    twin.__module__ = function.__module__
    return jit(twin)


@cache
def compiled(game: str) -> SimpleNamespace:
    """Every rules function of a game, and the dice, as compiled functions under their own names."""
    twins = _twins(game, _cache_folder(game), ())
    return SimpleNamespace(**{function.__name__: twin for function, twin in twins.items()})


@cache
def compiled_beside(game: str, modules: tuple[str, ...]) -> SimpleNamespace:
    """The functions of other modules, compiled together with a game's rules, which they may call."""
    beside = [import_module(name) for name in modules]
    sources = [Path(str(module.__file__)) for module in beside]
    twins = _twins(game, _cache_folder(game, *sources), beside)
    return SimpleNamespace(
        **{function.__name__: twin for function, twin in twins.items() if function.__module__ in modules}
    )


def _twins(game: str, folder: Path, beside: Sequence[ModuleType]) -> dict[Any, Any]:
    """A compiled clone for every function.

    Rules alone are made part of whatever calls them, for speed; with a search around them that would take minutes.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        raise Fault("NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it")
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    jit = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=not beside)
    twins: dict[Any, Any] = {}
    twins[import_module("meadhall.engine.layout").emit] = jit(_silent)
    rules = [bits, dice, *(import_module(f"meadhall.games.{game}.{name}") for name in _MODULES[game])]
    for module in (*rules, *beside):
        own = dict(vars(module))
        functions = [
            value
            for value in own.values()
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__
        ]
        for function in functions:
            twins[function] = _clone(function, own, jit)
        for name, value in list(own.items()):
            if isinstance(value, types.FunctionType) and value in twins:
                own[name] = twins[value]
    return twins


def warmed_up(game: str, warm_up: Callable[[], object]) -> float:
    """Run what may compile, with a note on the terminal meanwhile; gives the seconds it took."""
    start = time.perf_counter()
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(f"Compiling the rules of {game} (once; the result is kept on disk)"):
            warm_up()
    else:
        warm_up()
    return time.perf_counter() - start
