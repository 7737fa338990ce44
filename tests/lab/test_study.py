"""Studies: what is counted in games, what is estimated from it, what is kept, and what the reports say."""

import re
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from meadhall import Match
from meadhall.bots import choose
from meadhall.cli import main
from meadhall.faults import Fault
from meadhall.games.goths.state import CARDS, CHARACTERS
from meadhall.games.romans.state import FORTS, WARRIORS
from meadhall.lab.study import estimates, play
from meadhall.lab.study.goths import card_column
from meadhall.lab.study.goths import happened as happened_in_goths
from meadhall.lab.study.keeping import Keeping
from meadhall.lab.study.questions import forts, speed
from meadhall.lab.study.samples import COMPILED, PLAIN, Sample, against, at_random, by_level
from meadhall.lab.study.studies import NAMES, study_named
from meadhall.lab.study.work import Work
from meadhall.lab.study.work import play as play_missing
from meadhall.match import View

TINY = 1 / 400
TWO = {"players": ["gold", "green"]}


def here(function: Any, *arguments: Any) -> Future[Any]:
    """A worker that does at once what it is given."""
    future: Future[Any] = Future()
    future.set_result(function(*arguments))
    return future


def played(work: Work) -> list[Any]:
    return list(play_missing(work, here, lambda: 2))


def first_shard(sample: Sample, games: int) -> Any:
    return next(sample.shards(games / sample.kind))


# What is counted


def test_orders_of_goths_add_up_however_they_are_counted() -> None:
    columns = play.play_shard(first_shard(against("goths", "x", {}, "random", "random", PLAIN), 30), 0)
    given = sum(columns[card_column("given", card)] for card in CARDS)
    through = sum(columns[card_column("through", card)] for card in CARDS)
    done = sum(columns[f"meant_{meant}_did_{did}"] for meant in CHARACTERS for did in CHARACTERS)
    assert (given == 2 * columns["orders"]).all()
    assert (done == given).all()
    assert (through == columns["through_ostrogoth"] + columns["through_visigoth"]).all()
    assert 0 < through.sum() < given.sum()


def test_orders_of_one_game_are_those_of_its_events() -> None:
    match = Match.new("goths", {}, "x")
    for seat, choice in [
        ("ostrogoth-king", "order:catapult/recruiter"),
        ("visigoth-king", "order:vulture/recruiter"),
        ("ostrogoth-warchief", "act:load"),
        ("visigoth-warchief", "act:recruit"),
    ]:
        match.commit(seat, choice)
    counted = {name: count for name, count in happened_in_goths(match).items() if count}
    assert counted == {
        "orders": 1,
        "through_ostrogoth": 1,
        "given_catapult_recruiter": 1,
        "through_catapult_recruiter": 1,
        "meant_catapult_did_catapult": 1,
        "given_vulture_recruiter": 1,
        "meant_vulture_did_recruiter": 1,
    }


@pytest.mark.parametrize("rules", [TWO, TWO | {"neutrals": ["red"]}, {"players": ["red", "gold", "green", "violet"]}])
def test_forts_warriors_and_victories_of_romans_add_up(rules: dict[str, Any]) -> None:
    columns = play.play_shard(first_shard(against("romans", "x", rules, "random", "random", PLAIN), 40), 0)
    players = len(rules["players"])
    shares = sum(columns[f"share_{k}"] for k in range(players))
    assert np.allclose(shares, 1.0)
    whole = columns["ending"] == 0  # all eighteen turns
    assert whole.any()
    shown = sum(columns[f"shown_{warrior}_{place}"] for warrior in WARRIORS for place in range(1, 7))
    assert (shown[whole] == 18 * players).all()
    kept = sum(columns[f"laid_{warrior}"] + columns[f"aside_{warrior}"] for warrior in WARRIORS)
    assert (kept[whole] <= 3 * 7 * players).all()
    assert (sum(columns[f"aside_{warrior}"] for warrior in WARRIORS)[whole] == 3 * players).all()
    assert (sum(columns[f"lost_{fort}"] for fort in FORTS) == columns["lost"]).all()
    if "neutrals" not in rules:
        held = sum(columns[f"held_{fort}_{k}"] for fort in FORTS for k in range(players))
        assert ((held + columns["lost"])[whole] == 18).all()
        captured = sum(columns[f"captures_{warrior}"] for warrior in WARRIORS)
        assert (captured >= held).all()  # some were paid as tax


@pytest.mark.parametrize(("game", "rules"), [("goths", {}), ("romans", TWO)])
def test_compiled_games_and_those_of_the_bots_have_the_same_columns_and_tell_the_same(game: str, rules: Any) -> None:
    fast = play.play_shard(first_shard(at_random(game, "x", rules), 4000), 0)
    slow = play.play_shard(first_shard(against(game, "x", rules, "random", "random", PLAIN), 200), 0)
    assert set(fast) <= set(slow)
    one, other = estimates.mean(fast["turns"]), estimates.mean(slow["turns"])
    assert abs(one.value - other.value) < 2 * (other.high - other.value)


