"""`meadhall tables` on a store: what it says, what it keeps to itself, and what it changes."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from meadhall.cli import main
from meadhall.cli.terms import TERMS
from meadhall.match import Match
from meadhall.store import base as stores
from meadhall.tables.lobby import Lobby
from meadhall.tables.table import Table
from meadhall.web.settings import Settings
from tests.variants import variant_named
from tests.web.lobbies import KeptPool, in_lobby, opened, play, pool

__all__ = ["pool"]

TWO = variant_named("romans, two")
DAY = 86400.0
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command on the store of this test: its exit status, and what it says."""
    for name in ("DB", "ARCHIVE", *(term.name.upper() for term in TERMS)):
        monkeypatch.delenv(f"MEADHALL_{name}", raising=False)

    def run(word: str, *options: str, db: str | Path = tmp_path / "tables.sqlite") -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["tables", word, "--db", str(db), *options])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def made(tmp_path: Path, pool: KeptPool) -> dict[str, str]:
    """A store with a table of each kind; their codes."""

    async def work(here: Lobby) -> dict[str, str]:
        async def table(seats: dict[str, str], **more: bool) -> Table:
            return await here.open_table("romans", TWO.rules, seats, "ann", "Ann", **more)

        mine = dict.fromkeys(("gold", "green"), "me")
        waiting, playing, over = await table({}), await table(mine), await table(mine, public=False)
        await play(here, playing, Random(1), 1)
        await play(here, over, Random(1))
        bots = await table(dict.fromkeys(mine, "random"))
        return {"open": waiting.code, "playing": playing.code, "over": over.code, "bots": bots.code}

    return dict(in_lobby(tmp_path, work, pool=pool))


