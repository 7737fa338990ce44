"""Golden games: what every seat sees and is told at every choice has not changed by a letter.

If it was meant to change, run `python -m tests.golden.regenerate` and read the difference.
"""

import pytest

from meadhall.match import Match
from tests.golden.regenerate import FOLDER, GAMES
from tests.golden.transcript import read_record, transcript
from tests.variants import variant_named


def stored(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_told_as_it_was(name: str) -> None:
    told = transcript(read_record(stored(name)))
    for number, (now, then) in enumerate(zip(told.splitlines(), stored(name).splitlines(), strict=False), 1):
        assert now == then, f"line {number} of {name}.txt"
    assert told == stored(name)


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_a_whole_game_of_its_variant_and_short_enough_to_read(name: str) -> None:
    match = Match.from_record(read_record(stored(name)))
    assert match.header.rules == variant_named(GAMES[name][0]).rules
    assert match.outcome is not None
    assert len(stored(name).encode()) < 150_000


def test_every_golden_file_is_tested() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(GAMES)