def test_a_shard_is_the_same_whoever_plays_it_and_when() -> None:
    sample = against("romans", "x", TWO, "easy", "random", PLAIN)
    whole = play.play_shard(first_shard(sample, 12), "s")
    parts = [play.play_shard(shard._replace(begin=begin, games=6), "s") for begin, shard in _halves(sample)]
    for name, column in whole.items():
        assert (np.concatenate([part[name] for part in reversed(parts)]) == column).all()


def _halves(sample: Sample) -> Iterator[tuple[int, Any]]:
    yield 6, first_shard(sample, 12)
    yield 0, first_shard(sample, 12)


def test_sides_that_differ_change_seats() -> None:
    columns = play.play_shard(first_shard(against("goths", "x", {}, "easy", "random", PLAIN), 20), 0)
    assert columns["way"].tolist() == [0, 1] * 10
    assert (columns["winner"] == columns["way"]).mean() > 0.8


# What is estimated


def test_an_effect_that_is_there_is_found_and_one_that_is_not_is_not() -> None:
    rng = np.random.default_rng(0)
    features = rng.integers(0, 3, (4000, 2)).astype(float)
    outcomes = 0.2 * features[:, 0] + rng.normal(0, 0.5, 4000)
    there, not_there = estimates.coefficients(outcomes, features, np.repeat(np.arange(2000), 2))
    assert there.low < 0.2 < there.high
    assert there.sign == 1
    assert not_there.low < 0.0 < not_there.high


def test_rows_of_one_game_count_as_one_game() -> None:
    rng = np.random.default_rng(1)
    features, outcomes = rng.normal(size=(200, 1)), rng.normal(size=200)
    (alone,) = estimates.coefficients(outcomes, features, np.arange(200))
    (twice,) = estimates.coefficients(
        np.repeat(outcomes, 2), np.repeat(features, 2, axis=0), np.repeat(np.arange(200), 2)
    )
    assert twice.high - twice.low == pytest.approx(alone.high - alone.low)


def test_intervals_of_differences_hold_what_they_should() -> None:
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        one, other = estimates.mean(rng.normal(1.0, 1.0, 100)), estimates.mean(rng.normal(0.5, 2.0, 100))
        difference = one - other
        held += difference.low < 0.5 < difference.high
    assert 270 <= held <= 297  # of 300: 95 %


def test_things_counted_in_games_are_clusters() -> None:
    even = estimates.ratio([5] * 40, [10] * 40)
    clustered = estimates.ratio([0, 10] * 20, [10] * 40)
    assert even is not None
    assert clustered is not None
    assert clustered.high - clustered.low > 1.5 * (even.high - even.low)
    assert estimates.ratio([0], [0]) is None
    assert estimates.per_unit([3.0], [2.0]) is None


def test_a_fort_that_wins_games_is_worth_something() -> None:
    """Whoever holds the tax fort wins, whatever else he has."""
    rng = np.random.default_rng(3)
    columns: dict[str, Any] = {f"held_{fort}_{k}": rng.integers(0, 2, 500) for fort in FORTS for k in range(2)}
    columns["held_tax-8_1"] = 1 - columns["held_tax-8_0"]
    columns |= {f"share_{k}": columns[f"held_tax-8_{k}"].astype(float) for k in range(2)}
    found = forts.worths(columns, 2)
    assert found["tax-8"].value == pytest.approx(0.5, abs=0.02)
    assert all(found[fort].sign == 0 or abs(found[fort].value) < 0.02 for fort in FORTS if fort != "tax-8")


def test_goths_cannot_be_won_on_the_first_turn_but_on_the_second() -> None:
    assert speed.fastest_in_goths() == 2
    columns = play.play_shard(first_shard(at_random("goths", "x", {}), 20_000), 0)
    assert columns["turns"].min() == 2  # and somebody does


# What is kept


@pytest.fixture
def sample() -> Sample:
    return at_random("goths", "x", {})


def test_what_was_played_is_not_played_again(tmp_path: Path, sample: Sample) -> None:
    keeping = Keeping(tmp_path, 0, 0.2)
    first, second = keeping.missing(sample)
    keeping.keep(first, play.play_shard(first, 0))
    assert list(Keeping(tmp_path, 0, 0.2).missing(sample)) == [second]
    keeping.keep(second, play.play_shard(second, 0))
    table = keeping.table(sample)
    assert table.num_rows == 0.2 * COMPILED
    assert list(Keeping(tmp_path, 0, 0.2).missing(sample)) == []
    assert [file.name for file in (tmp_path / "games").iterdir()] == [f"{sample.name}.parquet"]


