"""A third game, added by dropping in its own files, as ARCHITECTURE.md says, and by nothing else.

The package is copied, the files of `tests/thirdgame/meadhall/` are laid over it, and everything is run from the copy.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent / "src" / "meadhall"
RULEBOOK = HERE.parent.parent / "rulebook"
OWN_FOLDERS = ("games/pennies", "web/pennies", "words/locale/pennies")
OWN_FILES = (
    "lab/simulate/pennies.py",
    "words/pennies.py",
    *(f"rulebook/{lang}/pennies.md" for lang in ["en", "fr", "de", "es"]),
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the third game in it."""
    top = tmp_path_factory.mktemp("house")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, top / "meadhall", ignore=ignored)
    shutil.copytree(RULEBOOK, top / "meadhall" / "rulebook", ignore=ignored)
    shutil.copytree(HERE / "meadhall", top / "meadhall", ignore=ignored, dirs_exist_ok=True)
    return top


def environment(house: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(house)}


def run(house: Path, *command: str, text: str = "") -> str:
    """What a program prints that runs from the copy."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=house,
        env=environment(house),
        input=text,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def meadhall(house: Path, *arguments: str, text: str = "") -> str:
    return run(house, "-m", "meadhall", *arguments, text=text)


def test_it_is_made_of_files_of_its_own() -> None:
    files = (path.relative_to(HERE / "meadhall") for path in (HERE / "meadhall").rglob("*") if path.is_file())
    added = {path.as_posix() for path in files if "__pycache__" not in path.parts}
    assert [name for name in added if not name.startswith(OWN_FOLDERS) and name not in OWN_FILES] == []
    assert not [name for name in added if (PACKAGE / name).exists()], "a file of the package would be replaced"


MATCH = """
from random import Random
from meadhall import GAMES, Match
assert GAMES == ("goths", "pennies", "romans"), GAMES
won = {"even": 0, "odd": 0}
for seed in range(200):
    match, rng = Match.new("pennies", {"swapped": seed % 2 == 1}, seed), Random(seed)
    assert match.waiting == ("even", "odd")
    assert match.view("odd").json()["coin"] is None and match.view("even").json()["coin"] is not None
    match.commit("even", "show:heads")
    assert match.view("odd") == match.copy().view("odd")
    world = match.view("odd").redeal(rng)
    assert world.view("odd") == match.view("odd") and set(world.waiting) == {"even", "odd"}
    match.commit("even", rng.choice(match.choices("even")))
    match.commit("odd", match.view("odd").sample(rng))
    assert [beat.kind for beat in match.timeline()][-3:] == ["pennies", "coin", "end"]
    outcome = match.outcome
    assert sum(outcome.returns.values()) == 0
    won[outcome.winners[0]] += 1
    again = Match.from_record(match.record())
    assert again.position() == match.position() and again.full_events() == match.full_events()
