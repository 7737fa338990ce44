"""OpenSpiel: random play driven from Python, and by its own loop in C++."""

import itertools
import random
from typing import Any

import pyspiel
from timing import best_rate

SEED = 1
CHANCE, SIMULTANEOUS = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.SIMULTANEOUS)
SAMPLE = 4000  # games; leaves an error of about one in a hundred in the decisions per game
GAMES_IN_A_ROW = 50


def from_python(seconds: float, name: str) -> float:
    """Decisions per second when Python asks for the legal actions and applies one."""
    game = pyspiel.load_game(name)
    rng = random.Random(SEED)
    return best_rate(lambda: _play(game, rng), seconds)


def in_cpp(seconds: float, name: str) -> float:
    """Decisions per second of `evaluate_bots`, which plays a whole game in one call."""
    game = _turn_based(pyspiel.load_game(name))
    # It tells only who won what, so the decisions in a game are those of random games played from Python.
    rng = random.Random(SEED)
    per_game = sum(_play(game, rng) for _ in range(SAMPLE)) / SAMPLE
    bots = [pyspiel.make_uniform_random_bot(player, SEED + player) for player in range(game.num_players())]
    seeds = itertools.count(SEED)

    def work() -> int:
        for _ in range(GAMES_IN_A_ROW):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return GAMES_IN_A_ROW

    return per_game * best_rate(work, seconds)


def _turn_based(game: Any) -> Any:
    """The game itself, or with simultaneous choices made one after the other, which is all bots know."""
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game


def _play(game: Any, rng: random.Random) -> int:
    """Play one game at random; gives the number of players' choices, chance not counted."""
    state = game.new_initial_state()
    players = range(game.num_players())
    decisions = 0
    while True:
        player = state.current_player()
        if player >= 0:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        elif player == CHANCE:
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
        elif player == SIMULTANEOUS:
            state.apply_actions([rng.choice(state.legal_actions(each)) for each in players])
            decisions += len(players)
        else:
            return decisions
