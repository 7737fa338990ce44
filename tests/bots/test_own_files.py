"""Anybody's own bot: what a file must be, what it gets, and what it forfeits by."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from meadhall.bots.own.files import Forfeit, OwnBot, check_choice, load
from meadhall.faults import Fault
from meadhall.match import Match
from tests.bots.playing import played
from tests.variants import VARIANTS, Variant

EXAMPLE = Path("examples/my_bot.py")
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "mine.py"
        path.write_text(text)
        return path

    return written


def bot_that(write: Write, body: str) -> OwnBot:
    return load(write(f"def choose(view, choices, rng):\n    {body}\n"))


GOTHS = Match.new("goths", {}, 1)
KING = GOTHS.view("ostrogoth-king")
PLANNER = Match.new("romans", {"players": ["gold", "green"]}, 1).view("gold")


# What a file must be


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        Fault, match=r"no such file; a bot is a Python file with a function choose\(view, choices, rng\)"
    ):
        load(tmp_path / "mine.py")
    with pytest.raises(Fault, match="cannot be read"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def choose(:", r"is not Python \(line 1"),
        ("\0", "is not Python"),
        ("import nothing_of_that_name", r"does not run: ModuleNotFoundError: No module .* \(line 1\)"),
        ("\n\n1 / 0", r"does not run: ZeroDivisionError: division by zero \(line 3\)"),
        ("raise SystemExit(3)", "does not run: SystemExit: 3"),
        ("pick = 1", "has no choose"),
        ("choose = 1", r"choose is 1 \(int\), not a function"),
        ("def choose(view): pass", "choose cannot be called with view, choices and rng"),
        ("def choose(view, choices, rng, more): pass", "choose cannot be called with view, choices and rng"),
    ],
)
def test_a_file_without_a_fitting_choose_is_refused_and_told_why(write: Write, text: str, said: str) -> None:
    with pytest.raises(Fault, match=said):
        load(write(text))


def test_files_beside_it_can_be_imported_and_dataclasses_work(write: Write, tmp_path: Path) -> None:
    (tmp_path / "beside_mine.py").write_text("NUMBER = -1\n")
    bot = load(
        write(
            "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom beside_mine import NUMBER\n"
            "@dataclass\nclass Pick:\n    number: int = NUMBER\n"
            "def choose(view, choices, rng):\n    return choices[Pick().number]\n"
        )
    )
    assert bot.choose(KING, Random(1)) == KING.choices[-1]


# What it gets


def test_it_gets_the_seat_s_view_the_choices_and_a_generator(write: Write) -> None:
    body = "assert view.json()['own'] is None and view.seat == 'ostrogoth-king'; return rng.choice(choices)"
    bot = bot_that(write, body)
    assert {bot.choose(KING, Random(seed)) for seed in range(100)} == set(KING.choices)
    assert bot.choose(KING, Random(3)) == bot.choose(KING, Random(3))


def test_of_thousands_of_arrangements_it_gets_all_names_to_look_up_or_to_ask_about(write: Write) -> None:
    body = f"assert len(choices) == {len(PLANNER.choice_ids)} and choices[7] in choices and 'plan:qween' not in choices"
    assert bot_that(write, f"{body}; return choices[5:8][1]").choose(PLANNER, Random(1)) == PLANNER.choices[6]


# What it forfeits by


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("raise ValueError('oh\\nno')", "raised", r"^raised ValueError: oh no \(line 2\)$"),
        ("return choose(view, choices, rng)", "raised", "RecursionError"),
        ("import sys; sys.exit('bye')", "raised", "SystemExit: bye"),
        ("return 'act:fly'", "nonsense", "^answered 'act:fly', which is not one of the 8 choices$"),
        ("return 'act:load'", "nonsense", "not one of the 8 choices"),
        ("return 'x' * 1000", "nonsense", "^answered 'x{57}...', which is not"),
        ("return None", "nonsense", r"^answered nothing \(None\), which is not the name of a choice$"),
        ("return 3", "nonsense", r"^answered 3 \(int\), which is not the name of a choice$"),
        ("return object()", "nonsense", "^answered a object"),
        ("return list(choices)", "nonsense", "which is not the name of a choice"),
    ],
)
def test_what_is_no_choice_is_a_forfeit_told_in_one_line(write: Write, body: str, kind: str, said: str) -> None:
    with pytest.raises(Forfeit, match=said) as forfeit:
        check_choice(KING, bot_that(write, body).choose(KING, Random(1)))
    assert forfeit.value.kind == kind
    assert "\n" not in str(forfeit.value)


# The example


def test_the_example_has_thirty_lines_or_fewer() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 30


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_example_plays_every_variant_to_the_end(variant: Variant) -> None:
    match, rng, bot = variant.deal("example"), Random(1), load(EXAMPLE)
    for _ in range(2000):
        if not match.waiting:
            break
        seat = match.waiting[0]
        match.commit(seat, check_choice(match.view(seat), bot.choose(match.view(seat), rng)))
    if match.outcome is None:  # it knows no way out of a stalemate; random does
        assert match.game.name == "goths"
        assert played(match, ["random"] * 4, rng).outcome is not None
