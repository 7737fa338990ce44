"""The whole application in this process: what it reads can be counted, and nothing but its own work takes time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from meadhall.tables.lobby import Lobby
from meadhall.web.app import create
from meadhall.web.settings import Settings


@asynccontextmanager
async def served(where: str) -> AsyncIterator[tuple[Lobby, httpx.AsyncClient]]:
    """A lobby on a store, and a client of its pages and its JSON interface."""
    app = create(Settings(db=where, rate_limit=0, warm_up=0, log_level="error", grace=600, bot_pause="0"))
    async with app.lifespan():
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield app.state.lobby, client
