"""Prints what each index of an observation means: `python -m meadhall.envs goths > docs/observations-goths.md`."""

import sys

from meadhall.envs.vectorised import numbers_of


def page(game: str) -> str:
    """The page of the documentation."""
    layout = numbers_of(game).LAYOUT
    lead = f"What each of the {layout.size} numbers of an observation means. Made by `python -m meadhall.envs {game}`."
    return f"# Observations of {game}\n\n{lead}\n\n{layout.markdown()}"


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1]))