assert min(won.values()) > 60, won
"""


def test_a_match_of_it_is_played_copied_redealt_and_replayed(house: Path) -> None:
    run(house, "-c", MATCH)


def test_records_of_it_are_checked_by_its_own_declarations(house: Path) -> None:
    record = {"format": "meadhall/1", "game": "pennies", "rules": {}, "setup": {"coin": "edge"}, "choices": []}
    asked = [record, record | {"rules": {"swapped": 1}}, record | {"setup": {"coin": "tails"}}]
    done = subprocess.run(
        [sys.executable, "-m", "meadhall", "replay", "-", "--json", "--lines"],
        cwd=house,
        env=environment(house),
        input="".join(f"{json.dumps(each)}\n" for each in asked),
        capture_output=True,
        text=True,
        timeout=60,
    )
    faults = [json.loads(line).get("error", "") for line in done.stdout.splitlines()]
    assert faults == [
        'setup.coin must be one of heads, tails, not "edge"',
        "rules.swapped must be true or false, not 1",
        "",
    ]


def test_a_simulation_of_it_counts_the_same_at_both_speeds(house: Path) -> None:
    report = json.loads(meadhall(house, "sim", "pennies", "--games", "20000", "--seed", "3", "--json", "--swapped"))
    interpreted = run(
        house,
        "-c",
        "from meadhall.engine.rng import RngState, seed_word\n"
        "from meadhall.games.game import game_named\n"
        "from meadhall.lab.simulate import pennies\n"
        "game = game_named('pennies')\n"
        "tally, rng = [0] * pennies.TALLY_SIZE, RngState()\n"
        "pennies.play_games([game.blank({'swapped': True})], [rng], seed_word(3), 0, 20000, tally)\n"
        "print(tally)",
    )
    games, decisions, even, odd = json.loads(interpreted)
    assert (report["games"], report["decisions"]) == (games, decisions) == (20000, 40000)
    assert (report["wins"]["even"]["pennies"], report["wins"]["odd"]["pennies"]) == (even, odd)
    assert 9000 < even < 11000


def test_it_is_played_in_an_arena_and_in_the_terminal(house: Path) -> None:
    bot = house / "mine.py"
    bot.write_text("def choose(view, choices, rng):\n    return 'show:' + (view.json()['coin'] or 'heads')\n")
    report = json.loads(meadhall(house, "arena", "pennies", "--bots", "random,./mine.py", "--games", "40", "--json"))
    assert report["game"] == "pennies"
    played = meadhall(house, "play", "pennies", "--seat", "odd", "--bots", "random", "--seed", "1", text="1\n")
    assert "wins" in played
    assert "swapped" in meadhall(house, "sim", "--help")
    assert "P2" in meadhall(house, "rules", "pennies")


@pytest.fixture(scope="module")
def server(house: Path) -> Iterator[str]:
    """A server that runs from the copy."""
    command = [
        sys.executable,
        "-m",
        "meadhall",
        "serve",
        "--port",
        "0",
        "--db",
        str(house / "tables.sqlite"),
        "--bot-pause",
        "0",
    ]
    quiet = {"MEADHALL_WARM_UP": "0", "MEADHALL_LOG_LEVEL": "error", "MEADHALL_RATE_LIMIT": "0"}
    with subprocess.Popen(
        command, cwd=house, env=environment(house) | quiet, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
        process.terminate()


def test_a_program_plays_it_over_the_json_interface(server: str) -> None:
    with httpx.Client(base_url=server, timeout=20) as client:
        assert "pennies" in [game["game"] for game in client.get("/api/games").json()]
        schema = client.get("/api/openapi.json").text
        assert "PenniesView" in schema
        opened = client.post("/api/tables", json={"game": "pennies", "seats": {"even": "me", "odd": "me"}}).json()
        headers = {"authorization": f"Bearer {opened['token']}"}
        code = opened["code"]
        for seat in ("even", "odd"):
            table = client.get(f"/api/tables/{code}", params={"seat": seat}, headers=headers).json()
            assert table["choices"] == ["show:heads", "show:tails"]
            choice = {"seat": seat, "position": table["position"], "choice": "show:tails"}
            assert client.post(f"/api/tables/{code}/choices", json=choice, headers=headers).status_code == 200
        record = client.get(f"/api/tables/{code}/record").json()
        assert record["choices"] == [["even", "show:tails"], ["odd", "show:tails"]]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_person_plays_it_on_a_page(server: str, lang: str) -> None:
    title, button, wins = {"en": ("Pennies", "Show", " wins."), "de": ("Pfennige", "Zeigen", " gewinnt.")}[lang]
    headers = {"accept-language": lang, "origin": server}
    with httpx.Client(base_url=server, timeout=60, headers=headers, follow_redirects=True) as browser:
        assert title in browser.get("/").text
        assert title in browser.get("/host?game=pennies").text
        assert "P3" in browser.get("/rules/pennies").text
        assert browser.get("/learn/pennies").status_code == 404  # a game need not have a lesson, and none is offered
        assert all("/learn/pennies" not in browser.get(path).text for path in ("/", "/rules/pennies"))
        table = browser.post("/play", data={"game": "pennies"})
        assert table.status_code == 200
        assert f'form="choose">{button}</button>' in table.text
        assert 'class="coin"' in table.text
        code = table.url.path.rpartition("/")[2]
        position = table.text.partition('data-position="')[2].partition('"')[0]
        over = browser.post(f"/t/{code}/choose", data={"choice": "show:heads", "position": position, "seat": "even"})
        until = time.monotonic() + 20
        while 'data-phase="over"' not in over.text and time.monotonic() < until:  # the bot answers in a moment
            over = browser.get(f"/t/{code}")
        assert wins in over.text
        assert over.status_code == 200
        assert "/pennies/style.css" in over.text
        for viewpoint in ("open", "even", "spectator"):
            replay = browser.get(f"/t/{code}/replay?as={viewpoint}")
            assert replay.status_code == 200
            assert f'data-viewpoint="{viewpoint}"' in replay.text
        # A game need not have a drawing of its own: its picture says the position in words.
        for picture in ("/preview.png", "/preview/pennies.png", f"/t/{code}/preview.png", f"/t/{code}/picture.png"):
            assert browser.get(picture).headers["content-type"] == "image/png"
        assert browser.get(f"/t/{code}/film").headers["content-type"] == "image/webp"
        assert browser.get("/art").status_code == 200
        assert browser.get("/art/pennies.svg").status_code == 404
