"""Games side by side in arrays are the games of the table: the same rules, knowledge, choices and results."""

from random import Random
from typing import Any

import numpy as np
import pytest

from meadhall.envs import VectorEnv, redeal, vector
from meadhall.envs.slots import Slot
from meadhall.envs.vectorised import numbers_of
from meadhall.faults import Fault
from meadhall.games.game import SPECTATOR
from meadhall.games.romans.state import ARRANGEMENTS, REORDERINGS
from meadhall.match import Match
from tests.variants import VARIANTS, Variant, random_game, variant_named

FOUR = {"players": ["gold", "green", "violet", "red"]}
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def env_of(variant: Variant, n: int, seed: int = 0, **more: Any) -> VectorEnv:
    return vector(variant.game, n, seed, **variant.rules, **more)


def as_match(env: VectorEnv, place: int) -> Match:
    """A match in the very position of a game of the arrays."""
    match = Match.new(env.game.name, env.rules, 0)
    match.state = env.game.state_type.from_buffer_copy(env.states[place : place + 1].tobytes())
    return match


def expected(match: Match, seat: int, slot: Slot | None = None) -> list[int]:
    """What a seat observes, written by the same function as it stands."""
    numbers = numbers_of(match.game.name)
    out = [0] * numbers.SIZE
    numbers.observe(match.game.reveal(match.state, seat), seat, slot or Slot(), out)
    return [int(each) for each in out]


@every_variant
def test_seats_observations_masks_and_rewards_are_those_of_the_rules(variant: Variant) -> None:
    env = env_of(variant, 4, 3)
    dice = Random(str(variant))
    for _ in range(60):
        place = dice.randrange(env.n)
        match = as_match(env, place)
        seat = int(env.seats[place])
        assert match.game.owes(match.state, seat)
        assert env.observations[place].tolist() == expected(match, seat)
        legal = np.flatnonzero(env.masks[place])
        assert legal.tolist() == list(match.game.choice_ids(match.state, seat))
        actions = env.sample()
        assert env.masks[np.arange(env.n), actions].all()
        match.game.commit(match.state, seat, int(actions[place]))
        env.step(actions)
        outcome = match.game.outcome(match.rules, match.state)
        assert env.dones[place] == (outcome is not None)
        if outcome is not None:
            assert env.rewards[place].tolist() == pytest.approx([outcome.returns[agent] for agent in env.agents])
        else:
            assert not env.rewards[place].any()


def test_games_end_are_rewarded_and_dealt_anew() -> None:
    env = vector("goths", 64, turn_limit=7)
    won = 0
    for _ in range(80):
        env.step(env.sample())
        over = env.rewards[env.dones]
        won += int(env.dones.sum())
        assert (over[:, 0] == over[:, 1]).all()
        assert (over.sum(axis=1) == 0).all()
        assert (env.states["turn"][env.dones] == 1).all()
    assert won > 64


@pytest.mark.parametrize(("game", "options"), [("goths", {"fog_of_war": True}), ("romans", FOUR)])
def test_the_same_seed_gives_the_same_games_on_any_number_of_cores(game: str, options: dict[str, Any]) -> None:
    one, two = (vector(game, 600, "seed", cores=cores, **options) for cores in (1, 2))
    for _ in range(12):
        actions = one.sample()
        assert (two.masks[np.arange(600), actions]).all()
        for env in (one, two):
            env.step(actions)
        for name in ("states", "seats", "observations", "masks", "rewards", "dones"):
            assert (getattr(one, name) == getattr(two, name)).all(), name
    one.reset()
    again = vector(game, 600, "seed", **options)
    assert (one.observations == again.observations).all()
    assert (one.states == again.states).all()
    assert (vector(game, 600, "other", **options).states != again.states).any()


@every_variant
def test_an_observation_is_the_same_in_every_world_its_seat_cannot_rule_out(variant: Variant) -> None:
    for choices in (3, 17, 40):
        match = random_game(variant, 5, choices)
        if match.outcome is not None:
            continue
        for number, seat in enumerate(match.seats):
            view = match.view(seat)
            env = env_of(variant, 8)
            env.load(redeal(view, 8, choices))
            views = env.views(number)
            for place in range(8):
                other = as_match(env, place)
                assert expected(other, number) == expected(match, number)
                assert bytes(views[place]) == bytes(view.state.array()[0])


def test_worlds_are_numbered_so_that_they_can_be_made_in_parts() -> None:
    view = random_game(variant_named("romans, four"), 2, 20).view("gold")
    whole = redeal(view, 50, "worlds")
    assert (np.concatenate([redeal(view, 20, "worlds"), redeal(view, 30, "worlds", first=20)]) == whole).all()
    assert len({each.tobytes() for each in whole}) > 10
    public = redeal(random_game(variant_named("romans, four"), 2, 20).view(SPECTATOR), 5)
    assert len(public) == 5


