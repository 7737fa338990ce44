"""The same rules functions, compiled with Numba over arrays of records.

Nothing is written twice: every function of the rules modules is cloned with globals in which its
neighbours are compiled clones too, and `emit` is a function that does nothing.
"""

import hashlib
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np

from meadhall.engine import bits, rng
from meadhall.engine.codecache import CompilerLock, cached_in, private_folder
from meadhall.engine.sources import RULES_MODULES, rules_sources
from meadhall.faults import Fault


def _cache_folder(game: str, *beside: Path, inline: bool = False) -> Path:
    """Where machine code is kept, named after all rules sources: Numba looks at one file at a time."""
    digest = hashlib.blake2b(digest_size=8)
    for source in (*rules_sources(game), Path(__file__), *beside):
        digest.update(source.read_bytes())
    digest.update(f"{numba.__version__} {np.__version__} {sys.version} {inline}".encode())
    return private_folder(f"{game}-{digest.hexdigest()}")


def _silent(s: Any, code: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0, e: Any = 0, to: Any = 0) -> None:
    """What `emit` becomes: nothing, and the compiler takes its arguments away with it."""


def _clone(function: Callable[..., Any], module_globals: dict[str, Any], jit: Callable[..., Any]) -> Any:
    twin = FunctionType(
        function.__code__, module_globals, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__qualname__ = function.__qualname__
    twin.__module__ = function.__module__
    return jit(twin)


@cache
def compiled(game: str) -> SimpleNamespace:
    """Every rules function of a game, and the random numbers, as compiled functions under their own names."""
    return _by_name(_rules_twins(game, inline=True))


@cache
def compiled_beside(game: str, modules: tuple[str, ...], inline: bool = False) -> SimpleNamespace:
    """The functions of other modules, each of which may call the game's rules and the modules before it.

    The names that a module lists as GIVEN are filled in by the module before it.
    """
    twins = _twins_beside(game, modules, inline)
    return _by_name({function: twin for function, twin in twins.items() if function.__module__ in modules})


def _by_name(twins: Mapping[Any, Any]) -> SimpleNamespace:
    return SimpleNamespace(**{function.__name__: twin for function, twin in twins.items()})


@cache
def _rules_twins(game: str, *, inline: bool) -> dict[Any, Any]:
    """A compiled clone of every rules function, made part of whatever calls it if `inline`.

    That makes rules alone much faster; with a search around them it would take minutes to compile.
    """
    jit = _compiler(_cache_folder(game, inline=inline), inline=inline)
    twins = {import_module("meadhall.engine.layout").emit: jit(_silent)}
    for module in (bits, rng, *(import_module(f"meadhall.games.{game}.{name}") for name in RULES_MODULES)):
        _add_twins(twins, module, jit)
    return twins


@cache
def _twins_beside(game: str, modules: tuple[str, ...], inline: bool) -> dict[Any, Any]:
    """Clones of the rules and of other modules; those that begin with the same modules share their machine code."""
    if not modules:
        return _rules_twins(game, inline=inline)
    twins = dict(_twins_beside(game, modules[:-1], inline))
    *before, module = (import_module(name) for name in modules)
    sources = [Path(str(each.__file__)) for each in (*before, module)]
    given = {name: vars(before[-1])[name] for name in getattr(module, "GIVEN", ())}
    _add_twins(twins, module, _compiler(_cache_folder(game, *sources, inline=inline), inline=inline), given)
    return twins


def _add_twins(
    twins: dict[Any, Any], module: ModuleType, jit: Callable[..., Any], given: Mapping[str, Any] | None = None
) -> None:
    """Clone every function of a module, with globals in which whatever has a twin is replaced by it.

    What the module has others fill in (its GIVEN) is `given`: so one loop serves every game.
    """
    own = dict(vars(module)) | dict(given or {})
    functions = [value for value in own.values() if isinstance(value, FunctionType)]
    twins |= {function: _clone(function, own, jit) for function in functions if function.__module__ == module.__name__}
    own.update(
        {name: twins[value] for name, value in own.items() if isinstance(value, FunctionType) and value in twins}
    )


def _compiler(folder: Path, *, inline: bool) -> Callable[..., Any]:
    """What compiles a function when it is first called, and keeps the machine code in a folder."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        raise Fault("NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it")
    declare = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=inline)
    lock = CompilerLock(folder)

    def jit(function: Callable[..., Any]) -> Any:
        with cached_in(folder):
            return lock.guard(declare(function))

    return jit


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