@pytest.fixture
def codes(tmp_path: Path, pool: KeptPool, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    return made_at(time.time(), tmp_path, pool, monkeypatch)


def made_at(now: float, tmp_path: Path, pool: KeptPool, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The same, all of it at one time."""
    with monkeypatch.context() as patched:
        patched.setattr(stores, "time", SimpleNamespace(time=lambda: now, monotonic=time.monotonic))
        return made(tmp_path, pool)


def phase_of(tmp_path: Path, code: str) -> str:
    async def look() -> str:
        async with opened(tmp_path) as here:
            return (await here.table(code)).phase

    return asyncio.run(look())


def test_it_lists_tables_and_says_the_same_as_json(codes: dict[str, str], run: Run) -> None:
    status, out, err = run("list")
    assert (status, err) == (0, "")
    assert [line.split()[:3] for line in out.splitlines()] == [
        [codes[kind], "romans", phase]
        for kind, phase in (("bots", "playing"), ("over", "over"), ("playing", "playing"), ("open", "open"))
    ]
    listed = [json.loads(line) for line in run("list", "--json", "--phase", "playing")[1].splitlines()]
    assert [(each["code"], each["bots"], each["public"]) for each in listed] == [
        (codes["bots"], True, True),
        (codes["playing"], False, True),
    ]
    assert run("list", "--game", "goths")[1] == ""
    assert len(run("list", "--limit", "2")[1].splitlines()) == 2


def test_it_shows_no_secret_of_a_running_game_unless_asked_to(
    codes: dict[str, str], run: Run, tmp_path: Path, pool: KeptPool
) -> None:
    async def record(here: Lobby) -> Match:
        return (await here.table(codes["playing"])).match

    match: Match = in_lobby(tmp_path, record, pool=pool)
    (secret,) = [choice for _, choice in match.record()["choices"]]
    shown = json.loads(run("show", codes["playing"], "--json")[1])
    assert shown["view"] == json.loads(json.dumps(match.view("spectator").json()))
    assert secret not in json.dumps(shown)
    assert "record" not in shown
    assert [seat["who"] for seat in shown["seats"]] == ["person", "person"]
    assert json.loads(run("show", codes["playing"], "--json", "--open")[1])["record"] == match.record()
    status, out, _ = run("show", codes["playing"])
    assert status == 0
    assert "gold: person, Ann" in out
    assert len(run("show", codes["playing"], "--open")[1]) >= len(out)
    assert "record" in json.loads(run("show", codes["over"], "--json")[1])
    assert "no table" in run("show", "BBBBBB")[2].lower()


def test_looking_lets_no_bot_play(codes: dict[str, str], run: Run, tmp_path: Path, pool: KeptPool) -> None:
    async def length(here: Lobby) -> int:
        return (await here.table(codes["bots"])).length

    before = in_lobby(tmp_path, length, pool=pool)
    run("show", codes["bots"])
    assert in_lobby(tmp_path, length, pool=pool) == before


def test_it_exports_records_that_replay_reads(
    codes: dict[str, str], run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run("export", "--all")
    assert status == 0
    (line,) = out.splitlines()
    assert Match.from_record(json.loads(line)).outcome is not None
    target = tmp_path / "records.jsonl"
    assert run("export", codes["over"], "--out", str(target)) == (0, "", "")
    assert target.read_text() == out
    assert main(["replay", str(target), "--json", "--lines"]) == 0
    capsys.readouterr()
    status, out, err = run("export", codes["playing"], codes["over"])
    assert (status, out) == (2, line + "\n")
    assert "--open" in err
    assert len(run("export", "--all", "--open")[1].splitlines()) == 4
    assert "--all" in run("export")[2]


def test_it_closes_tables_as_hosts_do_all_or_none(codes: dict[str, str], run: Run, tmp_path: Path) -> None:
    assert run("close", codes["playing"], "BBBBBB")[0] == 2
    assert phase_of(tmp_path, codes["playing"]) == "playing"
    status, out, _ = run("close", codes["playing"].lower(), codes["over"])
    assert (status, out) == (0, f"{codes['playing']}  closed\n{codes['over']}  was over already\n")
    assert phase_of(tmp_path, codes["playing"]) == "ended"


def test_it_prunes_what_the_server_would_and_only_says_so_if_asked(
    tmp_path: Path, pool: KeptPool, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = made_at(time.time() - 100 * DAY, tmp_path, pool, monkeypatch)
    status, out, err = run("prune", "--dry-run", "--keep-records", "50")
    deeds = {line.split()[0]: line.split()[-1] for line in out.splitlines()}
    wanted = {codes["open"]: "closed", codes["playing"]: "ended", codes["bots"]: "ended", codes["over"]: "removed"}
    assert (status, deeds) == (0, wanted)
    assert err == "Would be: 1 closed, 2 ended, 1 removed\n"
    assert phase_of(tmp_path, codes["open"]) == "open"
    archive = tmp_path / "archive"
    assert "--archive" in run("prune", "--archive", str(archive))[2]  # which is not there
    archive.mkdir()
    assert run("prune", "--keep-records", "50", "--archive", str(archive))[1] == out
    (file,) = archive.iterdir()
    assert Match.from_record(json.loads(file.read_text())).outcome is not None
    assert phase_of(tmp_path, codes["open"]) == phase_of(tmp_path, codes["bots"]) == "ended"
    assert "no table" in run("show", codes["over"])[2].lower()
    assert run("prune") == (0, "", "nothing to do\n")
    assert "--end-games must be a number" in run("prune", "--end-games", "soon")[2]


def test_a_file_that_a_server_has_open_and_one_that_is_not_there_get_one_clear_line(
    codes: dict[str, str], run: Run, tmp_path: Path
) -> None:
    async def look() -> tuple[int, str, str]:
        async with opened(tmp_path):
            return await asyncio.to_thread(run, "list")

    status, out, err = asyncio.run(look())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "stop it first" in err
    assert ".backup" in err
    status, out, err = run("list", db=tmp_path / "typo.sqlite")
    assert (status, out) == (2, "")
    assert "there is no database" in err
    assert not (tmp_path / "typo.sqlite").exists()


def test_the_help_says_the_terms_that_hold() -> None:
    assert {term.name: float(term.default) for term in TERMS} == {
        term.name: getattr(Settings(), term.name) for term in TERMS
    }
