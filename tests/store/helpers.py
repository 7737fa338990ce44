"""What the store's tests share."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from meadhall.store import Store, open_store


@contextlib.asynccontextmanager
async def opened(where: str | Path) -> AsyncIterator[Store]:
    """The store at this place, closed at the end, with no task left behind."""
    before = asyncio.all_tasks()
    store = await open_store(where)
    try:
        yield store
    finally:
        await store.close()
    left = {task.get_name() for task in asyncio.all_tasks() - before}
    assert not left & {"store writer", "store listener"}


async def a_table(store: Store, code: str = "ABCD", *entries: str) -> int:
    return await store.create(code, "goths", '{"game": "goths"}', "open", True, list(entries))


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something another process or connection will bring about."""
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.005)


def slow_commits(monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[float]:
    """Make storage slow; the list that is returned grows with every commit."""
    return around_commits(monkeypatch, lambda: asyncio.sleep(seconds))


def around_commits(monkeypatch: pytest.MonkeyPatch, before: Callable[[], Awaitable[object]]) -> list[float]:
    """Have something happen before each commit; the list that is returned grows with every commit that went through."""
    commits: list[float] = []
    commit, commit_in_thread = AsyncConnection.commit, Connection.commit

    async def changed(connection: AsyncConnection) -> None:
        await before()
        await commit(connection)
        commits.append(time.monotonic())

    def changed_in_thread(connection: Connection) -> None:
        if threading.current_thread() is threading.main_thread():  # on behalf of the other one
            commit_in_thread(connection)
            return
        asyncio.run(before())  # type: ignore[arg-type]
        commit_in_thread(connection)
        commits.append(time.monotonic())

    monkeypatch.setattr(AsyncConnection, "commit", changed)
    monkeypatch.setattr(Connection, "commit", changed_in_thread)
    return commits
