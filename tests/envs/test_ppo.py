"""The learning example: whom it credits with what, and bot files that play as the network does, at arenas and tables.

What needs PyTorch, which comes with no environment of this project, is run where there is one; elsewhere the script
has to say what is missing. `test_trained.py` tries policies that it has trained.
"""

import importlib.util
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from meadhall.bots import choose
from meadhall.bots.own.files import Forfeit, OwnBot, load
from meadhall.bots.own.seats import check_own_bots
from meadhall.cli import main
from meadhall.envs import vector
from meadhall.envs.vectorised import numbers_of
from meadhall.games.goths.state import CHOICES
from meadhall.match import Match
from tests.envs.ppo_script import SCRIPT, ppo
from tests.envs.test_vectorised import as_match

__all__ = ["ppo"]

CATAPULT = [k for k, name in enumerate(CHOICES) if name.startswith("order:catapult/")]
AHEAD = 0.9
OPTIONS: dict[str, dict[str, Any]] = {
    "goths": {"turn_limit": 20},
    "romans": {"players": ["gold", "green", "red"], "one_by_one": True},
}
PAIR: dict[str, dict[str, Any]] = {"goths": {}, "romans": {"players": ["gold", "green"]}}
TEAM = {"goths": 2, "romans": 1}
both_games = pytest.mark.parametrize("game", OPTIONS)


def at_random(observations: Any, masks: Any) -> Any:
    """A policy that has learned nothing."""
    return np.where(masks, np.random.default_rng(len(masks)).random(masks.shape), -1).argmax(axis=1)


def some_layers(game: str, hidden: int = 8) -> list[Any]:
    """A network that has learned nothing, of numbers that sixteen bits hold exactly."""
    dice = np.random.default_rng(5)
    sizes = (numbers_of(game).SIZE, hidden, vector(game, 1, **OPTIONS[game]).action_count + 1)
    layers: list[Any] = []
    for size, following in pairwise(sizes):
        layers += [dice.normal(size=(following, size)), dice.normal(size=following)]
    return [each.astype(np.float16) for each in layers]


def file_of(ppo: ModuleType, folder: Path, game: str, temperature: float = 1.0) -> Path:
    file = folder / f"{game}-ppo-seed1.py"
    plan = ppo.Plan(game, {}, TEAM[game], 0, 1, temperature, 1)
    file.write_text(ppo.bot_file(plan, 1, some_layers(game)), "utf-8")
    return file


# Credit


def test_a_step_is_judged_by_the_same_seat_s_next_step_or_by_the_end_of_that_game(ppo: ModuleType) -> None:
    seats = np.array([[0], [1], [0], [1], [0], [0]])
    values = np.array([[0.5], [0.25], [-0.5], [0.75], [0.125], [0.375]], np.float32)
    dones = np.array([[False], [False], [True], [False], [False], [False]])
    rewards = np.zeros((6, 1, 2), np.float32)
    rewards[2] = [1, -1]
    advantages, known = ppo.credit(seats, values, rewards, dones, AHEAD)
    last = 1 - -0.5
    assert advantages[:, 0].tolist() == pytest.approx([-0.5 - 0.5 + AHEAD * last, -1 - 0.25, last, 0, 0.375 - 0.125, 0])
    assert known[:, 0].tolist() == [True, True, True, False, True, False]


@both_games
def test_credit_in_real_games_is_that_of_each_seat_s_own_steps(game: str, ppo: ModuleType) -> None:
    env, steps = vector(game, 5, 1, **OPTIONS[game]), 150
    seats, dones = np.zeros((steps, 5), np.int8), np.zeros((steps, 5), np.bool_)
    rewards = np.zeros((steps, 5, len(env.agents)), np.float32)
    for step in range(steps):
        seats[step] = env.seats
        env.step(env.sample())
        rewards[step], dones[step] = env.rewards, env.dones
    values = np.random.default_rng(0).normal(size=seats.shape).astype(np.float32)
    advantages, known = ppo.credit(seats, values, rewards, dones, AHEAD)
    assert dones.sum() >= 5
    for place in range(5):
        ends = [-1, *np.flatnonzero(dones[:, place]), steps]
        for begin, end in pairwise(ends):
            for seat in range(len(env.agents)):
                own = [k for k in range(begin + 1, min(end + 1, steps)) if seats[k, place] == seat]
                worth = [float(values[k, place]) for k in own]
                if end < steps:
                    worth.append(float(rewards[end, place, seat]))
                else:
                    own = own[:-1]  # of the last one before the arrays end nothing is known
                    assert not known[[k for k in range(begin + 1, steps) if seats[k, place] == seat][-1:], place].any()
                gains = [after - before for before, after in pairwise(worth)]
                for k, step in enumerate(own):
                    expected = sum(AHEAD**far * gain for far, gain in enumerate(gains[k:]))
                    assert known[step, place]
                    assert advantages[step, place] == pytest.approx(expected, abs=1e-5)


def test_an_evaluation_tells_a_clan_with_a_catapult_from_random_choosers(ppo: ModuleType) -> None:
    plan = ppo.Plan("goths", {"turn_limit": 20}, 2, 0, 1, 1, 1, trials=200)
    loaded = numbers_of("goths").LAYOUT.start("own.catapult")

    def with_a_catapult(observations: Any, masks: Any) -> Any:
        wishes = [[CHOICES.index(f"act:{'fire' if seen[loaded] else 'load'}"), *CATAPULT] for seen in observations]
        fitting = [[wish for wish in some if mask[wish]] for some, mask in zip(wishes, masks, strict=True)]
        return [some[0] if some else other for some, other in zip(fitting, at_random(observations, masks), strict=True)]

    assert 0.4 < ppo.evaluate(plan, at_random, "random", 1) < 0.6
    assert 0.8 < ppo.evaluate(plan, with_a_catapult, "random", 1) <= 1


