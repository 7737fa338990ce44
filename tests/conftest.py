"""Fixtures for all tests."""

import asyncio
import gc
from functools import partial
from importlib.util import find_spec

import pytest

from tests.loops import beside_a_browser
from tests.order import rank
from tests.store.postgres import database, postgres
from tests.table import SPEEDS

if find_spec("playwright"):  # not where rules alone are tested; and here, as there can be one browser in a process
    from tests.web.browser import chromium as chromium
    from tests.web.browser import visit as visit

__all__ = ["database", "postgres", "speed"]


@pytest.fixture(params=SPEEDS)
def speed(request: pytest.FixtureRequest) -> str:
    """Every test that asks for it runs interpreted and compiled."""
    return str(request.param)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, those that take long come first."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: rank(item.nodeid))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of tests stay to the end: whoever collects garbage meanwhile need not look through them each time."""
    gc.collect()
    gc.freeze()


asyncio.run = partial(beside_a_browser, asyncio.run)
