"""The learning example as a module; it imports without PyTorch, which only its training needs."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "ppo.py"


@pytest.fixture(scope="module")
def ppo() -> Any:
    """What `examples/ppo.py` defines."""
    spec = importlib.util.spec_from_file_location("ppo", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
