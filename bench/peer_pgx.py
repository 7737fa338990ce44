"""Pgx: thousands of games side by side, compiled by JAX for the CPU.

Both ways keep the rewards: where nobody asks for them, XLA leaves the cards and the chips out altogether.
"""

from collections.abc import Callable
from typing import Any, cast

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset
from timing import best_rate

jax.config.update("jax_platforms", "cpu")

SEED = 1
GAMES = 4096
STEPS = 100  # of every game in one call
ROUNDS = 20  # of games played to the end in one call

Play = Callable[[Any], tuple[Any, Any, Any]]  # key -> decisions, rewards, next key


def resetting(seconds: float, name: str) -> float:
    """Decisions per second with Pgx's auto-reset: a finished game is dealt anew at once."""
    return _rate(_play_resetting(pgx.make(name)), seconds)


def observed(seconds: float, name: str) -> float:
    """The same with every observation made: where nobody asks for them, XLA leaves them out."""
    return _rate(_play_resetting(pgx.make(name), observes=True), seconds)


def to_the_end(seconds: float, name: str) -> float:
    """Decisions per second of games dealt together and played until all are over, without idle steps."""
    return _rate(_play_to_the_end(pgx.make(name)), seconds)


def _rate(play: Play, seconds: float) -> float:
    key = jax.random.key(SEED)

    def work() -> int:
        nonlocal key
        decisions, _, key = jax.block_until_ready(play(key))
        return int(decisions)

    return best_rate(work, seconds)


def _pick(key: Any, legal: Any) -> Any:
    """A legal action for every game, each equally likely; one random number each beats a categorical draw."""
    ranks = jnp.cumsum(legal, axis=-1)
    rank = jnp.floor(jax.random.uniform(key, legal.shape[:1]) * ranks[:, -1])
    return jnp.argmax(ranks > rank[:, None], axis=-1)


def _play_resetting(env: Any, observes: bool = False) -> Play:
    step = jax.vmap(auto_reset(env.step, env.init))

    def one_step(_: int, carried: Any) -> Any:
        state, rewards, seen, key = carried
        key, picking, dealing = jax.random.split(key, 3)
        state = step(state, _pick(picking, state.legal_action_mask), jax.random.split(dealing, GAMES))
        seen = state.observation if observes else seen
        return state, rewards + state.rewards, seen, key

    def play(key: Any) -> Any:
        key, dealing = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(dealing, GAMES))
        begun = (state, jnp.zeros_like(state.rewards), state.observation, key)
        _, rewards, seen, key = jax.lax.fori_loop(0, STEPS, one_step, begun)
        return GAMES * STEPS, (rewards, seen), key

    return cast(Play, jax.jit(play))


def _play_to_the_end(env: Any) -> Play:
    init, step = jax.vmap(env.init), jax.vmap(env.step)

    def one_step(carried: Any) -> Any:
        state, decisions, rewards, key = carried
        key, picking = jax.random.split(key)
        decisions += jnp.sum(~state.terminated)
        state = step(state, _pick(picking, state.legal_action_mask))
        return state, decisions, rewards + state.rewards, key

    def one_round(_: int, carried: Any) -> Any:
        decisions, rewards, key = carried
        key, dealing = jax.random.split(key)
        games = (init(jax.random.split(dealing, GAMES)), decisions, rewards, key)
        return jax.lax.while_loop(lambda carried: ~carried[0].terminated.all(), one_step, games)[1:]

    def play(key: Any) -> Any:
        nothing = jnp.zeros((GAMES, env.num_players))
        return jax.lax.fori_loop(0, ROUNDS, one_round, (jnp.int32(0), nothing, key))

    return cast(Play, jax.jit(play))
