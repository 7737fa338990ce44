"""The level `random`: every legal choice is as likely as any other."""

from random import Random

from meadhall.match import View


def choose(view: View, rng: Random) -> str:
    """A legal choice at random; an arrangement is drawn card by card, not out of a list of thousands."""
    options = view.game.pending(view.rules, view.state, view.number)
    if isinstance(options, list):
        return str(rng.choice(options))
    verb = "plan" if options["take"] < len(options["arrange"]) else "reorder"
    return f"{verb}:" + ",".join(rng.sample(options["arrange"], options["take"]))
