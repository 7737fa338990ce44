"""The arena: paired deals, the same for the same seed on any number of cores, reports as text, data and picture."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from meadhall.cli import main
from meadhall.lab.arena.arena import Arena, prepare
from meadhall.lab.arena.entrants import read_entrants
from meadhall.lab.arena.picture import picture
from meadhall.lab.arena.play import Fixture, Setting, play_deal
from meadhall.lab.arena.report import as_data, matrix, standings

FOUR = ["gold", "green", "violet", "red"]
GOTHS = {"fog_of_war": False, "turn_limit": 60}


def arena_of(game: str, rules: dict[str, Any], bots: list[str], games: int, **more: Any) -> Arena:
    """An arena played in this very process."""
    fixed = read_entrants(game, ["easy"])[0] if game == "goths" else None
    arena = prepare(game, rules, read_entrants(game, bots), games, seed=1, fixed=fixed, **more)
    for meeting, played in zip(arena.meetings, arena.played, strict=True):
        for deal in range(meeting.deals):
            played[deal] = play_deal(arena.setting, Fixture(meeting.first.bots, meeting.second.bots), deal)
    return arena


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(("arena", *arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


# Pairing


def test_a_bot_against_itself_wins_exactly_half_in_goths_and_romans() -> None:
    for game, rules in (("goths", {"turn_limit": 40}), ("romans", {"players": FOUR[:2]})):
        for bot in ("random", "novice", "novice-muddled"):
            arena = arena_of(game, rules, [bot, bot], 12, cross_games=0)
            assert [entrant.name for entrant in arena.entrants] == [bot, f"{bot}-2"]
            assert [one.won.share for one in standings(arena)] == [0.5, 0.5]


def test_a_deal_is_the_same_for_every_meeting_and_the_sides_are_exchanged() -> None:
    setting = Setting("goths", arena_of("goths", GOTHS, ["easy", "random"], 2).setting.rules, 1, 1.0)
    assert [setting.seated(0, seat) for seat in range(4)] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [setting.seated(1, seat) for seat in range(4)] == [(1, 0), (1, 1), (0, 0), (0, 1)]
    there = play_deal(setting, Fixture(("easy",) * 2, ("novice-bold",) * 2), 3)
    back = play_deal(setting, Fixture(("novice-bold",) * 2, ("easy",) * 2), 3)
    assert [game.score for game in there] == [1.0 - game.score for game in reversed(back)]
    assert [game.turns for game in there] == [game.turns for game in reversed(back)]


def test_among_four_romans_one_meets_three_copies_of_another_from_every_seat() -> None:
    arena = arena_of("romans", {"players": FOUR}, ["easy", "random"], 10)
    assert [(meeting.first.name, meeting.second.name) for meeting in arena.meetings] == [
        ("easy", "random"),
        ("random", "easy"),
    ]
    assert arena.done == arena.games == 24  # ten, and two more to make the third deal whole
    first, second = matrix(arena)[0][1], matrix(arena)[1][0]
    assert first is not None
    assert second is not None
    assert first.share is not None
    assert second.share is not None
    assert first.share > 0.25 > second.share


def test_a_pair_seats_its_first_as_king_and_its_second_as_warchief() -> None:
    (pair,) = read_entrants("goths", ["easy+random"])
    assert (pair.name, pair.bots, pair.plain) == ("easy+random", ("easy", "random"), False)
    arena = arena_of("goths", GOTHS, ["easy", "easy+random"], 4)
    assert {meeting.couple for meeting in arena.meetings} == {None, ("easy", "easy")}


def test_better_bots_win_and_partners_of_one_kind_understand_each_other_best() -> None:
    data = as_data(arena_of("goths", GOTHS, ["easy", "random"], 20))
    assert data["entrants"][0]["won"]["share"] > 0.9
    through = {(cell["king"], cell["warchief"]): cell["through"]["share"] for cell in data["crossplay"]["cells"]}
    assert through["easy", "easy"] > 0.97
    assert through["easy", "easy"] > through["random", "easy"] > through["random", "random"]
    assert data["crossplay"]["fixed"] == "easy"
    assert [cell["games"] for cell in data["crossplay"]["cells"]] == [20] * 4


def test_goths_without_a_turn_limit_get_one_of_200_turns() -> None:
    for rules, limit in (({}, 200), ({"turn_limit": 7}, 7)):
        arena = arena_of("goths", rules, ["random", "random"], 2, cross_games=0)
        assert arena.setting.rules["turn_limit"] == as_data(arena)["rules"]["turn_limit"] == limit


def test_every_rule_option_can_be_played() -> None:
    for rules in ({"fog_of_war": True, "fog_discard": "anywhere"}, {"lone_rulers": ["visigoth"], "turn_limit": 30}):
        assert arena_of("goths", rules, ["novice", "random"], 2).done == 10
    rules = {"players": FOUR[:3], "neutrals": ["red"], "original_rules": True, "qween": "replaces"}
    assert arena_of("romans", rules, ["novice", "random"], 3).done == 6


def test_a_game_costs_little_beside_the_bots() -> None:
    start = time.thread_time()
    arena = arena_of("goths", {"turn_limit": 200}, ["random", "random"], 10, cross_games=0)
    decisions = 4 * sum(game.orders for deals in arena.played for games in deals.values() for game in games)
    assert decisions > 200
    assert (time.thread_time() - start) / decisions < 0.001


# Names


def test_files_are_named_by_their_stem_made_unique(tmp_path: Path) -> None:
    files = [tmp_path / "a" / "mine.py", tmp_path / "b" / "mine.py", tmp_path / "easy.py"]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text("def choose(view, choices, rng): return choices[0]\n")
    texts = [*map(str, files), "easy", f"{files[0]}+easy", "easy"]
    names = [entrant.name for entrant in read_entrants("goths", texts)]
    assert names == ["mine", "mine-2", "easy-2", "easy", "mine+easy", "easy-3"]


# On the command line


def test_the_same_seed_gives_the_same_json_byte_for_byte_on_one_core_and_on_two(capsys: Any) -> None:
    asked = ("goths", "--bots", "easy,novice,examples/my_bot.py", "--games", "10", "--cross-games", "2", "--json")
    one = run(capsys, *asked, "--cores", "1")
    two = run(capsys, *asked, "--cores", "2")
    assert one == two
    assert one[0] == 0
    data = json.loads(one[1])
    assert [entrant["name"] for entrant in data["entrants"]] == ["easy", "novice", "my_bot"]
    assert data["games"] == data["asked_for"] == 3 * 10 + 9 * 2
    assert set(data) == {
        *("game", "rules", "seed", "games", "asked_for", "games_a_deal", "entrants", "pairings", "matrix"),
        *("forfeits", "caveats", "crossplay"),
    }
    assert {pairing["games"] for pairing in data["pairings"]} == {10}
    assert [row[k] for k, row in enumerate(data["matrix"])] == [None] * 3
    assert data["pairings"][0]["through"][0]["share"] > 0.9
    assert data["forfeits"] == []
    assert json.loads(run(capsys, *asked, "--seed", "other")[1])["entrants"] != data["entrants"]


def test_the_report_and_the_picture_tell_of_every_pairing_and_every_couple(capsys: Any, tmp_path: Path) -> None:
    file = tmp_path / "arena.svg"
    asked = ("goths", "--bots", "easy,novice-bold", "--games", "4", "--fixed", "random", "--picture", str(file))
    status, out, err = run(capsys, *asked)
    assert (status, err) == (0, "")
    for words in (
        "20 games of goths",
        "After 200 turns a game is a draw",
        "novice-bold",
        "As partners, against random",
    ):
        assert words in out
    svg = ElementTree.parse(file).getroot()
    texts = ["".join(text.itertext()) for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Games won", "Orders that got through", "Games won as partners against random"} <= set(texts)
    assert texts.count("novice-bold") == 6  # a row and a column in each of three matrices
    assert sum(text.endswith("%") for text in texts) == 2 + 4 + 4


def test_a_picture_of_romans_has_names_that_would_break_markup_escaped(tmp_path: Path) -> None:
    file = tmp_path / "a<b&c.py"
    file.write_text("def choose(view, choices, rng): return choices[0]\n")
    arena = arena_of("romans", {"players": FOUR[:2]}, ["random", str(file)], 2)
    assert "a<b&c" in "".join(ElementTree.fromstring(picture(arena)).itertext())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("goths", "--bots", "easy,hardly"), 'there is no bot "hardly"; the bots are random, easy'),
        (("goths", "--bots", "easy,./none.py"), "./none.py: there is no such file"),
        (("goths", "--bots", "easy+easy+easy"), "a side of goths is king + warchief, such as easy+easy"),
        (("goths", "--bots", ","), "an arena needs two bots or more"),
        (("goths", "--bots", "easy", "--cross-games", "0"), "nobody meets anybody"),
        (("goths", "--bots", "easy,random", "--picture", "x.png"), "give a name that ends in .svg"),
        (("goths", "--bots", "easy,random", "--picture", "no/such/x.svg"), "there is no folder"),
        (("goths", "--bots", "easy,random", "--budget", "nan"), "must be a number of seconds from 0.001"),
        (("goths", "--bots", "easy,random", "--games", "0"), "must be a whole number from 1"),
        (("goths", "--bots", "easy,random", "--players", "gold"), "--players is an option of romans"),
        (("romans", "--bots", "easy+random,random"), "nobody has a partner in romans"),
        (("romans", "--bots", "easy"), "an arena needs two bots or more"),
        (("romans", "--bots", "easy,random", "--fixed", "easy"), "nobody has a partner in romans"),
        (("romans", "--bots", "easy,random", "--players", "gold", "--neutrals", "red"), "two players or more"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(capsys: Any, arguments: tuple[str, ...], said: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_ctrl_c_stops_early_and_reports_what_is_done(tmp_path: Path) -> None:
    # The bot tells us when a game has begun.
    sign = tmp_path / "begun"
    bot = tmp_path / "tells.py"
    bot.write_text(f"def choose(view, choices, rng):\n    open({str(sign)!r}, 'w').close()\n    return choices[0]\n")
    command = "import sys; from meadhall.cli import main; sys.exit(main())"
    asked = ("arena", "goths", "--bots", f"random,{bot}", "--games", "1000000", "--cross-games", "0", "--json")
    process = subprocess.Popen(
        [sys.executable, "-c", command, *asked],
        stdout=subprocess.PIPE,
        text=True,
        # Tests run in the background inherit that Ctrl-C is ignored; a person's shell does not do that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not sign.exists():
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    data = json.loads(out)
    assert process.returncode == 0
    assert 0 <= data["games"] < data["asked_for"] == 1_000_000