@both_games
def test_an_evaluation_against_a_level_is_harder_than_against_random_choosers(game: str, ppo: ModuleType) -> None:
    plan = ppo.Plan(game, OPTIONS[game] | PAIR[game], TEAM[game], 0, 1, 1, 1, trials=100)
    assert ppo.evaluate(plan, at_random, "easy", 1) < 0.3


@both_games
def test_a_level_does_in_the_arrays_what_it_chooses_at_a_table(game: str, ppo: ModuleType) -> None:
    env = vector(game, 1, 3, **OPTIONS[game])
    rivals, kinds = ppo.Rivals(env, "easy", 5), set()
    for _ in range(60):
        match, seat = as_match(env, 0), env.agents[env.seats[0]]
        before = rivals.dice.getstate()
        taken = rivals.asked(match.view(seat))
        again = Random()
        again.setstate(before)
        name = choose("easy", match.view(seat), again)
        kinds.add(name.partition(":")[0])
        match.commit(seat, name)
        for action in taken:
            env.step([action])
        assert env.dones[0] == (match.outcome is not None)
        assert env.dones[0] or env.states[0].tobytes() == bytes(match.state)
    assert len(kinds) >= 3


# Bot files


@both_games
def test_a_bot_file_chooses_what_its_network_likes_best(game: str, ppo: ModuleType, tmp_path: Path) -> None:
    bot = load(file_of(ppo, tmp_path, game, temperature=1e-6))
    weights = [each.astype(np.float32) for each in some_layers(game)]
    env = vector(game, 1, 7, **OPTIONS[game])
    for _ in range(40):
        seat, match = int(env.seats[0]), as_match(env, 0)
        match.commit(env.agents[seat], answer(bot, match, env.agents[seat]))
        asked = True
        while asked:  # a line is laid warrior by warrior
            hidden = np.maximum(weights[0] @ env.observations[0].astype(np.float32) + weights[1], 0)
            liked = (weights[2] @ hidden + weights[3])[:-1]
            env.step([int(np.where(env.masks[0], liked, -np.inf).argmax())])
            asked = bool(env._slots["count"][0])
        assert env.dones[0] == (match.outcome is not None)
        assert env.dones[0] or env.states[0].tobytes() == bytes(match.state)


def answer(bot: OwnBot, match: Match, seat: str) -> str:
    return bot.choose(match.view(seat), Random(0))


@both_games
def test_arena_and_table_accept_a_bot_file(game: str, ppo: ModuleType, tmp_path: Path, capfd: Any) -> None:
    file = file_of(ppo, tmp_path, game)
    check_own_bots([file])  # as `meadhall serve --bot` does
    extra = ["--cross-games", "2", "--fixed", "random", "--turn-limit", "10"] if game == "goths" else []
    assert main(["arena", game, "--bots", f"random,{file}", "--games", "4", "--cores", "1", "--json", *extra]) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["forfeits"] == [], report
    assert "seed1" in json.dumps(report)


def test_a_bot_file_of_the_other_game_says_so(ppo: ModuleType, tmp_path: Path) -> None:
    bot = load(file_of(ppo, tmp_path, "goths"))
    with pytest.raises(Forfeit, match="this policy plays goths, not romans"):
        answer(bot, Match.new("romans"), "gold")
    pattern = load(SCRIPT.with_name("ppo_bot.py"))
    with pytest.raises(Forfeit, match="pattern of a bot"):
        answer(pattern, Match.new("goths"), "ostrogoth-king")


# The script


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)


def test_the_script_learns_the_same_from_the_same_seed_or_says_what_it_needs(tmp_path: Path) -> None:
    for turn in ("once", "again"):
        done = run("goths", "--quick", "--out", str(tmp_path / turn))
        if not all(importlib.util.find_spec(name) for name in ("torch", "matplotlib")):
            assert done.returncode == 2
            assert 'is not installed; this example needs: pip install "meadhall[learn]"' in done.stderr
            return
        assert done.returncode == 0, done.stderr
        assert "As partners" in done.stdout
    files = ["goths-ppo-seed1.py", "goths-ppo-seed2.py", "goths-ppo.svg"]
    assert sorted(file.name for file in (tmp_path / "once").iterdir()) == files
    one, two, curve = ((tmp_path / "once" / file).read_bytes() for file in files)
    assert one != two
    assert [one, two, curve] == [(tmp_path / "again" / file).read_bytes() for file in files]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "invalid choice: 'chess'"),
        (("goths", "--minutes", "0"), "argument --minutes: invalid number above 0 value: '0'"),
        (("goths", "--minutes", "2", "--decisions", "2"), "argument --decisions: not allowed with argument --minutes"),
        (("goths", "--players", "3"), "--players is an option of romans"),
    ],
)
def test_wrong_options_are_told(
    arguments: tuple[str, ...], message: str, ppo: ModuleType, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.setattr(sys, "argv", ["ppo.py", *arguments])
    with pytest.raises(SystemExit) as stopped:
        ppo.main()
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
