"""Fixtures for all tests."""

import pytest

from tests.table import SPEEDS


@pytest.fixture(params=SPEEDS)
def speed(request: pytest.FixtureRequest) -> str:
    """Every test that asks for it runs interpreted and compiled."""
    return str(request.param)
