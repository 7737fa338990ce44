"""Nothing is left out: every function of the rules has a compiled twin, made of the very same code."""

from types import FunctionType

import pytest

from meadhall.engine.compiling import compiled
from meadhall.engine.sources import RULES_MODULES
from tests.twins.pair import module


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_every_rules_function_has_a_twin_of_the_same_code(game: str) -> None:
    twins = vars(compiled(game))
    functions = [
        value
        for name in RULES_MODULES
        for value in vars(module(game, name)).values()
        if isinstance(value, FunctionType) and value.__module__.endswith(f"{game}.{name}")
    ]
    assert len(functions) > 30
    assert [f.__name__ for f in functions if twins[f.__name__].py_func.__code__ is not f.__code__] == []
