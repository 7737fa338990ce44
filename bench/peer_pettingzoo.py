"""PettingZoo: random play of a classic game through its turn-by-turn interface."""

import random

from pettingzoo.classic import leduc_holdem_v4
from timing import best_rate

SEED = 1


def leduc(seconds: float) -> float:
    """Decisions per second of random legal play, as `last` and `step` allow it."""
    env = leduc_holdem_v4.env()
    rng = random.Random(SEED)
    env.reset(seed=SEED)

    def work() -> int:
        env.reset()
        decisions = 0
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return decisions
            # Quicker than the action space's own `sample`.
            env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
            decisions += 1

    return best_rate(work, seconds)
