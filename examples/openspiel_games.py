"""OpenSpiel's own algorithms on both games: external-sampling MCCFR and information-set MCTS against random play.

    pip install "meadhall[envs]"
    python examples/openspiel_games.py

External sampling walks through every action of the player it learns for, so it gets what is left of a game: the last
turn of Goths with a loaded catapult, and the last round of Romans once the lines lie. IS-MCTS plays whole games.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import external_sampling_mccfr, ismcts, mcts

import meadhall.envs.openspiel  # registers the games

RNG = np.random.RandomState(1)
LOADED = {
    "format": "meadhall/1",
    "game": "goths",
    "rules": {"turn_limit": 2},
    "setup": {"objectives": ["trap", "queen", "plains"]},
    "choices": [
        ["ostrogoth-king", "order:catapult/recruiter"],
        ["visigoth-king", "order:barbarian/catapult"],
        ["ostrogoth-warchief", "act:load"],
        ["visigoth-warchief", "act:advance"],
    ],
}
Chooser = Callable[[Any], int]


@dataclass
class EndGame:
    """A game that begins in the middle of another one: all that a solver asks a game for."""

    game: Any
    new_initial_state: Callable[[], Any]

    def num_players(self) -> int:
        return self.game.num_players()

    def get_type(self) -> Any:
        return self.game.get_type()


def at_random(state: Any) -> int:
    return RNG.choice(state.legal_actions())


def by(policy: Any) -> Chooser:
    """Whoever draws his actions from a policy."""

    def choose(state: Any) -> int:
        chances = policy.action_probabilities(state)
        return RNG.choice(list(chances), p=list(chances.values()))

    return choose


def played(state: Any, seats: Sequence[int], chooser: Chooser, rival: Chooser = at_random) -> float:
    """What a game is worth to these seats if they choose so and the others choose otherwise."""
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(RNG.choice(outcomes, p=chances))
        else:
            state.apply_action(chooser(state) if player in seats else rival(state))
    return state.returns()[seats[0]]


def solve(name: str, game: EndGame, seats: Sequence[int], iterations: int, games: int) -> None:
    """Let MCCFR learn, and compare its average policy with random play."""
    begun = time.perf_counter()
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    for _ in range(iterations):
        solver.iteration()
    choosers = (at_random, by(solver.average_policy()))
    random, own = (np.mean([played(game.new_initial_state(), seats, who) for _ in range(games)]) for who in choosers)
    taken = time.perf_counter() - begun
    print(f"{name}: {iterations} iterations of external-sampling MCCFR in {taken:.0f} s")
    print(f"  against random play, {games} games each: random {random:+.2f}, the average policy {own:+.2f}")


def search(name: str, text: str, seats: Sequence[int], simulations: int, games: int) -> None:
    """Let IS-MCTS play whole games against random play, every second one from the other side."""
    begun = time.perf_counter()
    game = pyspiel.load_game(text)
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, RNG),
        uct_c=1.0,
        max_simulations=simulations,
        max_world_samples=max(1, simulations // 4),
        random_state=RNG,
    )
    others = [seat for seat in range(game.num_players()) if seat not in seats]
    results = [played(game.new_initial_state(), (seats, others)[k % 2], bot.step) for k in range(games)]
    won, lost = sum(result > 0 for result in results), sum(result < 0 for result in results)
    taken = time.perf_counter() - begun
    print(f"{name}: IS-MCTS of {simulations} simulations against random play, {games} games in {taken:.0f} s")
    print(f"  won {won}, lost {lost}, drawn {games - won - lost}")


def last_turn_of_goths() -> EndGame:
    """The Visigoths stand in the open before a loaded catapult: they must sabotage it, or it must be misread."""
    game = pyspiel.load_game("meadhall_goths(turn_limit=2)")
    root = meadhall.envs.openspiel.state_of(game, LOADED)
    return EndGame(game, root.clone)


def last_round_of_romans() -> EndGame:
    """The last lines lie; gold's is known, green's is any that gold cannot rule out."""
    game = pyspiel.load_game("meadhall_romans(players=gold+green,one_by_one=True)")
    state = game.new_initial_state()
    rng = np.random.RandomState(6)
    while state.is_chance_node() or state.play.state.round < 3 or state.play.game.arranges(state.play.state, 1):
        state.apply_action(rng.choice(state.legal_actions()))
    return EndGame(game, lambda: state.resample_from_infostate(0, RNG.uniform))


def main() -> None:
    """Run all four."""
    parser = argparse.ArgumentParser(description="OpenSpiel's MCCFR and IS-MCTS on both games of Meadhall")
    parser.add_argument("--quick", action="store_true", help="a few seconds of everything, to see that it runs")
    quick = parser.parse_args().quick
    np.random.seed(1)  # MCCFR draws from NumPy's own generator
    solve("Goths, the last turn", last_turn_of_goths(), (0, 1), 2 if quick else 1000, 10 if quick else 2000)
    solve("Romans, the last round", last_round_of_romans(), (0,), 2 if quick else 200, 5 if quick else 500)
    search("Goths of 12 turns", "meadhall_goths(turn_limit=12)", (0, 1), 4 if quick else 25, 1 if quick else 24)
    search("Romans for two", "meadhall_romans(one_by_one=True)", (0,), 4 if quick else 25, 1 if quick else 24)


if __name__ == "__main__":
    main()
