"""The level `random`: every legal choice is as likely as any other."""

from random import Random

from meadhall.match import View


def choose(view: View, rng: Random) -> str:
    """A legal choice at random."""
    return view.sample(rng)
