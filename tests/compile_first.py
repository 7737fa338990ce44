"""Compiles what most tests of compiled code need, so that their processes only load it.

python -m tests.compile_first
"""

from meadhall.envs import redeal, vector
from meadhall.lab.analysis.romans import prepare
from tests.twins.bounds_checked import play_batch, play_watched
from tests.variants import VARIANTS, Variant


def main() -> None:
    for game in ("goths", "romans"):
        variant = next(variant for variant in VARIANTS if variant.game == game)
        play_watched(variant)
        play_batch(variant)
        step_side_by_side(variant)
    prepare()


def step_side_by_side(variant: Variant) -> None:
    env = vector(variant.game, 2, **variant.rules)
    env.step(env.sample())
    env.load(redeal(variant.deal(1).view(env.agents[0]), 2))
    env.views(0)


if __name__ == "__main__":
    main()
