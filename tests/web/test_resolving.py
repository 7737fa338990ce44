"""A request finds its table once, and what it caches on behalf of strangers stays small."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from meadhall.tables.lobby import Lobby
from meadhall.tables.seated import Seated
from meadhall.web.app import create
from meadhall.web.pages.qr import Codes
from meadhall.web.settings import Settings

ORIGIN = {"origin": "http://testserver.local"}


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create(Settings(db=str(tmp_path / "tables.sqlite"), bot_pause="0", warm_up=0.0))) as client:
        yield client


def test_a_page_and_a_choice_find_their_table_once(visitor: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = {"seat-gold": "me", "seat-green": "open", "seat-violet": "nobody", "seat-red": "nobody"}
    made = visitor.post("/host", data={"game": "romans", **seats}, headers=ORIGIN, follow_redirects=False)
    where = made.headers["location"]
    found: list[str] = []
    seated = Lobby.seated

    async def counted(self: Lobby, code: str) -> Seated:
        found.append(code)
        return await seated(self, code)

    monkeypatch.setattr(Lobby, "seated", counted)
    assert visitor.get(where).status_code == 200
    assert len(found) == 1
    found.clear()
    fields = {"position": "99", "choice": "charm:gold"}
    answer = visitor.post(f"{where}/choose", data=fields, headers=ORIGIN | {"x-fragment": "table"})
    assert answer.status_code == 409
    assert len(found) == 1


def test_the_codes_of_links_are_kept_for_a_few_hosts_only_and_each_is_paid_for_once() -> None:
    paid: list[float] = []

    async def ask(codes: Codes, host: str, pay: bool = True) -> Any:
        return await codes.get(f"http://{host}/t/BBBBBB", lambda cost: paid.append(cost) is None and pay)

    async def work() -> None:
        codes = Codes(kept=8)
        first = [await ask(codes, f"host-{k}") for k in range(40)]
        assert all("<svg" in code for code in first)
        assert len(set(first)) == 40
        assert await ask(codes, "host-39", pay=False) == first[-1]
        assert len(paid) == 40
        assert await ask(codes, "host-0", pay=False) is None
        together = await asyncio.gather(*(ask(codes, "another") for _ in range(5)))
        assert len(set(together)) == 1

    asyncio.run(work())