def test_other_games_are_not_taken_for_these(tmp_path: Path, sample: Sample) -> None:
    keeping = Keeping(tmp_path, 0, 0.01)
    (shard,) = keeping.missing(sample)
    keeping.keep(shard, play.play_shard(shard, 0))
    fog = Sample(sample.name, "goths", {"fog_of_war": True}, sample.first, sample.others, sample.kind, compiled=True)
    for other, wanted in ((Keeping(tmp_path, 1, 0.01), sample), (Keeping(tmp_path, 0, 0.02), sample), (keeping, fog)):
        assert list(other.missing(wanted))


def test_a_damaged_part_is_played_again(tmp_path: Path, sample: Sample) -> None:
    keeping = Keeping(tmp_path, 0, 0.01)
    (shard,) = keeping.missing(sample)
    keeping.keep(shard, play.play_shard(shard, 0))
    (file,) = (tmp_path / "games").rglob("*.parquet")
    file.write_bytes(file.read_bytes()[:100])
    assert list(keeping.missing(sample)) == [shard]


# The reports


def choose_at_once(level: str, view: View, rng: Random) -> str:
    """A level that takes thought plays like one that does not."""
    return choose("easy" if level in ("medium", "hard") else level, view, rng)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All studies, of very few games; how a report is made does not depend on how well anybody plays."""
    folder = tmp_path_factory.mktemp("studies")
    work = Work([study_named(name) for name in NAMES], folder, 0, TINY, "")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(play.bots, "choose", choose_at_once)
        played(work)
    assert [page.name for page in work.reports()] == [f"{name}.html" for name in NAMES]
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_one_page_that_needs_nothing_beside_it(reports: Path, name: str) -> None:
    page = (reports / f"{name}.html").read_text("utf-8")
    loaded = re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"')\s>]+)""", page)
    assert all(each.startswith("#") for each in loaded)
    assert "<script" not in page
    assert "prefers-color-scheme: dark" in page
    assert "var(--ink)" in page
    assert page.count("<svg") == page.count('role="img" aria-label="') >= 2


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_of_a_report_are_a_table_too(reports: Path, name: str) -> None:
    rows = pq.read_table(reports / f"{name}.parquet").to_pylist()
    page = (reports / f"{name}.html").read_text("utf-8")
    assert len(rows) > 10
    for row in rows:
        assert f"<h2>{row['section']}</h2>" in page
        if row["low"] is not None:
            assert row["low"] <= row["value"] <= row["high"]


def test_the_same_games_give_the_same_report_to_the_byte(reports: Path) -> None:
    work = Work([study_named(name) for name in NAMES], reports, 0, TINY, "")
    assert work.missing == []
    before = {file.name: file.read_bytes() for file in reports.glob("*.html")}
    list(work.reports())
    assert {file.name: file.read_bytes() for file in reports.glob("*.html")} == before


def test_studies_that_ask_for_the_same_games_play_them_once() -> None:
    samples = [sample for name in NAMES for sample in study_named(name).samples]
    by_name: dict[str, Sample] = {}
    for sample in samples:
        assert by_name.setdefault(sample.name, sample) == sample
    assert len(by_name) < len(samples)


def test_every_level_is_studied() -> None:
    assert [sample.first[0] for sample in by_level("goths", "x", {})] == ["random", "easy", "medium", "hard"]


def test_a_game_without_studies_says_where_they_would_be() -> None:
    with pytest.raises(Fault, match=r"lab/study/chess\.py"):
        play.counts_of("chess")


# The command


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_without_a_name_it_lists_the_studies(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "study")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == list(NAMES)


def test_a_study_there_is_not_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "study", "luck")
    assert status == 2
    assert 'there is no study "luck"; the studies are initiative, ' in err


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    status, _, err = run(capsys, "study", "forts", "--quick", "--out", str(tmp_path / "file"))
    assert status == 2
    assert f"--out {tmp_path / 'file'}: cannot be written" in err


def test_without_matplotlib_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meadhall.lab.study.figures.find_spec", lambda name: None)
    status, _, err = run(capsys, "study", "forts", "--quick", "--out", str(tmp_path))
    assert status == 2
    assert 'pip install "meadhall[study]"' in err


def test_broken_off_it_goes_on_from_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meadhall.lab.study.samples.QUICK", TINY)
    keep = Work.keep

    def impatient(work: Work, *arguments: Any) -> None:
        keep(work, *arguments)
        raise KeyboardInterrupt

    command = ("study", "initiative", "--quick", "--cores", "1", "--out", str(tmp_path))
    monkeypatch.setattr(Work, "keep", impatient)
    status, _, err = run(capsys, *command)
    assert status == 130
    assert "Broken off; run it again to go on from there." in err
    monkeypatch.setattr(Work, "keep", keep)
    status, out, err = run(capsys, *command)
    assert (status, out) == (0, f"{tmp_path / 'initiative.html'}\n")
    assert err.startswith("1 of 4 parts are there already.")
