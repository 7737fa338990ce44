"""Bots that misbehave in every way there is lose their games, with a line in the report; the arena goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from meadhall.cli import main
from meadhall.faults import Fault
from meadhall.lab.arena import arena as arenas
from meadhall.lab.arena.entrants import read_entrants
from tests.lab.dying import plays_and_dies

# Each plays the first choice until its second turn.
LOOP = "while True:\n            try:\n                while True: sum(range(9))\n"
BODIES = {
    "raises": "raise ValueError('oh no')",
    "exits": "raise SystemExit(3)",
    "fly": "return 'act:fly'",
    "nothing": "return None",
    "loops": "while True: pass",
    "catches": LOOP + "            except Exception: pass",
    "stubborn": LOOP + "            except BaseException: pass",
    "deaf": "sum(range(10 ** 12))",
    "dies": "import os; os._exit(0)",
}
SAID = {
    "raises": "raised ValueError: oh no (line 3)",
    "exits": "raised SystemExit: 3 (line 3)",
    "fly": "answered 'act:fly', which is not one of the ",
    "nothing": "answered nothing (None), which is not the name of a choice",
    "loops": "took longer than 0.05 s",
    "catches": "took longer than 0.05 s",
    "stubborn": "took longer than 0.05 s",
    "deaf": "took longer than 0.05 s",
    "dies": "ended its process",
}
KINDS = {"raises": "raised", "exits": "raised", "fly": "nonsense", "nothing": "nonsense", "dies": "ended"}


def file_of(folder: Path, name: str) -> str:
    file = folder / f"{name}.py"
    file.write_text(
        "def choose(view, choices, rng):\n    if view.json()['turn'] == 2 and view.seat.endswith('king'):\n"
        f"        {BODIES[name]}\n    print('x' * 1000)\n    return rng.choice(choices)\n"
    )
    return str(file)


def arena(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(("arena", *arguments, "--budget", "0.05", "--cores", "1"))
    captured = capfd.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize("name", BODIES)
def test_it_forfeits_its_games_and_the_arena_goes_on(name: str, capfd: Any, tmp_path: Path) -> None:
    file = file_of(tmp_path, name)
    asked = ("goths", "--bots", f"random,{file}", "--games", "2", "--cross-games", "0")
    status, out, err = arena(capfd, *asked, "--json")
    assert (status, err) == (0, "")
    data = json.loads(out)
    assert data["games"] == 2
    (failing,) = data["forfeits"]
    assert (failing["bot"], failing["kind"]) == (file, KINDS.get(name, "late"))
    assert failing["said"].startswith(SAID[name])
    assert failing["first"]["turn"] == 2
    assert failing["first"]["seat"].endswith("-king")
    random, mine = data["entrants"]
    assert mine["forfeits"] == failing["games"] > 0
    assert random["forfeits"] == 0
    assert random["won"]["share"] >= failing["games"] / 2


def test_the_report_has_a_line_for_each_way_to_fail_with_a_count_and_the_first_example(
    capfd: Any, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def choose(view, choices, rng):\n"
        "    if view.seat.startswith('o'):\n        return 'act:fly'\n    return 1 / 0\n"
    )
    asked = ("goths", "--bots", f"easy,{file},easy+{file}", "--games", "4", "--cross-games", "2", "--turn-limit", "9")
    status, out, _ = arena(capfd, *asked)
    assert status == 0
    lines = [line for line in out.splitlines() if "forfeited" in line and str(file) in line]
    assert len(lines) == 2
    assert "game 1 of easy – mine, turn 1, visigoth-king: raised ZeroDivisionError: division by zero (line 4)" in out
    assert "game 2 of easy – mine, turn 1, ostrogoth-king: answered 'act:fly', which is not one of the 8 choices" in out


def test_the_partner_of_a_bot_that_forfeits_loses_with_it(capfd: Any, tmp_path: Path) -> None:
    file = file_of(tmp_path, "fly")
    asked = ("goths", "--bots", f"random,{file}+easy", "--games", "4", "--cross-games", "0", "--json")
    data = json.loads(arena(capfd, *asked)[1])
    games = data["forfeits"][0]["games"]
    assert games > 0
    assert data["entrants"][0]["won"]["share"] >= games / 4


def test_among_romans_the_others_share_the_victory(capfd: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(view, choices, rng): return 'plan:'\n")
    asked = ("romans", "--players", "gold,green,violet", "--bots", f"random,{file}", "--games", "3", "--json")
    data = json.loads(arena(capfd, *asked)[1])
    assert [row["won"]["share"] for row in data["pairings"]] == [0.5, 0.0]
    assert data["forfeits"][0]["games"] == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os\nos._exit(0)", "mine.py ended its process when it was loaded"),
        ("1 / 0", "mine.py does not run: ZeroDivisionError: division by zero (line 1)"),
        ("choose = 3", "mine.py: choose is 3 (int), not a function"),
        ("def choose(:", "mine.py is not Python (line 1"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_refused_before_anything_is_played(
    text: str, said: str, capfd: Any, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    status, out, err = arena(capfd, "goths", "--bots", f"random,{file}")
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_what_a_bot_remembers_is_one_seat_s_memory_of_one_game(capfd: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "seats = set()\nturns = [0]\n"
        "def choose(view, choices, rng):\n"
        "    seats.add(view.seat)\n    assert len(seats) == 1\n"
        "    turn = view.json()['turn']\n    assert turn >= turns[-1]\n    turns.append(turn)\n"
        "    return rng.choice(choices)\n"
    )
    asked = ("goths", "--bots", f"random,{file}", "--games", "6", "--cross-games", "0", "--json")
    assert json.loads(arena(capfd, *asked)[1])["forfeits"] == []


def test_a_worker_that_dies_after_a_file_has_played_is_nobodys_forfeit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files play in processes of their own, so whatever ends a worker is ours to answer for."""
    monkeypatch.setattr(arenas, "play_deals", plays_and_dies)
    file = tmp_path / "mine.py"
    file.write_text("def choose(view, choices, rng): return choices[0]\n")
    entrants = read_entrants("goths", ["random", str(file)])
    arena = arenas.prepare("goths", {"turn_limit": 3}, entrants, 2, cores=1)
    with pytest.raises(Fault, match=r"a process of the arena ended by itself \(exit status 3\); is there enough"):
        arenas.run(arena)
    assert arena.played == [{}]
