"""Write the golden games anew from the records in them, after a change that is meant to change them.

    python -m tests.golden.regenerate

Read the difference before you commit it: it is what players, bots and spectators will see.
"""

from pathlib import Path

from tests.golden.transcript import read_record, transcript
from tests.variants import random_game, variant_named

FOLDER = Path(__file__).parent
# Where a file is missing, it is made from a random game of this variant and seed.
GAMES = {
    "goths-plain": ("goths, base", 119),
    "goths-variants": ("goths, lone visigoth, own deck, fog anywhere, twenty turns", 234),
    "romans-plain": ("romans, four", 61),
    "romans-variants": ("romans, three and one, original, qween replaces, own deck", 50),
}


def regenerate() -> None:
    for name, (variant, seed) in GAMES.items():
        path = FOLDER / f"{name}.txt"
        if path.exists():
            record = read_record(path.read_text(encoding="utf-8"))
        else:
            record = random_game(variant_named(variant), seed).record()
        path.write_text(transcript(record), encoding="utf-8")


if __name__ == "__main__":
    regenerate()
