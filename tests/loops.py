"""Event loops for tests, where Playwright may keep one of its own running in the same thread."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def beside_a_browser(call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call something that runs a loop: in a thread of its own while a browser is open, as that has a loop running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return call(*args, **options)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call, *args, **options).result()
