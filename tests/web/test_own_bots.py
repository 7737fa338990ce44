"""People's own bots at the table: offered by name, never by file, and no harm to anybody when they fail."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from meadhall.bots.own import seats as own_seats
from meadhall.bots.pool import Pool
from meadhall.tables import bots as table_bots
from meadhall.tables.lobby import Lobby
from tests.variants import variant_named
from tests.web.lobbies import GOTHS_SEATS, in_lobby, refusal_of, sitters, until
from tests.web.server import Server, good, refused, run_serve
from tests.web.visitor import Browser

TWO = variant_named("romans, two")
LAST = "def choose(view, choices, rng):\n    return choices[-1]\n"
BAD = {
    "raises.py": "def choose(view, choices, rng):\n    raise ValueError('no idea')\n",
    "nonsense.py": "def choose(view, choices, rng):\n    return 'act:fly'\n",
    "hangs.py": "def choose(view, choices, rng):\n    while True: pass\n",
    "leaves.py": "import os\ndef choose(view, choices, rng):\n    os._exit(0)\n",
}


@pytest.fixture
def own(tmp_path: Path) -> dict[str, Path]:
    files = {name: tmp_path / name for name in ("mine.py", *BAD)}
    for name, file in files.items():
        file.write_text(BAD.get(name, LAST))
    return files


@pytest.fixture
def pool(own: dict[str, Path]) -> Iterator[Pool]:
    pool = Pool(own=own)
    yield pool
    pool.close()


class Log:
    """What was logged."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, dict[str, Any]]] = []

    def warning(self, what: str, **more: Any) -> None:
        self.lines.append(("warning", what, more))

    def error(self, what: str, **more: Any) -> None:
        self.lines.append(("error", what, more))


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    log = Log()
    monkeypatch.setattr(table_bots, "log", log)
    return log


def test_an_own_bot_plays_as_its_file_says(tmp_path: Path, pool: Pool, log: Log) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": "mine.py"}, "ann")
        wanted = table.match.view("green").choices[-1]
        await until(lambda: table.answered("green", table.position) is not None)
        assert table.answered("green", table.position) == wanted
        assert log.lines == []

    in_lobby(tmp_path, work, pool=pool)


@pytest.mark.parametrize("name", BAD)
def test_another_chooses_for_an_own_bot_that_fails_and_the_log_says_so(
    name: str, tmp_path: Path, pool: Pool, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_seats, "AT_A_TABLE", own_seats.prompt(1.0))

    async def work(here: Lobby) -> None:
        table = await here.open_table("romans", TWO.rules, {"gold": "me", "green": name}, "ann")
        await until(lambda: table.answered("green", table.position) is not None)
        assert table.waiting == ("gold",)
        [(kind, what, more)] = log.lines
        assert (kind, what, more["bot"]) == ("warning", "a bot failed", name)
        assert (more["code"], more["seat"]) == (table.code, "green")

    in_lobby(tmp_path, work, pool=pool)


def test_an_own_bot_that_is_no_longer_there_is_stood_in_for(tmp_path: Path, pool: Pool, log: Log) -> None:
    async def leave(here: Lobby) -> str:
        here.pool.close()  # nobody answers here
        return (await here.open_table("romans", TWO.rules, {"gold": "me", "green": "mine.py"}, "ann")).code

    async def come_back(here: Lobby) -> None:
        table = await here.table(code)
        await until(lambda: table.waiting == ("gold",))
        assert [line[2]["bot"] for line in log.lines] == ["mine.py"]
        await here.end(code, "ann")
        assert sitters(await here.table(await here.again(code, "ann")))["green"] == "easy"

    code = in_lobby(tmp_path, leave, pool=pool)
    log.lines.clear()
    in_lobby(tmp_path, come_back)


def test_nobody_can_name_a_file(tmp_path: Path, pool: Pool, own: dict[str, Path]) -> None:
    async def work(here: Lobby) -> None:
        table = await here.open_table("goths", {}, {GOTHS_SEATS[0]: "me"}, "ann")
        for name in (str(own["mine.py"]), "./mine.py", "mine", "other.py", "../mine.py"):
            for attempt in (
                here.seat_bot(table.code, "ann", GOTHS_SEATS[1], name),
                here.fill(table.code, "ann", name),
                here.open_table("romans", TWO.rules, {"gold": name}, "ann"),
            ):
                refusal = await refusal_of(attempt)
                assert (refusal.key, refusal.status) == ("ui.refused.level", 422)
                assert "random, easy, medium, hard, mine.py" in str(refusal)

    in_lobby(tmp_path, work, pool=pool)


def test_a_server_offers_own_bots_on_the_host_page(tmp_path: Path, own: dict[str, Path]) -> None:
    with Server(tmp_path, env={"MEADHALL_BOTS": str(own["mine.py"])}) as server:
        browser = Browser(server)
        page = browser.get("/host?game=goths").text
        assert page.count('<option value="mine.py"') == 4
        assert str(tmp_path) not in page
        seats = {f"seat-{seat}": "mine.py" for seat in GOTHS_SEATS}
        answer = browser.post("/host", {"game": "goths", **seats, f"seat-{GOTHS_SEATS[1]}": "me"})
        assert answer.status_code == 303
        table = browser.get(answer.headers["location"]).text
        assert "bot (mine.py)" in table
        refused(
            server.player().ask("POST", "/tables", {"game": "goths", "seats": {GOTHS_SEATS[0]: str(own["mine.py"])}}),
            422,
            "mine.py",
        )
        player = server.player()
        code = player.open_table("goths", {GOTHS_SEATS[0]: "mine.py", GOTHS_SEATS[1]: "me"})
        assert good(player.ask("GET", f"/tables/{code}"))["seats"][0]["level"] == "mine.py"


@pytest.mark.parametrize(
    ("text", "complaint"), [("def choose(", "is not Python"), ("pass\n", "has no choose"), (None, "there is no file")]
)
def test_a_server_does_not_start_with_a_file_that_is_no_bot(text: str | None, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    if text is not None:
        file.write_text(text)
    errors = tmp_path / "errors"
    serve = run_serve("--port", "0", "--db", str(tmp_path / "db"), log=errors, env={"MEADHALL_BOTS": str(file)})
    assert serve.wait(60) == 2
    serve.stdout.close()  # type: ignore[union-attr]
    [line] = errors.read_text().splitlines()
    assert line.startswith("meadhall: ")
    assert complaint in line
    assert "broken.py" in line
