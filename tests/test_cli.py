"""The command line: what it prints, and what it says to nonsense."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meadhall import Match
from meadhall.cli import main
from meadhall.words.rulebook import rulebook

GOTHS: dict[str, Any] = {
    "format": "meadhall/1",
    "game": "goths",
    "rules": {},
    "setup": {"objectives": ["trap", "plains", "queen"]},
    "choices": [
        ["ostrogoth-king", "order:barbarian/vulture"],
        ["visigoth-king", "order:catapult/recruiter"],
        ["visigoth-warchief", "act:load"],
    ],
}
BAD = GOTHS | {"choices": [["ostrogoth-king", "order:queen/trap"]]}


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GOTHS))
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_replay_json_prints_the_last_state_on_one_line(capsys: Any, record: str) -> None:
    status, out, err = run(capsys, "replay", record, "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    assert json.loads(out) == Match.from_record(GOTHS).position()


def test_replay_every_prints_a_line_before_any_choice_and_one_after_each(capsys: Any, record: str) -> None:
    _, out, _ = run(capsys, "replay", record, "--json", "--every")
    states = [json.loads(line) for line in out.splitlines()]
    assert len(states) == 4
    assert states[0] == Match.from_record(GOTHS | {"choices": []}).position()
    assert states[-1] == Match.from_record(GOTHS).position()


def test_replay_reads_standard_input(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, json.dumps(GOTHS).encode())
    _, out, _ = run(capsys, "replay", "-", "--json")
    assert json.loads(out) == Match.from_record(GOTHS).position()


def test_replay_lines_answers_every_line_and_goes_on_after_a_bad_one(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [json.dumps(GOTHS), json.dumps(BAD), "", "nonsense", json.dumps(GOTHS)]
    feed(monkeypatch, "\n".join(lines).encode())
    status, out, err = run(capsys, "replay", "-", "--json", "--lines")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, len(answers)) == (2, 5)
    assert err == "meadhall: -: 3 of 5 records were refused; the answers say why\n"
    assert answers[0] == answers[4] == Match.from_record(GOTHS).position()
    assert answers[1]["error"].startswith("choice 0: ostrogoth-king: ")
    assert all(set(answer) == {"error"} for answer in answers[1:4])


def test_replay_lines_every_answers_with_all_states_on_one_line(capsys: Any, record: str) -> None:
    _, out, _ = run(capsys, "replay", record, "--json", "--lines", "--every")
    assert len(json.loads(out)) == 4
    assert out.count("\n") == 1


@pytest.mark.parametrize("seat", ["visigoth-warchief", "ostrogoth-king", "spectator"])
def test_replay_seat_prints_that_seats_view(capsys: Any, record: str, seat: str) -> None:
    _, out, _ = run(capsys, "replay", record, "--json", "--seat", seat)
    assert json.loads(out) == Match.from_record(GOTHS).view(seat).json()


def test_own_shows_a_seat_what_it_alone_has_chosen(capsys: Any, record: str) -> None:
    own = {}
    for seat in ("ostrogoth-king", "visigoth-warchief", "ostrogoth-warchief", "spectator"):
        own[seat] = json.loads(run(capsys, "replay", record, "--json", "--seat", seat)[1])["own"]
    assert own == {
        "ostrogoth-king": "order:barbarian/vulture",
        "visigoth-warchief": "act:load",
        "ostrogoth-warchief": None,
        "spectator": None,
    }


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Turn 1. The Ostrogoths hold the initiative."),
        ("fr", "Ostrogoths"),
        ("de", "Runde 1. Die Ostgoten haben die Initiative."),
        ("es", "ostrogodos"),
    ],
)
def test_replay_tells_the_game_in_words(capsys: Any, record: str, lang: str, sentence: str) -> None:
    status, out, _ = run(capsys, "replay", record, "--lang", lang)
    assert status == 0
    assert sentence in out
    assert "[G3.2]" in out


def test_a_story_told_to_a_seat_keeps_the_other_kings_secret(capsys: Any, record: str) -> None:
    other = json.loads(json.dumps(GOTHS).replace("barbarian/vulture", "vulture/barbarian"))
    mine = run(capsys, "replay", record, "--seat", "visigoth-king")[1]
    Path(record).write_text(json.dumps(other))
    assert run(capsys, "replay", record, "--seat", "visigoth-king")[1] == mine
    assert run(capsys, "replay", record, "--seat", "ostrogoth-king")[1] != mine


def test_rules_prints_the_rulebook(capsys: Any) -> None:
    assert run(capsys, "rules", "romans", "--lang", "fr") == (0, rulebook("romans", "fr"), "")


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_deck_that_deck_prints_is_accepted_and_is_our_own(capsys: Any, tmp_path: Path, game: str) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(run(capsys, "deck", game)[1])
    with_file = json.loads(run(capsys, "sim", game, "--games", "50", "--json", "--deck", str(path))[1])
    without = json.loads(run(capsys, "sim", game, "--games", "50", "--json")[1])
    for key in ("decisions", "wins"):
        assert with_file[key] == without[key]


def test_sim_gives_the_same_numbers_on_one_core_and_on_two(capsys: Any) -> None:
    changing = ("cores", "seconds", "compile_seconds", "decisions_per_second")
    for game in ("goths", "romans"):
        runs = []
        for cores in ("1", "2"):
            out = run(capsys, "sim", game, "--games", "12000", "--seed", "here", "--json", "--cores", cores)[1]
            data = json.loads(out)
            assert data["decisions_per_second"] > 0
            runs.append({key: value for key, value in data.items() if key not in changing})
        assert runs[0] == runs[1]
        assert sum(sum(won.values()) for won in runs[0]["wins"].values()) >= 12000


def test_sim_takes_every_rule_option(capsys: Any) -> None:
    goths = ["--fog-of-war", "--fog-discard", "anywhere", "--lone-rulers", "ostrogoth,visigoth", "--turn-limit", "9"]
    data = json.loads(run(capsys, "sim", "goths", "--games", "300", "--json", *goths)[1])
    assert data["longest_game"] == 9
    assert data["draws"] > 0
    romans = ["--players", "red,gold", "--neutrals", "green", "--original-rules", "--qween", "replaces"]
    data = json.loads(run(capsys, "sim", "romans", "--games", "300", "--json", *romans)[1])
    assert list(data["wins"]) == ["red", "gold", "green"]
    assert sum(data["wins"]["green"].values()) == 0


def test_sim_tells_people_what_they_want_to_know(capsys: Any) -> None:
    out = run(capsys, "sim", "goths", "--games", "200")[1]
    for words in ("200 random games of goths", "orders that got through", "by elimination", "reconnoitre", "million"):
        assert words in out
    assert "mean points" in run(capsys, "sim", "romans", "--games", "200")[1]


def test_ctrl_c_in_a_simulation_prints_what_was_done_so_far() -> None:
    command = [sys.executable, "-m", "meadhall", "sim", "goths", "--games", "2000000000", "--json"]
    leader, follower = pty.openpty()  # on a terminal the progress bar tells when play has begun
    # Tests run in the background inherit that Ctrl-C is ignored; a person's shell does not do that.
    listening = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, text=True, **listening) as process:
        os.close(follower)
        shown = b""
        while b"Playing" not in shown or b" 0/2000000000" in shown[shown.rindex(b"Playing") :]:
            shown += os.read(leader, 4096)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        data = json.loads(process.stdout.read())
    os.close(leader)
    assert process.returncode == 0
    assert 0 < data["games"] < data["asked_for"] == 2_000_000_000


NONSENSE = [
    ((), "the following arguments are required: COMMAND"),
    (("dance",), "invalid choice: 'dance'"),
    (("replay",), "the following arguments are required: FILE"),
    (("replay", "no-such-file.json"), "no-such-file.json: cannot be read (No such file or directory)"),
    (("replay", "."), ".: cannot be read (Is a directory)"),
    (("replay", "RECORD", "--lang", "tlh"), 'no words in the language "tlh"; the languages are en (English)'),
    (("replay", "RECORD", "--seat", "gold"), 'there is no seat "gold" in this game; the seats are ostrogoth-king'),
    (("replay", "RECORD", "--every"), "--every goes with --json"),
    (("replay", "RECORD", "--lines"), "--lines goes with --json"),
    (("replay", "RECORD", "--bogus"), "unrecognized arguments: --bogus"),
    (("replay", "BAD", "--json"), 'choice 0: ostrogoth-king: "order:queen/trap" is not a choice of this game'),
    (("replay", "BAD", "--json", "--every"), "choice 0: ostrogoth-king"),
    (("replay", "BAD"), "legal here: order:barbarian/catapult"),
    (("rules", "chess"), "invalid choice: 'chess' (choose from 'goths', 'romans')"),
    (("rules", "goths", "--lang", "pt"), 'no words in the language "pt"'),
    (("sim", "goths", "--games", "0"), "--games: must be a whole number from 1, not '0'"),
    (("sim", "goths", "--games", "²"), "--games: must be a whole number from 1"),
    (("sim", "goths", "--games", "9" * 20), "--games: must be a whole number of at most 15 digits, not of 20"),
    (("tables", "list", "--limit", "9" * 30), "--limit: must be a whole number of at most 15 digits, not of 30"),
    (("sim", "goths", "--cores", "-1"), "--cores"),
    (("sim", "goths", "--players", "gold"), "--players is an option of romans, not of goths"),
    (("sim", "goths", "--turn-limit", "0"), "--turn-limit must be null or a whole number from 1, not 0"),
    (("sim", "goths", "--turn-limit", "many"), "--turn-limit: invalid int value: 'many'"),
    (("sim", "goths", "--lone-rulers", "huns"), '--lone-rulers must be one of ostrogoth, visigoth, not "huns"'),
    (("sim", "goths", "--fog-discard", "no"), '--fog-discard must be one of same-card, anywhere, not "no"'),
    (("sim", "romans", "--players", "gold"), "one player needs at least one neutral clan beside him, in --neutrals"),
    (("sim", "romans", "--players", "gold,gold"), "--players names gold twice"),
    (("sim", "romans", "--players", ""), "--players must name one to four clans, not none"),
    (("sim", "romans", "--qween", "sings"), '--qween must be one of adds, replaces, not "sings"'),
    (("sim", "romans", "--deck", "no-such-deck.toml"), "deck no-such-deck.toml: cannot be read"),
    (("play", "goths", "--seat", "jester"), 'there is no seat "jester" in this game'),
    (("play", "goths", "--bots", "chess"), '--bots: there is no bot "chess"; the bots are random, easy, medium, hard'),
    (("play", "goths", "--bots", "easy,gold=hard"), '--bots: there is no seat "gold" in this game'),
    (("exploit", "goths", "--bot", "./no-such.py"), "no-such.py: there is no such file; a bot is a Python file with"),
    (("exploit", "goths", "--bot", "chess"), 'there is no bot "chess"; the bots are random, easy, medium, hard'),
    (("exploit", "goths", "--bot", "hard+easy"), "--bot must be one of random, easy, medium, hard, or a file"),
    (("arena", "goths", "--bots", f"easy,{'x' * 300}.py"), "xxx.py cannot be read (File name too long)"),
    (("serve", "--grace", "x"), '--grace must be a number of 0 or more, not "x"'),
    (("serve", "--bot-pause", "x"), "--bot-pause must be a number of seconds from 0 to 60"),
    (("serve", "--address-streams", "x"), '--address-streams must be a number of 0 or more, not "x"'),
    (("serve", "--trusted-proxies", "10.0.0.1/8"), '--trusted-proxies: "10.0.0.1/8" is neither an address nor'),
    (("serve", "--log-level", "x"), "--log-level must be one of debug, info, warning, error"),
    (("serve", "--bot", "no-such-bot.py"), '--bot: there is no file "no-such-bot.py"'),
    (("play", "goths", "--save", "no-such-folder/game.json"), "--save no-such-folder/game.json: there is no folder"),
]


@pytest.mark.parametrize(("arguments", "message"), NONSENSE, ids=[" ".join(a) or "nothing" for a, _ in NONSENSE])
def test_nonsense_gets_one_line_and_status_2(
    capsys: Any, record: str, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(BAD))
    given = [{"RECORD": record, "BAD": str(bad)}.get(argument, argument) for argument in arguments]
    status, out, err = run(capsys, *given)
    assert (status, out) == (2, "")
    assert err.startswith("meadhall: ")
    assert err.count("\n") == 1
    assert message in err


DECKS = [
    ("goths", "cards = 7", "rules.king_deck must be a list, not 7"),
    ("goths", 'cards = [["vulture", "vulture"]]', "must hold 8 cards [character, bluff], not 1"),
    ("goths", "cards = [", "is not TOML"),
    ("goths", 'game = "romans"\nforts = []', 'unknown key "forts"; a deck for goths has game and cards'),
    ("goths", 'game = "romans"\ncards = []', 'is for "romans", not for goths'),
    ("goths", "", "has no cards; `meadhall deck goths` prints one to start from"),
    ("romans", 'forts = ["tax-8"]', "must hold 18 forts, not 1"),
    ("romans", f"forts = {['tax-8'] * 18}", "must hold exactly four legions, not 0"),
    ("romans", f"forts = {['tax-9'] * 18}", 'not "tax-9"'),
]


@pytest.mark.parametrize(("game", "text", "message"), DECKS)
def test_a_bad_deck_is_refused_with_its_file_and_fault(
    capsys: Any, tmp_path: Path, game: str, text: str, message: str
) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(text)
    status, out, err = run(capsys, "sim", game, "--deck", str(path))
    assert (status, out) == (2, "")
    assert f"deck {path}: " in err
    assert message in err
    assert err.count("\n") == 1


def test_a_deck_that_is_not_text_is_refused(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert run(capsys, "sim", "goths", "--deck", str(path))[2] == f"meadhall: deck {path}: is not UTF-8 text\n"


def test_nothing_of_numba_is_imported_to_replay_or_play(record: str) -> None:
    for command in (["replay", record, "--json"], ["replay", record], ["play", "goths", "--seed", "1"]):
        code = f"import sys; from meadhall.cli import main; main({command!r}); print('numba' in sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
        )
        assert done.stdout.splitlines()[-1] == "False"


def test_play_saves_a_record_that_replays(capsys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "evening.json"
    feed(monkeypatch, b"")
    options = ("--players", "gold", "--neutrals", "red", "--seed", "4", "--save", str(path))
    status, out, _ = run(capsys, "play", "romans", *options)
    assert status == 0
    assert str(path) in out.replace("\n", "")
    Match.from_record(path.read_text())


def test_the_module_runs_as_a_program(record: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "meadhall", "replay", record, "--json"], capture_output=True, check=True
    )
    assert json.loads(done.stdout)["turn"] == 1
    done = subprocess.run([sys.executable, "-m", "meadhall", "replay", "nowhere"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
