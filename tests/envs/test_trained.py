"""The policies in examples/trained, as the learning example left them: how they play, at arenas and at tables.

Margins are wide: docs/learning.md has the measured shares, and a test of a few hundred games can only tell them from
something much worse.
"""

import importlib.util
import json
import re
import shlex
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from meadhall.cli import main
from tests.docs.blocks import blocks_of
from tests.envs.ppo_script import SCRIPT, ppo
from tests.web.server import Server, pick, until

__all__ = ["ppo"]

FOLDER = SCRIPT.parent / "trained"
TRAINED = {"goths": FOLDER / "goths_ppo.py", "romans": FOLDER / "romans_ppo.py"}
SEATS = {"goths": ("ostrogoth-warchief", "visigoth-king", "visigoth-warchief"), "romans": ("green",)}
MARGINS = [("goths", "random", 0.95), ("goths", "easy", 0.65), ("romans", "random", 0.85), ("romans", "easy", 0.53)]
GAMES = 300
LARGEST = 300_000  # bytes
both_games = pytest.mark.parametrize("game", TRAINED)


def policy_of(file: Path) -> Any:
    """The network of a bot file for many observations at once, drawing as the file draws."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    bot = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bot)
    dice = np.random.default_rng(1)

    def choose(observations: Any, masks: Any) -> Any:
        logits = np.array([bot.logits_of(bot.LAYERS, seen) for seen in observations]) / bot.TEMPERATURE
        return np.where(masks, logits + dice.gumbel(size=logits.shape), -np.inf).argmax(axis=1)

    return choose


@pytest.mark.parametrize(("game", "level", "least"), MARGINS)
def test_a_trained_policy_wins_at_least_so_much(game: str, level: str, least: float, ppo: ModuleType) -> None:
    plan = ppo.plan_of(ppo.options().parse_args([game]))
    played = ppo.Plan(game, plan.options, plan.team, 0, 1, 1, 1, trials=GAMES)
    assert ppo.evaluate(played, policy_of(TRAINED[game]), level, 1) > least


@both_games
def test_in_an_arena_it_plays_by_the_rules_and_wins(game: str, capfd: Any) -> None:
    extra = ["--cross-games", "0", "--turn-limit", "200"] if game == "goths" else []
    bots = f"{TRAINED[game]},random"
    assert main(["arena", game, "--bots", bots, "--games", "10", "--cores", "1", "--json", *extra]) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["forfeits"] == [], report
    assert report["entrants"][0]["won"]["share"] > 0.7, report


@both_games
def test_a_file_is_small_and_says_where_it_comes_from(game: str, ppo: ModuleType) -> None:
    assert TRAINED[game].stat().st_size < LARGEST
    usual = ppo.plan_of(ppo.options().parse_args([game]))
    text = TRAINED[game].read_text("utf-8")
    assert f"after {usual.decisions:,} decisions" in text
    assert f"\nTEMPERATURE = {usual.temperature}" in text


def test_at_a_table_a_person_plays_both_over_http(tmp_path: Path) -> None:
    offered = [word for file in TRAINED.values() for word in ("--bot", str(file))]
    with Server(tmp_path, *offered) as server:
        for game, file in TRAINED.items():
            rules = {"turn_limit": 3} if game == "goths" else {"players": ["gold", "green"]}
            person, dice = server.player(), Random(1)
            code = person.open_table(game, dict.fromkeys(SEATS[game], file.name), rules=rules)
            seat, chosen = person.sit(code), 0

            def asked(person: Any = person, code: str = code, seat: str = seat) -> Any:
                table = person.table(code)
                return table if table["phase"] == "over" or seat in table["view"]["pending"] else None

            while (table := until(asked, "a choice of the bots"))["phase"] != "over":
                assert person.choose(code, table["position"], pick(table, dice)).status_code == 200
                chosen += 1
            assert chosen >= 2  # Goths can be won on turn 2
            assert table["view"]["outcome"] is not None
        assert not re.findall(r'"level": "(?:warning|error)".*', server.log)


def test_the_page_about_learning_trains_by_commands_that_there_are(ppo: ModuleType) -> None:
    lines = [line for block in blocks_of("docs/learning.md") for line in block.text.splitlines()]
    commands = [shlex.split(line)[2:] for line in lines if line.startswith("python examples/ppo.py")]
    assert {ppo.plan_of(ppo.options().parse_args(words)).game for words in commands} == set(TRAINED)
