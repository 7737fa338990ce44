"""`meadhall data`, and `--save` of `meadhall sim` and `meadhall arena`: what is printed, written and refused."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meadhall.cli import main
from meadhall.cli.data import GamesFile
from meadhall.faults import Fault
from meadhall.lab import simulate
from meadhall.lab.arena import arena as arenas
from meadhall.lab.data import reading
from tests.test_cli_files import on_a_full_disk

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
ROMANS = ("--players", "red,gold", "--neutrals", "green")
SAVING = [("sim", "goths", "--save"), ("arena", "goths", "--bots", "random", "--save")]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture
def games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A file of games, and nothing else in its folder."""
    file = tmp_path / "games.parquet"
    assert run(capsys, "sim", "romans", *ROMANS, "--games", "30", "--seed", "x", "--save", str(file), "--json")[0] == 0
    assert list(tmp_path.iterdir()) == [file]
    return file


def test_a_simulation_prints_the_same_with_and_without_a_file(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("sim", "romans", *ROMANS, "--games", "30", "--seed", "x", "--json")
    _, saved, _ = run(capsys, *command, "--save", str(games))
    _, plain, _ = run(capsys, *command)
    times = ("seconds", "compile_seconds", "decisions_per_second")
    one, other = ({key: value for key, value in json.loads(out).items() if key not in times} for out in (saved, plain))
    assert one == other


def test_it_says_what_a_file_holds(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "data", str(games))
    assert status == 0
    assert out.splitlines()[:6] == [
        "game     romans",
        'rules    {"players":["red","gold"],"neutrals":["green"]}',
        "seed     x",
        "games    30",
        "columns  number: int64",
        "         seed: string",
    ]


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [("7", [7]), ("3,29,3", [3, 29, 3]), ("27-29", [27, 28, 29]), ("0-1,5", [0, 1, 5]), ("all", [*range(30)])],
)
def test_games_are_printed_as_records(
    asked: str, numbers: list[int], games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "data", str(games), "--records", asked)
    assert status == 0
    assert [json.loads(line)["meta"]["number"] for line in out.splitlines()] == numbers


