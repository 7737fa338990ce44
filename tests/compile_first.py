"""Compiles what most tests of compiled code need, so that their processes only load it.

python -m tests.compile_first
"""

from meadhall.lab.analysis.romans import prepare
from tests.twins.bounds_checked import play_batch, play_watched
from tests.variants import VARIANTS


def main() -> None:
    for game in ("goths", "romans"):
        variant = next(variant for variant in VARIANTS if variant.game == game)
        play_watched(variant)
        play_batch(variant)
    prepare()


if __name__ == "__main__":
    main()
