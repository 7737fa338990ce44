"""PettingZoo's own tests pass on both games, and ours, where those check too little."""

import random
import warnings
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test import test_save_obs as save_obs_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.utils.conversions import parallel_to_aec

from meadhall.envs import goths_v1, romans_v1
from meadhall.faults import Fault
from meadhall.match import Match
from tests.secrets.worlds import another_world, prefix
from tests.variants import VARIANTS, Variant, random_game

MODULES = {"goths": goths_v1, "romans": romans_v1}
FOUR = ["gold", "green", "violet", "red"]
SOME: list[tuple[str, dict[str, Any]]] = [
    ("goths", {"turn_limit": 40}),
    ("goths", {"turn_limit": 20, "fog_of_war": True, "lone_rulers": ["visigoth"]}),
    ("romans", {}),
    ("romans", {"players": FOUR, "one_by_one": True}),
]
some = pytest.mark.parametrize(("game", "options"), SOME)
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


@pytest.fixture(autouse=True)
def quietly() -> Any:
    """PettingZoo warns of names that are not player_0 and of dictionaries as observations, which its own games have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def played(env: Any, seed: int, actions: random.Random) -> list[Any]:
    """A whole episode at random: everything that anybody was given."""
    env.reset(seed=seed)
    given = []
    for agent in env.agent_iter():
        observed, reward, ended, cut, _ = env.last()
        given.append((agent, observed["observation"].tobytes(), observed["action_mask"].tobytes(), reward, ended, cut))
        legal = np.flatnonzero(observed["action_mask"])
        assert bool(len(legal)) != (ended or cut)
        env.step(None if ended or cut else int(actions.choice(legal)))
    return given


# PettingZoo's


@some
def test_the_interface_is_pettingzoos(game: str, options: dict[str, Any]) -> None:
    api_test(MODULES[game].env(**options), num_cycles=60)


@some
def test_a_seed_gives_the_same_game(game: str, options: dict[str, Any]) -> None:
    seed_test(lambda: MODULES[game].env(**options), num_cycles=20)


@pytest.mark.parametrize("game", MODULES)
def test_it_can_be_rendered_in_every_mode(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    modes = {"svg": lambda text: ElementTree.fromstring(text).tag.endswith("svg"), "ansi": lambda text: len(text) > 300}
    render_test(MODULES[game].env, custom_tests=modes)
    assert capsys.readouterr().out


@pytest.mark.parametrize("game", MODULES)
def test_observations_are_numbers_and_no_pictures_to_save(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    save_obs_test(MODULES[game].env())
    assert "Observations must be Box" in capsys.readouterr().out


@pytest.mark.parametrize("game", MODULES)
def test_everybody_at_once_for_so_many_cycles(game: str) -> None:
    def at_once(max_cycles: int) -> Any:
        return MODULES[game].parallel_env(max_cycles=max_cycles, illegal="random")

    parallel_api_test(at_once(30), num_cycles=60)
    max_cycles_test(SimpleNamespace(parallel_env=at_once, env=lambda max_cycles: parallel_to_aec(at_once(max_cycles))))


# Ours


@every_variant
def test_an_episode_is_a_game_with_legal_actions_and_its_rewards(variant: Variant) -> None:
    soon_over = {"turn_limit": 12} if variant.game == "goths" else {}
    env = MODULES[variant.game].raw_env(**soon_over | variant.rules)
    actions = random.Random(str(variant))
    env.reset(seed=1)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observed, reward, ended, _, _ = env.last()
        rewards[agent] += reward
        if ended:
            env.step(None)
            continue
        match = env.match
        assert agent in match.waiting
        legal = np.flatnonzero(observed["action_mask"])
        assert legal.tolist() == list(match.game.choice_ids(match.state, env.possible_agents.index(agent)))
        for other in env.possible_agents:
            assert env.observe(other)["action_mask"].any() == (other in match.waiting)
        env.step(actions.choice(legal))
    assert env.match.outcome is not None
    assert rewards == pytest.approx(dict(env.match.outcome.returns))
    if variant.game == "goths":
        assert rewards["ostrogoth-king"] == rewards["ostrogoth-warchief"] == -rewards["visigoth-king"]
    assert Match.from_record(env.match.record()).outcome == env.match.outcome


@some
def test_whole_episodes_hang_on_their_seed_alone(game: str, options: dict[str, Any]) -> None:
    random.seed(1)
    np.random.seed(1)
    first = played(MODULES[game].env(**options), 7, random.Random(3))
    random.seed(2)
    np.random.seed(2)
    env = MODULES[game].env(**options)
    played(env, 6, random.Random(5))
    assert played(env, 7, random.Random(3)) == first
    assert played(env, 8, random.Random(3)) != first


@every_variant
def test_an_observation_is_the_same_in_every_world_its_seat_cannot_rule_out(variant: Variant) -> None:
    record = random_game(variant, 3, 30).record()
    env = MODULES[variant.game].raw_env(**variant.rules)
    env.reset(seed=0)
    for at in (2, len(record["choices"]) // 2, len(record["choices"]) - 1):
        now = prefix(record, at)
        for seat in env.possible_agents:
            seen = [at_record(env, world, seat) for world in (now, another_world(now, seat, random.Random(at)))]
            assert (seen[0]["observation"] == seen[1]["observation"]).all()
            assert (seen[0]["action_mask"] == seen[1]["action_mask"]).all()


def at_record(env: Any, record: Any, seat: str) -> Any:
    env.match = Match.from_record(record)
    env.agent_selection = env._next()
    return env.observe(seat)


def test_nobody_sees_in_turn_who_has_sealed() -> None:
    env = goths_v1.raw_env()
    env.reset(seed=5)
    for _ in range(2):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert env.agent_selection == "ostrogoth-warchief"
    others = [agent for agent in env.possible_agents if agent != "ostrogoth-warchief"]
    before = {agent: env.observe(agent) for agent in others}
    env.step(15)
    for agent in others:
        assert all((env.observe(agent)[key] == before[agent][key]).all() for key in before[agent])


def test_an_illegal_action_is_refused_or_ends_the_game_as_in_pettingzoos_own() -> None:
    env = goths_v1.raw_env()
    env.reset(seed=1)
    before = bytes(env.match.state)
    for wrong in (12, 99, -1, None, "axe", 1.5):
        with pytest.raises(ValueError, match=r"ostrogoth-king may not take action .*; legal are "):
            env.step(wrong)
    assert bytes(env.match.state) == before
    guarded = goths_v1.env()
    guarded.reset(seed=1)
    guarded.step(12)
    assert all(guarded.terminations.values())
    assert guarded.rewards["ostrogoth-king"] == -1


def test_a_finished_game_takes_no_action() -> None:
    env = goths_v1.env(turn_limit=1)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        observed = env.last()[0]
        env.step(int(np.flatnonzero(observed["action_mask"])[0]))
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(3)


def test_whoever_steps_when_all_have_gone_is_told_to_begin_another() -> None:
    env = goths_v1.raw_env(turn_limit=1)
    env.reset(seed=1)
    for _ in env.agent_iter():
        observed, _, over, _, _ = env.last()
        env.step(None if over else int(np.flatnonzero(observed["action_mask"])[0]))
    with pytest.raises(ValueError, match=r"the game is over .*; reset\(\) begins another"):
        env.step(None)
    together = goths_v1.parallel_env(max_cycles=1, illegal="random")
    together.reset(seed=1)
    together.step(dict.fromkeys(together.agents, 0))
    assert together.agents == []
    with pytest.raises(ValueError, match=r"the game is over .*; reset\(\) begins another"):
        together.step({})


@pytest.mark.parametrize("module", [goths_v1, romans_v1])
def test_what_makes_no_sense_is_said(module: ModuleType) -> None:
    with pytest.raises(Fault, match="rules"):
        module.env(no_such_option=True)
    with pytest.raises(ValueError, match="render_mode must be None or one of human, ansi, svg, rgb_array"):
        module.env(render_mode="oil")
    with pytest.raises(ValueError, match="max_cycles must be None or a whole number"):
        module.env(max_cycles=0)
    with pytest.raises(ValueError, match="viewpoint must be spectator or one of"):
        module.env(viewpoint="nobody")
    with pytest.raises(ValueError, match="illegal must be one of"):
        module.parallel_env(illegal="maybe")
