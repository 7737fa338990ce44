"""Tables of games: the very games that a simulation counts, each row a whole record with what came of it."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from meadhall import Match
from meadhall.engine.rng import RngState, seed_word
from meadhall.games.game import game_named
from meadhall.games.goths.state import CHOICES
from meadhall.games.romans.state import CHARM, DISCARD, FORTS, KEEP_AXX, PAY, PLAN, REORDER, TAKE, WARRIORS
from meadhall.lab import simulate
from meadhall.lab.arena import play
from meadhall.lab.arena.arena import Arena, prepare
from meadhall.lab.arena.entrants import read_entrants
from meadhall.lab.arena.saving import save
from meadhall.lab.data.reading import Games, records
from meadhall.lab.data.tables import About
from meadhall.lab.simulate.recording import Recorded, Recorder
from meadhall.lab.simulate.saving import SavedGames
from tests.variants import VARIANTS, Variant, variant_named

pq = pytest.importorskip("pyarrow.parquet")
GAMES = 12
KINDS = ("order", "act", "look", "enter", "build")  # of choices in Goths
DOCS = (Path(__file__).parent.parent.parent / "docs" / "data.md").read_text()


def saved(path: Path, variant: Variant, games: int, cores: int = 2, seed: int | str = 5) -> simulate.Simulation:
    """Games played and saved as `meadhall sim --save` does it."""
    with SavedGames(path, About(variant.game, variant.rules, seed)) as keeper:
        simulation = simulate.prepare(variant.game, variant.rules, games, seed, cores, keeper)
        return simulate.run(simulation, keeper=keeper)


def recorder(variant: Variant) -> Recorder:
    game = game_named(variant.game)
    start = game.blank(game.check_rules(variant.rules)).array()
    record_games = simulate.compiled_recording(variant.game).record_games
    return Recorder(record_games, start, seed_word(5), simulate.batch_module(variant.game).TALLY_SIZE)


def rows_of(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


# The games of a simulation


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_games_are_recorded_as_they_are_counted(variant: Variant) -> None:
    batch, play_games = simulate.batch_module(variant.game), simulate.compiled_batch(variant.game).play_games
    recorded = recorder(variant).record(3, GAMES)
    state, box = variant.deal(0).state, RngState()
    for k in range(GAMES):
        tally = np.zeros(batch.TALLY_SIZE, np.int64)
        play_games(state.array(), box.array(), seed_word(5), 3 + k, 1, tally)
        assert recorded.tallies[k].tolist() == tally.tolist()
        assert recorded.ended[k].tobytes() == bytes(state)


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_games_of_any_length_find_room(game: str) -> None:
    variant = next(variant for variant in VARIANTS if variant.game == game)
    roomy, narrow = recorder(variant), recorder(variant)
    roomy._room, narrow._room = 100_000, 1
    one, other = roomy.record(0, 30), narrow.record(0, 30)
    assert narrow._room > 1
    for name in Recorded.__dataclass_fields__:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_file_is_the_same_on_any_number_of_cores_and_counts_what_a_simulation_counts(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulate, "CHUNK", 50)
    variant = next(variant for variant in VARIANTS if variant.game == game)
    found = [saved(tmp_path / f"{cores}.parquet", variant, 230, cores) for cores in (1, 2, 5)]
    files = [(tmp_path / f"{cores}.parquet").read_bytes() for cores in (1, 2, 5)]
    assert files[0] == files[1] == files[2]
    counted = simulate.simulate(variant.game, variant.rules, 230, seed=5)
    assert all(simulation.tally.tolist() == counted.tally.tolist() for simulation in found)
    assert [row["number"] for row in rows_of(tmp_path / "5.parquet")] == [*range(230)]
    assert pq.ParquetFile(tmp_path / "5.parquet").num_row_groups == 5


def test_ctrl_c_leaves_the_games_that_were_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "CHUNK", 10)

    def interrupt(done: int) -> None:
        if done == 30:
            raise KeyboardInterrupt

    variant = variant_named("goths, base")
    with SavedGames(tmp_path / "x.parquet", About("goths", {}, 0)) as keeper:
        simulation = simulate.run(simulate.prepare("goths", {}, 1000, 0, 2, keeper), interrupt, keeper)
    assert simulation.done == 30 == len(Games(tmp_path / "x.parquet"))
    with SavedGames(tmp_path / "none.parquet", About("romans", {"players": ["gold", "green"]}, 0)):
        pass  # interrupted before anything was done
    assert rows_of(tmp_path / "none.parquet") == []
    assert list(records(tmp_path / "none.parquet")) == []
    assert variant.rules == Games(tmp_path / "x.parquet").about.rules


def test_what_goes_wrong_while_games_are_written_is_not_lost(tmp_path: Path) -> None:
    class Full(SavedGames):
        def keep(self, made: Any) -> None:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"), Full(tmp_path / "x.parquet", About("goths", {}, 0)) as keeper:
        simulate.run(simulate.prepare("goths", {}, 10, 0, 2, keeper), keeper=keeper)


# Rows and records


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_game_of_a_file_replays_to_what_its_row_says(variant: Variant, tmp_path: Path) -> None:
    saved(tmp_path / "x.parquet", variant, GAMES, seed="a seed")
    rows = rows_of(tmp_path / "x.parquet")
    for row, record in zip(rows, records(tmp_path / "x.parquet"), strict=True):
        match = Match.from_record(record)
        assert match.record() == record
        assert (record["rules"], record["meta"]) == (variant.rules, {"seed": "a seed", "number": row["number"]})
        assert record["setup"] == row["setup"]
        check_outcome(match, row)
        check_facts(match, row)
        again = Match(match.header)  # the numbers are those that a match takes
        for seat, choice in zip(row["seats"], row["choices"], strict=True):
            again.commit(again.seats[seat], choice)
        assert again.position() == match.position()


def check_outcome(match: Match, row: dict[str, Any]) -> None:
    outcome = match.outcome
    assert outcome is not None
    assert (tuple(row["winners"]), row["ending"]) == (outcome.winners, outcome.reason)
    assert row["winner"] == (outcome.winners[0] if len(outcome.winners) == 1 else None)
    assert row["turns"] == match.game.turn(match.state)


def check_facts(match: Match, row: dict[str, Any]) -> None:
    """The columns that each game has of its own."""
    position = match.position()
    if match.game.name == "romans":
        assert row["rounds"] == position["round"]
        assert row["lost_forts"] == position["discarded_forts"]
        for name, clan in position["clans"].items():
            assert row[f"points_{name}"] == position["outcome"]["points"][name]
            assert row[f"forts_{name}"] == clan["forts"]
        return
    happened = Counter((event.code, event.args.get("clan")) for event in match.full_events())
    for name, clan in position["clans"].items():
        assert (row[f"place_{name}"], row[f"units_{name}"]) == (clan["place"], clan["units"])
        assert (row["orders"], row[f"through_{name}"]) == (happened["revealed", name], happened["understood", name])


def test_rows_are_found_in_any_order_over_several_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "CHUNK", 4)
    saved(tmp_path / "x.parquet", variant_named("romans, three"), 14)
    everything = list(records(tmp_path / "x.parquet"))
    asked = [13, 0, 4, 3, 4, 12]
    assert list(records(tmp_path / "x.parquet", asked)) == [everything[row] for row in asked]


# The games of an arena


def arena_of(game: str, rules: dict[str, Any], bots: list[str], games: int) -> Arena:
    """An arena played in this very process."""
    fixed = read_entrants(game, ["random"])[0] if game == "goths" else None
    arena = prepare(game, rules, read_entrants(game, bots), games, seed=1, fixed=fixed, cross_games=2, keep=True)
    for meeting, played in zip(arena.meetings, arena.played, strict=True):
        for deal in range(meeting.deals):
            fixture = play.Fixture(meeting.first.bots, meeting.second.bots)
            played[deal] = play.play_deal(arena.setting, fixture, deal)
    return arena


def played_in(arena: Arena) -> Iterator[tuple[int, play.Played]]:
    for deals in arena.played:
        for deal in sorted(deals):
            yield from enumerate(deals[deal])


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("goths", {"fog_of_war": True, "turn_limit": 30}),
        ("romans", {"players": ["red", "gold", "green"], "neutrals": ["violet"]}),
    ],
)
def test_every_game_of_an_arena_is_a_row_with_its_bots(game: str, rules: dict[str, Any], tmp_path: Path) -> None:
    arena = arena_of(game, rules, ["easy", "random"], 6)
    save(arena, tmp_path / "x.parquet")
    rows = rows_of(tmp_path / "x.parquet")
    sides = list(arena.setting.seats_by_side)
    games = zip(rows, records(tmp_path / "x.parquet"), played_in(arena), strict=True)
    for number, (row, record, (way, played)) in enumerate(games):
        match = Match.from_record(record)
        check_outcome(match, row)
        check_facts(match, row)
        assert (row["number"], row["forfeit"]) == (number, None)
        assert record["setup"] == Match.new(game, rules, row["seed"]).header.setup
        assert record["meta"]["bots"].keys() == set(match.seats)
        share = 1 / len(row["winners"]) if sides[way] in row["winners"] else 0.0
        assert played.score == (share if row["winners"] else 1 / len(sides))
    assert {row["bot_ostrogoth_king" if game == "goths" else "bot_red"] for row in rows} == {"easy", "random"}


@pytest.mark.parametrize(
    ("game", "rules", "seat", "winners"),
    [
        ("goths", {}, "visigoth-warchief", ["ostrogoth"]),
        ("romans", {"players": ["red", "gold", "green"], "neutrals": ["violet"]}, "gold", ["red", "green"]),
    ],
)
def test_a_game_that_a_bot_forfeits_is_won_by_its_rivals(
    game: str, rules: dict[str, Any], seat: str, winners: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = play.bots.choose

    def fails(level: str, view: Any, rng: Random) -> str:
        assert view.seat != seat
        return chosen(level, view, rng)

    monkeypatch.setattr(play.bots, "choose", fails)
    save(arena_of(game, rules, ["random", "random"], 2), tmp_path / "x.parquet")
    for row, record in zip(rows_of(tmp_path / "x.parquet"), records(tmp_path / "x.parquet"), strict=True):
        assert (row["forfeit"], row["ending"], row["winners"]) == (seat, "forfeit", winners)
        assert row["winner"] == (winners[0] if len(winners) == 1 else None)
        match = Match.from_record(record)
        assert match.outcome is None
        assert seat in match.waiting


def test_an_arena_that_was_stopped_at_once_is_a_table_without_rows(tmp_path: Path) -> None:
    arena = prepare("goths", {}, read_entrants("goths", ["random", "random"]), 2, keep=True)
    save(arena, tmp_path / "x.parquet")
    assert rows_of(tmp_path / "x.parquet") == []
    assert "bot_visigoth_warchief" in Games(tmp_path / "x.parquet").schema.names


def test_an_arena_that_keeps_nothing_sends_nothing() -> None:
    arena = prepare("goths", {}, read_entrants("goths", ["random", "random"]), 2)
    (played, _) = play.play_deal(arena.setting, play.Fixture(("random",) * 2, ("random",) * 2), 0)
    assert played.kept is None


# The page about it


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of each game."""
    found = tmp_path_factory.mktemp("data")
    saved(found / "goths.parquet", Variant("", "goths", {}), 100, seed=0)
    four = {"players": ["gold", "green", "violet", "red"]}
    saved(found / "romans.parquet", Variant("", "romans", four), 100, seed=0)
    return found