# Warrior by warrior


def test_a_line_laid_warrior_by_warrior_is_the_plan_of_that_name() -> None:
    env = vector("romans", 3, 4, one_by_one=True, **FOUR)
    warriors = numbers_of("romans").WARRIORS
    laid: dict[tuple[int, int], list[str]] = {}
    plans = 0
    for _ in range(400):
        before = [(as_match(env, place), int(env.seats[place])) for place in range(env.n)]
        actions = env.sample()
        env.step(actions)
        for place, (match, seat) in enumerate(before):
            action = int(actions[place])
            line = laid.setdefault((place, seat), [])
            if action >= len(warriors):
                assert match.game.allows(match.state, seat, action - len(warriors) + 5160)
                continue
            line.append(warriors[action])
            pending = match.game.pending(match.rules, match.state, seat)
            if len(line) < pending["take"]:
                assert int(env.seats[place]) == seat
                assert env.observations[place].tolist() == expected(match, seat, slot_of(env, place))
                continue
            verb = "plan" if pending["take"] < len(pending["arrange"]) else "reorder"
            choice = match.game.choice_id(match.rules, match.state, seat, f"{verb}:" + ",".join(line))
            match.game.commit(match.state, seat, choice)
            assert env.dones[place] or env.states[place].tobytes() == bytes(match.state)
            line.clear()
            plans += verb == "plan"
    assert plans > 30


def slot_of(env: VectorEnv, place: int) -> Slot:
    return Slot.from_buffer_copy(env._slots[place : place + 1].tobytes())


def test_every_plan_can_be_laid_warrior_by_warrior() -> None:
    arrangement = numbers_of("romans").arrangement
    for number, order in enumerate(ARRANGEMENTS):
        assert arrangement(sum(int(place) << 4 * k for k, place in enumerate(order[:6])), 6, 7) == number
    for number, order in enumerate(REORDERINGS):
        assert arrangement(sum(int(place) << 4 * k for k, place in enumerate(order)), 5, 5) == number


# What is amiss


def test_an_action_that_may_not_be_taken_is_refused_and_nothing_happens() -> None:
    env = vector("goths", 5)
    before = env.states.copy()
    actions = env.sample()
    for wrong in (12, 30, -1, 10**12):
        with pytest.raises(ValueError, match=rf"game 3: ostrogoth-king may not take action {wrong}; legal are \d"):
            env.step([*actions[:3], wrong, actions[4]])
    for wrong in (actions[:4], actions.astype(float), [["a"]], None, 3):
        with pytest.raises(ValueError, match="actions must be 5 whole numbers"):
            env.step(wrong)
    assert (env.states == before).all()
    env.step(actions.astype(np.int8))
    assert (env.states != before).all()


def test_a_game_that_is_over_can_be_looked_at_and_not_stepped() -> None:
    variant = variant_named("romans, two")
    over = random_game(variant, 1)
    env = env_of(variant, 2)
    env.load(over.state.array())
    assert env.seats.tolist() == [-1, -1]
    assert not env.masks.any()
    with pytest.raises(ValueError, match="game 0 is over"):
        env.step([0, 0])
    env.reset()
    env.step(env.sample())


def test_what_makes_no_sense_is_said() -> None:
    with pytest.raises(Fault, match='there is no game "chess"'):
        vector("chess", 4)
    with pytest.raises(Fault, match="rules"):
        vector("goths", 4, fog=True)
    with pytest.raises(ValueError, match="n must be a whole number from 1"):
        vector("goths", 0)
    with pytest.raises(ValueError, match="one_by_one"):
        vector("goths", 4, one_by_one=True)
    with pytest.raises(ValueError, match="seats are -1"):
        vector("goths", 4).views(4)


@pytest.mark.parametrize("game", ["goths", "romans"])
def test_the_layout_names_every_index_once_and_nothing_leaves_its_range(game: str) -> None:
    layout = numbers_of(game).LAYOUT
    entries = list(layout.entries())
    assert [entry.index for entry in entries] == list(range(layout.size))
    assert len({(entry.part, entry.label) for entry in entries}) == len(entries)
    least, most = (np.array([getattr(entry, name) for entry in entries]) for name in ("least", "most"))
    used = np.zeros(layout.size, bool)
    for variant in VARIANTS:
        if variant.game != game:
            continue
        env = env_of(variant, 60, one_by_one=game == "romans")
        for _ in range(60):
            env.step(env.sample())
            assert (env.observations >= least).all()
            assert (env.observations <= most).all()
            used |= env.observations.any(axis=0)
    assert {entry.part for entry in entries} == {entry.part for entry in entries if used[entry.index]}