def test_replay_takes_what_is_printed(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = tmp_path / "games.jsonl"
    lines.write_text(run(capsys, "data", str(games), "--records", "all")[1])
    status, out, err = run(capsys, "replay", str(lines), "--json", "--lines")
    assert (status, err) == (0, "")
    outcomes = [json.loads(line)["outcome"] for line in out.splitlines()]
    assert [outcome["winners"] for outcome in outcomes] == pq.read_table(games)["winners"].to_pylist()


def test_an_arena_saves_its_games_and_reports_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.parquet"
    command = ("arena", "romans", "--bots", "random,random", "--games", "4", "--cores", "1", "--json")
    status, saved, _ = run(capsys, *command, "--save", str(file))
    assert status == 0
    assert run(capsys, *command)[1] == saved
    status, out, _ = run(capsys, "data", str(file), "--records", "all")
    assert [json.loads(line)["meta"]["number"] for line in out.splitlines()] == [0, 1, 2, 3]
    assert json.loads(out.splitlines()[0])["meta"] == {
        "seed": "0 0",
        "number": 0,
        "bots": {"gold": "random", "green": "random"},
    }


# What is refused


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is said on one line of standard error."""
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    return err.removeprefix("meadhall: ").rstrip("\n")


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts to work fails."""

    def work(*_: Any, **__: Any) -> None:
        raise AssertionError("work was started")

    monkeypatch.setattr(arenas, "run", work)
    monkeypatch.setattr(simulate, "prepare", work)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("command", SAVING, ids=lambda command: command[0])
def test_a_file_that_cannot_be_written_is_refused_before_any_work(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.parquet").mkdir()
    (tmp_path / "nothing.parquet").symlink_to("/dev/null")
    for name, said in (
        ("games.csv", "games are saved as a Parquet file; give a name that ends in .parquet"),
        ("no/such.parquet", f"there is no folder {tmp_path}/no"),
        ("folder.parquet", "is a folder; give the name of a file"),
        ("nothing.parquet", "is not a file that can be replaced; give the name of a file"),
        ("x" * 300 + ".parquet", "cannot be written (File name too long)"),
    ):
        file = str(tmp_path / name)
        assert refused(capsys, *command, file) == f"--save {file}: {said}"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("command", [*SAVING, ("data",)], ids=lambda command: command[0])
def test_without_pyarrow_it_says_what_to_install(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("meadhall.lab.data.find_spec", lambda name: None)
    said = refused(capsys, *command, str(tmp_path / "x.parquet"))
    assert said == 'tables of games need pyarrow, which is not installed: pip install "meadhall[data]"'


def test_a_game_without_tables_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(Fault, match=r"there are no tables of pennies; .*src/meadhall/lab/data/pennies.py"):
        GamesFile(tmp_path / "x.parquet", "pennies")


def test_a_full_disk_leaves_the_old_file_and_no_other(games: Path) -> None:
    old = games.read_bytes()
    status, out, err = on_a_full_disk("sim", "goths", "--games", "3000", "--save", str(games), room=4096)
    assert (status, out, err) == (2, "", f"meadhall: --save {games}: cannot be written (File too large)\n")
    assert games.read_bytes() == old
    assert list(games.parent.iterdir()) == [games]


def test_a_full_disk_costs_the_games_of_an_arena_and_not_the_report(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    bots = ("--bots", "random,random", "--games", "40", "--cross-games", "0", "--cores", "1", "--json")
    status, out, err = on_a_full_disk("arena", "goths", *bots, "--save", str(file), room=4096)
    assert (status, err) == (2, f"meadhall: --save {file}: cannot be written (File too large)\n")
    assert json.loads(out)["game"] == "goths"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("30", "{file}: there is no game 30; its games are 0 to 29"),
        ("99999999999999999", "{file}: there is no game 99999999999999999; its games are 0 to 29"),
        *(
            (text, f'argument --records: must be numbers of games, such as 17 or 0-99, or all, not "{text}"')
            for text in ("x", "-1", "", "1-", "1,,2", "٣")
        ),
    ],
)
def test_a_game_that_is_not_there_is_refused(
    asked: str, said: str, games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refused(capsys, "data", str(games), f"--records={asked}")
    assert told.startswith(said.format(file=games).replace('"٣"', '"\\u0663"'))


def test_a_file_that_is_not_ours_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.parquet"
    assert refused(capsys, "data", str(file)) == f"{file}: cannot be read (No such file or directory)"
    assert refused(capsys, "data", str(tmp_path)) == f"{tmp_path}: cannot be read (Is a directory)"
    for text in (b"", b"Dear Theodoric", b"PAR1" + b"\0" * 50 + b"PAR1"):
        file.write_bytes(text)
        assert refused(capsys, "data", str(file)) == f"{file}: is not a Parquet file, or a damaged one"
    pq.write_table(pa.table({"number": [1]}), file)
    assert refused(capsys, "data", str(file)).startswith(f"{file}: holds no games that `meadhall sim`")


def with_metadata(file: Path, table: Any, about: Any) -> None:
    """The table in a file that says this of it."""
    text = about if isinstance(about, str) else json.dumps(about)
    pq.write_table(table.replace_schema_metadata({"meadhall": text}), file)


def test_a_file_that_says_what_makes_no_sense_is_refused(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, about = pq.read_table(games), json.loads(pq.ParquetFile(games).metadata.metadata[b"meadhall"])
    for changed, said in (
        ("nonsense", "what is said of them all is damaged"),
        ([], "what is said of them all is damaged"),
        ({**about, "format": "meadhall/9"}, 'is of format "meadhall/9", table 1; this program reads "meadhall/1"'),
        ({**about, "table": 2}, 'is of format "meadhall/1", table 2;'),
        ({**about, "game": ["romans"]}, "game 0: game must be one of"),
        ({**about, "rules": {"players": 3}}, "game 0: rules.players"),
    ):
        with_metadata(games, table, changed)
        assert said in refused(capsys, "data", str(games), "--records", "0")
    with_metadata(games, table.drop_columns(["seats"]), about)
    assert refused(capsys, "data", str(games)) == f"{games}: has lost its column seats"
    place = table.schema.get_field_index("choices")
    for wrong, said in (
        ([5192], "game 0: choice 0: number 5192 is no choice of seat 0 here"),
        ([-1], "game 0: choice 0: number -1 is no choice of seat 0 here"),
        (table["choices"][0].as_py()[:1], "game 0: the row is damaged"),
        (None, "game 0: the row is damaged"),
        (["17"], "game 0: the row is damaged"),
    ):
        with_metadata(games, table.set_column(place, "choices", pa.array([wrong] * 30)), about)
        assert said in refused(capsys, "data", str(games), "--records", "0")


def test_nobody_loads_pyarrow_who_does_not_need_it() -> None:
    code = (
        "import sys; from meadhall.cli import main; import meadhall.match; import meadhall.lab.arena.arena\n"
        "main(['sim', 'goths', '--games', '3', '--json'])\n"
        "assert not [name for name in sys.modules if name.startswith('pyarrow')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_records_are_read_as_they_are_asked_for(games: Path) -> None:
    found = reading.records(games)
    assert next(found)["meta"] == {"seed": "x", "number": 0}