@pytest.mark.parametrize("program", ["duckdb", "polars", "pandas"])
@pytest.mark.parametrize("game", ["goths", "romans"])
def test_every_program_reads_every_column(program: str, game: str, folder: Path) -> None:
    file, module = str(folder / f"{game}.parquet"), pytest.importorskip(program)
    expected = pq.ParquetFile(file).schema_arrow.names
    if program == "duckdb":
        found = module.sql(f"FROM '{file}' LIMIT 1")
        assert list(found.columns) == expected
        assert len(found.fetchall()) == 1
    else:
        assert list(module.read_parquet(file).columns) == expected


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_every_column_is_described(game: str, folder: Path) -> None:
    described = set(re.findall(r"^\| `(\w+)` \|", DOCS, re.MULTILINE))
    clans = "|".join(game_named(game).sides(Games(folder / f"{game}.parquet").about.rules))
    names = Games(folder / f"{game}.parquet").schema.names
    assert {re.sub(rf"_({clans})$", "_CLAN", name) for name in names} <= described


def test_the_numbers_of_choices_are_those_of_the_page() -> None:
    numbered = re.findall(r"^\| (\d+)[\d, to]* \| `([a-z]+)", DOCS, re.MULTILINE)
    goths = [next(place for place, name in enumerate(CHOICES) if name.startswith(kind)) for kind in KINDS]
    romans = [PLAN, REORDER, CHARM, TAKE, KEEP_AXX, DISCARD, PAY]
    kinds = [*KINDS, "plan", "reorder", "charm", "take", "keep", "discard", "pay"]
    assert [(int(first), kind) for first, kind in numbered] == [*zip([*goths, *romans], kinds, strict=True)]
    assert ", ".join(WARRIORS) in DOCS
    assert ", ".join(FORTS[:4]) in DOCS
