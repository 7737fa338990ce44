"""Both games in the interfaces that researchers use: vectorised, PettingZoo, OpenSpiel.

`goths_v1` and `romans_v1` are PettingZoo modules, `openspiel` registers the games with OpenSpiel when it is imported;
both need the extra `meadhall[envs]`. `vector` and `redeal` need nothing but NumPy and Numba.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from meadhall.envs.vectorised import VectorEnv, redeal, vector

__all__ = ["VectorEnv", "redeal", "vector"]


def __getattr__(name: str) -> Any:
    """What needs a compiler is imported only when asked for."""
    if name in __all__:
        from meadhall.envs import vectorised

        return getattr(vectorised, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
